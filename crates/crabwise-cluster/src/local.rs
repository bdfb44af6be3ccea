//! A cluster of processes on this machine, to try things out.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    process::{Child, Command},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::hosts::{BadHosts, Hosts};

/// Addresses on this machine, one a process.
pub fn hosts(processes: usize) -> io::Result<Hosts> {
    // All are held until there are enough, so that no two are the same.
    let held = (0..processes)
        .map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
        .collect::<io::Result<Vec<_>>>()?;
    let addresses = held.iter().map(|held| Ok(held.local_addr()?.to_string()));
    let addresses = addresses.collect::<io::Result<Vec<String>>>()?;
    Hosts::read(&addresses.join("\n"))
        .map_err(|error: BadHosts| io::Error::other(error.to_string()))
}

/// The other processes. They end with this value.
pub struct Others(Arc<Mutex<Vec<Child>>>);

impl Others {
    /// Starts process 1 and all after it by the commands given.
    pub fn start(commands: impl IntoIterator<Item = Command>) -> io::Result<Others> {
        let others = Others(Arc::default());
        for mut command in commands {
            let child = command.spawn()?;
            held(&others.0).push(child);
        }
        Ok(others)
    }

    /// Tells whether a process has ended.
    pub fn ended(&self) -> impl Fn(usize) -> bool + Send + Sync + 'static {
        let children = self.0.clone();
        move |process| {
            let mut children = held(&children);
            let child = process.checked_sub(1).and_then(|place| children.get_mut(place));
            child.is_some_and(|child| matches!(child.try_wait(), Ok(Some(_))))
        }
    }

    /// Ends them all.
    pub fn end(&self) {
        for child in held(&self.0).iter_mut() {
            // One that has ended cannot be ended again, and that is well.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Waits until all have ended by themselves.
    pub fn wait(&self) -> io::Result<()> {
        held(&self.0).iter_mut().try_for_each(|child| child.wait().map(|_| ()))
    }
}

fn held(children: &Mutex<Vec<Child>>) -> MutexGuard<'_, Vec<Child>> {
    children.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Others {
    fn drop(&mut self) {
        self.end();
    }
}

//! A cluster of processes on this machine, to try things out.

#[cfg(not(unix))]
use std::process::Stdio;
#[cfg(unix)]
use std::{
    env,
    os::fd::{AsFd, OwnedFd},
};
use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    process::{Child, Command},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::hosts::{BadHosts, Hosts};

/// Addresses on this machine, one a process, and what listens there. A process that bound its port only when it starts
/// might find that somebody else has taken it meanwhile, or be called by another cluster.
pub fn hosts(processes: usize) -> io::Result<(Hosts, Vec<TcpListener>)> {
    let listeners = (0..processes)
        .map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
        .collect::<io::Result<Vec<_>>>()?;
    let addresses = listeners.iter().map(|listener| Ok(listener.local_addr()?.to_string()));
    let addresses = addresses.collect::<io::Result<Vec<String>>>()?;
    let hosts = Hosts::read(&addresses.join("\n"))
        .map_err(|error: BadHosts| io::Error::other(error.to_string()))?;
    Ok((hosts, listeners))
}

/// What tells a process that its standard input is what it listens at.
#[cfg(unix)]
const INHERITED: &str = "CRABWISE_LISTENS_AT_STDIN";

/// Gives a process that is to be started what it will listen at.
#[cfg(unix)]
pub fn hand_down(listener: TcpListener, command: &mut Command) {
    command.env(INHERITED, "1").stdin(OwnedFd::from(listener));
}

/// What this process was given to listen at.
#[cfg(unix)]
pub fn inherited() -> Option<TcpListener> {
    env::var_os(INHERITED)?;
    Some(io::stdin().as_fd().try_clone_to_owned().ok()?.into())
}

/// Elsewhere the process binds the port anew.
#[cfg(not(unix))]
pub fn hand_down(_: TcpListener, command: &mut Command) {
    command.stdin(Stdio::null());
}

/// Elsewhere nothing is given.
#[cfg(not(unix))]
pub fn inherited() -> Option<TcpListener> {
    None
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

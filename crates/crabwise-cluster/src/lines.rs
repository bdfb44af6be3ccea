//! The connections between processes: how they are made, and how it is told that one is gone.
//!
//! Timely stops at the first broken connection, with a panic in the thread that reads it. Before it hears of
//! that, a line notes which process is gone, for the workers to tell; and the thread that would panic
//! waits for the end of the program.

use std::{
    collections::VecDeque,
    io::{self, ErrorKind, Read, Write},
    net::{Shutdown, TcpListener, TcpStream, ToSocketAddrs},
    sync::{Arc, Mutex, OnceLock},
    thread,
    time::{Duration, Instant},
};

use crabwise::Lost;
use socket2::{SockRef, TcpKeepalive};
use timely::communication::allocator::zero_copy::stream::Stream;

use crate::{Gone, hosts::Hosts};

/// Which process is gone, if any.
#[derive(Clone)]
pub(crate) struct Fate {
    hosts: Hosts,
    lost: Arc<OnceLock<Lost>>,
}

impl Fate {
    pub(crate) fn new(hosts: Hosts) -> Fate {
        Fate { hosts, lost: Arc::default() }
    }

    pub(crate) fn lost(&self) -> Option<Lost> {
        self.lost.get().cloned()
    }

    fn lose(&self, process: usize, how: &str) {
        let host = self.hosts.address(process);
        let lost = Lost(format!("lost process {process} on {host}: {how}"));
        self.lost.get_or_init(|| lost);
    }
}

/// A connection to another process.
pub(crate) struct Line {
    stream: TcpStream,
    process: usize,
    fate: Fate,
    /// The last bytes read: an orderly end is announced by a header of nothing but zeros.
    zeros: Arc<Mutex<usize>>,
}

/// Bytes of the header with which timely ends a stream: six fields, all zero.
const FAREWELL: usize = 48;

impl Line {
    /// Notes that the process is gone, and waits for the end of the program.
    fn lose(&self, how: &str) -> ! {
        self.fate.lose(self.process, how);
        loop {
            thread::park();
        }
    }
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let zeros = self.zeros.clone();
        let mut zeros = zeros.lock().unwrap_or_else(|lock| lock.into_inner());
        match self.stream.read(buffer) {
            Ok(0) if *zeros >= FAREWELL => Ok(0),
            Ok(0) => self.lose("it closed the connection; its own message says why, if it had any"),
            Err(error) if error.kind() == ErrorKind::Interrupted => Err(error),
            Err(error) => self.lose(&error.to_string()),
            Ok(n) => {
                let trailing = buffer[..n].iter().rev().take_while(|byte| **byte == 0).count();
                *zeros = if trailing == n { *zeros + n } else { trailing };
                Ok(n)
            }
        }
    }
}

impl Write for Line {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.stream.write(buffer) {
            Err(error) if error.kind() != ErrorKind::Interrupted => self.lose(&error.to_string()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Line {
    fn try_clone(&self) -> io::Result<Line> {
        let (fate, zeros) = (self.fate.clone(), Arc::default());
        Ok(Line { stream: self.stream.try_clone()?, process: self.process, fate, zeros })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Whoever is gone already need not be told.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

/// What a process says first: that it is one of ours, and which.
const GREETING: &[u8; 8] = b"CRABWISE";

/// How long a connection may be silent before it is tested, and broken before it is given up.
const SILENCE: Duration = Duration::from_secs(10);
const BROKEN: Duration = Duration::from_secs(60);

/// Connects with all other processes: with earlier ones by calling them, with later ones by waiting for
/// their call.
pub(crate) fn connect(
    hosts: &Hosts,
    process: usize,
    listener: Option<TcpListener>,
    until: Instant,
    gone: &Gone,
    fate: &Fate,
) -> Result<Vec<Option<Line>>, Lost> {
    let mut streams: Vec<Option<TcpStream>> = vec![];
    streams.resize_with(hosts.len(), || None);
    if hosts.len() == 1 {
        return Ok(vec![None]);
    }
    let address = hosts.address(process);
    let listener = listener.map_or_else(|| TcpListener::bind(address), Ok);
    let listener =
        listener.map_err(|error| Lost(format!("cannot listen on {address}: {error}")))?;
    for (other, stream) in streams.iter_mut().enumerate().take(process) {
        *stream = Some(call(hosts, process, other, until)?);
    }
    await_calls(&listener, hosts, process, until, gone, &mut streams)?;
    (streams.into_iter().enumerate())
        .map(|(process, stream)| {
            let line = |stream: TcpStream| {
                keep_alive(&stream).map_err(|error| {
                    Lost(format!("cannot set up the connection to process {process}: {error}"))
                })?;
                Ok(Line { stream, process, fate: fate.clone(), zeros: Arc::default() })
            };
            stream.map(line).transpose()
        })
        .collect()
}

/// A cable that is pulled out says nothing; so silence is tested, and not borne for ever.
fn keep_alive(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let probes = TcpKeepalive::new().with_time(SILENCE).with_interval(SILENCE);
    #[cfg(not(any(windows, target_os = "openbsd")))]
    let probes = probes.with_retries((BROKEN.as_secs() / SILENCE.as_secs()) as u32);
    socket.set_tcp_keepalive(&probes)?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(BROKEN))?;
    Ok(())
}

fn call(hosts: &Hosts, me: usize, other: usize, until: Instant) -> Result<TcpStream, Lost> {
    let address = hosts.address(other);
    loop {
        let called = address.to_socket_addrs().and_then(|mut found| {
            let none = || io::Error::new(ErrorKind::NotFound, "no such host");
            let mut stream = TcpStream::connect_timeout(&found.next().ok_or_else(none)?, SILENCE)?;
            stream.write_all(GREETING)?;
            stream.write_all(&(me as u64).to_le_bytes())?;
            Ok(stream)
        });
        match called {
            Ok(stream) => return Ok(stream),
            Err(error) if Instant::now() >= until => {
                let lost = format!("process {other} on {address} cannot be reached: {error}");
                return Err(Lost(lost));
            }
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// Takes calls until all later processes have called. Anybody may call, say nothing or nonsense, and hang up: such
/// callers are heard side by side, so that they keep nobody waiting.
fn await_calls(
    listener: &TcpListener,
    hosts: &Hosts,
    me: usize,
    until: Instant,
    gone: &Gone,
    streams: &mut [Option<TcpStream>],
) -> Result<(), Lost> {
    let broken = |error: io::Error| Lost(format!("cannot take calls: {error}"));
    listener.set_nonblocking(true).map_err(broken)?;
    let mut callers: VecDeque<Caller> = VecDeque::new();
    while let Some(missing) = (me + 1..streams.len()).find(|other| streams[*other].is_none()) {
        if Instant::now() >= until || gone(missing) {
            let host = hosts.address(missing);
            return Err(Lost(format!("process {missing} on {host} did not show up")));
        }
        let came = match listener.accept() {
            Ok((stream, _)) => {
                // Who came first and has not said a word yet makes room.
                if callers.len() == MOST_CALLERS {
                    callers.pop_front();
                }
                callers.extend(Caller::new(stream).ok());
                true
            }
            Err(error) if is_theirs(&error) => true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => false,
            Err(error) => return Err(broken(error)),
        };
        callers.retain_mut(|caller| match caller.listen() {
            Said::More => true,
            Said::Nonsense => false,
            Said::Number(other) => {
                if let Some(place @ None) = streams.get_mut(other).filter(|_| other > me) {
                    *place = caller.stream.take();
                }
                false
            }
        });
        if !came {
            thread::sleep(Duration::from_millis(10));
        }
    }
    Ok(())
}

/// Whether it is one call that failed, and not the taking of all.
fn is_theirs(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted)
}

/// The most callers that are heard at once: each takes a descriptor.
const MOST_CALLERS: usize = 128;

/// Somebody who calls, and has not said yet who it is.
struct Caller {
    stream: Option<TcpStream>,
    said: Vec<u8>,
    until: Instant,
}

/// What a caller has said by now.
enum Said {
    More,
    Nonsense,
    /// Which process it is.
    Number(usize),
}

impl Caller {
    fn new(stream: TcpStream) -> io::Result<Caller> {
        stream.set_nonblocking(true)?;
        Ok(Caller { stream: Some(stream), said: vec![], until: Instant::now() + SILENCE })
    }

    fn listen(&mut self) -> Said {
        let Some(stream) = &mut self.stream else { return Said::Nonsense };
        let mut rest = [0; GREETING.len() + 8];
        // What comes after the greeting is not for us.
        match stream.read(&mut rest[self.said.len()..]) {
            Ok(0) => return Said::Nonsense,
            Ok(n) => self.said.extend(&rest[self.said.len()..][..n]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return Said::Nonsense,
        }
        if Instant::now() >= self.until || !GREETING.iter().zip(&self.said).all(|(a, b)| a == b) {
            return Said::Nonsense;
        }
        let number = self.said.get(GREETING.len()..).and_then(|rest| rest.first_chunk());
        match number {
            None => Said::More,
            Some(_) if stream.set_nonblocking(false).is_err() => Said::Nonsense,
            Some(number) => Said::Number(u64::from_le_bytes(*number) as usize),
        }
    }
}

//! Connections: so many and no more, and none that keeps a place without using it.
//!
//! A connection costs a descriptor, and without descriptors no table can be opened and nobody let in. So their
//! number is held below the limit of the process. Who comes when all places are taken gets the place of the one
//! that has been quiet longest: that has sent no whole request yet, or has its answer and takes no more of it. A
//! request that is being answered is never cut off. Heads of requests that do not end, bodies that do not come and
//! answers that nobody takes are given up in time, each by a limit of its own.

use std::{
    collections::HashMap,
    fs, io,
    pin::Pin,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll, ready},
    time::{Duration, Instant},
};

use axum::{Router, body::Body, http::Request};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::{Sleep, sleep},
};

use crate::lock::lock;

/// How long the head of a request may take, from the answer to the one before it on.
const LONGEST_HEAD: Duration = Duration::from_secs(15);
/// How long an answer may wait for somebody to take more of it.
const STALLED: Duration = Duration::from_secs(30);
/// The most bytes that the head of a request may have, and a little more.
const LARGEST_HEAD: usize = 96 << 10;
/// The most connections, whatever the system allows.
const MOST: usize = 2_048;

/// How many connections there may be: most of the descriptors of this process, since tables need some too.
pub fn most() -> usize {
    // Where the system does not tell, the least that is usual.
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    (descriptors(&limits).unwrap_or(256) / 8 * 5).clamp(16, MOST)
}

fn descriptors(limits: &str) -> Option<usize> {
    let rest = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let word = rest.split_ascii_whitespace().next()?;
    if word == "unlimited" { Some(usize::MAX) } else { word.parse().ok() }
}

/// Answers connections for as long as the program runs, at most so many at once.
pub async fn serve(listener: TcpListener, router: Router, most: usize) -> io::Result<()> {
    let places = Arc::new(Places { most, ..Places::default() });
    loop {
        let (stream, _) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) if is_theirs(&error) => continue,
            Err(_) => {
                // Mostly there are no descriptors left, because of something else here.
                places.make_room();
                sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let Some(taken) = places.take() else { continue };
        let router = router.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = converse(stream, router, &taken.place) => {}
                () = taken.place.leave.notified() => {}
            }
        });
    }
}

/// Whether it is one connection that failed, and not the accepting of all.
fn is_theirs(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn converse(stream: TcpStream, router: Router, place: &Arc<Place>) {
    let router = TowerToHyperService::new(router);
    let answer = service_fn(|request: Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(place.clone());
        hyper::service::Service::call(&router, request)
    });
    let _ = stream.set_nodelay(true);
    let stream = Attended { stream, place: place.clone(), stalled: None };
    // How a connection ends is nobody's concern here.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(LONGEST_HEAD)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), answer)
        .await;
}

/// All places that are taken.
struct Places {
    most: usize,
    taken: Mutex<HashMap<u64, Arc<Place>>>,
    count: AtomicU64,
    began: Instant,
}

impl Default for Places {
    fn default() -> Places {
        let (taken, count) = Default::default();
        Places { most: MOST, taken, count, began: Instant::now() }
    }
}

/// The place of a connection.
pub struct Place {
    began: Instant,
    /// Milliseconds from the beginning of the server to when it fell quiet; [`WORKING`] while it is answered.
    quiet_since: AtomicU64,
    leave: Notify,
}

const WORKING: u64 = u64::MAX;

impl Place {
    /// A request is there as a whole, and is being answered.
    pub fn work(&self) {
        self.quiet_since.store(WORKING, Ordering::Relaxed);
    }

    /// What follows depends on the other side.
    pub fn rest(&self) {
        let now = self.began.elapsed().as_millis() as u64;
        self.quiet_since.store(now, Ordering::Relaxed);
    }

    /// Something was taken of the answer.
    fn was_heard(&self) {
        if self.quiet_since.load(Ordering::Relaxed) != WORKING {
            self.rest();
        }
    }
}

impl Places {
    /// A place, if need be that of another; `None` if all are being answered.
    fn take(self: &Arc<Places>) -> Option<Taken> {
        if lock(&self.taken).len() >= self.most && !self.make_room() {
            return None;
        }
        let place =
            Place { began: self.began, quiet_since: AtomicU64::new(WORKING), leave: Notify::new() };
        place.rest();
        let place = Arc::new(place);
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        lock(&self.taken).insert(number, place.clone());
        Some(Taken { number, place, places: self.clone() })
    }

    /// Ends the connection that has been quiet longest.
    fn make_room(&self) -> bool {
        let mut taken = lock(&self.taken);
        let quiet = taken.iter().map(|(&number, place)| {
            let since = place.quiet_since.load(Ordering::Relaxed);
            (since, number)
        });
        let Some((since, number)) = quiet.min() else { return false };
        if since == WORKING {
            return false;
        }
        if let Some(place) = taken.remove(&number) {
            place.leave.notify_one();
        }
        true
    }
}

/// A place as long as it is taken.
struct Taken {
    number: u64,
    place: Arc<Place>,
    places: Arc<Places>,
}

impl Drop for Taken {
    fn drop(&mut self) {
        lock(&self.places.taken).remove(&self.number);
    }
}

/// A stream that notices when nobody takes what is written.
struct Attended {
    stream: TcpStream,
    place: Arc<Place>,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Attended {
    /// What came of writing, unless it is waited for in vain.
    fn heard<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            self.place.was_heard();
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(STALLED)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Attended {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Attended {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.heard(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.heard(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_read() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax open files  1024  4096  files\n";
        assert_eq!(descriptors(limits), Some(1024));
        assert_eq!(descriptors("Max open files  unlimited  unlimited  files"), Some(usize::MAX));
        assert_eq!(descriptors(""), None);
        assert!((16..=MOST).contains(&most()));
    }

    /// Places go from those that are quiet longest to those who come, and never from one that is answered.
    #[test]
    fn who_is_answered_keeps_the_place() {
        let places = Arc::new(Places { most: 3, ..Places::default() });
        let all: Vec<Taken> = (0..3).map(|_| places.take().unwrap()).collect();
        for (taken, since) in all.iter().zip([WORKING, 1, 2]) {
            taken.place.quiet_since.store(since, Ordering::Relaxed);
        }
        let late: Vec<Taken> = (0..2)
            .map(|_| {
                let taken = places.take().unwrap();
                taken.place.work();
                taken
            })
            .collect();
        let left = |n: usize| !lock(&places.taken).contains_key(&all[n].number);
        assert_eq!([left(0), left(1), left(2)], [false, true, true]);
        assert!(places.take().is_none(), "all are being answered");
        late[0].place.rest();
        assert!(places.take().is_some());
    }
}

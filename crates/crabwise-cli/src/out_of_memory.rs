//! What happens when the system refuses memory: a sentence and the exit code for too little room, not an abort.
//!
//! Memory is predicted and watched, so this is the last resort: where a limit of the shell or of the system is tighter
//! than what was known of it. Nothing is lost by it, since a run may be killed at any moment.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::{Write, stderr},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread::sleep,
    time::Duration,
};

use crate::error::NO_ROOM;

/// Bytes of a piece that the system's allocator asks the system for by itself, and gives back as soon as it is free.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 18;
/// How many pools threads share.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const POOLS: libc::c_int = 4;

/// Has the allocator keep little of what is free. By itself it has a pool for each thread, and puts into it what is as
/// large as anything that was freed before: tiers, which are then in the pools of the threads that happened to make them.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(crate) fn keep_little() {
    // SAFETY: sets two numbers of the allocator, while there is one thread.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_ARENA_MAX, POOLS);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn keep_little() {}

/// The system's allocator, which ends the program when there is no more.
struct ExitOnExhaustion;

/// Whether it was said that there is no more.
static SAID: AtomicBool = AtomicBool::new(false);

#[global_allocator]
static ALLOCATOR: ExitOnExhaustion = ExitOnExhaustion;

// SAFETY: all calls are handed on to the system's allocator as they are; what it refuses is never returned.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for ExitOnExhaustion {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        there(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        there(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        there(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

#[inline]
fn there(block: *mut u8, bytes: usize) -> *mut u8 {
    if block.is_null() {
        end(bytes);
    }
    block
}

/// Says why, without taking memory for it, and ends the program without running anything else.
#[cold]
fn end(bytes: usize) -> ! {
    // Other threads run out at the same time; one of them says so.
    if SAID.swap(true, Relaxed) {
        sleep(Duration::from_secs(1));
        exit();
    }
    let mut line = [0_u8; 200];
    let room = line.len();
    let mut rest = &mut line[..];
    let _ = writeln!(
        rest,
        "crabwise: the system refused {bytes} bytes of memory: a limit on this process (ulimit -v) or of the \
         machine is reached; raise it, or let --memory be well below it"
    );
    let length = room - rest.len();
    let _ = stderr().write_all(&line[..length]);
    exit()
}

#[cfg(unix)]
#[allow(unsafe_code)]
fn exit() -> ! {
    // SAFETY: ends the process at once. What would run at an orderly exit could ask for memory again.
    unsafe { libc::_exit(NO_ROOM.into()) }
}

#[cfg(not(unix))]
fn exit() -> ! {
    std::process::exit(NO_ROOM.into())
}

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

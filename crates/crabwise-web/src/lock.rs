//! Locks of what is whole at any moment.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock, also if somebody who had it failed: what is kept here is whole at any moment.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

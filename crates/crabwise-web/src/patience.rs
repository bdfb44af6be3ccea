//! How long a look-up may take.

use std::time::{Duration, Instant};

use crabwise::watch::{Stage, Stop, Watch};

use crate::error::ApiError;

/// Stops a look-up that takes too long.
pub struct Patience {
    end: Instant,
}

/// The longest that a look-up may take, in seconds.
const LONGEST_LOOK: f64 = 5.0;

impl Patience {
    pub fn new() -> Patience {
        Patience::of(LONGEST_LOOK)
    }

    /// Refuses to go on when it is over.
    pub fn hold(&self) -> Result<(), ApiError> {
        if self.is_over() { Err(Stop::Cancelled.into()) } else { Ok(()) }
    }

    pub fn is_over(&self) -> bool {
        Instant::now() > self.end
    }

    /// This many seconds of it.
    pub fn of(seconds: f64) -> Patience {
        Patience { end: Instant::now() + Duration::from_secs_f64(seconds) }
    }
}

impl Watch for Patience {
    fn tell(&self, _stage: &Stage) -> Result<(), Stop> {
        if self.is_over() { Err(Stop::Cancelled) } else { Ok(()) }
    }
}

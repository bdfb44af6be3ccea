//! Attacks on everything that reads what others wrote: game strings, files, tables, strategies, requests.
//!
//! An attack makes up its input from bytes of chance, in the structure of what it attacks, and says what must hold
//! whatever the input is. A seed and the number of a case give the bytes, so every finding can be had again. Besides what
//! an attack demands itself, no case may panic in any thread, take longer than [`PATIENCE`], or need much memory.
#![deny(missing_docs)]

mod files;
mod game_strings;
mod requests;
mod rules;
mod strategies;
mod tables;
mod texts;
mod views;

use std::{
    fmt, fs,
    panic::{self, AssertUnwindSafe},
    sync::{
        Arc, Mutex, Once, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use arbitrary::Unstructured;

/// The longest that a case may take.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The most that a case may add to the memory of the process, in bytes.
const GREEDY: u64 = 512 << 20;
/// Bytes of chance a case.
const CHANCE: usize = 4096;

/// One kind of attack.
pub struct Attack {
    /// What it is called.
    pub name: &'static str,
    /// What it tries, and what must hold.
    pub about: &'static str,
    /// Prepares what is attacked.
    pub begin: fn() -> Box<dyn Attacker>,
}

/// All attacks.
pub const ATTACKS: &[Attack] = &[
    game_strings::ATTACK,
    files::ATTACK,
    rules::ATTACK,
    tables::ATTACK,
    strategies::ATTACK,
    views::ATTACK,
    requests::ATTACK,
];

/// What attacks, once it is prepared.
pub trait Attacker {
    /// Makes up one input, writes it to `tried` for people, and tries it. An error says what did not hold.
    fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome;
}

/// What came of a case: bytes of chance that ran out, or whether all held.
pub type Outcome = arbitrary::Result<Result<(), String>>;

/// Something that did not hold.
#[derive(Debug)]
pub struct Finding {
    /// The attack.
    pub attack: &'static str,
    /// With which seed and in which case.
    pub seed: u64,
    /// See `seed`.
    pub case: u64,
    /// The input.
    pub tried: String,
    /// What happened.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { attack, seed, case, tried, what } = self;
        writeln!(f, "{attack}: {what}")?;
        writeln!(f, "tried: {tried}")?;
        write!(f, "again: cargo xtask fuzz {attack} --seed {seed} --case {case}")
    }
}

/// Which cases are tried.
#[derive(Clone, Copy, Debug)]
pub enum Cases {
    /// As many as there are time for.
    For(Duration),
    /// One.
    One(u64),
}

/// Tries cases of an attack. Returns how many.
pub fn run(attack: &Attack, seed: u64, cases: Cases) -> Result<u64, Box<Finding>> {
    listen_to_panics();
    let mut attacker = (attack.begin)();
    let watched = Watched::begin(attack.name, seed);
    let began = Instant::now();
    let mut case = if let Cases::One(case) = cases { case } else { 0 };
    loop {
        try_case(attack, &mut *attacker, seed, case, &watched)?;
        case += 1;
        match cases {
            Cases::For(time) if began.elapsed() < time => {}
            Cases::For(_) => return Ok(case),
            Cases::One(_) => return Ok(1),
        }
    }
}

fn try_case(
    attack: &Attack,
    attacker: &mut dyn Attacker,
    seed: u64,
    case: u64,
    watched: &Watched,
) -> Result<(), Box<Finding>> {
    let mut bytes = vec![0; CHANCE];
    fastrand::Rng::with_seed(seed ^ case.wrapping_mul(0x9E37_79B9_7F4A_7C15)).fill(&mut bytes);
    let mut tried = String::new();
    let peak = peak();
    watched.case(case);
    let done = panic::catch_unwind(AssertUnwindSafe(|| {
        attacker.attack(&mut Unstructured::new(&bytes), &mut tried)
    }));
    watched.rest();
    let what = match done {
        _ if first_panic().is_some() => take_panic(),
        Ok(Ok(Err(what))) => Some(what),
        _ if self::peak() > peak + GREEDY => Some(format!("{} bytes more", self::peak() - peak)),
        _ => None,
    };
    match what {
        Some(what) => Err(Box::new(Finding { attack: attack.name, seed, case, tried, what })),
        None => Ok(()),
    }
}

static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Notes the first panic of any thread.
fn listen_to_panics() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        panic::set_hook(Box::new(|info| {
            let mut first = PANIC.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert_with(|| info.to_string());
        }));
    });
}

fn first_panic() -> Option<String> {
    PANIC.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn take_panic() -> Option<String> {
    PANIC.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The most memory that the process ever had, in bytes; 0 where the system does not tell.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or(0) * 1024
}

/// Ends the process when a case takes too long: a thread that hangs cannot be stopped otherwise.
struct Watched {
    now: Arc<AtomicU64>,
}

/// No case.
const NONE: u64 = u64::MAX;

impl Watched {
    fn begin(name: &'static str, seed: u64) -> Watched {
        let now = Arc::new(AtomicU64::new(NONE));
        let seen = Arc::downgrade(&now);
        thread::spawn(move || {
            let (mut last, mut since) = (NONE, Instant::now());
            while let Some(now) = seen.upgrade() {
                let case = now.load(Relaxed);
                if case != last || case == NONE {
                    (last, since) = (case, Instant::now());
                } else if since.elapsed() > PATIENCE {
                    println!("{name}: a case takes more than {} seconds", PATIENCE.as_secs());
                    println!("again: cargo xtask fuzz {name} --seed {seed} --case {case}");
                    std::process::exit(1);
                }
                drop(now);
                thread::sleep(Duration::from_millis(100));
            }
        });
        Watched { now }
    }

    fn case(&self, case: u64) {
        self.now.store(case, Relaxed);
    }

    fn rest(&self) {
        self.now.store(NONE, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two seconds of each attack; the seed is another every time, and printed with what is found.
    #[test]
    fn attacks_find_nothing() {
        let seed = fastrand::u64(..);
        let found = ATTACKS.iter().filter(|attack| {
            // What a panic says goes to the attacks, so it is printed.
            let done = run(attack, seed, Cases::For(Duration::from_secs(2)));
            done.inspect_err(|finding| println!("{finding}")).is_err()
        });
        assert_eq!(found.count(), 0, "seed {seed}");
    }

    /// What demands too much, panics or is refused, to see that it is noticed.
    struct Broken;

    impl Attacker for Broken {
        fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome {
            let way = chance.int_in_range(0..=9)?;
            *tried = format!("way {way}");
            assert!(way != 3, "no threes");
            Ok(if way == 4 { Err("no fours".into()) } else { Ok(()) })
        }
    }

    #[test]
    fn a_finding_can_be_had_again() {
        const ATTACK: Attack = Attack { name: "broken", about: "", begin: || Box::new(Broken) };
        let found = run(&ATTACK, 7, Cases::For(Duration::from_secs(60))).unwrap_err();
        let again = run(&ATTACK, 7, Cases::One(found.case)).unwrap_err();
        assert_eq!((&found.tried, &found.what), (&again.tried, &again.what));
        assert!(found.what.contains("no "), "{found}");
    }
}

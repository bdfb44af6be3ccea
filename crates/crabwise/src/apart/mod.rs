//! Solving in parts: many workers, each with its own slots, and nothing between them but parcels.
//!
//! A tier is cut into runs of slots, one for each worker ([`Shares`]). All workers go through the same
//! rounds; in a round each does its share of something and hands every worker one parcel, and it goes on
//! when it has one from each ([`Exchange`]). So nothing here knows whether workers are threads or
//! machines, and what they find does not depend on how many there are: a table has the same bytes.
//!
//! - `look`: values of later tiers, which are whole in every process, or in parts and asked for.
//! - `sweep`: tiers without inner moves. `retro`: tiers with loops, one distance a round.
//! - `publish`: a solved tier on its way to the table and to those who need it; and back, for a run that
//!   goes on with an earlier one.
//! - `snapshot`: a tier with loops kept while it is being solved.
//! - `walk`: finding the positions of a game without a numbering.
//! - `count`: what can be reached, for the summary; `follow`: the same with marks in parts.
//! - `room`: how much memory all that takes.
//! - `run`: one tier after another.
//! - `disk`: one worker, and shares in files: for games that are larger than the memory.
//!
//! What a worker sends in a round is bounded, because nothing holds back those who are faster than others.

mod count;
pub(crate) mod disk;
mod follow;
mod look;
mod publish;
mod retro;
pub(crate) mod room;
mod run;
mod snapshot;
mod sweep;
#[cfg(test)]
mod tests;
mod walk;

use std::{
    fmt,
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

use self::room::Staff;
pub(crate) use self::{
    count::{Counting, Divided, Division, Undivided},
    publish::Desk,
    run::{Company, Marking, Walk, work},
    walk::Walker,
};
use crate::{
    solve::SolveError,
    watch::{Stage, TeamStage, Watch},
};

/// What there is between workers.
pub trait Exchange {
    /// Which worker this is, counted from 0.
    fn me(&self) -> usize;

    /// How many workers there are.
    fn workers(&self) -> usize;

    /// How many workers share the memory of one process: the first so many do, and the next, and so on.
    fn together(&self) -> usize;

    /// Sends `parcels[w]` to each worker w, itself included, and returns what each worker sent to this
    /// one. Returns when all have called it as often as this one.
    fn swap(&mut self, parcels: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost>;
}

/// The workers of one process.
pub trait Crew {
    /// Whether the first worker of all is among them. Its process writes the table.
    fn has_first(&self) -> bool;

    /// Runs `work` once for each worker of this process, at the same time, and returns what the first of
    /// them returned that failed.
    fn run(
        &self,
        work: &(dyn Fn(&mut dyn Exchange) -> Result<(), SolveError> + Sync),
    ) -> Result<(), SolveError>;
}

/// The others can no longer be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost(pub String);

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lost {}

/// How the slots of a tier are cut up among the workers. A position is spoken of by its slot's index, or,
/// while only the worker that has it knows that, by its key; either is its address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shares {
    pub(crate) len: u64,
    /// Slots a worker, at the most.
    pub(crate) size: u64,
    /// Where positions go by key: the first slot of each worker. Otherwise runs are of equal length, but
    /// for the last ones.
    starts: Option<Arc<[u64]>>,
}

impl Shares {
    /// Cuts at multiples of `grain`.
    pub(crate) fn new(len: u64, workers: usize, grain: u64) -> Shares {
        let size = len.div_ceil(workers as u64).next_multiple_of(grain.max(1));
        Shares { len, size: size.max(1), starts: None }
    }

    /// What each worker found is its share.
    pub(crate) fn found(lens: &[u64]) -> Shares {
        let (mut starts, mut len) = (vec![], 0);
        for more in lens {
            starts.push(len);
            len += more;
        }
        let size = lens.iter().copied().max().unwrap_or(0).max(1);
        Shares { len, size, starts: Some(starts.into()) }
    }

    /// The first worker of each process has a run that begins there, and the others have nothing.
    pub(crate) fn at(starts: &[u64], leads: &[usize], workers: usize, len: u64) -> Shares {
        let process = |worker| leads.partition_point(|lead| *lead < worker);
        // A worker that is no lead begins where the next process does.
        let start = |worker| starts.get(process(worker)).copied().unwrap_or(len);
        let starts: Vec<u64> = (0..workers).map(start).collect();
        Shares { len, size: len.max(1), starts: Some(starts.into()) }
    }

    pub(crate) fn of(&self, worker: usize) -> Range<u64> {
        match &self.starts {
            Some(starts) => starts[worker]..starts.get(worker + 1).copied().unwrap_or(self.len),
            None => {
                let from = (self.size * worker as u64).min(self.len);
                from..(from + self.size).min(self.len)
            }
        }
    }

    /// Who has the slot with this index.
    #[inline]
    pub(crate) fn owner(&self, index: u64) -> usize {
        match &self.starts {
            Some(starts) => starts.partition_point(|start| *start <= index).saturating_sub(1),
            None => (index / self.size) as usize,
        }
    }

    /// Who has the position with this address.
    #[inline]
    pub(crate) fn keeper(&self, address: u64) -> usize {
        match &self.starts {
            Some(starts) => keeper_of(address, starts.len()),
            None => self.owner(address),
        }
    }
}

/// Who has the position with this key: each worker a range of keys, so that their slots follow each other.
#[inline]
pub(crate) fn keeper_of(key: u64, workers: usize) -> usize {
    ((u128::from(key) * workers as u128) >> 64) as usize
}

/// What a worker tells all others with its parcels, and what all told together.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Say {
    /// Added up: how many have more to send.
    pub(crate) more: u64,
    /// Added up: whatever is being counted.
    pub(crate) sum: u64,
    /// Added up: positions done since the last round.
    pub(crate) done: u64,
    /// Added up: how many met a distance that does not fit.
    pub(crate) far: u64,
    /// The greatest.
    pub(crate) most: u64,
    /// Added up: how many are busy with what others only attend to.
    pub(crate) stay: u64,
}

/// One worker's view of the whole.
pub(crate) struct Team<'a> {
    exchange: &'a mut dyn Exchange,
    watch: &'a dyn Watch,
    stage: Stage,
    told: Instant,
    /// When the last round ended.
    since: Instant,
    /// Bytes that this worker has sent to others.
    sent: u64,
    /// Bytes that all have, as of the last round.
    exchanged: u64,
    /// Whether the others know already that something went wrong.
    failed: bool,
    /// Whether those who attend are to stay.
    stay: bool,
}

/// Six numbers, time at work and bytes sent.
const HEADER: usize = 1 + 8 * 8;
const WELL: u8 = 0;
const TROUBLE: u8 = 1;

impl<'a> Team<'a> {
    pub(crate) fn new(exchange: &'a mut dyn Exchange, watch: &'a dyn Watch) -> Team<'a> {
        let stage = Stage::new("gathering", None, None);
        let now = Instant::now();
        Team {
            exchange,
            watch,
            stage,
            told: now,
            since: now,
            sent: 0,
            exchanged: 0,
            failed: false,
            stay: false,
        }
    }

    pub(crate) fn me(&self) -> usize {
        self.exchange.me()
    }

    pub(crate) fn workers(&self) -> usize {
        self.exchange.workers()
    }

    pub(crate) fn is_first(&self) -> bool {
        self.me() == 0
    }

    /// The first worker of each process.
    pub(crate) fn leads(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.workers()).step_by(self.exchange.together().max(1))
    }

    /// Whether this is the first worker of its process.
    pub(crate) fn is_lead(&self) -> bool {
        self.me().is_multiple_of(self.exchange.together().max(1))
    }

    /// How the workers are spread over processes.
    pub(crate) fn staff(&self) -> Staff {
        let workers = self.exchange.together().max(1);
        Staff { processes: self.workers().div_ceil(workers) as u64, workers: workers as u64 }
    }

    /// Begins a stage of so many positions.
    pub(crate) fn begin(&mut self, what: &'static str, tier: Option<u32>, total: Option<u64>) {
        self.stage = Stage { team: self.stage.team, ..Stage::new(what, tier, total) };
    }

    /// Says how far from the ends the work is.
    pub(crate) fn level(&mut self, level: u32) {
        self.stage.level = Some(level);
    }

    /// An empty parcel for each worker.
    pub(crate) fn parcels(&self) -> Vec<Vec<u8>> {
        vec![vec![0; HEADER]; self.workers()]
    }

    /// Hands out parcels that [`parcels`](Team::parcels) made. What came in is told with each header cut
    /// off.
    pub(crate) fn trade(
        &mut self,
        mut parcels: Vec<Vec<u8>>,
        say: Say,
    ) -> Result<(Vec<Parcel>, Say), SolveError> {
        let busy = self.since.elapsed();
        let me = self.me();
        let others = parcels.iter().enumerate().filter(|(to, _)| *to != me);
        self.sent += others.map(|(_, parcel)| (parcel.len() - HEADER) as u64).sum::<u64>();
        let header = header(Say { stay: self.stay.into(), ..say }, busy, self.sent);
        parcels.iter_mut().for_each(|parcel| parcel[..HEADER].copy_from_slice(&header));
        let came = self.exchange.swap(parcels).map_err(|lost| {
            self.failed = true;
            SolveError::Lost(lost)
        })?;
        let (mut all, mut slowest, mut exchanged) = (Say::default(), (0, Duration::ZERO), 0);
        for (worker, parcel) in came.iter().enumerate() {
            let Some((said, busy, sent)) = read_header(parcel) else {
                self.failed = true;
                let why = String::from_utf8_lossy(parcel.get(1..).unwrap_or_default()).into_owned();
                return Err(SolveError::Elsewhere { worker, why });
            };
            all.more += said.more;
            all.sum += said.sum;
            all.done += said.done;
            all.far += said.far;
            all.stay += said.stay;
            all.most = all.most.max(said.most);
            exchanged += sent;
            if busy > slowest.1 {
                slowest = (worker, busy);
            }
        }
        self.exchanged = exchanged;
        self.note(all.done, slowest)?;
        self.since = Instant::now();
        Ok((came.into_iter().map(Parcel).collect(), all))
    }

    /// The same where there is nothing to hand out.
    pub(crate) fn agree(&mut self, say: Say) -> Result<Say, SolveError> {
        let parcels = self.parcels();
        Ok(self.trade(parcels, say)?.1)
    }

    fn note(&mut self, done: u64, slowest: (usize, Duration)) -> Result<(), SolveError> {
        self.stage.done += done;
        let workers = self.workers();
        let mut team = self.stage.team.unwrap_or(TeamStage { workers, exchanged: 0, slowest: 0 });
        team.exchanged = self.exchanged;
        // Short rounds say little about who is slow.
        if slowest.1 > Duration::from_millis(5) {
            team.slowest = slowest.0;
        }
        self.stage.team = Some(team);
        if self.told.elapsed() >= Duration::from_millis(50) {
            self.told = Instant::now();
            self.watch.tell(&self.stage)?;
        }
        Ok(())
    }

    /// Tells the watcher, however short ago that was.
    pub(crate) fn tell(&mut self) -> Result<(), SolveError> {
        Ok(self.watch.tell(&self.stage)?)
    }

    /// Tells all others, in place of the next parcels, why this worker cannot go on.
    pub(crate) fn fail(&mut self, error: &SolveError) {
        if !self.failed {
            self.failed = true;
            let mut parcel = vec![TROUBLE];
            parcel.extend(error.to_string().bytes());
            // Whoever cannot be told finds out without it.
            let _ = self.exchange.swap(vec![parcel; self.workers()]);
        }
    }
}

/// What came from one worker.
pub(crate) struct Parcel(Vec<u8>);

impl Parcel {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0[HEADER..]
    }
}

fn header(say: Say, busy: Duration, sent: u64) -> [u8; HEADER] {
    let Say { more, sum, done, far, most, stay } = say;
    let mut out = [WELL; HEADER];
    let fields = [more, sum, done, far, most, stay, busy.as_micros() as u64, sent];
    for (place, field) in out[1..].chunks_exact_mut(8).zip(fields) {
        place.copy_from_slice(&field.to_le_bytes());
    }
    out
}

/// What a header says; `None` for news of trouble.
fn read_header(parcel: &[u8]) -> Option<(Say, Duration, u64)> {
    let header = parcel.get(..HEADER).filter(|header| header[0] == WELL)?;
    let field = |i: usize| {
        let bytes = header[1 + 8 * i..].first_chunk();
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    };
    let say = Say {
        more: field(0),
        sum: field(1),
        done: field(2),
        far: field(3),
        most: field(4),
        stay: field(5),
    };
    Some((say, Duration::from_micros(field(6)), field(7)))
}

//! Counting by several processes: each goes through its own slots, and after every round they put together
//! what they have reached. A bit a slot is in the memory of every process, and one more for what it has told,
//! because whoever looks for a parent that is reached may find it anywhere. Where that is too much, marks are in parts: see `follow`.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use super::{
    Say, Shares, Team,
    look::Later,
    publish::{Desk, Done},
};
use crate::{Summary, Value, analysis::stats::Run, solve::SolveError, table::Counts, table::codec};

/// What of a count is for this process to do, and how processes put together what they found.
pub(crate) trait Division {
    /// Which of `count` pieces are for this process.
    fn mine_of(&self, count: usize) -> Range<usize>;

    /// Adds what this process has marked, from a tier on, to what others have, and the other way round;
    /// the numbers of all are added up.
    fn join(&mut self, bits: &[Vec<AtomicU64>], tier: u32, found: u64) -> Result<u64, SolveError>;

    /// Completes bytes of which each process has filled its own.
    fn join_bytes(&mut self, bytes: &mut [u8], mine: Range<usize>) -> Result<(), SolveError>;

    /// Which of the slots of a tier are for this process.
    fn mine(&self, len: u64) -> Range<u64> {
        let pieces = self.mine_of(len.div_ceil(GRAIN) as usize);
        (pieces.start as u64 * GRAIN).min(len)..(pieces.end as u64 * GRAIN).min(len)
    }
}

/// Bytes of marks that a process tells in a round.
const TOLD: usize = if cfg!(test) { 20 } else { 4 << 20 };
/// Slots that go to the same process.
const GRAIN: u64 = if cfg!(test) { 64 } else { 1 << 12 };

/// One process does it all.
pub(crate) struct Undivided;

impl Division for Undivided {
    fn mine_of(&self, count: usize) -> Range<usize> {
        0..count
    }

    fn join(&mut self, _: &[Vec<AtomicU64>], _: u32, found: u64) -> Result<u64, SolveError> {
        Ok(found)
    }

    fn join_bytes(&mut self, _: &mut [u8], _: Range<usize>) -> Result<(), SolveError> {
        Ok(())
    }
}

/// The first worker of each process counts, with all threads; the others pass parcels on.
pub(crate) struct Divided<'t, 'x> {
    pub(crate) team: &'t mut Team<'x>,
    /// What all have marked, as of the last round, by tier.
    known: Vec<Vec<u64>>,
}

impl<'t, 'x> Divided<'t, 'x> {
    pub(crate) fn new(team: &'t mut Team<'x>) -> Divided<'t, 'x> {
        Divided { team, known: vec![] }
    }

    fn processes(&self) -> (usize, usize) {
        let leads: Vec<usize> = self.team.leads().collect();
        let me = leads.iter().take_while(|lead| **lead < self.team.me()).count();
        (me, leads.len())
    }

    /// Sends bytes to the first worker of every process; what came from each.
    fn tell_all(&mut self, bytes: &[u8], say: Say) -> Result<(Vec<Vec<u8>>, Say), SolveError> {
        let mut parcels = self.team.parcels();
        self.team.leads().for_each(|lead| parcels[lead].extend(bytes));
        let (came, told) = self.team.trade(parcels, say)?;
        let came = self.team.leads().map(|lead| came[lead].bytes().to_vec()).collect();
        Ok((came, told))
    }

    /// Puts words that have changed, from one on, each with how far it is from the one before. Returns where
    /// the rest begins, if there are too many for a round.
    fn changed(
        &mut self,
        bits: &[Vec<AtomicU64>],
        (tier, word): (usize, usize),
        out: &mut Vec<u8>,
    ) -> Option<(usize, usize)> {
        self.known.resize_with(bits.len(), Vec::new);
        for (at, bits) in bits.iter().enumerate().skip(tier) {
            let known = &mut self.known[at];
            if known.len() != bits.len() {
                *known = vec![0; bits.len()];
            }
            let (first, mut last) = (if at == tier { word } else { 0 }, 0);
            for (i, (known, bits)) in known.iter_mut().zip(bits).enumerate().skip(first) {
                let now = bits.load(Relaxed);
                if now != *known {
                    if out.len() >= TOLD {
                        return Some((at, i));
                    }
                    codec::put(out, at as u64 + 1);
                    codec::put(out, i as u64 - last);
                    out.extend((now & !*known).to_le_bytes());
                    (*known, last) = (now, i as u64);
                }
            }
        }
        None
    }

    /// Takes words that another process has put.
    fn mark(&mut self, bits: &[Vec<AtomicU64>], mut bytes: codec::Bytes) {
        let (mut tier, mut last) = (0, 0);
        while let Some((at, step)) = bytes.number().zip(bytes.number()) {
            let new = u64::from_le_bytes(bytes.take().unwrap_or_default());
            last = if at == tier { last + step } else { step };
            tier = at;
            let words = at.checked_sub(1).and_then(|at| bits.get(at as usize));
            if let Some(word) = words.and_then(|words| words.get(last as usize)) {
                word.fetch_or(new, Relaxed);
                self.known[at as usize - 1][last as usize] |= new;
            }
        }
    }

    /// Values of this process's slots of a tier.
    pub(crate) fn fetch(
        &mut self,
        desk: Desk,
        tier: u32,
        len: u64,
        block: u64,
    ) -> Result<Run, SolveError> {
        let leads: Vec<usize> = self.team.leads().collect();
        let (me, processes) = self.processes();
        let pieces = len.div_ceil(GRAIN) as usize;
        let starts: Vec<u64> = (0..processes)
            .map(|process| (piece_of(process, processes, pieces).start as u64 * GRAIN).min(len))
            .collect();
        let shares = Shares::at(&starts, &leads, self.team.workers(), len);
        let mut later = Later::Apart(Default::default());
        let done = Done { tier, shares: &shares, block, keys: None };
        done.bring(self.team, desk, &mut later)?;
        let Later::Apart(mut parts) = later else { unreachable!("it was made in parts") };
        let part = parts.remove(&tier).expect("what was brought is there");
        Ok(Run { words: part.words, first: starts[me] })
    }
}

/// Adds up the summaries of some workers.
pub(super) fn sum_up(
    team: &mut Team,
    of: impl IntoIterator<Item = usize>,
    summary: Summary,
) -> Result<Summary, SolveError> {
    let Summary { start, counts, longest, longest_win } = summary;
    let mut out = vec![];
    let Counts { positions, terminal, win, loss, tie, draw } = counts;
    let (code, distance) = match start {
        Value::Draw => (0, 0),
        Value::Loss(n) => (1, n),
        Value::Tie(n) => (2, n),
        Value::Win(n) => (3, n),
    };
    let numbers = [positions, terminal, win, loss, tie, draw];
    numbers.into_iter().for_each(|n| codec::put(&mut out, n));
    [longest, longest_win, code, distance].into_iter().for_each(|n| codec::put(&mut out, n.into()));
    let mut parcels = team.parcels();
    parcels.iter_mut().for_each(|parcel| parcel.extend(&out));
    let (came, _) = team.trade(parcels, Say::default())?;
    let mut all =
        Summary { start: Value::Draw, counts: Counts::default(), longest: 0, longest_win: 0 };
    for worker in of {
        let mut bytes = codec::Bytes(came[worker].bytes());
        let mut next = || bytes.number().unwrap_or(0);
        all.counts.positions += next();
        all.counts.terminal += next();
        all.counts.win += next();
        all.counts.loss += next();
        all.counts.tie += next();
        all.counts.draw += next();
        all.longest = all.longest.max(next() as u32);
        all.longest_win = all.longest_win.max(next() as u32);
        let (code, distance) = (next(), next() as u32);
        match code {
            1 => all.start = Value::Loss(distance),
            2 => all.start = Value::Tie(distance),
            3 => all.start = Value::Win(distance),
            // Either a draw, or not this process's to say.
            _ => {}
        }
    }
    Ok(all)
}

fn piece_of(process: usize, processes: usize, pieces: usize) -> Range<usize> {
    pieces * process / processes..pieces * (process + 1) / processes
}

impl Division for Divided<'_, '_> {
    fn mine_of(&self, count: usize) -> Range<usize> {
        let (me, processes) = self.processes();
        piece_of(me, processes, count)
    }

    fn join(&mut self, bits: &[Vec<AtomicU64>], tier: u32, found: u64) -> Result<u64, SolveError> {
        // Tiers that are done with are not asked for again.
        self.known.iter_mut().take(tier as usize).for_each(|done| *done = vec![]);
        let (mut from, mut found, mut sum) = (Some((tier as usize, 0)), found, 0);
        loop {
            let mut out = vec![];
            from = from.and_then(|from| self.changed(bits, from, &mut out));
            let say = Say { sum: found, more: from.is_some().into(), ..Say::default() };
            let (came, told) = self.tell_all(&out, say)?;
            came.iter().for_each(|bytes| self.mark(bits, codec::Bytes(bytes)));
            (sum, found) = (sum + told.sum, 0);
            if told.more == 0 {
                return Ok(sum);
            }
        }
    }

    fn join_bytes(&mut self, bytes: &mut [u8], mine: Range<usize>) -> Result<(), SolveError> {
        let mut out = vec![];
        codec::put(&mut out, mine.start as u64);
        out.extend(&bytes[mine]);
        let (came, _) = self.tell_all(&out, Say::default())?;
        for came in came {
            let mut rest = codec::Bytes(&came);
            let start = rest.number().unwrap_or(0) as usize;
            bytes[start..start + rest.0.len()].copy_from_slice(rest.0);
        }
        Ok(())
    }
}

/// Counts, where this is the first worker of its process; the others only take part in the rounds.
pub(crate) fn count(
    team: &mut Team,
    desk: Desk,
    counting: Counting,
) -> Result<Option<Summary>, SolveError> {
    if !team.is_lead() {
        while team.agree(Say::default())?.stay > 0 {}
        return Ok(None);
    }
    team.stay = true;
    let mut divided = Divided::new(team);
    let summary = counting(&mut divided, desk)?;
    let leads: Vec<usize> = divided.team.leads().collect();
    let summary = sum_up(divided.team, leads, summary)?;
    team.stay = false;
    team.agree(Say::default())?;
    Ok(Some(summary))
}

/// How a process counts its share.
pub(crate) type Counting<'a> =
    &'a (dyn Fn(&mut Divided, Desk) -> Result<Summary, SolveError> + Sync);

//! Solutions as they were published before, in files of a game's own form.

use std::{ops::Range, sync::Mutex};

use crate::{
    Game, Index, Job, Setup, Slot, SolveError, TableError, Tiers, Value, any::fetch_all,
    graph::parallel, index::nth_slot, numbering::Numbering, watch::Meter,
};

/// A game whose solution was published before, in files of a form of its own.
pub trait Original: Game {
    /// The names of the files.
    const FILES: &'static [&'static str];

    /// Appends to each file what it says of a position and of those that share its slot. The moves
    /// come with where they lead and what that is worth to the player who moves next.
    fn rows(
        &self,
        at: &Self::Position,
        value: Value,
        moves: &[(Self::Position, Value)],
        files: &mut [Vec<u8>],
    );
}

/// Hears how many slots are done, and what is to be appended to each file.
pub type Appending<'a> = dyn FnMut(u64, &[Vec<u8>]) -> Result<(), TableError> + 'a;

/// [`Original`] of a game, without the trait.
pub(crate) struct OriginalOf<G: Game> {
    pub(crate) files: &'static [&'static str],
    pub(crate) rows: RowsOf<G>,
}

pub(crate) type RowsOf<G> = fn(&G, &Pos<G>, Value, &[(Pos<G>, Value)], &mut [Vec<u8>]);
type Pos<G> = <G as Game>::Position;

/// Slots that are written in the original form at a time, and by one thread.
const BATCH: u64 = 1 << 16;
const RUN: u64 = 1 << 11;

impl<G: Game + Send + 'static, N: Numbering<G> + 'static> Setup<G, N> {
    /// Hands on what the files say, a batch of slots after the other.
    pub(crate) fn write_original(
        &self,
        job: &Job,
        from: u64,
        each: &mut Appending,
    ) -> Result<(), SolveError> {
        let Some(original) = &self.original else { return Ok(()) };
        self.need_distances("the original form tells")?;
        let table = self.open_table(job)?;
        self.numbering.with(&self.game, job.memory, job.watch, |index| {
            let (tiers, total) = (fetch_all(&table)?, index.total());
            let meter = Meter::new(job.watch, "exporting", None, Some(total))?;
            meter.add(from)?;
            for batch in (from..total).step_by(BATCH as usize) {
                let end = (batch + BATCH).min(total);
                let files = self.batch(original, index, &tiers, batch..end)?;
                meter.add(end - batch)?;
                each(end, &files)?;
            }
            Ok(())
        })?
    }

    /// What the original's files say of some slots.
    fn batch(
        &self,
        original: &OriginalOf<G>,
        index: &N::Index,
        tiers: &Tiers,
        slots: Range<u64>,
    ) -> Result<Vec<Vec<u8>>, TableError> {
        let runs = (slots.end - slots.start).div_ceil(RUN) as usize;
        let parts: Vec<Mutex<Vec<Vec<u8>>>> = (0..runs).map(|_| Mutex::default()).collect();
        parallel(runs, &|run| {
            let begin = slots.start + run as u64 * RUN;
            let mut files = vec![vec![]; original.files.len()];
            for slot in begin..(begin + RUN).min(slots.end) {
                let slot = nth_slot(index, slot);
                if let Some((at, value)) = index.position(slot).zip(tiers.get(slot)) {
                    let moves = self.children(index, tiers, slot, &at)?;
                    (original.rows)(&self.game, &at, value, &moves, &mut files);
                }
            }
            *parts[run].lock().expect("no thread panics while it holds it") = files;
            Ok::<_, TableError>(())
        })?;
        let mut whole = vec![vec![]; original.files.len()];
        for part in parts {
            let part = part.into_inner().expect("no thread panics while it holds it");
            whole.iter_mut().zip(part).for_each(|(whole, part)| whole.extend(part));
        }
        Ok(whole)
    }

    /// Where the moves of a position lead, and what that is worth to the player who moves next.
    fn children(
        &self,
        index: &N::Index,
        tiers: &Tiers,
        slot: Slot,
        at: &G::Position,
    ) -> Result<Vec<(G::Position, Value)>, TableError> {
        let game = &self.game;
        if game.over(at).is_some() {
            return Ok(vec![]);
        }
        let to: Vec<G::Position> = game.moves(at).into_iter().map(|mv| game.play(at, mv)).collect();
        let mut slots = vec![];
        index.children(slot.tier, &to, &mut slots);
        let value = |(to, slot): (G::Position, Slot)| match tiers.get(slot) {
            Some(value) => Ok((to, value)),
            None => Err(TableError::Absent { position: game.notation(&to) }),
        };
        to.into_iter().zip(slots).map(value).collect()
    }
}

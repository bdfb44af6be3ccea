//! Solutions as they were published before, in files of a game's own form.

use std::ops::Range;

use super::export::Child;
use crate::{
    analysis::reachability::Reached,
    erased::{ErasedGame, Job, fetch_all},
    game::{
        Game,
        dynamic::DynPosition,
        published::{ArrayOf, PublishedFormat, RowsOf},
    },
    graph::in_runs,
    index::{Index, Slot},
    solve::SolveError,
    table::{TableError, Tiers},
    watch::{Meter, Watch},
};

/// Hears how many slots are done, and what is to be appended to each file.
pub type Appending<'a> = dyn FnMut(u64, &[Vec<u8>]) -> Result<(), TableError> + 'a;

/// Slots that are written in the original form at a time.
const BATCH: u64 = 1 << 16;

impl ErasedGame {
    /// The names of the files of the form in which the game was published before; none if the game has no such form.
    pub fn published_files(&self) -> &'static [&'static str] {
        self.abilities.published.as_ref().map_or(&[], |published| published.files)
    }

    /// Calls `each` with what is to be appended to those files, and with how many slots that is up to;
    /// begins after the first `from` slots. An error that `each` returns ends it.
    pub fn export_published(
        &self,
        job: &Job,
        from: u64,
        each: &mut Appending,
    ) -> Result<(), SolveError> {
        let Some(published) = &self.abilities.published else { return Ok(()) };
        self.need_distances("the original form tells")?;
        let table = self.open_table(job)?;
        let numbered = &*self.number(job)?;
        let (graph, index) = (&*numbered.graph(), &*numbered.index());
        let tiers = fetch_all(job, &table, "exporting")?;
        match &published.format {
            PublishedFormat::Rows(rows) => {
                let each_run = |slots: Range<u64>| {
                    let mut files = vec![vec![]; published.files.len()];
                    for slot in slots {
                        let slot = graph.nth(slot);
                        self.rows(*rows, index, &tiers, slot, &mut files)?;
                    }
                    Ok(files)
                };
                batches(from..graph.total(), &each_run, job.watch, each)
            }
            PublishedFormat::Array(array) => {
                let reached = self.reached(numbered, false, job.watch)?;
                let each_run = |codes: Range<u64>| {
                    let byte = |code| self.byte(array, index, &tiers, &reached, code);
                    Ok(vec![codes.map(byte).collect::<Result<Vec<u8>, _>>()?])
                };
                batches(from..(array.codes)(self.game()), &each_run, job.watch, each)
            }
        }
    }

    /// What the files say of a slot.
    fn rows(
        &self,
        rows: RowsOf,
        index: &dyn Index<DynPosition>,
        tiers: &Tiers,
        slot: Slot,
        files: &mut [Vec<u8>],
    ) -> Result<(), TableError> {
        if let Some((at, value)) = index.position(slot).zip(tiers.get(slot)) {
            let moves = self.children(index, tiers, slot, &at)?.into_iter();
            let moves: Vec<_> = moves.map(|Child { to, value, .. }| (to, value)).collect();
            rows(self.game(), &at, value, &moves, files);
        }
        Ok(())
    }

    /// What the file says of a code.
    fn byte(
        &self,
        array: &ArrayOf,
        index: &dyn Index<DynPosition>,
        tiers: &Tiers,
        reached: &Reached,
        code: u64,
    ) -> Result<u8, TableError> {
        let game = self.game();
        let Some(at) = (array.decode)(game, code) else { return Ok(array.absent) };
        let slot = index.slot(&at);
        let member = match index.max_orbit() {
            1 => Some(0),
            _ => index.orbit(&at).iter().position(|other| *other == at),
        };
        let absent = || TableError::Absent { position: game.notation(&at) };
        let value = tiers.get(slot).ok_or_else(absent)?;
        let counts = member.is_some_and(|member| reached.has(slot, member as u64));
        Ok(if counts { (array.byte)(game, &at, value) } else { array.absent })
    }
}

/// What some slots or codes come to, for each file.
type Files<'a> = &'a (dyn Fn(Range<u64>) -> Result<Vec<Vec<u8>>, TableError> + Sync);

/// Works out batch after batch, each on all threads, and hands it on.
fn batches(
    all: Range<u64>,
    each_run: Files,
    watch: &dyn Watch,
    each: &mut Appending,
) -> Result<(), SolveError> {
    let meter = Meter::new(watch, "exporting", None, Some(all.end))?;
    meter.add(all.start)?;
    for first in all.clone().step_by(BATCH as usize) {
        let batch = first..(first + BATCH).min(all.end);
        let parts = in_runs(batch.end - batch.start, |_, run| {
            each_run(batch.start + run.start..batch.start + run.end)
        })?;
        let mut whole: Vec<Vec<u8>> = vec![];
        for part in parts {
            whole.resize(part.len(), vec![]);
            whole.iter_mut().zip(part).for_each(|(whole, part)| whole.extend(part));
        }
        meter.add(batch.end - batch.start)?;
        each(batch.end, &whole)?;
    }
    Ok(())
}

//! Solutions as they were published before, in files of a game's own form.

use std::ops::Range;

use super::export::Child;
use crate::{
    erased::{ErasedGame, Job, fetch_all},
    game::{Game, Value},
    graph::in_runs,
    solve::SolveError,
    table::TableError,
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

    /// How many codes of positions that form has a byte for, if it is an array.
    pub fn published_codes(&self) -> Option<u64> {
        (self.abilities.published?.codes)(self.game())
    }

    /// The position of a code of that array, in one line, if it means one.
    pub fn published_position(&self, code: u64) -> Option<String> {
        let at = (self.abilities.published?.decode)(self.game(), code)?;
        Some(self.game().notation(&at))
    }

    /// The value that a byte of that array stands for.
    pub fn published_meaning(&self, byte: u8) -> Option<Value> {
        (self.abilities.published?.meaning)(self.game(), byte)
    }

    /// Whether that form can be written with decided positions only.
    pub fn published_parts_with_draws(&self) -> bool {
        self.abilities.published.is_some_and(|form| (form.parts_with_draws)(self.game()))
    }

    /// How many positions there are at most, by a formula of the game's authors.
    pub fn upper_bound(&self) -> Option<u128> {
        (self.abilities.published?.upper_bound)(self.game())
    }

    /// Calls `each` with what is to be appended to those files, and with how many slots that is up to;
    /// begins after the first `from` slots. With `decided`, draws are left out. An error that `each` returns
    /// ends it.
    pub fn export_published(
        &self,
        job: &Job,
        (from, decided): (u64, bool),
        each: &mut Appending,
    ) -> Result<(), SolveError> {
        let Some(published) = self.abilities.published else { return Ok(()) };
        self.need_distances("the original form tells")?;
        let table = self.open_table(job)?;
        let numbered = &*self.number(job)?;
        let (game, graph, index) = (self.game(), &*numbered.graph(), numbered.index());
        let tiers = fetch_all(job, &table, "exporting")?;
        let codes = (published.codes)(game);
        let reached = codes.map(|_| self.reached(numbered, false, job.watch)).transpose()?;
        // Which position a code means, if that can be reached; or which one a slot has.
        let position = |nth| {
            let Some(reached) = &reached else { return index.position(graph.nth(nth)) };
            let at = (published.decode)(game, nth)?;
            let member = match index.max_orbit() {
                1 => Some(0),
                _ => index.orbit(&at).iter().position(|other| *other == at),
            };
            reached.has(index.slot(&at), member? as u64).then_some(at)
        };
        let each_run = |run: Range<u64>| {
            let mut files = vec![vec![]; published.files.len()];
            for at in run.map(position) {
                let Some(at) = at else {
                    (published.append)(game, None, &[], decided, &mut files);
                    continue;
                };
                let slot = index.slot(&at);
                let value = tiers.get(slot).ok_or_else(|| self.absent(&at))?;
                let mut moves = vec![];
                if codes.is_none() {
                    let children = self.children(index, &tiers, slot, &at)?.into_iter();
                    moves.extend(children.map(|Child { to, value, .. }| (to, value)));
                }
                (published.append)(game, Some((&at, value)), &moves, decided, &mut files);
            }
            Ok(files)
        };
        if from == 0 {
            let mut files = vec![vec![]; published.files.len()];
            (published.begin)(game, &mut files);
            each(0, &files)?;
        }
        batches(from..codes.unwrap_or(graph.total()), &each_run, job.watch, each)
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

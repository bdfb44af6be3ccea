//! Solutions as they were published before, in files of a game's own form.

use std::{ops::Range, sync::Mutex};

use crate::{
    Game, Job, Slot, SolveError, TableError, Tiers, Value,
    any::{Forgotten, fetch_all},
    graph::parallel,
    reach::Reached,
    typed::Sight,
    untyped::{Position, Untyped},
    watch::{Meter, Watch},
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

/// A game whose solution was published before as an array of bytes, one for each code of a position.
pub trait OriginalArray: Game {
    /// The name of the file, the only one.
    const FILES: &'static [&'static str; 1];

    /// What stands for a code that means no position, or none that can be reached.
    const ABSENT: u8;

    /// How many codes there are.
    fn codes(&self) -> u64;

    /// The position that a code means.
    fn decode(&self, code: u64) -> Option<Self::Position>;

    /// What stands for a position that can be reached.
    fn byte(&self, at: &Self::Position, value: Value) -> u8;
}

/// Hears how many slots are done, and what is to be appended to each file.
pub type Appending<'a> = dyn FnMut(u64, &[Vec<u8>]) -> Result<(), TableError> + 'a;

/// [`Original`] or [`OriginalArray`] of a game, without the trait.
pub(crate) struct OriginalOf {
    pub(crate) files: &'static [&'static str],
    pub(crate) form: Form,
}

pub(crate) enum Form {
    Rows(RowsOf),
    Array(Array),
}

pub(crate) struct Array {
    pub(crate) absent: u8,
    pub(crate) codes: fn(Untyped) -> u64,
    pub(crate) decode: fn(Untyped, u64) -> Option<Position>,
    pub(crate) byte: fn(Untyped, &Position, Value) -> u8,
}

pub(crate) type RowsOf = fn(Untyped, &Position, Value, &[(Position, Value)], &mut [Vec<u8>]);

/// Slots that are written in the original form at a time, and by one thread.
const BATCH: u64 = 1 << 16;
const RUN: u64 = 1 << 11;

impl Forgotten {
    /// Hands on what the files say, a batch of slots after the other.
    pub(crate) fn write_original(
        &self,
        job: &Job,
        from: u64,
        each: &mut Appending,
    ) -> Result<(), SolveError> {
        let Some(original) = &self.abilities.original else { return Ok(()) };
        self.need_distances("the original form tells")?;
        let table = self.open_table(job)?;
        self.with(job, |sight| {
            let tiers = fetch_all(job, &table, "exporting")?;
            match &original.form {
                Form::Rows(rows) => {
                    let each_run = |slots: Range<u64>| {
                        let mut files = vec![vec![]; original.files.len()];
                        for slot in slots {
                            let slot = sight.graph().nth(slot);
                            self.rows(*rows, sight, &tiers, slot, &mut files)?;
                        }
                        Ok(files)
                    };
                    batches(from..sight.graph().total(), &each_run, job.watch, each)
                }
                Form::Array(array) => {
                    let reached = self.reached(sight, false, job.watch)?;
                    let each_run = |codes: Range<u64>| {
                        let byte = |code| self.byte(array, sight, &tiers, &reached, code);
                        Ok(vec![codes.map(byte).collect::<Result<Vec<u8>, _>>()?])
                    };
                    batches(from..(array.codes)(self.game()), &each_run, job.watch, each)
                }
            }
        })
    }

    /// What the files say of a slot.
    fn rows(
        &self,
        rows: RowsOf,
        sight: &dyn Sight,
        tiers: &Tiers,
        slot: Slot,
        files: &mut [Vec<u8>],
    ) -> Result<(), TableError> {
        if let Some((at, value)) = sight.index().position(slot).zip(tiers.get(slot)) {
            let moves = self.children(sight, tiers, slot, &at)?;
            rows(self.game(), &at, value, &moves, files);
        }
        Ok(())
    }

    /// What the file says of a code.
    fn byte(
        &self,
        array: &Array,
        sight: &dyn Sight,
        tiers: &Tiers,
        reached: &Reached,
        code: u64,
    ) -> Result<u8, TableError> {
        let (game, index) = (self.game(), sight.index());
        let Some(at) = (array.decode)(game, code) else { return Ok(array.absent) };
        let slot = index.slot(&at);
        let member = match index.folds() {
            1 => Some(0),
            _ => index.alike(&at).iter().position(|other| *other == at),
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
        let runs = (batch.end - batch.start).div_ceil(RUN) as usize;
        let parts: Vec<Mutex<Vec<Vec<u8>>>> = (0..runs).map(|_| Mutex::default()).collect();
        parallel(runs, &|run| {
            let begin = batch.start + run as u64 * RUN;
            let files = each_run(begin..(begin + RUN).min(batch.end))?;
            *parts[run].lock().expect("no thread panics while it holds it") = files;
            Ok::<_, TableError>(())
        })?;
        let mut whole: Vec<Vec<u8>> = vec![];
        for part in parts {
            let part = part.into_inner().expect("no thread panics while it holds it");
            whole.resize(part.len(), vec![]);
            whole.iter_mut().zip(part).for_each(|(whole, part)| whole.extend(part));
        }
        meter.add(batch.end - batch.start)?;
        each(batch.end, &whole)?;
    }
    Ok(())
}

impl Forgotten {
    /// Where the moves of a position lead, and what that is worth to the player who moves next.
    fn children(
        &self,
        sight: &dyn Sight,
        tiers: &Tiers,
        slot: Slot,
        at: &Position,
    ) -> Result<Vec<(Position, Value)>, TableError> {
        let game = self.game();
        if game.over(at).is_some() {
            return Ok(vec![]);
        }
        let to: Vec<Position> = game.moves(at).into_iter().map(|mv| game.play(at, mv)).collect();
        let mut slots = vec![];
        sight.index().children(slot.tier, &to, &mut slots);
        let value = |(to, slot): (Position, Slot)| match tiers.get(slot) {
            Some(value) => Ok((to, value)),
            None => Err(TableError::Absent { position: game.notation(&to) }),
        };
        to.into_iter().zip(slots).map(value).collect()
    }
}

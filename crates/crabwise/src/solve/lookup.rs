//! Values of later tiers, wherever they are.
//!
//! Where they fit, every process has the later tiers whole. Where they do not, each worker has its own
//! part of them, and the others ask: sorted, each slot once, as differences, a few bytes a slot; the answers
//! come back in the same order, a word each.

use std::{collections::BTreeMap, sync::RwLock};

use rayon::prelude::*;

use super::{
    SolveError,
    communicator::{Comm, Message, Reduction},
};
use crate::{
    game::Value,
    graph::{Graph, partition::Partition},
    index::Slot,
    table::{
        TableError, TableFile, TierValues, Tiers,
        codec::{self, Bytes},
    },
};

/// Tiers that are solved.
pub(crate) enum Later<'a> {
    /// In this process, and nobody writes to them.
    Shared(&'a Tiers),
    /// In the memory that the workers of a process share.
    Replicated(&'a RwLock<Tiers>),
    /// This worker's part of each.
    Partitioned(BTreeMap<u32, Part>),
    /// In the table in the making.
    Packed(&'a TableFile),
}

/// A worker's part of a tier.
pub(crate) struct Part {
    pub(crate) partition: Partition,
    pub(crate) words: TierValues,
}

/// Tells the values at some slots of later tiers.
pub(crate) type LookUp<'l> = &'l mut dyn FnMut(&[Slot]) -> Result<Vec<Option<Value>>, SolveError>;

/// A question on its way: which slot, and who in the list wants to know.
type Asked = (Slot, u32);

impl Later<'_> {
    /// Whether they are in the memory of all threads of the only process.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self, Later::Shared(_))
    }

    /// Whether looking up takes other workers, so that all must do it as often as each other.
    pub(crate) fn asks_others(&self) -> bool {
        matches!(self, Later::Partitioned(_))
    }

    /// The values at some slots of later tiers; `None` for holes and for slots that do not exist.
    pub(crate) fn look_up(
        &self,
        comm: &mut Comm,
        graph: &dyn Graph,
        wanted: &[Slot],
    ) -> Result<Vec<Option<Value>>, SolveError> {
        match self {
            Later::Partitioned(parts) => ask(parts, comm, graph, wanted),
            later => later.look_up_alone(graph, wanted),
        }
    }

    /// The values that this worker can find by itself.
    pub(crate) fn look_up_alone(
        &self,
        graph: &dyn Graph,
        wanted: &[Slot],
    ) -> Result<Vec<Option<Value>>, SolveError> {
        let look_up = |tiers: &Tiers| wanted.iter().map(|slot| tiers.get(*slot)).collect();
        match self {
            Later::Shared(tiers) => Ok(look_up(tiers)),
            Later::Replicated(tiers) => {
                Ok(look_up(&tiers.read().expect("no worker panics while it holds it")))
            }
            Later::Partitioned(_) => Ok(vec![None; wanted.len()]),
            Later::Packed(shelf) => look_up_packed(shelf, graph, wanted),
        }
    }
}

fn ask(
    parts: &BTreeMap<u32, Part>,
    comm: &mut Comm,
    graph: &dyn Graph,
    wanted: &[Slot],
) -> Result<Vec<Option<Value>>, SolveError> {
    let mut asked: Vec<Vec<Asked>> = vec![vec![]; comm.size()];
    for (i, slot) in wanted.iter().enumerate() {
        // A worker that asks for a tier that is not there gets no answer, and reports the fault.
        if let Some(part) = parts.get(&slot.tier) {
            let owner = part.partition.owner_of_address(slot.index);
            if owner < asked.len() {
                asked[owner].push((*slot, i as u32));
            }
        }
    }
    let mut questions = comm.messages();
    for (asked, out) in asked.iter_mut().zip(&mut questions) {
        asked.sort_unstable();
        put_slots(asked, |(slot, _)| *slot, out);
    }
    let (questions, _) = comm.exchange(questions, Reduction::default())?;
    let mut answers = comm.messages();
    for (question, out) in questions.iter().zip(&mut answers) {
        answer(parts, graph, comm.rank(), question, out);
    }
    drop(questions);
    let (answers, _) = comm.exchange(answers, Reduction::default())?;
    let mut values = vec![None; wanted.len()];
    for (asked, answers) in asked.iter().zip(&answers) {
        let mut bytes = Bytes(answers.bytes());
        for same in asked.chunk_by(|a, b| a.0 == b.0) {
            let value = bytes.numbers().and_then(codec::value_of);
            same.iter().for_each(|(_, i)| values[*i as usize] = value);
        }
    }
    Ok(values)
}

/// Puts slots that are in order, each once. For each tier: its number, how many slots, and these as
/// differences.
pub(crate) fn put_slots<T>(sorted: &[T], slot: impl Fn(&T) -> Slot, out: &mut Vec<u8>) {
    for group in sorted.chunk_by(|a, b| slot(a).tier == slot(b).tier) {
        let same = |a: &T, b: &T| slot(a) == slot(b);
        codec::put(out, slot(&group[0]).tier.into());
        codec::put(out, group.chunk_by(same).count() as u64);
        let mut last = 0;
        for same in group.chunk_by(same) {
            let index = slot(&same[0]).index;
            codec::put(out, index - last);
            last = index;
        }
    }
}

/// The values that a worker asks for, in its order; a number that is no outcome where there is none.
fn answer(
    parts: &BTreeMap<u32, Part>,
    graph: &dyn Graph,
    me: usize,
    question: &Message,
    out: &mut Vec<u8>,
) {
    let mut bytes = Bytes(question.bytes());
    while let Some((tier, count)) = bytes.number().zip(bytes.number()) {
        let Some(part) = parts.get(&(tier as u32)) else { return };
        let (first, mut address) = (part.partition.range(me).start, 0);
        for _ in 0..count {
            address += bytes.number().unwrap_or(0);
            let slot = Slot { tier: tier as u32, index: address };
            let place = graph.place(slot).and_then(|index| index.checked_sub(first));
            let place = place.filter(|place| *place < part.words.len());
            let value = place.and_then(|place| part.words.get(place));
            codec::put_all(out, value.map_or([0x7f, 0], codec::value_numbers));
        }
    }
}

/// Looks values of finished tiers up in the table, in the order of the table.
fn look_up_packed(
    shelf: &TableFile,
    graph: &dyn Graph,
    wanted: &[Slot],
) -> Result<Vec<Option<Value>>, SolveError> {
    let block = shelf.block;
    let mut sorted: Vec<(Slot, u32)> = wanted.iter().copied().zip(0..).collect();
    sorted.par_sort_unstable();
    let same = |a: &(Slot, u32), b: &(Slot, u32)| {
        a.0.tier == b.0.tier && a.0.index / block == b.0.index / block
    };
    let groups: Vec<&[(Slot, u32)]> = sorted.chunk_by(same).collect();
    let found = groups.into_par_iter().map(|group| {
        let Slot { tier, index } = group[0].0;
        let number = index / block;
        let first = number * block;
        // The caller complains about a slot that does not exist.
        if tier >= graph.tiers() || first >= graph.len(tier) || !shelf.has(tier) {
            return Ok(group.iter().map(|(_, i)| (*i, None)).collect());
        }
        let slots = (graph.len(tier) - first).min(block);
        let words = shelf.values(tier, number, 1)?;
        let value = |slot: Slot| {
            let place = slot.index - first;
            if place < slots { words.get(place) } else { None }
        };
        Ok(group.iter().map(|(slot, i)| (*i, value(*slot))).collect::<Vec<_>>())
    });
    let found: Vec<Vec<(u32, Option<Value>)>> = found.collect::<Result<_, TableError>>()?;
    let mut values = vec![None; wanted.len()];
    found.into_iter().flatten().for_each(|(i, value)| values[i as usize] = value);
    Ok(values)
}

//! Values of later tiers, wherever they are.
//!
//! Where they fit, every process has the later tiers whole. Where they do not, each worker has its own
//! part of them, and the others ask: sorted, each slot once, as differences, a few bytes a slot; the answers
//! come back in the same order, a word each.

use std::{collections::BTreeMap, sync::RwLock};

use super::{Parcel, Say, Shares, Team};
use crate::{
    Slot, Tiers, Value, Words,
    graph::Graph,
    solve::SolveError,
    table::codec::{self, Bytes},
};

/// Tiers that are solved.
pub(crate) enum Later<'a> {
    /// In the memory that the workers of a process share.
    Whole(&'a RwLock<Tiers>),
    /// This worker's part of each.
    Apart(BTreeMap<u32, Part>),
}

/// A worker's part of a tier.
pub(crate) struct Part {
    pub(crate) shares: Shares,
    pub(crate) words: Words,
}

/// A question on its way: which slot, and who in the list wants to know.
type Asked = (Slot, u32);

impl Later<'_> {
    /// The values at some slots of later tiers; `None` for holes and for slots that do not exist. All
    /// workers must call this as often as each other.
    pub(crate) fn look(
        &self,
        team: &mut Team,
        graph: &dyn Graph,
        wanted: &[Slot],
    ) -> Result<Vec<Option<Value>>, SolveError> {
        match self {
            Later::Whole(tiers) => {
                let tiers = tiers.read().expect("no worker panics while it holds it");
                Ok(wanted.iter().map(|slot| tiers.get(*slot)).collect())
            }
            Later::Apart(parts) => ask(parts, team, graph, wanted),
        }
    }
}

fn ask(
    parts: &BTreeMap<u32, Part>,
    team: &mut Team,
    graph: &dyn Graph,
    wanted: &[Slot],
) -> Result<Vec<Option<Value>>, SolveError> {
    let mut asked: Vec<Vec<Asked>> = vec![vec![]; team.workers()];
    for (i, slot) in wanted.iter().enumerate() {
        // Whoever asks for a tier that is not there gets no answer, and tells the fault.
        if let Some(part) = parts.get(&slot.tier) {
            let owner = part.shares.keeper(slot.index);
            if owner < asked.len() {
                asked[owner].push((*slot, i as u32));
            }
        }
    }
    let mut questions = team.parcels();
    for (asked, out) in asked.iter_mut().zip(&mut questions) {
        asked.sort_unstable();
        put_slots(asked, |(slot, _)| *slot, out);
    }
    let (questions, _) = team.trade(questions, Say::default())?;
    let mut answers = team.parcels();
    for (question, out) in questions.iter().zip(&mut answers) {
        answer(parts, graph, team.me(), question, out);
    }
    drop(questions);
    let (answers, _) = team.trade(answers, Say::default())?;
    let mut values = vec![None; wanted.len()];
    for (asked, answers) in asked.iter().zip(&answers) {
        read_answers(asked, answers, &mut values);
    }
    Ok(values)
}

/// Puts slots that are in order, each once. For each tier: its number, how many slots, and these as
/// differences.
pub(super) fn put_slots<T>(sorted: &[T], slot: impl Fn(&T) -> Slot, out: &mut Vec<u8>) {
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

/// For each tier: the width of its words, and these; outcomes alone take a byte.
fn answer(
    parts: &BTreeMap<u32, Part>,
    graph: &dyn Graph,
    me: usize,
    question: &Parcel,
    out: &mut Vec<u8>,
) {
    let mut bytes = Bytes(question.bytes());
    while let Some((tier, count)) = bytes.number().zip(bytes.number()) {
        let Some(part) = parts.get(&(tier as u32)) else { return };
        out.push(part.words.width() as u8);
        let (first, mut address) = (part.shares.of(me).start, 0);
        for _ in 0..count {
            address += bytes.number().unwrap_or(0);
            let slot = Slot { tier: tier as u32, index: address };
            let place = graph.place(slot).and_then(|index| index.checked_sub(first));
            put_word(&part.words, place.filter(|place| *place < part.words.len()), out);
        }
    }
}

fn put_word(words: &Words, place: Option<u64>, out: &mut Vec<u8>) {
    match (words, place) {
        (Words::Planes(planes), place) => {
            out.push(place.and_then(|place| planes.get(place)).map_or(0, outcome_code))
        }
        (words, None) => out.extend(&[0; 4][..words.width()]),
        (Words::One(words), Some(place)) => out.push(words[place as usize]),
        (Words::Two(words), Some(place)) => out.extend(words[place as usize].to_le_bytes()),
        (Words::Four(words), Some(place)) => out.extend(words[place as usize].to_le_bytes()),
    }
}

fn outcome_code(value: Value) -> u8 {
    match value {
        Value::Loss(_) => 1,
        Value::Tie(_) => 2,
        Value::Draw => 3,
        Value::Win(_) => 4,
    }
}

fn read_answers(asked: &[Asked], answers: &Parcel, values: &mut [Option<Value>]) {
    let mut bytes = answers.bytes();
    for group in asked.chunk_by(|a, b| a.0.tier == b.0.tier) {
        let Some((&width, rest)) = bytes.split_first() else { return };
        bytes = rest;
        for same in group.chunk_by(|a, b| a.0 == b.0) {
            let Some((word, rest)) = bytes.split_at_checked(width.max(1).into()) else { return };
            bytes = rest;
            let value = read_word(width, word);
            same.iter().for_each(|(_, i)| values[*i as usize] = value);
        }
    }
}

fn read_word(width: u8, word: &[u8]) -> Option<Value> {
    if width == 0 {
        return match word[0] {
            1 => Some(Value::Loss(Value::UNTOLD)),
            2 => Some(Value::Tie(Value::UNTOLD)),
            3 => Some(Value::Draw),
            4 => Some(Value::Win(Value::UNTOLD)),
            _ => None,
        };
    }
    Words::from_bytes(width.into(), word.to_vec())?.get(0)
}

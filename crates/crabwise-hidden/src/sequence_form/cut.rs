//! The histories at the depth at which a game is cut, and how they are shared out among threads.

use crabwise::watch::{Meter, Stop};

use super::{blocks::CutHistory, fold::Mirror};
use crate::{
    rules::{Player, Turn},
    tree::{GameTree, history::History, states::UNNOTICED},
};

/// Histories by the part of a player's sequences that they are about, and by block within, so that threads can work
/// on parts at the same time.
#[derive(Default)]
pub(super) struct Partition {
    pub pairs: Vec<CutHistory>,
    /// Parts one after the other: where its sequences begin and end, and where its histories end.
    pub ranges: Vec<(u32, u32, usize)>,
}

const NONE: u32 = u32::MAX;

struct Cut<'a> {
    tree: &'a GameTree,
    mirror: Option<&'a Mirror>,
    depth: usize,
    /// Histories, and of each whether its image was left out.
    histories: Vec<(CutHistory, bool)>,
    /// The block of each state that has one.
    numbers: Vec<u32>,
    /// The state of each block.
    roots: Vec<u32>,
    meter: &'a Meter<'a>,
}

/// The histories at a depth, and those that end before it, each with whether its image was left out; and the state
/// of each block that they lead to.
pub(super) fn walk(
    tree: &GameTree,
    depth: usize,
    mirror: Option<&Mirror>,
    meter: &Meter,
) -> Result<(Vec<(CutHistory, bool)>, Vec<u32>), Stop> {
    let numbers = vec![NONE; tree.states.len()];
    let mut cut = Cut { tree, mirror, depth, histories: vec![], numbers, roots: vec![], meter };
    cut.walk(History::start(), 0, Seen::Alike)?;
    Ok((cut.histories, cut.roots))
}

/// Histories between two looks at whether to stop.
const LOOK: usize = 1 << 12;

impl Cut<'_> {
    fn walk(&mut self, history: History, depth: usize, seen: Seen) -> Result<(), Stop> {
        let turn = self.tree.node(history).turn;
        if !matches!(turn, Turn::Over(_)) && depth < self.depth {
            for (i, next) in self.tree.after(history).enumerate() {
                if let Some(seen) = self.next(history, i, seen) {
                    self.walk(next, depth + 1, seen)?;
                }
            }
            return Ok(());
        }
        if self.histories.len().is_multiple_of(LOOK) {
            self.meter.add(0)?;
        }
        let number = &mut self.numbers[history.node as usize];
        if *number == NONE {
            *number = self.roots.len() as u32;
            self.roots.push(history.node);
        }
        let pair = CutHistory { block: *number, cursors: history.cursors, chance: history.chance };
        self.histories.push((pair, seen == Seen::Parted));
        Ok(())
    }

    /// What a move makes of the first player's information set in the mirror; `None` if its image is enough.
    fn next(&self, history: History, i: usize, seen: Seen) -> Option<Seen> {
        let (Some((_, images)), Seen::Alike) = (self.mirror, seen) else { return Some(seen) };
        let (node, info_states) = (self.tree.node(history), &self.tree.states.info_states[0]);
        let (info_state, step) =
            (node.info_states[0], self.tree.states.arcs(history.node)[i].steps[0]);
        if step == UNNOTICED {
            return Some(seen);
        }
        if node.turn == Turn::Of(Player::First) {
            let image = info_states.image_move(info_state, info_state, i as u32)?;
            if image != i as u32 {
                return (image > i as u32).then_some(Seen::Parted);
            }
        }
        let alike = images[info_states.transition_range(info_state).start + step as usize] == step;
        Some(if alike { Seen::Alike } else { Seen::Other })
    }
}

/// What the first player's information set is in the mirror.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// Itself.
    Alike,
    /// Another one, which is there too.
    Other,
    /// Another one, which was left out.
    Parted,
}

impl Partition {
    pub fn new(mut pairs: Vec<CutHistory>, player: Player, tree: &GameTree) -> Partition {
        let p = player as usize;
        let mut cuts = vec![(0, 1 + tree.shapes[p].sequences[0] as u32)];
        let mut trees = after_a_move(tree, p, &[(0, 1)]);
        let cursor = |pair: &CutHistory| pair.cursors[p].incoming;
        // As many parts as may keep all threads busy, as long as every history belongs to one.
        while !trees.is_empty() && cuts.len() < ENOUGH {
            let mut finer: Vec<(u32, u32)> = (trees.iter())
                .map(|&(info_state, base)| {
                    (base, base + tree.shapes[p].sequences[info_state as usize] as u32)
                })
                .collect();
            finer.sort_unstable();
            let inside = |pair: &CutHistory| {
                let i = finer.partition_point(|&(_, end)| end <= cursor(pair));
                finer.get(i).is_some_and(|&(begin, _)| begin <= cursor(pair))
            };
            if !pairs.iter().all(inside) {
                break;
            }
            cuts = finer;
            trees = after_a_move(tree, p, &trees);
        }
        let part = |pair: &CutHistory| cuts.partition_point(|&(_, end)| end <= cursor(pair));
        pairs.sort_by_key(|pair| (part(pair), pair.block));
        let last = |i: usize| pairs.partition_point(|pair| part(pair) <= i);
        let ranges = cuts.iter().enumerate().map(|(i, &(begin, end))| (begin, end, last(i)));
        let ranges = ranges.collect();
        Partition { pairs, ranges }
    }
}

/// Enough parts to keep all threads busy.
const ENOUGH: usize = 64;

/// Where a player's sequences begin, with the information state, after one more move of the player's.
fn after_a_move(tree: &GameTree, p: usize, trees: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let (info_states, shape) = (&tree.states.info_states[p], &tree.shapes[p]);
    let (mut after, mut open) = (vec![], trees.to_vec());
    while let Some((info_state, base)) = open.pop() {
        for (i, transition) in info_states.numbered_transitions(info_state) {
            let to = if transition.step.mv.is_some() { &mut after } else { &mut open };
            if shape.sequences[transition.to as usize] > 0 {
                to.push((transition.to, base + shape.offsets[i]));
            }
        }
    }
    after
}

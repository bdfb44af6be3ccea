//! How large a sequence form will be, and at which depth the game is cut for it.

use crate::{rules::Turn, tree::GameTree};

/// How large a sequence form will be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormSize {
    /// Both players' information sets.
    pub info_sets: [u64; 2],
    /// Both players' sequences.
    pub sequences: [u64; 2],
    /// Ends of the game, as histories.
    pub ends: u128,
    /// The number of moves at which the game is cut.
    pub cut: usize,
    /// Histories at the cut.
    pub pairs: u64,
    /// Payoffs in all blocks, at most.
    pub payoffs: u64,
    /// The bytes that all of it takes.
    pub bytes: u64,
}

/// A game is cut no deeper than where blocks have this many payoffs on average.
const LEAST: u64 = 256;

impl FormSize {
    /// How large the payoffs of a game are when they are laid out.
    pub fn of(tree: &GameTree) -> FormSize {
        let states = &tree.states;
        let ends = states.ends();
        let info_sets = tree.shapes.each_ref().map(|shape| shape.info_sets[0]);
        let sequences = tree.sequences();
        let mut size = FormSize {
            info_sets,
            sequences,
            ends: ends[0],
            cut: 0,
            pairs: 1,
            payoffs: 0,
            bytes: u64::MAX,
        };
        let mut ways = vec![0_u128; states.len()];
        ways[0] = 1;
        let mut early = 0_u128;
        for cut in 0..states.depths.len() - 1 {
            let (mut pairs, mut below, mut payoffs) = (0_u128, 0_u128, 0_u128);
            for node in states.depths[cut]..states.depths[cut + 1] {
                let many = ways[node as usize];
                match states.nodes[node as usize].turn {
                    Turn::Over(_) => early = early.saturating_add(many),
                    _ => {
                        pairs = pairs.saturating_add(many);
                        let ends = ends[node as usize];
                        payoffs = payoffs.saturating_add(ends);
                        below = below.saturating_add(ends.saturating_mul(many));
                        for arc in states.arcs(node) {
                            let way = &mut ways[arc.to as usize];
                            *way = way.saturating_add(many);
                        }
                    }
                }
            }
            // A payoff is a column and its share of a run, by rows and by columns; a history is there twice,
            // and while it is sorted once more.
            let histories = pairs.saturating_add(early);
            let bytes = payoffs.saturating_mul(16).saturating_add(histories.saturating_mul(120));
            let coarse = pairs > 0 && below / pairs >= u128::from(LEAST);
            if cut == 0 || coarse && bytes < u128::from(size.bytes) {
                let least = |many: u128| u64::try_from(many).unwrap_or(u64::MAX);
                (size.cut, size.pairs) = (cut, least(pairs + early));
                (size.payoffs, size.bytes) = (least(payoffs), least(bytes));
            }
        }
        let all = |numbers: [u64; 2]| numbers[0].saturating_add(numbers[1]);
        let treeplexes =
            all(info_sets).saturating_mul(12).saturating_add(all(sequences).saturating_mul(8));
        size.bytes = size.bytes.saturating_add(treeplexes);
        size
    }
}

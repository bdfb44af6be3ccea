//! The payoffs under one state as a small matrix, multiplied for eight histories at a time.
//!
//! The histories that lead to a state lie side by side in memory, so that one pass over the matrix serves eight of
//! them.

use crate::{
    rules::Turn,
    tree::{
        GameTree,
        history::{Cursor, History},
    },
};

/// The payoffs under one state, or at one end above the cut.
#[derive(Clone, Default, Debug)]
pub(super) struct Block {
    /// How many sequences of each player there are, counting the one that leads here as number 0.
    sizes: [u32; 2],
    /// By rows that are the first player's sequences, and by rows that are the second's.
    pub sides: [PayoffRows; 2],
}

/// A matrix by rows: of each row its columns, those with the same payoff together.
#[derive(Clone, Default, Debug)]
pub(super) struct PayoffRows {
    runs: Vec<PayoffRun>,
    pub columns: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct PayoffRun {
    row: u32,
    /// Where its columns end.
    end: u32,
    payoff: f64,
}

/// A history at the cut: which block comes next, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutHistory {
    pub block: u32,
    pub cursors: [Cursor; 2],
    pub chance: f64,
}

/// How many histories are worked on at once.
pub(super) const LANES: usize = 8;

impl PayoffRows {
    /// The matrix of these entries, which are sorted by row and then by payoff.
    fn new(entries: &[(u32, u32, f64)]) -> PayoffRows {
        let mut lines = PayoffRows::default();
        let alike = |a: &(u32, u32, f64), b: &(u32, u32, f64)| (a.0, a.2) == (b.0, b.2);
        for run in entries.chunk_by(alike) {
            lines.columns.extend(run.iter().map(|entry| entry.1));
            let end = lines.columns.len() as u32;
            lines.runs.push(PayoffRun { row: run[0].0, end, payoff: run[0].2 });
        }
        lines
    }

    pub fn each(&self, mut entry: impl FnMut(u32, u32, f64)) {
        let mut first = 0;
        for run in &self.runs {
            for &column in &self.columns[first..run.end as usize] {
                entry(run.row, column, run.payoff);
            }
            first = run.end as usize;
        }
    }
}

impl Block {
    /// The payoffs below a state.
    pub fn under(tree: &GameTree, node: u32) -> Block {
        let mut payoffs = vec![];
        collect(tree, History { node, ..History::start() }, &mut payoffs);
        let node = &tree.states.nodes[node as usize];
        let over = matches!(node.turn, Turn::Over(_));
        let size = |p: usize| tree.shapes[p].sequences[node.info_states[p] as usize] as u32;
        // At an end there is nothing but what led there.
        let sizes = [0, 1].map(|p| if over { 1 } else { 1 + size(p) });
        Block::new(sizes, payoffs)
    }

    pub fn new(sizes: [u32; 2], mut payoffs: Vec<([u32; 2], f64)>) -> Block {
        payoffs.sort_unstable_by_key(|&(at, _)| at);
        add_equal(&mut payoffs);
        let sides = [0, 1].map(|p: usize| {
            let mut entries: Vec<(u32, u32, f64)> =
                payoffs.iter().map(|&(at, payoff)| (at[p], at[1 - p], payoff)).collect();
            entries.sort_unstable_by(|a, b| {
                a.0.cmp(&b.0).then(a.2.total_cmp(&b.2)).then(a.1.cmp(&b.1))
            });
            let mut lines = PayoffRows::new(&entries);
            if p == 1 {
                lines.runs.iter_mut().for_each(|run| run.payoff = -run.payoff);
            }
            lines
        });
        Block { sizes, sides }
    }

    /// Puts parts of a plan side by side, one for each of eight histories.
    pub fn gather(
        &self,
        q: usize,
        pairs: &[&CutHistory],
        plan: &[f64],
        from: &mut Vec<[f64; LANES]>,
    ) {
        let size = self.sizes[q] as usize;
        from.clear();
        from.resize(size, [0.0; LANES]);
        for (lane, pair) in pairs.iter().enumerate() {
            let Cursor { incoming, base } = pair.cursors[q];
            from[0][lane] = pair.chance * plan[incoming as usize];
            let part = &plan[base as usize..base as usize + size - 1];
            for (to, reach) in from[1..].iter_mut().zip(part) {
                to[lane] = pair.chance * reach;
            }
        }
    }

    /// The payoffs times eight reaches. Inlined, so that it is compiled for what the processor can do.
    #[inline(always)]
    pub fn multiply(&self, p: usize, from: &[[f64; LANES]], into: &mut Vec<[f64; LANES]>) {
        into.clear();
        into.resize(self.sizes[p] as usize, [0.0; LANES]);
        let PayoffRows { runs, columns } = &self.sides[p];
        let mut first = 0;
        for run in runs {
            let mut sum = [0.0; LANES];
            for &column in &columns[first..run.end as usize] {
                let from = &from[column as usize];
                for lane in 0..LANES {
                    sum[lane] += from[lane];
                }
            }
            first = run.end as usize;
            let into = &mut into[run.row as usize];
            for lane in 0..LANES {
                into[lane] += run.payoff * sum[lane];
            }
        }
    }

    pub fn scatter(
        &self,
        p: usize,
        pairs: &[&CutHistory],
        into: &[[f64; LANES]],
        own: &mut [f64],
        begin: u32,
    ) {
        for (lane, pair) in pairs.iter().enumerate() {
            let Cursor { incoming, base } = pair.cursors[p];
            own[(incoming - begin) as usize] += into[0][lane];
            if into.len() > 1 {
                let own = &mut own[(base - begin) as usize..];
                for (own, from) in own.iter_mut().zip(&into[1..]) {
                    *own += from[lane];
                }
            }
        }
    }

    /// One history alone.
    pub fn once(&self, p: usize, pair: &CutHistory, plan: &[f64], own: &mut [f64], begin: u32) {
        let (mine, theirs) = (pair.cursors[p], pair.cursors[1 - p]);
        let PayoffRows { runs, columns } = &self.sides[p];
        let mut first = 0;
        for run in runs {
            let reached = |column: u32| match column {
                0 => plan[theirs.incoming as usize],
                _ => plan[(theirs.base + column - 1) as usize],
            };
            let columns = &columns[first..run.end as usize];
            let sum: f64 = columns.iter().map(|&column| reached(column)).sum();
            first = run.end as usize;
            let place = if run.row == 0 { mine.incoming } else { mine.base + run.row - 1 };
            own[(place - begin) as usize] += pair.chance * run.payoff * sum;
        }
    }
}

/// The payoffs of all ends below a history.
fn collect(tree: &GameTree, at: History, payoffs: &mut Vec<([u32; 2], f64)>) {
    if let Turn::Over(payoff) = tree.node(at).turn {
        if payoff != 0.0 {
            payoffs.push((at.cursors.map(|cursor| cursor.incoming), payoff * at.chance));
        }
        return;
    }
    for next in tree.after(at) {
        collect(tree, next, payoffs);
    }
}

/// Adds up neighbours that are of the same pair of sequences.
pub(super) fn add_equal(payoffs: &mut Vec<([u32; 2], f64)>) {
    payoffs.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0.0 };
        same
    });
}

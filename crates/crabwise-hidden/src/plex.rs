//! One player's sequences, in an order in which all that follows from a view lies together.
//!
//! Sequence 0 is the empty one. Then come views as a walk through the tree of views meets them first: of a
//! view at which the player has to move its sequences, one a move, and after them whatever can follow, by
//! the order of the mind's kids. So the sequences of a view lie side by side, views later in a line have
//! greater numbers, and where a view's own begin depends on the mind above it and on nothing else:
//! [`Shape`] tells how far each kid lies from its mind.
//!
//! A *behaviour* is a probability for each sequence, of its move at its view. The *reach* of a sequence is
//! the product along the way to it. What each sequence earns by itself, the others' reach and chance
//! counted in, is a *gradient*.

use super::{HiddenError, states::Minds};

/// What the tree of views under each mind of a player looks like.
pub(super) struct Shape {
    /// How many sequences lie under a mind, its own included.
    pub sequences: Vec<u64>,
    /// How many views at which one has to move.
    pub views: Vec<u64>,
    /// How far the sequences under each kid are from those of its mind.
    pub offsets: Vec<u32>,
}

impl Shape {
    pub fn new(minds: &Minds) -> Result<Shape, HiddenError> {
        let mut shape = Shape {
            sequences: vec![UNKNOWN; minds.len()],
            views: vec![0; minds.len()],
            offsets: vec![0; minds.kid_range(minds.len() as u32 - 1).end],
        };
        for mind in 0..minds.len() {
            shape.fill(minds, mind as u32)?;
        }
        Ok(shape)
    }

    fn fill(&mut self, minds: &Minds, mind: u32) -> Result<(), HiddenError> {
        match self.sequences[mind as usize] {
            UNKNOWN => self.sequences[mind as usize] = UNDER_WAY,
            UNDER_WAY => {
                let what = "a player can come back to the same gist";
                return Err(HiddenError::Contract(what.into()));
            }
            _ => return Ok(()),
        }
        let moves = u64::from(minds.moves(mind));
        let (mut sequences, mut views) = (moves, u64::from(moves > 0));
        for (i, kid) in minds.kid_range(mind).zip(minds.kids(mind)) {
            self.fill(minds, kid.to)?;
            // Too many for this are too many to be laid out, which is found before they are.
            self.offsets[i] = u32::try_from(sequences).unwrap_or(u32::MAX);
            sequences = sequences.saturating_add(self.sequences[kid.to as usize]).min(MOST);
            views = views.saturating_add(self.views[kid.to as usize]);
        }
        (self.sequences[mind as usize], self.views[mind as usize]) = (sequences, views);
        Ok(())
    }
}

const UNKNOWN: u64 = u64::MAX;
const UNDER_WAY: u64 = u64::MAX - 1;
const MOST: u64 = u64::MAX - 2;

/// All sequences of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Plex {
    /// The first sequence of each view, and after the last view the number of sequences.
    pub(super) first: Vec<u32>,
    /// The sequence that leads to each view.
    pub(super) parent: Vec<u32>,
    /// The mind of each view.
    pub(super) mind: Vec<u32>,
}

impl Plex {
    /// Lays out the views under a mind; `shape` has said that they fit.
    pub(super) fn new(minds: &Minds, shape: &Shape) -> Plex {
        let views = shape.views[0] as usize;
        let mut plex = Plex {
            first: Vec::with_capacity(views + 1),
            parent: Vec::with_capacity(views),
            mind: Vec::with_capacity(views),
        };
        plex.unroll(minds, shape, 0, 0, 1);
        plex.first.push(1 + shape.sequences[0] as u32);
        plex
    }

    fn unroll(&mut self, minds: &Minds, shape: &Shape, mind: u32, incoming: u32, base: u32) {
        if minds.moves(mind) > 0 {
            self.first.push(base);
            self.parent.push(incoming);
            self.mind.push(mind);
        }
        for (i, kid) in minds.kid_range(mind).zip(minds.kids(mind)) {
            let incoming = kid.step.mv.map_or(incoming, |mv| base + mv);
            self.unroll(minds, shape, kid.to, incoming, base + shape.offsets[i]);
        }
    }

    /// The number of views at which the player has to move.
    pub fn views(&self) -> usize {
        self.parent.len()
    }

    /// The number of sequences, the empty one included.
    pub fn sequences(&self) -> usize {
        self.first[self.views()] as usize
    }

    /// The sequences of a view, one a move.
    pub fn at(&self, view: usize) -> std::ops::Range<usize> {
        self.first[view] as usize..self.first[view + 1] as usize
    }

    /// The sequence that leads to a view.
    pub fn parent(&self, view: usize) -> usize {
        self.parent[view] as usize
    }

    /// The mind of each view: what is left of it if the order of events is forgotten, where the game has gists.
    pub fn minds(&self) -> &[u32] {
        &self.mind
    }

    /// The behaviour that makes all moves of a view equally likely.
    pub fn uniform(&self) -> Vec<f64> {
        let mut behaviour = vec![1.0; self.sequences()];
        for view in 0..self.views() {
            let even = 1.0 / self.at(view).len() as f64;
            behaviour[self.at(view)].fill(even);
        }
        behaviour
    }

    /// How likely the player does what leads to each sequence.
    pub fn reach(&self, behaviour: &[f64], reach: &mut [f64]) {
        reach[0] = 1.0;
        for view in 0..self.views() {
            let parent = reach[self.parent(view)];
            for sequence in self.at(view) {
                reach[sequence] = parent * behaviour[sequence];
            }
        }
    }

    /// The behaviour of which this is the reach; where it is never reached, all moves equally likely.
    pub fn behaviour(&self, reach: &[f64]) -> Vec<f64> {
        let mut behaviour = vec![1.0; self.sequences()];
        for view in 0..self.views() {
            let total: f64 = reach[self.at(view)].iter().sum();
            let even = 1.0 / self.at(view).len() as f64;
            for sequence in self.at(view) {
                behaviour[sequence] = if total > 0.0 { reach[sequence] / total } else { even };
            }
        }
        behaviour
    }

    /// What a behaviour earns, and in place of each sequence's own gain all that follows from it.
    pub fn worth(&self, behaviour: &[f64], gradient: &mut [f64]) -> f64 {
        for view in (0..self.views()).rev() {
            let at = self.at(view);
            let worth: f64 = at.clone().map(|s| behaviour[s] * gradient[s]).sum();
            gradient[self.parent(view)] += worth;
        }
        gradient[0]
    }

    /// The most that can be earned, and in place of each sequence's own gain the most that follows from it.
    pub fn best(&self, gradient: &mut [f64]) -> f64 {
        for view in (0..self.views()).rev() {
            let best = gradient[self.at(view)].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            gradient[self.parent(view)] += best;
        }
        gradient[0]
    }
}

//! Mirror images: half of a symmetric game stands for the whole.
//!
//! A game that is its own mirror image can be folded: strategies that treat mirror images alike are enough, for if
//! `x` is optimal, so is half of `x` and half of its mirror image. Any plan is taken for this half and half. Then of
//! two histories that mirror each other, told apart by the first player's first move that has an image of its own,
//! one is kept. A sequence of the first player that was left out earns what its image does. A sequence of the second
//! player earns, against the half that was left out, what its image earns against the half that is there.

use rayon::prelude::*;

use super::RealizationPlan;
use crate::{rules::Player, tree::GameTree};

/// What was left out because its mirror image is there.
pub(super) struct Folded {
    /// For each sequence of either player its image.
    images: [Vec<u32>; 2],
    /// For each sequence of the first player whether it was left out.
    left_out: Vec<bool>,
}

/// The images of a player's information states and of their transitions.
pub(super) type Mirror = (Vec<u32>, Vec<u32>);

impl Folded {
    pub fn new(tree: &GameTree, mirrors: &[Mirror; 2]) -> Folded {
        let sizes = [0, 1].map(|p: usize| 1 + tree.shapes[p].sequences[0] as usize);
        let mut images = sizes.map(|size| vec![0; size]);
        let mut left_out = sizes.map(|size| vec![false; size]);
        for p in 0..2 {
            let walk = Images { tree, p, mirror: &mirrors[p] };
            walk.fill(
                Twin { info_state: 0, base: [1, 1] },
                false,
                &mut images[p],
                &mut left_out[p],
            );
        }
        let [left_out, _] = left_out;
        Folded { images, left_out }
    }

    /// Half of a plan and half of its mirror image.
    pub fn even(&self, player: Player, plan: &[f64]) -> RealizationPlan {
        let images = &self.images[player as usize];
        let half = |(&image, own): (&u32, &f64)| (own + plan[image as usize]) / 2.0;
        images.par_iter().zip(plan).map(half).collect()
    }

    /// Adds what was left out to a gradient.
    pub fn complete(&self, player: Player, gradient: &mut [f64]) {
        let images = self.images[player as usize].iter().enumerate();
        match player {
            Player::First => {
                for (sequence, &image) in images.filter(|(sequence, _)| self.left_out[*sequence]) {
                    gradient[sequence] = gradient[image as usize];
                }
            }
            Player::Second => {
                for (sequence, &image) in
                    images.filter(|(sequence, image)| *sequence <= **image as usize)
                {
                    let sum = gradient[sequence] + gradient[image as usize];
                    (gradient[sequence], gradient[image as usize]) = (sum, sum);
                }
            }
        }
    }
}

/// Where the sequences of an information set begin, and those of its image.
#[derive(Clone, Copy)]
struct Twin {
    info_state: u32,
    base: [u32; 2],
}

/// Finds images, and what is left out because its image is there.
struct Images<'a> {
    tree: &'a GameTree,
    p: usize,
    mirror: &'a Mirror,
}

impl Images<'_> {
    fn fill(&self, twin: Twin, out: bool, images: &mut [u32], left_out: &mut [bool]) {
        let Twin { info_state, base } = twin;
        let (info_states, shape) =
            (&self.tree.states.info_states[self.p], &self.tree.shapes[self.p]);
        let image = self.mirror.0[info_state as usize];
        let moves: Vec<u32> = (0..info_states.moves(info_state))
            .map(|mv| info_states.image_move(info_state, image, mv).unwrap_or(mv))
            .collect();
        // As long as an information set is its own image, each move has an image of its own.
        let left = |mv: u32| if base[0] == base[1] { moves[mv as usize] < mv } else { out };
        for mv in 0..info_states.moves(info_state) {
            let sequence = (base[0] + mv) as usize;
            (images[sequence], left_out[sequence]) = (base[1] + moves[mv as usize], left(mv));
        }
        for (i, transition) in info_states.numbered_transitions(info_state) {
            let other = info_states.transition_range(image).start + self.mirror.1[i] as usize;
            let base = [base[0] + shape.offsets[i], base[1] + shape.offsets[other]];
            let out = transition.step.mv.map_or(out, left);
            self.fill(Twin { info_state: transition.to, base }, out, images, left_out);
        }
    }
}

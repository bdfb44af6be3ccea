//! Sixty-four positions at once: a value of a gate is a word, and the position of number n is its bit n.
//!
//! Positions come as words of bits of one position each; turned around ([`transpose`]) they are words of one bit of 64
//! positions each, and lines of gates work on these. Only children are put together one by one. For games in which a
//! fact says whose turn it is; others are asked position by position.

use std::cmp::Ordering;

use crabwise::{Batched, Expansion, Game, Outcome};

use crate::{
    game::{Packed, Rules, with_lanes, with_values},
    machine::Machine,
    net::Node,
    pack::{Layout, Place},
    program::{Line, Lines},
};

/// A square of bits, turned around its diagonal.
fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, u64::MAX >> 32);
    while width > 0 {
        for i in (0..64).filter(|i| i & width == 0) {
            let swapped = ((square[i] >> width) ^ square[i + width]) & mask;
            square[i] ^= swapped << width;
            square[i + width] ^= swapped;
        }
        width /= 2;
        mask ^= mask << width;
    }
}

/// The bits of up to 64 positions, word by word of a position.
struct Planes(Vec<[u64; 64]>);

impl Planes {
    fn of<P: Packed>(positions: &[P], words: usize) -> Planes {
        let mut planes = vec![[0; 64]; words];
        for (word, plane) in planes.iter_mut().enumerate() {
            positions.iter().zip(plane.iter_mut()).for_each(|(at, bits)| *bits = at.words()[word]);
            transpose(plane);
        }
        Planes(planes)
    }

    /// In which positions a fact holds.
    fn holds(&self, place: Place) -> u64 {
        let plane = &self.0[place.word as usize];
        if place.single {
            return plane[place.code.trailing_zeros() as usize];
        }
        let (mut left, mut holds) = (place.mask, u64::MAX);
        while left != 0 {
            let bit = left.trailing_zeros();
            holds &=
                if place.code >> bit & 1 == 1 { plane[bit as usize] } else { !plane[bit as usize] };
            left &= left - 1;
        }
        holds
    }

    /// Works out a line.
    fn run(&self, line: &Line, layout: &Layout, values: &mut Vec<u64>) {
        values.resize(values.len().max(line.places), 0);
        for &(place, node) in &line.inputs {
            if let Node::Fact(fact) = node {
                values[place as usize] = self.holds(layout.facts[fact as usize]);
            }
        }
        line.run(values);
    }
}

/// What 64 positions come to.
struct Block {
    over: u64,
    /// Of each goal where it holds.
    goals: Vec<u64>,
    /// Deeds that are legal somewhere, where, and from where their outputs are kept.
    deeds: Vec<(u32, u64, usize)>,
    outputs: Vec<u64>,
}

impl Machine {
    fn block<P: Packed>(&self, lines: &Lines, positions: &[P], values: &mut Vec<u64>) -> Block {
        let layout = &self.layout;
        let planes = Planes::of(positions, layout.words);
        planes.run(&lines.end, layout, values);
        let over = lines.end.output(values, 0);
        let goals = (0..self.goals.len()).map(|nth| lines.end.output(values, nth + 1)).collect();
        let mut block = Block { over, goals, deeds: vec![], outputs: vec![] };
        planes.run(&lines.legal, layout, values);
        let second = layout.turn.mask & layout.turn.mask.wrapping_neg();
        let second = planes.0[layout.turn.word as usize][second.trailing_zeros() as usize];
        let there = u64::MAX >> (64 - positions.len());
        for (nth, deed) in self.deeds.iter().enumerate() {
            let turn = if deed.role == 0 { !second } else { second };
            let lanes = lines.legal.output(values, nth) & turn & !over & there;
            if lanes != 0 {
                block.deeds.push((nth as u32, lanes, 0));
            }
        }
        for (deed, _, begin) in &mut block.deeds {
            let line = &lines.rest[*deed as usize];
            *begin = block.outputs.len();
            if !line.outputs.is_empty() {
                planes.run(line, layout, values);
                block.outputs.extend((0..line.outputs.len()).map(|nth| line.output(values, nth)));
            }
        }
        block
    }

    /// The position after a deed, from what was worked out for its block.
    fn child<P: Packed>(
        &self,
        at: &P,
        lane: usize,
        (deed, begin): (u32, usize),
        block: &Block,
    ) -> P {
        let mut to = at.clone();
        self.deeds[deed as usize]
            .change(at.words(), to.words_mut(), |nth| block.outputs[begin + nth] >> lane & 1 == 1);
        self.turn_by_fact(to.words_mut());
        to
    }
}

impl<P: Packed> Batched for Rules<P> {
    fn expand(&self, positions: &[P], out: &mut Expansion<P>) {
        let machine = self.machine();
        let Some(lines) = &machine.lines else {
            return positions.iter().for_each(|at| self.one(at, out));
        };
        with_lanes(|values| {
            for some in positions.chunks(64) {
                let block = machine.block(lines, some, values);
                for (lane, at) in some.iter().enumerate() {
                    if block.over >> lane & 1 == 1 {
                        match self.outcome_in(&block, lane, at) {
                            Some(outcome) => out.over(outcome),
                            None => out.open([]),
                        }
                        continue;
                    }
                    let turn = machine.layout.turn(at.words());
                    let legal = block.deeds.iter().filter(|(_, lanes, _)| lanes >> lane & 1 == 1);
                    out.open(legal.map(|(deed, _, begin)| {
                        let to = machine.child(at, lane, (*deed, *begin), &block);
                        let again = machine.layout.turn(to.words()) == turn;
                        (to, again)
                    }));
                }
            }
        });
    }
}

impl<P: Packed> Rules<P> {
    /// One position.
    fn one(&self, at: &P, out: &mut Expansion<P>) {
        match self.over(at) {
            Some(outcome) => out.over(outcome),
            None => out.open(self.moves(at).into_iter().map(|mv| {
                let to = self.play(at, mv);
                let again = self.again(at, &to);
                (to, again)
            })),
        }
    }

    fn outcome_in(&self, block: &Block, lane: usize, at: &P) -> Option<Outcome> {
        let machine = self.machine();
        let holds = |nth: usize| block.goals[nth] >> lane & 1 == 1;
        let goals = machine.outcome(holds);
        if goals.is_err() {
            // Whoever asks for this position again is told why.
            with_values(|values| machine.ended(at.words(), values));
        }
        let (goals, turn) = (goals.ok()?, usize::from(machine.layout.turn(at.words())));
        Some(match goals[turn].cmp(&goals[1 - turn]) {
            Ordering::Less => Outcome::Loss,
            Ordering::Equal => Outcome::Tie,
            Ordering::Greater => Outcome::Win,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_turned_around() {
        let mut random = fastrand::Rng::with_seed(7);
        let before: [u64; 64] = std::array::from_fn(|_| random.u64(..));
        let mut after = before;
        transpose(&mut after);
        for (i, row) in before.iter().enumerate() {
            for (j, column) in after.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }
}

//! The solution as it was published: a row for each decided state up to symmetry.
//!
//! A state is the tuple `(nRed, idxRed, nGreen, idxGreen, turn)`; red is the side that moves first at
//! the start, and turn is 0 when red is to move. A side's pawns are told by their number n and by
//! idx, the sum of C(c, n − i) over its cells c in falling order, i = 0, 1, …, where the cell in column x
//! and row y is size · x + y. Of the tuples of all eight images, the one with the smallest
//! (idxRed, idxGreen) stands for all.
//!
//! `scores.csv` has rows `tuple;score`, 1 where red wins and -1 where green does; `children.csv` has
//! rows `tuple;[children]`, each child once, in rising order, for drawn states too unless only decided ones are
//! wanted. States in which a player has escaped have no rows, but are children.

use std::io::Write;

use crabwise::{Published, Value, index::combinadic::Subsets, watch::Shown};

use super::{BlackHole, Pawns, Rules};
use crate::grid::bits;

impl Published for BlackHole {
    const FILES: &'static [&'static str] = &["scores.csv", "children.csv"];

    /// A position stands for two states: the player to move may be either colour.
    fn name(&self, at: &Pawns, mover: usize) -> Option<String> {
        Some(self.state(at, mover as u64).told())
    }

    fn parts_with_draws(&self) -> bool {
        true
    }

    fn append(
        &self,
        at: Option<(&Pawns, Value)>,
        moves: &[(Pawns, Value)],
        decided: bool,
        files: &mut [Vec<u8>],
    ) {
        let Some((at, value)) = at else { return };
        let mover_wins = match value {
            // The published table has no positions in which a player has escaped.
            _ if at.theirs.count_ones() == self.rules.goal() => return,
            Value::Win(_) => Some(true),
            Value::Loss(_) => Some(false),
            Value::Tie(_) | Value::Draw if decided => return,
            Value::Tie(_) | Value::Draw => None,
        };
        for turn in [0, 1] {
            let state = self.state(at, turn);
            let mut children: Vec<State> =
                moves.iter().map(|(to, _)| self.state(to, 1 - turn)).collect();
            children.sort_unstable();
            children.dedup();
            let children: Vec<String> = children.iter().map(State::told).collect();
            // Writing to memory does not fail.
            if let Some(wins) = mover_wins {
                let score = if wins == (turn == 0) { 1 } else { -1 };
                let _ = writeln!(files[0], "{};{score}", state.told());
            }
            let _ = writeln!(files[1], "{};[{}]", state.told(), children.join(", "));
        }
    }
}

/// `(nRed, idxRed, nGreen, idxGreen, turn)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct State([u64; 5]);

impl State {
    fn told(&self) -> String {
        let [red, red_index, green, green_index, turn] = self.0;
        format!("({red}, {red_index}, {green}, {green_index}, {turn})")
    }
}

impl BlackHole {
    /// The tuple of a position in which the player to move is red, 0, or green, 1.
    fn state(&self, at: &Pawns, turn: u64) -> State {
        let [red, green] = if turn == 0 { [at.mine, at.theirs] } else { [at.theirs, at.mine] };
        let image = |symmetry| [red, green].map(|set| self.index(set, symmetry));
        let [red_index, green_index] = (0..8).map(image).min().unwrap_or_default();
        let [reds, greens] = [red, green].map(|set| u64::from(set.count_ones()));
        State([reds, red_index, greens, green_index, turn])
    }

    /// The number of a set's image under one of the eight symmetries.
    fn index(&self, set: u64, symmetry: u32) -> u64 {
        let size = self.rules.size;
        let flip = |n: u32, bit: u32| if symmetry & bit != 0 { size - 1 - n } else { n };
        let image = bits(set).fold(0, |image: u64, cell| {
            let (x, y) = (flip(cell % size, 1), flip(cell / size, 2));
            let (x, y) = if symmetry & 4 != 0 { (y, x) } else { (x, y) };
            image | 1 << (size * x + y)
        });
        Subsets::new(self.rules.cells(), set.count_ones()).rank(image)
    }

    /// The position of a tuple, and whose turn it is; the tuple may be that of any image.
    pub(super) fn read_state(&self, word: &str) -> Result<(Pawns, u32), String> {
        let numbers = word.trim_start_matches('(').trim_end_matches(')').split(',');
        let numbers = numbers.map(|number| number.trim().parse().ok());
        let numbers: Option<Vec<u64>> = numbers.collect();
        let form = "(nRed, idxRed, nGreen, idxGreen, turn)";
        let Some([red, red_index, green, green_index, turn @ (0 | 1)]) =
            numbers.as_deref().and_then(|numbers| <[u64; 5]>::try_from(numbers).ok())
        else {
            return Err(format!("'{}' is no state {form}, its turn 0 or 1", Shown(word)));
        };
        let sides = [("red", red, red_index), ("green", green, green_index)];
        let [red, green] = sides.map(|(name, count, index)| self.side(name, count, index));
        let (red, green) = (red?, green?);
        let [mine, theirs] = if turn == 0 { [red, green] } else { [green, red] };
        Ok((
            self.sound(
                Pawns { mine, theirs },
                [["red", "green"], ["green", "red"]][turn as usize],
            )?,
            turn as u32,
        ))
    }

    /// The cells of a side's pawns.
    fn side(&self, name: &str, count: u64, index: u64) -> Result<u64, String> {
        let Rules { size, pawns, .. } = self.rules;
        if count > pawns.into() {
            return Err(format!("{name} has {count} pawns, and there are {pawns}"));
        }
        let subsets = Subsets::new(self.rules.cells(), count as u32);
        if index >= subsets.len() {
            let len = subsets.len();
            return Err(format!(
                "idx {index} of {name} is not below {len}, as all of {count} pawns are"
            ));
        }
        let cells = bits(subsets.unrank(index));
        Ok(cells.fold(0, |set, cell| set | 1 << (size * (cell % size) + cell / size)))
    }
}

#[cfg(test)]
mod tests {
    use crabwise::{Game, Outcome};

    use super::*;
    use crate::black_hole::Rules;

    #[test]
    fn the_start_has_the_published_tuple() {
        let (falls, stuck) = (false, Outcome::Loss);
        let game = BlackHole::new(Rules { size: 5, pawns: 4, remove: 2, falls, stuck });
        assert_eq!(game.state(&game.start(), 0).told(), "(4, 96, 4, 11935, 0)");
    }

    #[test]
    fn rows_are_of_decided_states_in_both_colours() {
        let (falls, stuck) = (false, Outcome::Loss);
        let game = BlackHole::new(Rules { size: 3, pawns: 1, remove: 1, falls, stuck });
        let start = game.start();
        let after = Pawns { mine: start.theirs, theirs: 0 };
        let mut files = [vec![], vec![]];
        game.append(Some((&start, Value::Win(1))), &[(after, Value::Loss(0))], false, &mut files);
        let [scores, children] = files.map(|file| String::from_utf8(file).unwrap());
        assert_eq!(scores, "(1, 1, 1, 7, 0);1\n(1, 1, 1, 7, 1);-1\n");
        assert_eq!(
            children,
            "(1, 1, 1, 7, 0);[(0, 0, 1, 1, 1)]\n(1, 1, 1, 7, 1);[(1, 1, 0, 0, 0)]\n"
        );
        let mut none = [vec![], vec![]];
        game.append(Some((&start, Value::Draw)), &[], true, &mut none);
        game.append(Some((&after, Value::Loss(0))), &[], false, &mut none);
        assert!(none.iter().all(Vec::is_empty));
        // A drawn state has no score, but children.
        game.append(Some((&start, Value::Draw)), &[], false, &mut none);
        let [scores, children] = none.map(|file| String::from_utf8(file).unwrap());
        assert_eq!((scores, children.lines().count()), (String::new(), 2));
    }

    #[test]
    fn a_tuple_is_printed_and_read() {
        let (falls, stuck) = (false, Outcome::Loss);
        let game = BlackHole::new(Rules { size: 5, pawns: 4, remove: 2, falls, stuck });
        let tuple = |at: &Pawns, turn: u64| game.state(at, turn).told();
        let mut random = fastrand::Rng::with_seed(7);
        let mut at = game.start();
        for ply in 0..200 {
            let turn = ply % 2;
            let word = tuple(&at, turn).replace(' ', "");
            let (read, plies) = game.read_state(&word).unwrap();
            assert_eq!((tuple(&read, turn), u64::from(plies)), (tuple(&at, turn), turn), "{word}");
            let moves: Vec<_> = game.moves(&at).into_iter().collect();
            at = match random.choice(moves).filter(|_| game.over(&at).is_none()) {
                Some(slide) => game.play(&at, slide),
                None => game.start(),
            };
        }
        for (word, why) in [
            ("(4,96,4,11935)", "is no state (nRed, idxRed, nGreen, idxGreen, turn)"),
            ("(4,96,4,11935,2)", "its turn 0 or 1"),
            ("(9,96,4,11935,0)", "red has 9 pawns, and there are 4"),
            ("(4,96,4,99999,0)", "idx 99999 of green is not below 12650"),
            ("(4,96,4,96,0)", "stand on one another"),
        ] {
            let told = game.read_state(word).unwrap_err();
            assert!(told.contains(why), "{told}");
        }
    }
}

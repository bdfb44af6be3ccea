//! Boards as the player to move faces them: games in which both sides have the same rules.
//!
//! The two sides change places after every move, so that one set of rules does for both. Whose turn it is
//! belongs to the position and changes no value. A numbering may leave it out, and then it is one more
//! symmetry: the board with the sides exchanged.

use std::fmt::Debug;

use crabwise::index::symmetry::Group;

/// What the player to move has, what the other has, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Faced<T> {
    /// What the player to move has.
    pub mine: T,
    /// What the other has.
    pub theirs: T,
    /// Whether the second player is to move.
    pub second: bool,
}

impl<T: Copy + Into<u64> + TryFrom<u64, Error: Debug>> Faced<T> {
    /// The board with the sets of the player to move and of the other.
    #[inline]
    pub fn new([mine, theirs]: [u64; 2], second: bool) -> Faced<T> {
        let [mine, theirs] = [mine, theirs].map(|set| T::try_from(set).expect("as wide a set"));
        Faced { mine, theirs, second }
    }

    /// The board with the sets of the first player and of the second, where it is this player's turn.
    pub fn of_players([first, second]: [u64; 2], turn: usize) -> Faced<T> {
        if turn == 0 {
            Faced::new([first, second], false)
        } else {
            Faced::new([second, first], true)
        }
    }

    /// The sets of the player to move and of the other.
    #[inline]
    pub fn sets(&self) -> [u64; 2] {
        [self.mine.into(), self.theirs.into()]
    }

    /// The sets of the first player and of the second.
    pub fn players(&self) -> [u64; 2] {
        let [mine, theirs] = self.sets();
        if self.second { [theirs, mine] } else { [mine, theirs] }
    }

    /// The letter of the player to move.
    pub fn to_move(self) -> char {
        if self.second { 'O' } else { 'X' }
    }

    /// The boards that are this one up to symmetry and whose turn it is, each once.
    pub fn orbit(&self, group: &Group) -> Vec<Faced<T>> {
        let orbit = group.orbit(self.sets()).into_iter();
        orbit.flat_map(|sets| [false, true].map(|second| Faced::new(sets, second))).collect()
    }

    /// This board under each symmetry, first with the same player to move and then with the other.
    pub fn images(&self, group: &Group) -> Vec<Faced<T>> {
        let image = |element| self.sets().map(|set| group.apply(element, set));
        (0..group.order())
            .flat_map(|element| {
                [self.second, !self.second].map(|second| Faced::new(image(element), second))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sides_change_places_with_the_turn() {
        let at: Faced<u16> = Faced::of_players([0b0011, 0b0100], 1);
        assert_eq!((at.mine, at.theirs, at.to_move()), (0b0100, 0b0011, 'O'));
        assert_eq!((at.players(), at.sets()), ([0b0011, 0b0100], [0b0100, 0b0011]));
    }

    #[test]
    fn a_board_of_two_by_two_has_eight_symmetries_and_two_turns() {
        let group = Group::square(2);
        let at: Faced<u16> = Faced::new([0b0001, 0b0010], false);
        assert_eq!((at.orbit(&group).len(), at.images(&group).len()), (16, 16));
        let symmetric: Faced<u16> = Faced::new([0b0001, 0b1000], false);
        assert_eq!((symmetric.orbit(&group).len(), symmetric.images(&group).len()), (8, 16));
    }
}

//! A tier for what both sides have, men and kings, and how far their men have come. Captures, promotions and steps of
//! men lead to later tiers, so that inside a tier there are only steps of kings. They are few, and are recorded;
//! un-moves would have to put back every chain of jumps, though none of them stays in its tier.
//!
//! Whoever is to move sees the board from below: a position and what the other player sees of it share a slot. Where
//! the sides do not have the same, a tier has two classes, one for each of whom it is the turn. In a class come the
//! men of the side to move, then the others', then the kings on the squares that are left. Men on one square are a
//! hole, and so are positions in which nothing is left of those who are not to move.

use crabwise::{
    Index, Slot,
    index::combinadic::{Colours, Subsets, compress, expand},
};

use super::{Checkerboard, Draughts};
use crate::grid::bits;

/// How many men and kings a side has.
type Army = [u32; 2];

/// The positions of a tier in which the side to move has the first of two armies.
struct ArmyClass {
    armies: [Army; 2],
    /// Its first slot in the tier.
    start: u64,
    /// For each progress of the men of the side to move, the first slot in the class; then how many there are.
    begin: Vec<u64>,
    kings: Colours,
}

struct ArmyTier {
    progress: u32,
    classes: Vec<ArmyClass>,
}

pub(crate) struct Pieces {
    rules: Draughts,
    /// By number of men and progress: the sets of men, in increasing order.
    men: Vec<Vec<Vec<u64>>>,
    tiers: Vec<ArmyTier>,
    /// By both armies and the progress: tier and class.
    place: Vec<(u32, u32)>,
}

const NOWHERE: (u32, u32) = (u32::MAX, 0);

impl Pieces {
    pub(crate) fn new(game: &Draughts) -> Pieces {
        let rules = Draughts::new(game.grid, game.men);
        let mut pieces = Pieces { men: rules.sets_of_men(), rules, tiers: vec![], place: vec![] };
        let most = pieces.rules.men;
        let armies: Vec<Army> =
            (0..=most).flat_map(|men| (0..=most - men).map(move |kings| [men, kings])).collect();
        let pairs = armies.iter().flat_map(|a| armies.iter().map(move |b| [*a, *b]));
        let pairs = pairs.filter(|[a, b]| a >= b && a.iter().sum::<u32>() > 0);
        let all = 0..=2 * most * pieces.rules.grid.rows;
        let mut keys: Vec<([Army; 2], u32)> =
            pairs.flat_map(|pair| all.clone().map(move |progress| (pair, progress))).collect();
        keys.sort_by_key(|&([[a, b], [c, d]], progress)| {
            (4 * most - (a + b + c + d), 4 * most - (a + c), progress, [[a, b], [c, d]])
        });
        for (pair, progress) in keys {
            pieces.add_tier(pair, progress);
        }
        pieces.place = vec![NOWHERE; pieces.key([[most, 0], [most, 0]], 0) * 2];
        for (number, tier) in (0..).zip(&pieces.tiers) {
            for (class, one) in (0..).zip(&tier.classes) {
                let key = pieces.key(one.armies, tier.progress);
                if key >= pieces.place.len() {
                    pieces.place.resize(key + 1, NOWHERE);
                }
                pieces.place[key] = (number, class);
            }
        }
        pieces
    }

    fn add_tier(&mut self, [a, b]: [Army; 2], progress: u32) {
        let (mut classes, mut start) = (vec![], 0);
        for armies in if a == b { vec![[a, b]] } else { vec![[a, b], [b, a]] } {
            let Some(class) = self.class(armies, progress, start) else { continue };
            start += class.begin.last().copied().unwrap_or(0);
            classes.push(class);
        }
        if start > 0 {
            self.tiers.push(ArmyTier { progress, classes });
        }
    }

    fn class(&self, armies: [Army; 2], progress: u32, start: u64) -> Option<ArmyClass> {
        let [[men, kings], [others, other_kings]] = armies;
        let free = (self.rules.cells.len() as u32).checked_sub(men + others)?;
        let kings = (kings + other_kings <= free)
            .then(|| Colours::new(free, [kings, other_kings]))
            .flatten()?;
        let (mut begin, mut end) = (vec![0], 0);
        for made in 0..=progress {
            end += self.sets(men, made).len() as u64
                * self.sets(others, progress - made).len() as u64
                * kings.len();
            begin.push(end);
        }
        Some(ArmyClass { armies, start, begin, kings })
    }

    fn sets(&self, men: u32, progress: u32) -> &[u64] {
        self.men[men as usize].get(progress as usize).map_or(&[], |sets| sets)
    }

    fn key(&self, armies: [Army; 2], progress: u32) -> usize {
        let base = self.rules.men as usize + 1;
        let both = armies.as_flattened().iter().fold(0, |key, &count| base * key + count as usize);
        both * (2 * self.rules.men * self.rules.grid.rows + 1) as usize + progress as usize
    }

    /// The board as the side to move sees it: its men, the others', its kings, the others'; all from its side.
    fn seen(&self, at: &Checkerboard) -> [u32; 4] {
        let at = if at.turn == 0 { *at } else { self.rules.turn_around(at) };
        let [mine, theirs] = at.sides;
        [mine & !at.kings, theirs & !at.kings, mine & at.kings, theirs & at.kings]
    }
}

impl Draughts {
    /// The sets of men by their number and by how far they have come together.
    fn sets_of_men(&self) -> Vec<Vec<Vec<u64>>> {
        let squares = (self.all() & !self.far_row(0)).count_ones();
        let of = |men: u32| {
            let mut sets = vec![vec![]; (men * self.grid.rows) as usize + 1];
            for set in Subsets::new(squares, men.min(squares)).iter().filter(|_| men <= squares) {
                sets[self.progress(set) as usize].push(set);
            }
            sets
        };
        (0..=self.men).map(of).collect()
    }

    fn progress(&self, men: u64) -> u32 {
        bits(men).map(|square| self.cells[square as usize].row()).sum()
    }
}

impl Index<Checkerboard> for Pieces {
    fn tiers(&self) -> u32 {
        self.tiers.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        let last = self.tiers[tier as usize].classes.last();
        last.map_or(0, |class| class.start + class.begin.last().copied().unwrap_or(0))
    }

    fn slot(&self, at: &Checkerboard) -> Slot {
        let [mine, theirs, kings, others] = self.seen(at);
        let turned = self.rules.turn_set(theirs);
        let [made, far] = [mine, turned].map(|men| self.rules.progress(men.into()));
        let army = |men: u32, kings: u32| [men.count_ones(), kings.count_ones()];
        let armies = [army(mine, kings), army(theirs, others)];
        let (tier, class) = self.place[self.key(armies, made + far)];
        let class = &self.tiers[tier as usize].classes[class as usize];
        let rank = |sets: &[u64], men: u32| sets.partition_point(|&set| set < men.into()) as u64;
        let [own, opposite] =
            [self.sets(mine.count_ones(), made), self.sets(theirs.count_ones(), far)];
        let pair = rank(own, mine) * opposite.len() as u64 + rank(opposite, turned);
        let free = u64::from(self.rules.all() & !(mine | theirs));
        let kings = class.kings.rank([kings, others].map(|kings| compress(kings.into(), free)));
        let index = class.start + class.begin[made as usize] + pair * class.kings.len() + kings;
        Slot { tier, index }
    }

    fn position(&self, Slot { tier, index }: Slot) -> Option<Checkerboard> {
        let ArmyTier { classes, progress } = &self.tiers[tier as usize];
        let class = classes.iter().rev().find(|class| class.start <= index)?;
        let [[men, _], [others, other_kings]] = class.armies;
        let index = index - class.start;
        let made = class.begin.partition_point(|&begin| begin <= index).checked_sub(1)? as u32;
        let [own, opposite] =
            [self.sets(men, made), self.sets(others, progress.checked_sub(made)?)];
        let within = index - class.begin[made as usize];
        let (pair, rank) = (within / class.kings.len(), within % class.kings.len());
        let len = opposite.len() as u64;
        let mine = own[(pair / len) as usize] as u32;
        let theirs = self.rules.turn_set(opposite[(pair % len) as usize] as u32);
        if mine & theirs != 0 || others + other_kings == 0 {
            return None;
        }
        let free = u64::from(self.rules.all() & !(mine | theirs));
        let [kings, other_kings] = class.kings.unrank(rank).map(|kings| expand(kings, free) as u32);
        let sides = [mine | kings, theirs | other_kings];
        Some(Checkerboard { sides, kings: kings | other_kings, turn: 0 })
    }

    fn loopy(&self, tier: u32) -> bool {
        self.tiers[tier as usize].classes[0].armies.iter().any(|[_, kings]| *kings > 0)
    }

    fn orbit(&self, at: &Checkerboard) -> Vec<Checkerboard> {
        vec![*at, self.rules.turn_around(at)]
    }

    fn images(&self, at: &Checkerboard) -> Vec<Checkerboard> {
        self.orbit(at)
    }

    fn max_orbit(&self) -> u32 {
        2
    }

    fn bytes(&self) -> u64 {
        let sets = self.men.iter().flatten().map(Vec::len).sum::<usize>();
        8 * (sets + self.place.len()) as u64
    }

    fn name(&self) -> String {
        "draughts-pieces-1".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Grid;

    #[test]
    fn steps_of_men_leave_a_tier() {
        let game = Draughts::new(Grid { columns: 4, rows: 4 }, 2);
        let pieces = Pieces::new(&game);
        assert!(!pieces.loopy(0) && (0..pieces.tiers()).any(|tier| pieces.loopy(tier)));
        for tier in 0..pieces.tiers() {
            for index in 0..pieces.len(tier) {
                let slot = Slot { tier, index };
                let Some(at) = pieces.position(slot) else { continue };
                assert_eq!(pieces.slot(&at), slot);
                assert_eq!(pieces.slot(&game.turn_around(&at)), slot);
            }
        }
    }
}

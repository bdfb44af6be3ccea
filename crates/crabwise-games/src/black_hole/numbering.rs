//! Positions by the numbers of pawns, mirror images sharing a slot.
//!
//! A slide turns a position with a pawns for the player to move and b for the other into one of b
//! and a, and a fall into one of b and a − 1. So play goes back and forth between the classes a ×
//! b and b × a for as long as nobody falls, and a tier is such a pair of classes. The tiers go
//! from the most pawns to the fewest, and last comes one slot for all positions in which somebody
//! has escaped: they are lost for the player to move, whatever the board.
//!
//! Nobody ever stands on the hole, so a class has the pairs of disjoint sets of the other cells.
//! Both classes of a tier are numbered alike, by [`FoldedPair`], the side with more pawns first:
//! larger sets are seldomer symmetric.

use std::sync::Arc;

use crabwise::{
    Game, Index, Slot,
    index::symmetry::{FoldedPair, Group},
};

use super::{BlackHole, Pawns, Rules};

/// A tier for each two numbers of pawns, and one for all that is over.
pub(crate) struct Numbering {
    group: Arc<Group>,
    tiers: Vec<Tier>,
    /// By the pawns of the player to move and of the other.
    tier_of: [[u8; 8]; 8],
    /// The cells before the hole.
    before: u64,
    /// Stands for all positions in which a player has escaped.
    escaped: Pawns,
}

/// The positions with these numbers of pawns on the two sides, the larger first.
struct Tier {
    most: u32,
    least: u32,
    pairs: FoldedPair,
}

impl Tier {
    /// The tier of two numbers of pawns, which has what it can in common with the tiers before it.
    fn new(group: &Arc<Group>, (most, least): (u32, u32), before: &[Tier]) -> Option<Tier> {
        let pairs = match before.iter().find(|tier| tier.most == most) {
            Some(tier) => tier.pairs.with_second(least),
            None => FoldedPair::new(group.clone(), most, least),
        };
        Some(Tier { most, least, pairs: pairs.ok()? })
    }

    /// One class, or two of the same length.
    fn classes(&self) -> u64 {
        if self.most == self.least { 1 } else { 2 }
    }
}

impl Numbering {
    /// The numbering of a game, mirror images sharing a slot if it is `folded`; `None` if the places
    /// of one side's pawns are too many for a table. With up to six pawns there are at most 2⁴⁷ slots.
    pub(crate) fn new(game: &BlackHole, folded: bool) -> Option<Numbering> {
        let rules = &game.rules;
        let counts = counts(rules);
        let group = Arc::new(if folded { symmetries(rules) } else { apart(rules) });
        let mut tiers = vec![];
        for &counts in &counts {
            tiers.push(Tier::new(&group, counts, &tiers)?);
        }
        let mut tier_of = [[tiers.len() as u8; 8]; 8];
        for (tier, &(a, b)) in (0..).zip(&counts) {
            tier_of[a as usize][b as usize] = tier;
            tier_of[b as usize][a as usize] = tier;
        }
        let mut escaped = game.start();
        for _ in 0..rules.remove {
            escaped.theirs &= escaped.theirs - 1;
        }
        Some(Numbering { group, tiers, tier_of, before: (1 << rules.hole()) - 1, escaped })
    }

    /// The set without the hole, which is in none.
    #[inline]
    fn close(&self, set: u64) -> u64 {
        set & self.before | set >> 1 & !self.before
    }

    #[inline]
    fn open(&self, set: u64) -> u64 {
        set & self.before | (set & !self.before) << 1
    }

    /// The tier of a number, unless it is the one of all that is over.
    fn get(&self, tier: u32) -> Option<&Tier> {
        self.tiers.get(tier as usize)
    }
}

/// The numbers of pawns of the two sides, the larger first, while nobody has escaped: each before
/// those that a fall makes of it.
fn counts(rules: &Rules) -> Vec<(u32, u32)> {
    let left = rules.goal() + 1..=rules.pawns;
    let mut counts: Vec<_> = left
        .clone()
        .flat_map(|a| left.clone().map(move |b| (a, b)))
        .filter(|(a, b)| a >= b)
        .collect();
    counts.sort_by_key(|&(a, b)| (std::cmp::Reverse(a + b), a));
    counts
}

/// The symmetries of the board, on all cells but the hole.
fn symmetries(rules: &Rules) -> Group {
    let (size, hole) = (rules.size, rules.hole());
    let closed = |cell: u32| if cell > hole { cell - 1 } else { cell } as u8;
    let moved = |to: &dyn Fn(u32, u32) -> u32| {
        let cells = (0..rules.cells()).filter(|&cell| cell != hole);
        cells.map(|cell| closed(to(cell % size, cell / size))).collect::<Vec<u8>>()
    };
    let across = moved(&|x, y| size * y + (size - 1 - x));
    let diagonal = moved(&|x, y| size * x + y);
    Group::new(rules.cells() - 1, &[across, diagonal])
}

fn apart(rules: &Rules) -> Group {
    Group::trivial(rules.cells() - 1)
}

impl Index<Pawns> for Numbering {
    fn tiers(&self) -> u32 {
        self.tiers.len() as u32 + 1
    }

    fn len(&self, tier: u32) -> u64 {
        self.get(tier).map_or(1, |tier| tier.classes() * tier.pairs.len())
    }

    #[inline]
    fn slot(&self, at: &Pawns) -> Slot {
        let number = self.tier(at);
        let Some(tier) = self.get(number) else { return Slot { tier: number, index: 0 } };
        let [mine, theirs] = [self.close(at.mine), self.close(at.theirs)];
        // With fewer pawns than the other side comes first.
        let index = if tier.most == tier.least {
            tier.pairs.slot(mine, theirs)
        } else if mine.count_ones() == tier.least {
            tier.pairs.slot(theirs, mine)
        } else {
            tier.pairs.len() + tier.pairs.slot(mine, theirs)
        };
        Slot { tier: number, index }
    }

    #[inline]
    fn position(&self, Slot { tier, index }: Slot) -> Option<Pawns> {
        let Some(tier) = self.get(tier) else { return Some(self.escaped) };
        let len = tier.pairs.len();
        let fewer = tier.most != tier.least && index < len;
        let [more, less] = tier.pairs.position(if index < len { index } else { index - len })?;
        let [mine, theirs] = if fewer { [less, more] } else { [more, less] };
        Some(Pawns { mine: self.open(mine), theirs: self.open(theirs) })
    }

    fn loopy(&self, tier: u32) -> bool {
        self.get(tier).is_some()
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        let Some(&Tier { most, least, .. }) = self.get(tier) else { return tier };
        let (most, least) = (most as usize, least as usize);
        u32::from(self.tier_of[most - 1][least].max(self.tier_of[most][least - 1]))
    }

    #[inline]
    fn tier(&self, at: &Pawns) -> u32 {
        let [mine, theirs] = [at.mine, at.theirs].map(|set| set.count_ones() as usize & 7);
        self.tier_of[mine][theirs].into()
    }

    fn orbit(&self, at: &Pawns) -> Vec<Pawns> {
        if self.get(self.tier(at)).is_none() {
            return vec![];
        }
        let images = self.group.orbit([self.close(at.mine), self.close(at.theirs)]);
        let opened = images.iter().map(|sets| sets.map(|set| self.open(set)));
        opened.map(|[mine, theirs]| Pawns { mine, theirs }).collect()
    }

    fn images(&self, at: &Pawns) -> Vec<Pawns> {
        let image = |element, set| self.open(self.group.apply(element, self.close(set)));
        let elements = 0..self.group.order();
        elements.map(|g| Pawns { mine: image(g, at.mine), theirs: image(g, at.theirs) }).collect()
    }

    fn max_orbit(&self) -> u32 {
        self.group.order() as u32
    }

    fn orbit_size(&self, Slot { tier, index }: Slot) -> u64 {
        let Some(tier) = self.get(tier) else { return 0 };
        let len = tier.pairs.len();
        tier.pairs.orbit(if index < len { index } else { index - len })
    }

    /// The pawns of the player to move, and of the other.
    fn classes(&self, tier: u32) -> Vec<(String, u64)> {
        let Some(Tier { most, least, pairs }) = self.get(tier) else {
            return vec![(String::new(), self.len(tier))];
        };
        let class = |a, b| (format!("{a}x{b}"), pairs.len());
        let both = [class(least, most), class(most, least)];
        both.into_iter().take(if most == least { 1 } else { 2 }).collect()
    }

    fn bytes(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.pairs.bytes()).sum()
    }

    fn name(&self) -> String {
        let folded = if self.group.order() > 1 { "folded" } else { "plain" };
        format!("black-hole-{folded}-1")
    }
}

#[cfg(test)]
mod tests {
    use crabwise::Outcome;

    use super::*;

    fn game(size: u32, pawns: u32, remove: u32) -> BlackHole {
        let (falls, stuck) = (false, Outcome::Loss);
        BlackHole::new(Rules { size, pawns, remove, falls, stuck })
    }

    fn numbering(size: u32, pawns: u32, remove: u32) -> Numbering {
        Numbering::new(&game(size, pawns, remove), true).unwrap()
    }

    fn classes(index: &Numbering) -> Vec<Vec<String>> {
        let names = |tier| index.classes(tier).into_iter().map(|(name, _)| name).collect();
        (0..index.tiers()).map(names).collect()
    }

    #[test]
    fn tiers_are_two_numbers_of_pawns() {
        let index = numbering(5, 4, 2);
        let known: [&[&str]; 4] = [&["4x4"], &["3x4", "4x3"], &["3x3"], &[""]];
        assert_eq!(classes(&index), known);
        assert_eq!([0, 1, 2, 3].map(|tier| index.last_child_tier(tier)), [1, 3, 3, 3]);
        let index = numbering(3, 3, 3);
        let known: [&[&str]; 7] = [
            &["3x3"],
            &["2x3", "3x2"],
            &["2x2"],
            &["1x3", "3x1"],
            &["1x2", "2x1"],
            &["1x1"],
            &[""],
        ];
        assert_eq!(classes(&index), known);
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 6].map(|tier| index.last_child_tier(tier)),
            [1, 3, 4, 6, 6, 6, 6]
        );
        for tier in 0..index.tiers() - 1 {
            let lens = index.classes(tier).into_iter().map(|(_, len)| len);
            assert_eq!(lens.sum::<u64>(), index.len(tier));
        }
    }

    #[test]
    fn all_positions_are_counted_and_holes_are_few() {
        let index = numbering(5, 4, 2);
        let (mut positions, mut orbits, mut slots) = (vec![], 0, 0);
        for tier in 0..index.tiers() - 1 {
            let sizes = (0..index.len(tier)).map(|index| Slot { tier, index });
            let (mut count, mut used) = (0, 0);
            for size in sizes.map(|slot| index.orbit_size(slot)) {
                count += size;
                used += u64::from(size > 0);
            }
            positions.push(count);
            (orbits, slots) = (orbits + used, slots + index.len(tier));
        }
        assert_eq!(positions, [51_482_970, 2 * 12_113_640, 2_691_920]);
        assert_eq!(orbits, 9_807_035);
        println!("{} holes in {slots} slots", slots - orbits);
        assert!((slots - orbits) * 50 < slots);
    }

    #[test]
    fn orbits_have_the_sizes_of_what_is_alike() {
        for index in [numbering(3, 3, 3), numbering(3, 3, 1), numbering(5, 2, 2)] {
            for tier in 0..index.tiers() {
                for slot in (0..index.len(tier)).map(|index| Slot { tier, index }) {
                    let alike = index.position(slot).map_or(0, |at| index.orbit(&at).len());
                    assert_eq!(index.orbit_size(slot), alike as u64);
                }
            }
        }
    }

    #[test]
    fn images_share_a_slot() {
        let mut random = fastrand::Rng::with_seed(7);
        for (size, pawns) in [(5, 4), (7, 4), (5, 6), (7, 6)] {
            let (game, index) = (game(size, pawns, 2), numbering(size, pawns, 2));
            for _ in 0..20_000 {
                let mut at = Pawns { mine: 0, theirs: 0 };
                let place = |sets: [u64; 2], random: &mut fastrand::Rng| loop {
                    let cell = 1 << random.u32(0..size * size);
                    let taken = sets[0] | sets[1] | 1 << game.rules.hole();
                    if taken & cell == 0 {
                        break cell;
                    }
                };
                for _ in 0..random.u32(pawns - 1..=pawns) {
                    at.mine |= place([at.mine, at.theirs], &mut random);
                }
                for _ in 0..random.u32(pawns - 1..=pawns) {
                    at.theirs |= place([at.mine, at.theirs], &mut random);
                }
                let (slot, alike) = (index.slot(&at), index.orbit(&at));
                assert!(alike.contains(&at) && slot.tier == index.tier(&at));
                assert!(alike.iter().all(|image| index.slot(image) == slot));
                assert!(alike.contains(&index.position(slot).unwrap()));
            }
        }
    }

    #[test]
    fn the_end_is_one_slot_that_counts_nothing() {
        let index = numbering(5, 4, 2);
        let end = Slot { tier: 3, index: 0 };
        let at = index.position(end).unwrap();
        assert_eq!((at.mine.count_ones(), at.theirs.count_ones()), (4, 2));
        assert_eq!((index.slot(&at), index.orbit_size(end), index.orbit(&at)), (end, 0, vec![]));
        assert_eq!(index.slot(&Pawns { mine: 0b111, theirs: 0b11000 }), end);
    }

    #[test]
    fn the_largest_board_is_numbered() {
        let index = numbering(7, 6, 6);
        let slots: u64 = (0..index.tiers()).map(|tier| index.len(tier)).sum();
        println!("{slots} slots, {} bytes of tables", index.bytes());
        assert!(slots > 1 << 43 && slots < 1 << 44);
        assert!(index.bytes() < 96 << 20);
    }

    #[test]
    fn what_is_too_large_is_not_numbered() {
        assert!(Numbering::new(&game(7, 7, 2), true).is_none());
    }
}

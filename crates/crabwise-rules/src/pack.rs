//! How a position is packed: each group of facts that exclude each other is a few bits of one word that say which of
//! them holds.
//!
//! The bits of a group stand for its facts one by one, but for one fact that is there when none of the others is, if
//! one always is; or they are the number of the fact, if that makes fewer words. So whether a fact holds is one
//! comparison, and for the turn there are two bits more.

use crate::net::simplify::Groups;

/// Where a fact is: it holds if these bits of the word are this code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) word: u32,
    pub(crate) mask: u64,
    pub(crate) code: u64,
    /// Whether the fact has a bit of its own.
    pub(crate) single: bool,
}

/// Where everything is.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) facts: Vec<Place>,
    /// The group of each fact, and the facts of each group.
    pub(crate) groups: Vec<Vec<u32>>,
    /// Who is to move, as two bits.
    pub(crate) turn: Place,
    pub(crate) words: usize,
}

impl Layout {
    pub(crate) fn of(groups: &Groups) -> Layout {
        let mut all: Vec<(Vec<u32>, bool)> =
            groups.groups.iter().map(|group| (group.facts.clone(), group.exactly)).collect();
        let alone = (0..groups.of.len()).filter(|fact| groups.of[*fact].is_none());
        all.extend(alone.map(|fact| (vec![fact as u32], false)));
        let [single, numbered] = [false, true].map(|numbers| Layout::with(&all, numbers));
        if numbered.words < single.words { numbered } else { single }
    }

    /// With numbers for facts, or with a bit for each.
    fn with(all: &[(Vec<u32>, bool)], numbers: bool) -> Layout {
        let facts = all.iter().map(|(facts, _)| facts.len()).sum();
        let none = Place { word: 0, mask: 0, code: 0, single: false };
        let mut layout = Layout { facts: vec![none; facts], groups: vec![], turn: none, words: 0 };
        // What is left free in each word; the widest group first, so that little is lost.
        let mut used: Vec<u32> = vec![0];
        let mut put = |width: u32| {
            let word = used.iter().position(|used| used + width <= 64).unwrap_or(used.len());
            if word == used.len() {
                used.push(0);
            }
            used[word] += width;
            (word as u32, used[word] - width)
        };
        let width = |(facts, exactly): &(Vec<u32>, bool)| {
            let codes = facts.len() as u32 + u32::from(!exactly);
            let bits = codes - 1;
            let few = 32 - (codes - 1).leading_zeros();
            if numbers || bits > 24 { (few, true) } else { (bits, false) }
        };
        let mut order: Vec<&(Vec<u32>, bool)> = all.iter().collect();
        order.sort_by_key(|group| std::cmp::Reverse(width(group).0));
        for group in order {
            let (bits, numbered) = width(group);
            let (word, shift) = put(bits);
            let mask = (((1_u128 << bits) - 1) << shift) as u64;
            let first = u64::from(!group.1);
            for (nth, fact) in group.0.iter().enumerate() {
                let nth = nth as u64 + first;
                let code = match (nth, numbered) {
                    (0, _) => 0,
                    (_, true) => nth << shift,
                    (_, false) => 1 << (u64::from(shift) + nth - 1),
                };
                let single = !numbered && code != 0;
                layout.facts[*fact as usize] = Place { word, mask, code, single };
            }
            layout.groups.push(group.0.clone());
        }
        let (word, shift) = put(2);
        layout.turn = Place { word, mask: 3 << shift, code: 0, single: false };
        layout.words = used.len();
        layout
    }

    /// Whether a fact holds.
    #[inline]
    pub(crate) fn holds(&self, words: &[u64], fact: u32) -> bool {
        let place = self.facts[fact as usize];
        words[place.word as usize] & place.mask == place.code
    }

    /// A position in which these facts hold, of each group one at most.
    pub(crate) fn pack(&self, holds: impl Fn(u32) -> bool) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for fact in (0..self.facts.len() as u32).filter(|fact| holds(*fact)) {
            let place = self.facts[fact as usize];
            words[place.word as usize] |= place.code;
        }
        words
    }

    /// The turn of a position.
    #[inline]
    pub(crate) fn turn(&self, words: &[u64]) -> u8 {
        let shift = self.turn.mask.trailing_zeros();
        ((words[self.turn.word as usize] & self.turn.mask) >> shift) as u8
    }

    #[inline]
    pub(crate) fn set_turn(&self, words: &mut [u64], turn: u8) {
        let word = &mut words[self.turn.word as usize];
        *word = *word & !self.turn.mask | u64::from(turn) << self.turn.mask.trailing_zeros();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::simplify::Group;

    #[test]
    fn what_is_packed_is_there_and_nothing_else() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..100 {
            let facts = random.usize(1..200);
            let mut groups = Groups::none(facts, vec![]);
            let mut next = 0;
            while next < facts as u32 {
                let many = random.u32(1..40).min(facts as u32 - next);
                let group = Group { facts: (next..next + many).collect(), exactly: random.bool() };
                groups.add(group);
                next += many + random.u32(0..3);
            }
            let layout = Layout::of(&groups);
            let mut holds = vec![false; facts];
            for group in &groups.groups {
                let many = group.facts.len() + usize::from(!group.exactly);
                if let Some(fact) = group.facts.get(random.usize(0..many)) {
                    holds[*fact as usize] = true;
                }
            }
            for fact in (0..facts).filter(|fact| groups.of[*fact].is_none()) {
                holds[fact] = random.bool();
            }
            let mut words = layout.pack(|fact| holds[fact as usize]);
            layout.set_turn(&mut words, 2);
            layout.set_turn(&mut words, 1);
            let found: Vec<bool> =
                (0..facts as u32).map(|fact| layout.holds(&words, fact)).collect();
            assert_eq!((found, layout.turn(&words)), (holds, 1));
        }
    }
}

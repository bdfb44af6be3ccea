//! A key of a part that does not depend on where on the board the part lies.
//!
//! An unmarked edge may become true one of two ways; call each way a *literal*. All that play on a part
//! depends on is a list of sets of literals of two kinds. The literals that lead out of a vertex that may
//! become a source must not all become true, nor those that lead into one that may become a sink; of the
//! literals around a cell that may close that way, one must not be left alone. A set is gone once one of its
//! literals is false. So parts whose sets are the same up to the names of edges and ways have the same
//! nimber, however different they look: gaps between arrows on a long path may change places.
//!
//! The key is a hash of all sets after the edges have been put in an order, so that equal keys mean equal
//! sets, unless two hashes of 128 bits meet. The order is found by giving each literal a colour from those of its
//! sets, again and again; where colours do not tell edges apart, one of them gets another colour. This puts
//! almost all parts that are the same in the same order, and if it does not, one is searched twice.
//!
//! It takes several times as long as looking at the symmetries of the board, and pays on boards with long
//! paths.

/// The most sets that a literal is in: at its two ends, and of its two cells.
pub(crate) const SETS: usize = 4;

/// No set.
pub(crate) const NONE: u8 = u8::MAX;

/// The most edges.
const EDGES: usize = 64;

/// The sets of each literal, those of an edge next to each other. Sets below 128 are of vertices, the
/// others of cells.
pub(crate) struct Web {
    literals: usize,
    sets: [[u8; SETS]; 2 * EDGES],
}

type Colours = [u64; 2 * EDGES];

#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let wide = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (wide >> 64) as u64 ^ wide as u64
}

fn is_cell(set: u8) -> u64 {
    u64::from(set >> 7)
}

impl Default for Web {
    fn default() -> Web {
        Web { literals: 0, sets: [[NONE; SETS]; 2 * EDGES] }
    }
}

impl Web {
    /// Adds an edge: the sets of the literal that it is forward, and of the other.
    pub(crate) fn edge(&mut self, sets: [[u8; SETS]; 2]) {
        self.sets[self.literals..self.literals + 2].copy_from_slice(&sets);
        self.literals += 2;
    }

    pub(crate) fn key(&self) -> u128 {
        let mut colours = [1; 2 * EDGES];
        (0..3).for_each(|_| self.colour(&mut colours));
        self.certificate(&self.order(&mut colours), &colours)
    }

    /// The sets of a literal.
    fn of(&self, literal: usize) -> impl Iterator<Item = u8> {
        self.sets[literal].into_iter().filter(|&set| set != NONE)
    }

    /// Gives each literal a new colour, by its own, that of the other way, and those in its sets.
    fn colour(&self, colours: &mut Colours) {
        let mut sums = [0u64; 256];
        for (literal, &colour) in colours[..self.literals].iter().enumerate() {
            for set in self.of(literal).map(usize::from) {
                sums[set] = sums[set].wrapping_add(mix(colour, 3));
            }
        }
        let old = *colours;
        for literal in 0..self.literals {
            let own = mix(old[literal], 5).wrapping_add(mix(old[literal ^ 1], 7));
            colours[literal] = self.of(literal).fold(own, |colour, set| {
                colour.wrapping_add(mix(sums[usize::from(set)], 11 + is_cell(set)))
            });
        }
    }

    /// The edges in the order of their colours, which are made different as far as a few steps do that.
    fn order(&self, colours: &mut Colours) -> [u8; EDGES] {
        let edges = self.literals / 2;
        let mut order: [u8; EDGES] = std::array::from_fn(|i| i as u8);
        for _ in 0..6 {
            let rank = |edge: u8| {
                let [a, b] = [0, 1].map(|way| colours[2 * usize::from(edge) + way]);
                (a.min(b), a.max(b))
            };
            order[..edges].sort_unstable_by_key(|&edge| rank(edge));
            let alike = order[..edges].windows(2).find(|two| rank(two[0]) == rank(two[1]));
            let turned = order[..edges].iter().find(|&&edge| rank(edge).0 == rank(edge).1);
            let Some(&edge) = alike.map(|two| &two[0]).or(turned) else { break };
            let first = 2 * usize::from(edge);
            let literal = first + usize::from(colours[first] > colours[first + 1]);
            colours[literal] = mix(colours[literal], 13);
            self.colour(colours);
            self.colour(colours);
        }
        order
    }

    /// The hash of all sets, with the literals numbered by the order of the edges.
    fn certificate(&self, order: &[u8; EDGES], colours: &Colours) -> u128 {
        let edges = self.literals / 2;
        let mut sums = [[0u64; 2]; 256];
        let mut used = [0u64; 4];
        for (number, &edge) in order[..edges].iter().enumerate() {
            let first = 2 * usize::from(edge);
            let turned = usize::from(colours[first] > colours[first + 1]);
            for way in 0..2 {
                let name = (2 * number + (way ^ turned)) as u64;
                let [a, b] = [mix(name, 17), mix(name, 19)];
                for set in self.of(first + way) {
                    used[usize::from(set >> 6)] |= 1 << (set & 63);
                    let sum = &mut sums[usize::from(set)];
                    *sum = [sum[0].wrapping_add(a), sum[1].wrapping_add(b)];
                }
            }
        }
        let mut key = [mix(edges as u64, 23), mix(edges as u64, 29)];
        for set in (0..=u8::MAX).filter(|set| used[usize::from(set >> 6)] >> (set & 63) & 1 == 1) {
            let [a, b] = sums[usize::from(set)];
            key[0] = key[0].wrapping_add(mix(a, 31 + is_cell(set)));
            key[1] = key[1].wrapping_add(mix(b ^ a.rotate_left(32), 37 + is_cell(set)));
        }
        u128::from(key[0]) << 64 | u128::from(key[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The web of some edges, each with the sets of its two literals.
    fn key(edges: &[[[u8; SETS]; 2]]) -> u128 {
        let mut web = Web::default();
        edges.iter().for_each(|&edge| web.edge(edge));
        web.key()
    }

    #[test]
    fn names_do_not_matter_and_sets_do() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let mut missed = 0;
        for _ in 0..500 {
            let edges = random.usize(2..12);
            let mut set = |first: u8| if random.bool() { first + random.u8(..4) } else { NONE };
            let mut literal = || [set(0), set(64), set(128), set(192)];
            let web: Vec<[[u8; SETS]; 2]> = (0..edges).map(|_| [literal(), literal()]).collect();
            let known = key(&web);
            let mut renamed = web.clone();
            random.shuffle(&mut renamed);
            renamed.iter_mut().filter(|_| random.bool()).for_each(|edge| edge.swap(0, 1));
            // What a set is called does not matter either, nor whether sources are sinks.
            let turn = |set: u8| if set == NONE { NONE } else { set ^ 64 ^ 1 };
            let turned = |edge: [[u8; SETS]; 2]| {
                edge.map(|literal| {
                    let [a, b, c, d] = literal.map(turn);
                    [b, a, d, c]
                })
            };
            let renamed: Vec<_> = renamed.into_iter().map(turned).collect();
            missed += usize::from(key(&renamed) != known);
            // One literal more in one of the sets is another part.
            let mut other = web.clone();
            let at = random.usize(0..edges);
            other[at][0][0] = if web[at][0][0] == NONE { 0 } else { NONE };
            assert_ne!(key(&other), known, "{web:?} and {other:?}");
        }
        assert!(missed < 25, "{missed} of 500 parts are not known again");
    }
}

//! Thirty-two positions at a time.
//!
//! For a set of squares and a square of one player, the *row*, thirty-two bytes hold what is known for
//! every square of the other player, the *lanes*. They hold 255 less the word of the table, which is
//! greater for the player who chooses where to go the worse it is for the player who moves next, and 0
//! where there is nothing to choose. A position is solved by the greatest of its children, and that is
//! found in two parts. First, for every row, the greatest over all squares to remove: the rows of the
//! sets without one square, lane by lane. Then the greatest over the squares to step to. In the tier
//! after this one rows belong either to the player who moves there:
//!
//! - then lanes belong to the one who has just stepped, and each lane takes the greatest of its
//!   neighbours; rows belong to the one who waits, lanes to the one who moves now;
//!
//! or they belong to the one who has just stepped:
//!
//! - then a row takes the greatest of its neighbouring rows, lane by lane, and rows belong to the one
//!   who moves now.
//!
//! So rows belong to the one and to the other by turns, and nothing is ever transposed. Mirror images
//! cost little: the rows of the set that stands for another are read in another order, and their lanes
//! picked in another order, which had to be picked anyway because a table's rows have no gaps.
//!
//! To take a value back one move: with b = 255 less the word of the best child, b ≥ 128 means that the
//! next player has lost in r, b = 254 − r, and the word of a win in r + 1 is 253 − r = b − 1.
//! Below that the next player has won in r, b = 1 + r, and the word of a loss in r + 1 is 2 + r = b + 1.
//! Without a child b is 0, and 1 is the word of a loss in 0.

mod simd;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::Arc;

use crabwise::{Fault, Kernel, SolveError, TierValues, Tiers};

use self::simd::{Lanes, Portable};
use super::{
    geometry::{Geometry, MOST, NONE},
    numbering::{block, by_mover},
};
use crate::grid::bits;

/// Solves the sets of a tier, row by row.
pub(crate) struct Sweeper {
    geometry: Arc<Geometry>,
    /// The geometry's turns and sides, a lane for each square.
    turns: Vec<[u8; 32]>,
    sides: [[u8; 32]; 4],
    way: Way,
}

/// What the processor can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Way {
    /// All that this processor has, the best last.
    fn all() -> Vec<Way> {
        let mut ways = vec![Way::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            ways.extend(x86::has_avx2().then_some(Way::Avx2));
            ways.extend(x86::has_avx512().then_some(Way::Avx512));
        }
        ways
    }
}

/// A run of slots of the tier at work, and all of the tier after it.
struct Run<'a, L> {
    size: u32,
    from: u64,
    later: L,
    out: &'a mut [u8],
}

/// The tier after the one at work.
trait Later: Copy {
    /// The lanes from a slot on.
    fn row<V: Lanes>(self, at: usize) -> V;

    /// Asks for the slots of a set, which will be read soon.
    fn expect<V: Lanes>(self, at: usize, slots: usize);
}

/// With distances: words.
impl Later for &[u8] {
    #[inline(always)]
    fn row<V: Lanes>(self, at: usize) -> V {
        V::read(self, at).flip()
    }

    #[inline(always)]
    fn expect<V: Lanes>(self, at: usize, slots: usize) {
        (at..at + slots).step_by(64).for_each(|at| V::prefetch(self, at));
    }
}

/// Outcomes alone: a bit for each slot that is not lost.
impl Later for &[u64] {
    #[inline(always)]
    fn row<V: Lanes>(self, at: usize) -> V {
        let (word, bit) = (at / 64, at % 64);
        let high = self.get(word + 1).map_or(0, |&high| u128::from(high));
        let bits = (high << 64 | u128::from(self[word])) >> bit;
        V::choose(bits as u32, WON, LOST)
    }

    #[inline(always)]
    fn expect<V: Lanes>(self, at: usize, slots: usize) {
        V::prefetch(self, at / 64);
        V::prefetch(self, (at + slots) / 64);
    }
}

/// What a lane holds where the next player has lost, or won, in however many moves.
const LOST: u8 = 200;
const WON: u8 = 2;

impl Sweeper {
    /// `None` if the geometry has more squares than there are lanes.
    pub(crate) fn new(geometry: Arc<Geometry>) -> Option<Sweeper> {
        let way = Way::all().into_iter().last().unwrap_or(Way::Portable);
        Sweeper::on(geometry, way)
    }

    fn on(geometry: Arc<Geometry>, way: Way) -> Option<Sweeper> {
        let lanes = |squares: &[u8; MOST]| std::array::from_fn(|lane| squares[lane]);
        let (turns, sides) =
            (geometry.turns.iter().map(lanes).collect(), geometry.sides.each_ref());
        let sides = sides.map(lanes);
        (geometry.numbered <= 32).then_some(Sweeper { geometry, turns, sides, way })
    }
}

/// Sets that a thread takes at a time.
const SETS: u64 = 64;

impl Kernel<u8> for Sweeper {
    fn run(&self, tier: u32) -> u64 {
        SETS * block(self.geometry.most() - tier)
    }

    fn sweep(&self, tier: u32, from: u64, later: &Tiers, out: &mut [u8]) -> Result<(), SolveError> {
        let size = self.geometry.most() - tier;
        if size == 2 {
            // Each stands on one of the two squares that are left.
            out.fill(1);
            return Ok(());
        }
        match later.tier(tier + 1) {
            Some(TierValues::One(later)) => {
                self.solve_run(Run { size, from, later: &later[..], out })
            }
            Some(TierValues::OutcomePlanes(later)) => {
                self.solve_run(Run { size, from, later: later.unlost(), out });
            }
            Some(TierValues::Two(_) | TierValues::Four(_)) => return Err(SolveError::TooFar),
            None => return Err(Fault::numbering("a tier is missing").into()),
        }
        Ok(())
    }

    fn reads_outcomes(&self) -> bool {
        true
    }
}

/// A set without one of its squares: where the set that stands for it is in the tier, and its squares'
/// ranks there, by the squares of the larger set.
#[derive(Clone, Copy)]
struct Child<V> {
    at: usize,
    ranks: V,
}

impl Sweeper {
    /// Solves a run of slots in the way of this processor.
    fn solve_run<L: Later>(&self, run: Run<L>) {
        match self.way {
            Way::Portable => self.solve::<Portable, L>(run),
            // SAFETY: this way is chosen only where the processor has what it takes.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Way::Avx2 => unsafe { self.with_avx2(run) },
            // SAFETY: likewise.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Way::Avx512 => unsafe { self.with_avx512(run) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn with_avx2<L: Later>(&self, run: Run<L>) {
        self.solve::<x86::Avx2, L>(run);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
    fn with_avx512<L: Later>(&self, run: Run<L>) {
        self.solve::<x86::Avx512, L>(run);
    }

    /// Solves a run of slots. Sets that the run has only a part of are solved whole.
    #[inline(always)]
    fn solve<V: Lanes, L: Later>(&self, run: Run<L>) {
        let Run { size, from, later, mut out } = run;
        let block = block(size);
        let mut sets = self.geometry.sets.from(size, from / block);
        let mut skip = (from % block) as usize;
        let absent = Child { at: 0, ranks: V::new([NONE; 32]) };
        let (mut slots, [mut here, mut ahead]) = ([0; 32 * 31 + 32], [[absent; 32]; 2]);
        let mut next = sets.next();
        if let Some(set) = next {
            self.children(size, set, later, &mut ahead);
        }
        while let Some(set) = next.filter(|_| !out.is_empty()) {
            std::mem::swap(&mut here, &mut ahead);
            // What the next set needs is asked for while this one is solved.
            next = sets.next();
            if let Some(set) = next {
                self.children(size, set, later, &mut ahead);
            }
            self.solve_set(size, set, &here, later, &mut slots);
            let solved = &slots[skip..block as usize];
            let (done, rest) = out.split_at_mut(solved.len().min(out.len()));
            done.copy_from_slice(&solved[..done.len()]);
            (out, skip) = (rest, 0);
        }
    }

    /// Finds the sets without one square each, and asks for their slots.
    #[inline(always)]
    fn children<V: Lanes, L: Later>(
        &self,
        size: u32,
        set: u64,
        later: L,
        children: &mut [Child<V>; 32],
    ) {
        let (smaller, child_block) = (size - 1, block(size - 1) as usize);
        for (child, removed) in children.iter_mut().zip(bits(set)) {
            let place = self.geometry.sets.place_of_size(smaller, set & !(1 << removed));
            let at = place.rank as usize * child_block;
            later.expect::<V>(at, child_block);
            let turn = V::new(self.turns[usize::from(place.element)]);
            *child = Child { at, ranks: V::ranks(place.set as u32).pick(turn) };
        }
    }

    #[inline(always)]
    fn solve_set<V: Lanes, L: Later>(
        &self,
        size: u32,
        set: u64,
        children: &[Child<V>; 32],
        later: L,
        slots: &mut [u8; 32 * 31 + 32],
    ) {
        let nothing = V::new([0; 32]);
        let mut best = [nothing; 32];
        let width = size as usize - 2;
        for (child, removed) in children.iter().zip(bits(set)) {
            let ranks = child.ranks.lanes();
            for row in bits(set & !(1 << removed)) {
                let rank = ranks[row as usize & 31];
                let words: V = later.row(child.at + usize::from(rank) * width);
                let found = words.pick(child.ranks.without(rank));
                let best = &mut best[row as usize & 31];
                *best = best.max(found);
            }
        }
        let mut squares = [0; 64];
        (squares.iter_mut().zip(bits(set))).for_each(|(to, square)| *to = square as u8);
        for row in bits(set) {
            // Nobody steps onto the other player.
            let row_best = &mut best[row as usize & 31];
            *row_best = row_best.pick(V::new(BUT[row as usize & 31]));
        }
        let sides = self.sides.map(V::new);
        for (i, row) in bits(set).enumerate() {
            let best = if by_mover(size - 1) {
                around(best[row as usize & 31], &sides)
            } else {
                let near = self.geometry.next_to[row as usize & 31] & set;
                bits(near).fold(nothing, |most, near| most.max(best[near as usize & 31]))
            };
            let words = best.back().pack(&squares, i).lanes();
            slots[i * (width + 1)..][..32].copy_from_slice(&words);
        }
    }
}

/// For each lane the greatest of the lanes around it.
#[inline(always)]
fn around<V: Lanes>(lanes: V, [left, right, above, below]: &[V; 4]) -> V {
    let beside = lanes.pick(*left).max(lanes.pick(*right));
    let three = beside.max(lanes);
    beside.max(three.pick(*above)).max(three.pick(*below))
}

/// All lanes but one.
static BUT: [[u8; 32]; 32] = {
    let mut table = [[0; 32]; 32];
    let mut i = 0;
    while i < 32 {
        let mut j = 0;
        while j < 32 {
            table[i][j] = if i == j { NONE } else { j as u8 };
            j += 1;
        }
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use crabwise::{Game, Index, OutcomePlanes, Slot, Value, Word, solve_with};

    use super::*;
    use crate::{
        grid::Grid,
        isolation::{Duel, Isolation, numbering::Numbering},
    };

    /// A board without some squares, the players on the first and the last that are there.
    fn board(rows: u32, columns: u32, removed: u64) -> Isolation {
        let grid = Grid { columns, rows };
        let live = grid.all() & !removed;
        let [mine, theirs] = [live.trailing_zeros(), live.ilog2()].map(|at| at as u8);
        Isolation::new(grid, Duel { live, mine, theirs })
    }

    fn sweepers(geometry: &Arc<Geometry>) -> Vec<Sweeper> {
        let ways = Way::all();
        println!("{ways:?}");
        ways.into_iter().map(|way| Sweeper::on(geometry.clone(), way).unwrap()).collect()
    }

    /// What a kernel makes of a tier, in runs of `run` slots.
    fn swept(kernel: &Sweeper, tier: u32, later: &Tiers, len: u64, run: usize) -> Vec<u8> {
        let mut out = vec![0; len as usize];
        for (i, out) in out.chunks_mut(run).enumerate() {
            kernel.sweep(tier, (i * run) as u64, later, out).unwrap();
        }
        out
    }

    /// Every position of the board: whatever the processor, and with distances or without.
    fn agrees(game: &Isolation, folded: bool) {
        let geometry = Arc::new(Geometry::new(game, folded));
        let plain = solve_with(game, Numbering::new(geometry.clone())).unwrap();
        let mut planes = Tiers::new(plain.index.tiers());
        for tier in 0..plain.index.tiers() {
            let Some(TierValues::One(words)) = plain.tiers.tier(tier) else { panic!("bytes") };
            planes.put(tier, TierValues::OutcomePlanes(OutcomePlanes::from_codes(words).unwrap()));
        }
        for kernel in sweepers(&geometry) {
            for tier in 0..plain.index.tiers() {
                let (len, way) = (plain.index.len(tier), kernel.way);
                let words = swept(&kernel, tier, &plain.tiers, len, 1000);
                assert!(
                    u8::tier(words) == *plain.tiers.tier(tier).unwrap(),
                    "{way:?}, tier {tier}"
                );
                let words = swept(&kernel, tier, &planes, len, 1000);
                let same =
                    OutcomePlanes::from_codes(&words).map(TierValues::OutcomePlanes).as_ref()
                        == planes.tier(tier);
                assert!(same, "outcomes, {way:?}, tier {tier}");
            }
        }
    }

    #[test]
    fn all_positions_of_all_boards_up_to_4x4_are_solved_as_by_the_rules() {
        for (rows, columns) in (1..=4).flat_map(|rows| (1..=4).map(move |columns| (rows, columns)))
        {
            if rows * columns >= 2 {
                println!("{rows}x{columns}");
                agrees(&board(rows, columns, 0), true);
            }
        }
    }

    #[test]
    fn so_are_boards_with_squares_missing_and_mirror_images_apart() {
        let seed = 5;
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..20 {
            let (rows, columns) = (random.u32(2..=4), random.u32(2..=5));
            let removed = random.u64(..) & random.u64(..);
            let game = board(rows, columns, removed & ((1 << (rows * columns)) - 1));
            if (2..=11).contains(&game.start.live.count_ones()) {
                println!("{rows}x{columns} without {removed:b}, seed {seed}");
                agrees(&game, random.bool());
            }
        }
        agrees(&board(3, 3, 0), false);
        agrees(&board(4, 4, 0b0000_0010_0100_0000), true);
    }

    /// On larger boards: whatever the tier after a tier may hold, its values follow by the rules.
    #[test]
    fn random_tiers_of_large_boards_are_solved_as_by_the_rules() {
        let seed = 11;
        let mut random = fastrand::Rng::with_seed(seed);
        for (rows, columns, removed) in [
            (5, 5, 0),
            (4, 8, 0),
            (8, 4, 0),
            (2, 16, 0),
            (16, 2, 0),
            (5, 6, 0),
            (1, 26, 0),
            (4, 8, 0x8000_0001),
            (5, 6, 0b100_1010),
            (6, 6, 0b110011_100001_000000_000000_100001_110011),
            (5, 8, 0xFF),
        ] {
            let game = board(rows, columns, removed);
            let geometry = Arc::new(Geometry::new(&game, random.u8(..4) > 0));
            let (index, kernels) = (Numbering::new(geometry.clone()), sweepers(&geometry));
            let most = geometry.most();
            for size in [3, 4, 5, most - 2, most - 1, most] {
                let (tier, mut later) = (most - size, Tiers::new(index.tiers()));
                let words = (0..index.len(tier + 1)).map(|_| match random.u32(..62) {
                    n if n < 31 => u8::pack(Value::Loss(n)).unwrap(),
                    n => u8::pack(Value::Win(n - 30)).unwrap(),
                });
                later.put(tier + 1, TierValues::One(words.collect()));
                println!("{rows}x{columns} without {removed:b}, {size} squares, seed {seed}");
                compare(&game, &index, &kernels, tier, &later, &mut random);
            }
        }
    }

    #[test]
    fn there_is_a_lane_for_every_square_or_no_kernel() {
        let lanes = |rows, columns, removed| {
            Sweeper::new(Arc::new(Geometry::new(&board(rows, columns, removed), true))).is_some()
        };
        assert!(lanes(4, 8, 0) && !lanes(3, 11, 0) && !lanes(6, 6, 0) && !lanes(5, 8, 0));
        // A corner that is missing lies between two squares; the end of a row that is missing does not.
        assert!(lanes(5, 8, 0xFF) && !lanes(6, 6, 0b100001) && lanes(6, 6, 0b111111));
    }

    #[test]
    #[ignore = "prints how fast each way is, to be read in a release build"]
    fn how_fast_each_way_is() {
        let game = board(5, 5, 0);
        for folded in [true, false] {
            let geometry = Arc::new(Geometry::new(&game, folded));
            let (index, tier) = (Numbering::new(geometry.clone()), 12);
            let mut later = Tiers::new(index.tiers());
            let words = (0..index.len(tier + 1)).map(|slot| 1 + (slot * 7 % 20) as u8);
            later.put(tier + 1, TierValues::One(words.collect()));
            for kernel in sweepers(&geometry) {
                let began = std::time::Instant::now();
                let len = index.len(tier).min(100_000_000);
                swept(&kernel, tier, &later, len, kernel.run(tier) as usize);
                let pace = len as f64 / began.elapsed().as_secs_f64() / 1e6;
                println!("{:?}, folded {folded}: {pace:.0} million slots a second", kernel.way);
            }
        }
    }

    fn compare(
        game: &Isolation,
        index: &Numbering,
        kernels: &[Sweeper],
        tier: u32,
        later: &Tiers,
        random: &mut fastrand::Rng,
    ) {
        let len = index.len(tier);
        let from = random.u64(0..len);
        let mut words = vec![vec![0; (len - from).min(2000) as usize]; kernels.len()];
        for (kernel, words) in kernels.iter().zip(&mut words) {
            kernel.sweep(tier, from, later, words).unwrap();
        }
        for i in 0..words[0].len() {
            let at = index.position(Slot { tier, index: from + i as u64 }).unwrap();
            let child = |turn| later.get(index.slot(&game.play(&at, turn))).unwrap();
            let worth = game.moves(&at).into_iter().map(|turn| child(turn).back(false));
            let value = worth.max().unwrap_or(Value::Loss(0));
            for (kernel, words) in kernels.iter().zip(&words) {
                let found = words[i].unpack();
                assert_eq!(found, Some(value), "{:?} at\n{}", kernel.way, game.show(&at));
            }
        }
    }
}

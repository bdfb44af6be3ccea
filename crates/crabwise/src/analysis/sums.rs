//! Impartial positions that fall apart, answered for without a table.
//!
//! The nimber of a part is *n* exactly if none of its options has nimber *n* and, for each *m* below *n*,
//! its nimber is not *m* (the part beside a nim heap of size *n* is then lost by whoever moves: Sprague
//! and Grundy). So "is it *n*?" can be asked without knowing the nimbers of all options: one option
//! that is *n* answers no. Of an option that is itself a sum, all parts but the largest are worked out,
//! and of the largest one only one such question is asked. Whether a player wins is the question "is it 0?".
//! (Lemoine and Viennot, "Nimbers are inevitable", 2012.)
//!
//! What was found out of a part is kept in a table that all threads share: its nimber, or
//! which nimbers it does not have. An entry is two words, and the first is kept as its exclusive or with
//! the second, so that halves written by different threads do not match any key (Hyatt and Mann, "A
//! lock-less transposition table", 2002). Of the 128 bits of a key 112 are compared. The place of an entry
//! accounts for up to 28 of them, and that a key is the least of 64 for up to 6 more: so 2⁴⁰ look-ups
//! mistake one part for another with a probability below 2⁻³².
//!
//! Distances would need a search of their own, so there are none, and a table is preferred wherever it is quickly made.
//!
//! The slow twin is [`Nimbers`](super::nimbers::Nimbers), which works out everything.

use std::sync::{
    Arc, RwLock,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use crate::{
    game::{
        Value,
        dynamic::{DynGame, DynPosition},
        summed::{Options, Summands, Summed},
    },
    watch::{Meter, Stop, Watch},
};

/// Answers for single positions of a game, whatever its parts are like.
pub(crate) trait Direct: Send + Sync {
    /// The value of a position that is not over, its distance mostly untold.
    fn value(&self, game: DynGame, at: &DynPosition, watch: &dyn Watch) -> Result<Value, Stop>;

    /// Its nimber, if it has one and that is found before long.
    fn nimber(
        &self,
        game: DynGame,
        at: &DynPosition,
        watch: &dyn Watch,
    ) -> Result<Option<u32>, Stop>;
}

/// Makes what answers for a game's positions and may remember what fits into `bytes` bytes.
pub(crate) type DirectOf = fn(DynGame, u64) -> Box<dyn Direct>;

pub(crate) fn direct<G: Summed + 'static>(game: DynGame, bytes: u64) -> Box<dyn Direct> {
    Box::new(SumsOf::<G>(Sums::new(game.typed::<G>().summands(), bytes)))
}

/// The sums that the positions of a game are.
struct SumsOf<G: Summed>(Sums<G::Parts>);

impl<G: Summed + 'static> Direct for SumsOf<G> {
    fn value(&self, game: DynGame, at: &DynPosition, watch: &dyn Watch) -> Result<Value, Stop> {
        let sum = game.typed::<G>().sum(at.typed());
        let Some(sum) = sum else { return Ok(Value::Win(1)) };
        let lost = self.0.is(&sum, 0, watch)?;
        Ok(if lost {
            Value::Loss(Value::UNKNOWN_DISTANCE)
        } else {
            Value::Win(Value::UNKNOWN_DISTANCE)
        })
    }

    fn nimber(
        &self,
        game: DynGame,
        at: &DynPosition,
        watch: &dyn Watch,
    ) -> Result<Option<u32>, Stop> {
        match game.typed::<G>().sum(at.typed()) {
            Some(sum) => self.0.nimber_within(&sum, PATIENCE, watch),
            None => Ok(None),
        }
    }
}

/// Answers questions about sums, and remembers what it found out for the next one.
pub struct Sums<S: Summands> {
    game: Arc<S>,
    known: RwLock<Known>,
    /// How large that may become.
    bytes: u64,
    /// How many parts have been visited for all answers together.
    visited: AtomicU64,
}

/// So many parts are visited for a nimber that is shown beside other things: a second or two.
const PATIENCE: u64 = 1 << 20;

impl<S: Summands> Sums<S> {
    /// Knows nothing yet, and may remember what fits into `bytes` bytes.
    pub fn new(game: Arc<S>, bytes: u64) -> Self {
        let bytes = bytes.min(game.room());
        let known = RwLock::new(Known::new(bytes.min(LEAST)));
        Sums { game, known, bytes, visited: AtomicU64::new(0) }
    }

    /// Whether the nimber of a sum is `n`. With 0: whether the player to move loses.
    pub fn is(&self, sum: &[S::Part], n: u32, watch: &dyn Watch) -> Result<bool, Stop> {
        let sum = Options { parts: sum.to_vec(), ends: vec![sum.len()] };
        let answer = self.ask(u64::MAX, watch, |search| search.any_is(&sum, n))?;
        Ok(answer.expect("there are not so many parts"))
    }

    /// The nimber of a sum.
    pub fn nimber(&self, sum: &[S::Part], watch: &dyn Watch) -> Result<u32, Stop> {
        let nimber = self.nimber_within(sum, u64::MAX, watch)?;
        Ok(nimber.expect("there are not so many parts"))
    }

    /// The nimber of a sum, unless some thread has to visit more than `most` parts for it.
    fn nimber_within(
        &self,
        sum: &[S::Part],
        most: u64,
        watch: &dyn Watch,
    ) -> Result<Option<u32>, Stop> {
        self.ask(most, watch, |search| {
            sum.iter().try_fold(0, |nimber, part| Ok(nimber ^ search.nimber(part)?))
        })
    }

    /// All threads ask the same question, each going its own way through what is not decided yet, and
    /// profit from what the others find out; the first answer is taken.
    fn ask<T: Send>(
        &self,
        most: u64,
        watch: &dyn Watch,
        question: impl Fn(&mut Search<S>) -> Result<T, Quit> + Sync,
    ) -> Result<Option<T>, Stop> {
        let meter = Meter::new(watch, "searching", None, None)?;
        meter.add(self.visited.load(Relaxed))?;
        let mut visited = 0;
        loop {
            let known = self.known.read().expect(UNHARMED);
            let pause = visited + known.spare(self.bytes);
            let answered = AtomicBool::new(false);
            let answers = rayon::broadcast(|thread| {
                let mut search = Search {
                    game: &*self.game,
                    known: &known,
                    total: &self.visited,
                    meter: &meter,
                    answered: &answered,
                    salt: thread.index() as u64,
                    visited,
                    most,
                    pause,
                    pool: vec![],
                };
                let answer = question(&mut search);
                answered.store(true, Relaxed);
                answer
            });
            drop(known);
            let (mut none, mut cramped) = (Ok(None), true);
            for answer in answers {
                match answer {
                    Ok(answer) => return Ok(Some(answer)),
                    Err(Quit::Stop(why)) => (none, cramped) = (Err(why), false),
                    Err(Quit::Tired) => cramped = false,
                    Err(Quit::Answered | Quit::Cramped) => {}
                }
            }
            if !cramped {
                return none;
            }
            // What was found out is kept, so that the way to where it was left is short.
            let mut known = self.known.write().expect(UNHARMED);
            *known = known.grown(self.bytes);
            visited = pause;
        }
    }
}

/// Nothing is left half done where a search panics.
const UNHARMED: &str = "what is known is only read and written by searches";

/// Why a search ends without an answer.
enum Quit {
    Stop(Stop),
    /// Another thread has it.
    Answered,
    /// It takes too long.
    Tired,
    /// There is hardly room left to remember parts in, and there could be more.
    Cramped,
}

holds!(Quit: Stop => Stop);

/// One thread's way through the positions.
struct Search<'a, S: Summands> {
    game: &'a S,
    known: &'a Known,
    total: &'a AtomicU64,
    meter: &'a Meter<'a>,
    answered: &'a AtomicBool,
    /// Makes this thread prefer other options than the next one.
    salt: u64,
    visited: u64,
    /// How many it may visit.
    most: u64,
    /// And how many until there had better be more room.
    pause: u64,
    /// Lists of options that are not in use.
    pool: Vec<Options<S::Part>>,
}

/// An option whose nimber is not known: that of its known parts, and where the others are.
struct Open {
    nimber: u32,
    unknown: Vec<usize>,
    /// Least first.
    order: (bool, u32, u64),
}

/// How many parts a search visits before it looks up.
const STRETCH: u64 = 1 << 10;

impl<S: Summands> Search<'_, S> {
    fn nimber(&mut self, part: &S::Part) -> Result<u32, Quit> {
        let mut n = 0;
        while !self.is(part, n)? {
            n += 1;
        }
        Ok(n)
    }

    fn is(&mut self, part: &S::Part, n: u32) -> Result<bool, Quit> {
        if let Some(nimber) = self.game.sight(part) {
            return Ok(nimber == n);
        }
        let key = self.game.key(part);
        match self.known.get(key) {
            Fact::Is(nimber) => return Ok(nimber == n),
            Fact::IsNot(not) if n < MOST && not >> n & 1 == 1 => return Ok(false),
            Fact::IsNot(_) => {}
        }
        for less in 0..n {
            if self.is(part, less)? {
                return Ok(false);
            }
        }
        self.visited += 1;
        if self.visited.is_multiple_of(STRETCH) {
            self.total.fetch_add(STRETCH, Relaxed);
            self.meter.add(STRETCH)?;
            if self.answered.load(Relaxed) {
                return Err(Quit::Answered);
            }
            if self.visited > self.most {
                return Err(Quit::Tired);
            }
            if self.visited > self.pause {
                return Err(Quit::Cramped);
            }
        }
        let mut options = self.pool.pop().unwrap_or_default();
        options.clear();
        self.game.options(part, &mut options);
        let found = self.any_is(&options, n)?;
        self.pool.push(options);
        let size = self.game.size(part);
        self.known.put(key, size, if found { Fact::IsNot(1 << n.min(MOST)) } else { Fact::Is(n) });
        Ok(!found)
    }

    /// Whether some option is `n`. What is known already is asked first.
    fn any_is(&mut self, options: &Options<S::Part>, n: u32) -> Result<bool, Quit> {
        let mut open = vec![];
        let mut begin = 0;
        for &end in &options.ends {
            match self.open(&options.parts, begin..end, n) {
                Ok(nimber) if nimber == n => return Ok(true),
                Ok(_) => {}
                Err(Some(option)) => open.push(option),
                Err(None) => {}
            }
            begin = end;
        }
        open.sort_unstable_by_key(|option: &Open| option.order);
        for Open { mut nimber, unknown, .. } in open {
            let (last, others) = unknown.split_last().expect("something is unknown");
            for &i in others {
                nimber ^= self.nimber(&options.parts[i])?;
            }
            if self.is(&options.parts[*last], n ^ nimber)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The nimber of an option, or what is open about it; nothing if only that it is not `n`.
    fn open(
        &self,
        parts: &[S::Part],
        sum: std::ops::Range<usize>,
        n: u32,
    ) -> Result<u32, Option<Open>> {
        let (mut nimber, mut unknown) = (0, vec![]);
        for i in sum {
            let key = self.game.key(&parts[i]);
            match self.game.sight(&parts[i]).map_or_else(|| self.known.get(key), Fact::Is) {
                Fact::Is(known) => nimber ^= known,
                Fact::IsNot(not) => {
                    // Equal parts cancel each other.
                    let same = |&(j, _): &(usize, u32)| self.game.key(&parts[j]) == key;
                    match unknown.iter().position(same) {
                        Some(same) => drop(unknown.swap_remove(same)),
                        None => unknown.push((i, not)),
                    }
                }
            }
        }
        let wanted = n ^ nimber;
        match unknown[..] {
            [] => return Ok(nimber),
            [(_, not)] if wanted < MOST && not >> wanted & 1 == 1 => return Err(None),
            _ => {}
        }
        let mut unknown: Vec<usize> = unknown.into_iter().map(|(i, _)| i).collect();
        unknown.sort_unstable_by_key(|&i| self.game.size(&parts[i]));
        // An odd number of moves is most often a win, and an even one a loss: what is likely comes first,
        // and of that the smallest.
        let sizes = || unknown.iter().map(|&i| self.game.size(&parts[i]));
        let likely = sizes().sum::<u32>() & 1 == wanted & 1;
        let largest = sizes().max().unwrap_or(0);
        let key = self.game.key(&parts[unknown[0]]) as u64;
        let way = (key ^ self.salt.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let order = (!likely, largest, way >> 32);
        Err(Some(Open { nimber, unknown, order }))
    }
}

/// What is known of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    /// Its nimber.
    Is(u32),
    /// The nimbers below [`MOST`] that it does not have, a bit each.
    IsNot(u32),
}

/// Nimbers from here on are only known as such.
const MOST: u32 = 7;

/// A table of facts. Buckets of four, as many as a power of two; the part of the least size makes room.
struct Known {
    entries: Vec<[AtomicU64; 2]>,
    /// How many of the first bits of its key tell the bucket of a part.
    bits: u32,
}

const BUCKET: usize = 4;

/// Bytes to begin with. Most questions need no more.
const LEAST: u64 = 1 << 20;

/// How much larger a table becomes when it is full.
const GROWTH: u64 = 8;

impl Known {
    fn new(bytes: u64) -> Known {
        let bits = (bytes / (16 * BUCKET as u64)).max(1).ilog2();
        let entries = (0..BUCKET << bits).map(|_| Default::default()).collect();
        Known { entries, bits }
    }

    /// How many parts may be visited by each thread before the table had better grow to at most `most` bytes.
    fn spare(&self, most: u64) -> u64 {
        let entries = self.entries.len() as u64;
        let whole = entries * 16 * 2 > most;
        if whole { u64::MAX >> 1 } else { entries / 2 / rayon::current_num_threads() as u64 }
    }

    /// These facts with more room.
    fn grown(&self, most: u64) -> Known {
        let larger = Known::new((self.entries.len() as u64 * 16 * GROWTH).min(most));
        for [first, second] in &self.entries {
            let word = second.load(Relaxed);
            let key = u128::from(first.load(Relaxed) ^ word) << 64 | u128::from(word & !0xffff);
            // The last bits of the key gave way to the fact, and nobody asks for them.
            if word != 0 {
                larger.put(key, (word >> 8 & 0xff) as u32, Fact::read(word as u8));
            }
        }
        larger
    }

    fn bucket(&self, key: u128) -> &[[AtomicU64; 2]] {
        let place = key.checked_shr(128 - self.bits).unwrap_or(0) as usize * BUCKET;
        &self.entries[place..place + BUCKET]
    }

    fn get(&self, key: u128) -> Fact {
        let found = self.bucket(key).iter().find_map(|entry| read(entry, key));
        found.unwrap_or(Fact::IsNot(0))
    }

    fn put(&self, key: u128, size: u32, fact: Fact) {
        let bucket = self.bucket(key);
        // What was read is kept: another thread may put something else there at any time.
        let same = bucket.iter().find_map(|entry| Some((entry, read(entry, key)?)));
        let fact = match (fact, same.map(|(_, old)| old)) {
            (Fact::IsNot(new), Some(Fact::IsNot(old))) => Fact::IsNot(new | old),
            (Fact::IsNot(_), Some(is)) => is,
            (fact, _) => fact,
        };
        let least = || bucket.iter().min_by_key(|[_, second]| second.load(Relaxed) >> 8 & 0xff);
        let entry = same.map(|(entry, _)| entry).or_else(least);
        let (Some([first, second]), Some(byte)) = (entry, fact.write()) else { return };
        let (high, low) = ((key >> 64) as u64, key as u64);
        let word = low & !0xffff | u64::from(size.clamp(1, 255)) << 8 | u64::from(byte);
        second.store(word, Relaxed);
        first.store(high ^ word, Relaxed);
    }
}

/// What an entry says of the part with this key, if it is about that.
fn read([first, second]: &[AtomicU64; 2], key: u128) -> Option<Fact> {
    let word = second.load(Relaxed);
    let same = (word ^ key as u64) >> 16 == 0 && first.load(Relaxed) ^ word == (key >> 64) as u64;
    same.then(|| Fact::read(word as u8))
}

impl Fact {
    fn read(byte: u8) -> Fact {
        match byte & 0x80 {
            0 => Fact::IsNot(u32::from(byte)),
            _ => Fact::Is(u32::from(byte & 0x7f)),
        }
    }

    /// One byte, unless the nimber is too large for it.
    fn write(self) -> Option<u8> {
        match self {
            Fact::Is(n) => (n < 0x80).then_some(n as u8 | 0x80),
            Fact::IsNot(not) => Some((not & 0x7f) as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{index, watch::Unwatched};

    /// Rows of pins, each a part.
    enum Rows {
        /// A move knocks down one or two neighbours.
        Kayles,
        /// A row is cut into two, and either of them may be doubled: options of up to four parts.
        Doubled,
    }

    fn key(row: u32) -> u128 {
        [1, 2].into_iter().fold(0, |all, salt| all << 64 | u128::from(index::key(&row, salt)))
    }

    impl Summands for Rows {
        type Part = u32;

        fn key(&self, row: &u32) -> u128 {
            key(*row)
        }

        fn size(&self, row: &u32) -> u32 {
            *row
        }

        fn sight(&self, row: &u32) -> Option<u32> {
            (*row == 0).then_some(0)
        }

        fn room(&self) -> u64 {
            u64::MAX
        }

        fn options(&self, row: &u32, options: &mut Options<u32>) {
            let mut add = |sum: &[u32]| {
                sum.iter().for_each(|&part| options.part(part));
                options.done();
            };
            match self {
                Rows::Kayles => {
                    for taken in 1..=2.min(*row) {
                        (0..=row - taken).for_each(|left| add(&[left, row - taken - left]));
                    }
                }
                Rows::Doubled => {
                    for left in (0..*row).filter(|left| !(left ^ row).is_multiple_of(3)) {
                        let right = row - 1 - left;
                        add(&[left, right]);
                        add(&[left, left, right]);
                        add(&[right, left, right, right]);
                    }
                }
            }
        }
    }

    /// The nimbers of the first rows by their definition.
    fn defined(game: &Rows) -> [u32; 24] {
        let mut nimbers = [0; 24];
        for row in 1..24 {
            let mut options = Options::default();
            game.options(&row, &mut options);
            let sum = |sum: &[u32]| added(sum, &nimbers);
            let found: Vec<u32> = options.sums().map(sum).collect();
            nimbers[row as usize] = (0..).find(|n| !found.contains(n)).unwrap_or(0);
        }
        nimbers
    }

    fn added(sum: &[u32], nimbers: &[u32]) -> u32 {
        sum.iter().fold(0, |nimber, &part| nimber ^ nimbers[part as usize])
    }

    const KAYLES: [u32; 20] = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2];

    /// With room for everything, for a few parts, and for hardly any.
    const ROOMS: [u64; 4] = [1 << 20, 4096, 512, 64];

    #[test]
    fn nimbers_are_those_of_the_definition_however_little_is_remembered() {
        assert_eq!(defined(&Rows::Kayles)[..20], KAYLES);
        for bytes in ROOMS {
            for (rows, most) in [(Rows::Kayles, 20), (Rows::Doubled, 23)] {
                let nimbers = defined(&rows);
                let sums = Sums::new(Arc::new(rows), bytes);
                let most = if bytes < 512 { 12 } else { most };
                for row in (0..=most).rev() {
                    let nimber = sums.nimber(&[row], &Unwatched);
                    assert_eq!(nimber, Ok(nimbers[row as usize]), "{row} pins, {bytes} bytes");
                }
            }
        }
    }

    #[test]
    fn a_sum_is_what_the_nimbers_of_its_parts_add_up_to() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..200 {
            let sums = Sums::new(Arc::new(Rows::Kayles), ROOMS[random.usize(0..3)]);
            let sum: Vec<u32> = (0..random.usize(0..5)).map(|_| random.u32(0..15)).collect();
            let nimber = added(&sum, &KAYLES);
            for n in 0..9 {
                assert_eq!(sums.is(&sum, n, &Unwatched), Ok(n == nimber), "{sum:?}, {n}");
            }
            assert_eq!(sums.nimber(&sum, &Unwatched), Ok(nimber), "{sum:?}");
        }
    }

    #[test]
    fn a_nimber_that_takes_too_long_is_not_told() {
        let sums = Sums::new(Arc::new(Rows::Kayles), 64);
        assert_eq!(sums.nimber_within(&[40], STRETCH, &Unwatched), Ok(None));
    }

    #[test]
    fn a_table_that_grows_forgets_nothing() {
        let mut known = Known::new(1 << 12);
        (1..20).for_each(|i| known.put(key(i), 7, Fact::Is(i)));
        for most in [1 << 14, 1 << 20] {
            known = known.grown(most);
            assert!(known.entries.len() as u64 * 16 <= most);
            assert!((1..20).all(|i| known.get(key(i)) == Fact::Is(i)));
        }
        // A sum that takes longer than the first table has room for.
        let sums = Sums::new(Arc::new(Rows::Kayles), 1 << 16);
        *sums.known.write().unwrap() = Known::new(64);
        assert_eq!(sums.nimber(&[19], &Unwatched), Ok(2));
    }

    #[test]
    fn facts_are_kept_as_they_were_found() {
        let known = Known::new(64);
        assert_eq!(known.get(key(1)), Fact::IsNot(0));
        known.put(key(1), 9, Fact::IsNot(0b1));
        known.put(key(1), 9, Fact::IsNot(0b100));
        assert_eq!(known.get(key(1)), Fact::IsNot(0b101));
        known.put(key(1), 9, Fact::Is(1));
        known.put(key(1), 9, Fact::IsNot(0b1));
        assert_eq!(known.get(key(1)), Fact::Is(1));
        // The least part makes room, and the largest stays.
        (2..100).for_each(|i| known.put(key(i), 2, Fact::Is(5)));
        assert_eq!((known.get(key(1)), known.get(key(2))), (Fact::Is(1), Fact::IsNot(0)));
        // A nimber that has no code is worked out again.
        known.put(key(1), 9, Fact::Is(200));
        assert_eq!(known.get(key(1)), Fact::Is(1));
    }
}

//! Rules in which several choose at once, chance moves, or not everything is seen: round by round.
//!
//! A position is what holds, and what those have chosen who have in this round: first one player, then the other, then
//! chance, each only if it has a choice. A round in which nobody has one happens at once.

use crate::{
    bounds::{Exceeded, Spent},
    groups::certain,
    net::{
        Lit, Net, Node, Roots,
        simplify::{Groups, Under},
    },
    pack::Layout,
    program::Line,
    report::Mistake,
    syntax::Span,
    terms::Terms,
    words::natural,
};

/// So many rounds without a choice are gone through before they are taken for endless.
const MOST_ROUNDS: usize = 10_000;
/// Bits of a choice: none yet, or the number of a move and one more.
const BITS: u32 = 21;

/// Whose turn it is, as the turn of a packed position has it.
pub(crate) const CHANCE: u8 = 2;
pub(crate) const ENDED: u8 = 3;

/// Rules ready to be played round by round.
pub(crate) struct Rounds {
    pub(crate) layout: Layout,
    pub(crate) terms: Terms,
    pub(crate) roots: Roots,
    /// The roles by seat: the two players, then chance, if it is there.
    pub(crate) seats: Vec<usize>,
    /// What moves are called, by seat, and the order in which they are offered.
    pub(crate) words: Vec<Vec<&'static str>>,
    pub(crate) orders: Vec<Vec<u32>>,
    /// The goals of the two players, in the order of the outputs of `end`.
    goals: Vec<(u8, i32)>,
    /// What the goals of the two add up to, as far as that is known.
    pub(crate) sum: Option<i32>,
    end: Line,
    legal: Line,
    /// What holds next, then what the players see.
    follow: Line,
}

/// What has been chosen in a round, by seat.
pub(crate) type Chosen = [Option<u32>; 3];

/// Why a position is none that can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Stuck {
    NoMove(usize),
    Goals(usize, usize),
    /// The goals do not add up to what they do elsewhere.
    Sum([i32; 2]),
    Endless,
}

impl Rounds {
    pub(crate) fn new(
        mut net: Net,
        mut roots: Roots,
        groups: &Groups,
        terms: Terms,
        seats: Vec<usize>,
        spent: &mut Spent,
    ) -> Result<Rounds, Mistake> {
        let stopped = |exceeded: Exceeded| exceeded.at(Span::default(), "to work the moves out");
        let assumed = certain(groups, &mut net);
        let mut under = Under::new(&mut net, groups, &assumed);
        under.thorough = true;
        roots.terminal = under.simplify(roots.terminal);
        roots.next = roots.next.iter().map(|lit| under.simplify(*lit)).collect();
        for role in &mut roots.roles {
            for list in [&mut role.moves, &mut role.goals, &mut role.sees] {
                list.iter_mut().for_each(|(_, lit)| *lit = under.simplify(*lit));
            }
        }
        spent.step(under.done()).map_err(stopped)?;
        let mut goals = vec![];
        let (mut end, mut legal, mut follow) = (vec![roots.terminal], vec![], roots.next.clone());
        let (mut words, mut orders) = (vec![], vec![]);
        for (seat, &role) in seats.iter().enumerate() {
            let of_role = &roots.roles[role];
            if seat < 2 {
                for &(value, lit) in &of_role.goals {
                    goals.push((seat as u8, goal(&terms, value)?));
                    end.push(lit);
                }
                follow.extend(of_role.sees.iter().map(|(_, lit)| *lit));
            }
            legal.extend(of_role.moves.iter().map(|(_, lit)| *lit));
            if of_role.moves.len() >= 1 << BITS {
                let what = format!("{} moves of one role", of_role.moves.len());
                return Err(Mistake::new(Span::default(), what, "there is room for two million"));
            }
            words.push(called(&terms, of_role.moves.iter().map(|(mv, _)| *mv))?);
            let mut order: Vec<u32> = (0..of_role.moves.len() as u32).collect();
            order.sort_by_cached_key(|mv| natural(words[seat][*mv as usize]));
            orders.push(order);
        }
        let line = |asked: &[Lit]| Line::of(&net, asked);
        let (end, legal, follow) = (line(&end), line(&legal), line(&follow));
        let layout = Layout::of(groups);
        Ok(Rounds {
            layout,
            terms,
            roots,
            seats,
            words,
            orders,
            goals,
            sum: None,
            end,
            legal,
            follow,
        })
    }

    /// Words of a position: what holds, then what is chosen.
    pub(crate) fn words(&self) -> usize {
        self.layout.words + 1
    }

    /// Where play begins, with the first choice.
    pub(crate) fn start(&self, values: &mut Vec<u64>) -> Vec<u64> {
        let mut words = self.layout.pack(|fact| self.roots.init[fact as usize]);
        words.push(0);
        self.settle(&mut words, values, &mut [vec![], vec![]]);
        words
    }

    pub(crate) fn chosen(&self, words: &[u64]) -> Chosen {
        let all = words[self.layout.words];
        std::array::from_fn(|seat| {
            let number = all >> (BITS * seat as u32) & ((1 << BITS) - 1);
            number.checked_sub(1).map(|number| number as u32)
        })
    }

    fn put_in(&self, line: &Line, words: &[u64], done: &[u32], values: &mut Vec<u64>) {
        values.resize(values.len().max(line.places), 0);
        for &(place, node) in &line.inputs {
            let holds = match node {
                Node::Fact(fact) => self.layout.holds(words, fact),
                Node::Does(role, mv) => {
                    let seat = self.seats.iter().position(|one| *one == usize::from(role));
                    seat.is_some_and(|seat| done.get(seat) == Some(&mv))
                }
                _ => false,
            };
            values[place as usize] = u64::from(holds).wrapping_neg();
        }
        line.run(values);
    }

    /// The legal moves of each seat.
    pub(crate) fn legal(&self, words: &[u64], values: &mut Vec<u64>) -> Vec<Vec<u32>> {
        self.put_in(&self.legal, words, &[], values);
        let mut nth = 0;
        let of = |seat: &usize| {
            let many = self.roots.roles[*seat].moves.len();
            let first = nth;
            nth += many;
            let legal = |mv: &u32| self.legal.output(values, first + *mv as usize) != 0;
            (0..many as u32).filter(legal).collect()
        };
        self.seats.iter().map(of).collect()
    }

    /// The goals of the players, if the game is over.
    pub(crate) fn end(
        &self,
        words: &[u64],
        values: &mut Vec<u64>,
    ) -> Option<Result<[i32; 2], Stuck>> {
        self.put_in(&self.end, words, &[], values);
        if self.end.output(values, 0) == 0 {
            return None;
        }
        let mut found = [0; 2];
        for (seat, found) in found.iter_mut().enumerate() {
            let reached = self.goals.iter().enumerate().filter(|(nth, (of, _))| {
                usize::from(*of) == seat && self.end.output(values, nth + 1) != 0
            });
            let reached: Vec<i32> = reached.map(|(_, (_, value))| *value).collect();
            match reached[..] {
                [value] => *found = value,
                _ => return Some(Err(Stuck::Goals(seat, reached.len()))),
            }
        }
        let wrong = self.sum.is_some_and(|sum| found[0] + found[1] != sum);
        Some(if wrong { Err(Stuck::Sum(found)) } else { Ok(found) })
    }

    /// The least and the most by which the first player's goal may be the higher one.
    pub(crate) fn widest(&self) -> [i32; 2] {
        let of = |seat: u8| self.goals.iter().filter(move |(of, _)| *of == seat).map(|(_, v)| *v);
        let sum = self.sum.unwrap_or(100);
        let all: Vec<i32> = of(0).map(|value| 2 * value - sum).collect();
        [all.iter().copied().min().unwrap_or(-100), all.iter().copied().max().unwrap_or(100)]
    }

    /// What keeps a position from being played, if something does.
    pub(crate) fn stuck(&self, words: &[u64], values: &mut Vec<u64>) -> Option<Stuck> {
        match self.end(words, values) {
            Some(end) => end.err(),
            None => {
                let legal = self.legal(words, values);
                let none = legal.iter().position(Vec::is_empty);
                none.map(Stuck::NoMove).or(match self.layout.turn(words) {
                    ENDED => Some(Stuck::Endless),
                    _ => None,
                })
            }
        }
    }

    /// Goes on until somebody has a choice, or the game is over; what the players see is added, round by round.
    fn settle(&self, words: &mut [u64], values: &mut Vec<u64>, seen: &mut [Vec<String>; 2]) {
        for _ in 0..MOST_ROUNDS {
            if self.end(words, values).is_some() {
                return self.layout.set_turn(words, ENDED);
            }
            let legal = self.legal(words, values);
            if legal.iter().any(Vec::is_empty) {
                return self.layout.set_turn(words, ENDED);
            }
            if let Some(seat) = legal.iter().position(|of| of.len() > 1) {
                return self.layout.set_turn(words, seat as u8);
            }
            let done: Vec<u32> = legal.iter().map(|of| of[0]).collect();
            self.follow(words, &done, values, seen);
        }
        self.layout.set_turn(words, ENDED);
    }

    /// A round: everybody does something.
    fn follow(
        &self,
        words: &mut [u64],
        done: &[u32],
        values: &mut Vec<u64>,
        seen: &mut [Vec<String>; 2],
    ) {
        self.put_in(&self.follow, words, done, values);
        let facts = self.roots.facts.len();
        let next = self.layout.pack(|fact| self.follow.output(values, fact as usize) != 0);
        words[..next.len()].copy_from_slice(&next);
        words[next.len()] = 0;
        let mut nth = facts;
        for (seat, seen) in seen.iter_mut().enumerate() {
            let mut now = vec![];
            for (what, _) in &self.roots.roles[self.seats[seat]].sees {
                if self.follow.output(values, nth) != 0 {
                    now.push(self.terms.word(*what));
                }
                nth += 1;
            }
            now.sort_by_cached_key(|word| natural(word));
            seen.push(if now.is_empty() { "-".into() } else { now.join("+") });
        }
    }

    /// The position after a choice, and what both players see if that ends a round.
    pub(crate) fn choose(
        &self,
        words: &mut [u64],
        mv: u32,
        values: &mut Vec<u64>,
    ) -> Option<[String; 2]> {
        let seat = usize::from(self.layout.turn(words));
        let legal = self.legal(words, values);
        let next = (seat + 1..self.seats.len()).find(|seat| legal[*seat].len() > 1);
        words[self.layout.words] |= u64::from(mv + 1) << (BITS * seat as u32);
        if let Some(next) = next {
            self.layout.set_turn(words, next as u8);
            return None;
        }
        let chosen = self.chosen(words);
        let done = legal.iter().enumerate().map(|(seat, of)| chosen[seat].unwrap_or(of[0]));
        let (done, mut seen): (Vec<u32>, _) = (done.collect(), [vec![], vec![]]);
        self.follow(words, &done, values, &mut seen);
        self.settle(words, values, &mut seen);
        Some(seen.map(|rounds| rounds.join("/")))
    }
}

/// The number that a goal is.
pub(crate) fn goal(terms: &Terms, value: u32) -> Result<i32, Mistake> {
    let number = terms.head_name(value).parse().ok();
    number.filter(|_| terms.arguments(value).is_empty()).ok_or_else(|| {
        let what = format!("the goal {} is no number", terms.kif(value));
        Mistake::new(Span::default(), what, "goals go from 0 to 100")
    })
}

/// What moves are called.
fn called(terms: &Terms, moves: impl Iterator<Item = u32>) -> Result<Vec<&'static str>, Mistake> {
    let words = moves.map(|mv| crate::words::keep(&terms.word(mv)));
    words.collect::<Option<Vec<_>>>().ok_or_else(|| {
        let what = "there is no room for the names of more moves";
        Mistake::new(Span::default(), what, "start the program anew")
    })
}

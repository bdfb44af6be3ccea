//! Optimal strategies by a linear program.
//!
//! Let `x` be a player's realization plan and `B y` what each sequence earns against the plan `y` of
//! the other player. Plans are what fulfils `x >= 0` and `E x = e`: the empty sequence has
//! 1, and the sequences of an information set have together what the sequence that leads there has. Against `x`
//! the other player chooses the least of `(B' x)' y` over all such `y`; by duality that is the
//! greatest `v_0` with a `v` for each information set such that, for each sequence of the other's,
//!
//! > `v` of its information set − the sum of `v` over the information sets that it leads to ≤ its entry of `B' x`.
//!
//! So the best `x` is the solution of a program whose variables are `x` and `v`, with as many
//! coefficients as there are payoffs and sequences. It has one such inequality for each sequence of
//! the other player, and the prices of these inequalities are the `y` that is optimal for the
//! other: the dual program is the same program with the players exchanged.
//!
//! The solutions of an interior-point method lie in the middle of all optimal ones, where
//! probabilities are no simple fractions, though they are in some corner. The program says which
//! sequences are ever part of an optimal strategy and which inequalities hold with equality in all
//! of them, so that all optimal strategies are those of a smaller program; any other aim that it is
//! given leads to a corner. A solution that is a corner already tells some of these sequences and
//! inequalities; the smaller program that they make has optimal strategies only, that corner among
//! them.
//!
//! The factors that the method works with grow much faster than the game: abrupt dark Hex on 2x3,
//! with 75,578 payoffs, takes 92 MB and more than a minute. Of 6,045 and 6,343 sequences 372 and
//! 452 are enough, which are found in a third of a second ([`Restriction`]).

#[cfg(test)]
mod tests;

use crabwise::watch::{Meter, Watch};

use super::{
    basis::{self, Support},
    double_oracle::{RestrictedGame, Restriction},
    lp_backend::{LinearProgram, LpBackend, LpError, Solution},
    rational::{Fraction, IntegerPayoffs, ShortFraction},
    rounding::{self, Candidate},
};
use crate::{
    best_response::Judged,
    rules::Player,
    sequence_form::{Behaviour, RealizationPlan, SequenceForm, Treeplex},
};

/// An equilibrium, as exact as it could be found.
#[derive(Clone, Debug)]
pub struct ExactEquilibrium {
    /// Both players' behaviours. Where a player does not come by the player's own choice, it is a
    /// best response to the other's.
    pub behaviours: [Behaviour; 2],
    /// What the behaviours are worth, and how far from an equilibrium.
    pub judged: Judged,
    /// The value of the game for the first player, if it was proved or is a simple fraction.
    pub fraction: Option<Fraction>,
    /// Whether both behaviours consist of fractions and were found, without rounding, to guarantee
    /// this value. Otherwise it is the only simple fraction within the bounds.
    pub proven: bool,
    /// Steps of the solver.
    pub iterations: u32,
}

/// A value is looked for among fractions up to this denominator when bounds are this close.
const SIMPLE: (i128, f64) = (1000, 1e-9);

/// No equilibrium has a greater exploitability, in proportion to its value if that is greater than
/// 1.
const WRONG: f64 = 1e-6;

impl SequenceForm {
    /// Solves the game by linear programs.
    pub fn exact(&self, watch: &dyn Watch) -> Result<ExactEquilibrium, LpError> {
        self.exact_with(LpBackend::default(), watch)
    }

    /// Solves the game by linear programs with a backend of the caller's choice.
    pub fn exact_with(
        &self,
        backend: LpBackend,
        watch: &dyn Watch,
    ) -> Result<ExactEquilibrium, LpError> {
        let payoffs = self.payoffs();
        let part = match self.at_once(payoffs.len() as u64) {
            true => Restriction::all(self),
            false => Restriction::begin(self),
        };
        self.exact_from(part, &payoffs, backend, watch)
    }

    /// Solves the game, beginning with a part of it.
    fn exact_from(
        &self,
        part: Restriction,
        payoffs: &[([u32; 2], f64)],
        backend: LpBackend,
        watch: &dyn Watch,
    ) -> Result<ExactEquilibrium, LpError> {
        let optimal = self.optimal(part, payoffs, backend, watch)?;
        let whole = IntegerPayoffs::new(payoffs);
        let mut found = Player::BOTH.map(|player| {
            let from = |plans: &[Vec<f64>; 2]| {
                rounding::candidates(self, whole.as_ref(), player, &plans[player as usize])
            };
            let mut found = from(&optimal.corners);
            found.extend(from(&optimal.middle));
            found
        });
        if let (Some(whole), None) = (&whole, proof(&found)) {
            let meter = Meter::new(watch, "proving the value", None, None)?;
            for player in Player::BOTH {
                let support = &optimal.supports[player as usize];
                let told = basis::candidate(self, whole, player, support, &meter)?;
                found[player as usize].extend(told);
            }
        }
        self.equilibrium(found, optimal.iterations, optimal.status)
    }

    /// Optimal plans of a part that is enough.
    fn optimal(
        &self,
        mut part: Restriction,
        payoffs: &[([u32; 2], f64)],
        backend: LpBackend,
        watch: &dyn Watch,
    ) -> Result<Optimal, LpError> {
        let meter = Meter::new(watch, "linear programs", None, None)?;
        let (mut iterations, mut rounds) = (0, 0);
        loop {
            meter.add(1)?;
            let game = part.game(self, payoffs);
            let found = game.middle(backend)?;
            iterations += found.iterations;
            let middle = game.lift(&found.plans);
            if part.grow(self, &middle) {
                continue;
            }
            let (corners, supports) = game.corners(&found, backend);
            iterations += corners.iterations;
            let corners = game.lift(&corners.plans);
            rounds += 1;
            // What is a corner of the part's solutions need not be one of the game's.
            if rounds == CORNERS || !part.grow(self, &corners) {
                let (supports, status) = (game.lift_supports(&supports), found.status);
                return Ok(Optimal { middle, corners, supports, iterations, status });
            }
        }
    }

    /// The best of both players' candidates.
    fn equilibrium(
        &self,
        found: [Vec<Candidate>; 2],
        iterations: u32,
        status: String,
    ) -> Result<ExactEquilibrium, LpError> {
        let proof = proof(&found);
        let mut behaviours = found.map(|candidates| {
            rounding::best(candidates).map(|best| best.behaviour).unwrap_or_default()
        });
        for player in Player::BOTH {
            rounding::fill_unreached(self, player, &mut behaviours);
        }
        let judged = self.judge([&behaviours[0], &behaviours[1]]);
        let exploitability = judged.exploitability();
        if exploitability.is_nan() || exploitability > WRONG * judged.value.abs().max(1.0) {
            return Err(LpError::Unsolved { status, exploitability });
        }
        let proven = proof.is_some();
        let fraction = proof.or_else(|| likely(&judged));
        Ok(ExactEquilibrium { behaviours, judged, fraction, proven, iterations })
    }

    /// About how many bytes [`exact`](SequenceForm::exact) takes, if a small part of the game is enough.
    /// How much of it the programs need, and how much room their factors, is known only when it is
    /// too late.
    pub fn exact_bytes(&self) -> u64 {
        let (entries, sequences) =
            (self.entries(), self.treeplexes.each_ref().map(Treeplex::sequences));
        let dense = if self.at_once(entries) { 256 * entries } else { 0 };
        PROGRAMS + dense + 48 * entries + 128 * sequences.iter().sum::<usize>() as u64
    }

    /// Whether one program is better than a growing part: if there are few payoffs, or most pairs
    /// of sequences have one, as in a matrix.
    fn at_once(&self, payoffs: u64) -> bool {
        let pairs: u64 = self.treeplexes.iter().map(|plex| plex.sequences() as u64).product();
        payoffs <= FEW || payoffs >= pairs / 16
    }
}

/// Bytes of a program of some thousands of coefficients.
const PROGRAMS: u64 = 32 << 20;

/// So many payoffs are few.
const FEW: u64 = 10_000;

/// A corner is looked for this often.
const CORNERS: u32 = 100;

/// The value of the game, if one candidate of each player is sure of it.
fn proof(found: &[Vec<Candidate>; 2]) -> Option<Fraction> {
    let most = |p: usize| {
        let guaranteed = found[p].iter().filter_map(|candidate| candidate.exactly.as_ref());
        guaranteed.max()
    };
    let (first, second) = (most(0)?, most(1)?);
    (second.negated() == *first).then(|| first.clone())
}

/// The simple fraction within the bounds.
fn likely(judged: &Judged) -> Option<Fraction> {
    let [low, high] = judged.bounds();
    let (most, close) = SIMPLE;
    let rounding = 1e-3 * close;
    let near = (high - low).abs() < close;
    let simple = ShortFraction::simplest(low.min(high) - rounding, high.max(low) + rounding, most);
    simple.filter(|_| near).map(Fraction::from)
}

/// Optimal plans, by floating-point numbers.
struct Optimal {
    middle: [RealizationPlan; 2],
    corners: [RealizationPlan; 2],
    /// What tells the corners.
    supports: [Support; 2],
    iterations: u32,
    status: String,
}

/// A player's linear program. The columns of own sequences, which are not below zero, come first;
/// that of `v_0` and those of the other `v` follow.
struct PlayerProgram {
    linear: LinearProgram,
    /// The column of each of the player's own sequences.
    columns: Vec<usize>,
    /// The row of each of the other's.
    rows: Vec<usize>,
    player: Player,
}

const NONE: usize = usize::MAX;

/// What a program has found.
#[derive(Clone)]
struct Found {
    /// Both players' plans.
    plans: [RealizationPlan; 2],
    /// Which sequences are part of an optimal strategy.
    live: [Vec<bool>; 2],
    iterations: u32,
    status: String,
}

impl RestrictedGame {
    /// Optimal strategies in the middle of all.
    fn middle(&self, backend: LpBackend) -> Result<Found, LpError> {
        let own = vec![true; self.treeplexes[0].sequences()];
        let tight = vec![false; self.treeplexes[1].sequences()];
        let program = PlayerProgram::new(self, Player::First, &own, &tight);
        program.solve(backend, &program.value())
    }

    /// Optimal strategies in a corner, each of which is found alone, and what tells them; if one is not, it is the
    /// middle's.
    fn corners(&self, middle: &Found, backend: LpBackend) -> (Found, [Support; 2]) {
        let mut live = middle.live.clone();
        for (plex, live) in self.treeplexes.iter().zip(&mut live) {
            prune(plex, live);
        }
        let mut corners = Found { iterations: 0, ..middle.clone() };
        let supports = Player::BOTH.map(|player| {
            let (p, q) = (player as usize, player.other() as usize);
            let [own, tight] = [&live[p], &live[q]];
            let mut support = Support { used: own.clone(), tight: tight.clone() };
            let program = PlayerProgram::new(self, player, own, tight);
            if let Ok(corner) = program.solve(backend, &program.anything()) {
                corners.iterations += corner.iterations;
                corners.plans[p].clone_from(&corner.plans[p]);
                support.used.clone_from(&corner.live[p]);
                let more = support.tight.iter_mut().zip(&corner.live[q]);
                more.for_each(|(tight, now)| *tight |= now);
            }
            support
        });
        (corners, supports)
    }

    /// What tells strategies of the restricted game, in the whole game.
    fn lift_supports(&self, supports: &[Support; 2]) -> [Support; 2] {
        Player::BOTH.map(|player| {
            let Support { used, tight } = &supports[player as usize];
            Support {
                used: self.lift_one(player, used),
                tight: self.lift_one(player.other(), tight),
            }
        })
    }
}

impl PlayerProgram {
    /// The program of a player whose sequences are the `own` ones, where for the other's `tight`
    /// ones there is to be equality.
    fn new(game: &RestrictedGame, player: Player, own: &[bool], tight: &[bool]) -> PlayerProgram {
        let (p, q) = (player as usize, player.other() as usize);
        let (mine, theirs) = (&game.treeplexes[p], &game.treeplexes[q]);
        let columns = number(own.iter().copied(), 0);
        let kept = own.iter().filter(|&&own| own).count();
        let width = kept + 1 + theirs.info_sets();
        let linear = LinearProgram { signed: kept, width, ..LinearProgram::default() };
        let mut program = PlayerProgram { linear, columns, rows: vec![], player };
        program.flow(mine);
        let first = program.linear.right.len();
        let tights = tight.iter().filter(|&&tight| tight).count();
        program.linear.equal = first + tights;
        let equal = number(tight.iter().copied(), first);
        let others = number(tight.iter().map(|tight| !tight), program.linear.equal);
        program.rows = equal.iter().zip(&others).map(|(&a, &b)| a.min(b)).collect();
        program.linear.right.resize(first + tight.len(), 0.0);
        program.prices(theirs);
        for &(at, payoff) in &game.payoffs {
            let (row, column) = (program.rows[at[q] as usize], program.columns[at[p] as usize]);
            if column != NONE {
                program.linear.set(row, column, -player.sign() * payoff);
            }
        }
        program
    }

    /// The reach of the sequences of an information set is that of the sequence that leads there.
    fn flow(&mut self, plex: &Treeplex) {
        self.linear.set(0, self.columns[0], 1.0);
        self.linear.right.push(1.0);
        for info_set in 0..plex.info_sets() {
            let parent = self.columns[plex.parent(info_set)];
            if parent == NONE {
                continue;
            }
            let row = self.linear.right.len();
            self.linear.right.push(0.0);
            self.linear.set(row, parent, -1.0);
            for sequence in plex.at(info_set) {
                if self.columns[sequence] != NONE {
                    self.linear.set(row, self.columns[sequence], 1.0);
                }
            }
        }
    }

    /// The `v` of the inequalities.
    fn prices(&mut self, plex: &Treeplex) {
        self.linear.set(self.rows[0], self.linear.signed, 1.0);
        for info_set in 0..plex.info_sets() {
            let column = self.linear.signed + 1 + info_set;
            self.linear.set(self.rows[plex.parent(info_set)], column, -1.0);
            for sequence in plex.at(info_set) {
                self.linear.set(self.rows[sequence], column, 1.0);
            }
        }
    }

    /// The aim that makes `v_0` the greatest.
    fn value(&self) -> Vec<f64> {
        let mut aim = vec![0.0; self.linear.width];
        aim[self.linear.signed] = -1.0;
        aim
    }

    /// An aim that has nothing to do with the game, the same each time.
    fn anything(&self) -> Vec<f64> {
        let mut aim = vec![0.0; self.linear.width];
        let mut random = fastrand::Rng::with_seed(1);
        aim[..self.linear.signed].fill_with(|| random.f64());
        aim
    }

    fn solve(&self, backend: LpBackend, aim: &[f64]) -> Result<Found, LpError> {
        let solution = backend.solve(&self.linear, aim)?;
        let (plans, live) = self.read(&solution);
        Ok(Found { plans, live, iterations: solution.iterations, status: solution.status })
    }

    /// Both strategies. Of a sequence either its reach is 0 or what it would lose is, and in the
    /// middle of all solutions one of the two is not; it is the greater one.
    fn read(&self, solution: &Solution) -> Reading {
        let Solution { values, prices, slacks, losses, .. } = solution;
        let get = |from: &[f64], at: usize| if at == NONE { 0.0 } else { from[at].max(0.0) };
        let own: Vec<f64> = self.columns.iter().map(|&column| get(values, column)).collect();
        let other: Vec<f64> = self.rows.iter().map(|&row| get(prices, row)).collect();
        let alive = |reach: f64, loss: f64| reach > loss && reach > LEAST;
        let mine = own.iter().zip(&self.columns).map(|(&x, &column)| alive(x, get(losses, column)));
        let theirs = other.iter().zip(&self.rows).map(|(&y, &row)| alive(y, get(slacks, row)));
        let mut live = [mine.collect(), theirs.collect()];
        let mut plans = [own, other];
        if self.player == Player::Second {
            live.swap(0, 1);
            plans.swap(0, 1);
        }
        (plans, live)
    }
}

/// Both players' plans, and which sequences are live.
type Reading = ([RealizationPlan; 2], [Vec<bool>; 2]);

/// Whatever does not come after a live sequence is dead.
fn prune(plex: &Treeplex, live: &mut [bool]) {
    live[0] = true;
    for info_set in 0..plex.info_sets() {
        if !live[plex.parent(info_set)] {
            live[plex.at(info_set)].fill(false);
        }
    }
}

/// A sequence of smaller reach counts as no part of an optimal strategy.
const LEAST: f64 = 1e-7;

/// Numbers those that are wanted, beginning with `first`.
fn number(wanted: impl Iterator<Item = bool>, first: usize) -> Vec<usize> {
    let mut next = first;
    wanted
        .map(|wanted| {
            next += usize::from(wanted);
            if wanted { next - 1 } else { NONE }
        })
        .collect()
}

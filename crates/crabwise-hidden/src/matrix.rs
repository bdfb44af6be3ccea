//! The game as a matrix: one row for each pure strategy of the first player, one column for each of
//! the second's.
//!
//! A pure strategy chooses a move at each information set. What it chooses at information sets that its own earlier
//! choices rule out makes no difference, so it is left out: a *reduced* strategy is a set of
//! sequences, one of each information set that such a sequence, or the empty one, leads to. After a sequence
//! there are as many of them as the product, over the information sets that it leads to, of the sum over their
//! sequences. That is soon more than can be listed, and known before.
//!
//! A matrix is itself a game of one information set a player, in which the moves are the strategies.

use std::{fmt, ops::Range};

use crabwise::watch::Count;

use crate::{
    rules::{Player, Turn},
    sequence_form::{Behaviour, SequenceForm, Treeplex},
    tree::GameTree,
};

/// A reduced pure strategy: its sequences but for the empty one, in ascending order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PureStrategy(pub Vec<u32>);

/// The payoffs of pure strategies against each other.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The first player's strategies.
    pub rows: Vec<PureStrategy>,
    /// The second player's strategies.
    pub columns: Vec<PureStrategy>,
    /// What the first player gets, row by row.
    pub payoffs: Vec<f64>,
}

/// Why there is no matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixError {
    /// A player has too many strategies.
    Many {
        /// The player.
        player: Player,
        /// How many strategies, or more than can be counted if it is `u128::MAX`.
        strategies: u128,
        /// How many there may be.
        most: u64,
    },
}

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatrixError::Many { player, strategies, most } = *self;
        match u64::try_from(strategies) {
            Ok(many) => write!(f, "the {player} has {} pure strategies", Count(many))?,
            Err(_) => write!(f, "the {player} has {:.1e} pure strategies", strategies as f64)?,
        }
        write!(f, ", more than the {} that are listed", Count(most))
    }
}

impl std::error::Error for MatrixError {}

impl Treeplex {
    /// The number of reduced pure strategies.
    pub fn strategies(&self) -> u128 {
        let mut after = vec![1_u128; self.sequences()];
        for info_set in (0..self.info_sets()).rev() {
            let sum =
                after[self.at(info_set)].iter().fold(0, |sum: u128, &n| sum.saturating_add(n));
            let parent = &mut after[self.parent(info_set)];
            *parent = parent.saturating_mul(sum);
        }
        after[0]
    }

    /// All of them, the first moves first.
    fn list(&self) -> Vec<PureStrategy> {
        let mut info_sets = vec![vec![]; self.sequences()];
        for info_set in 0..self.info_sets() {
            info_sets[self.parent(info_set)].push(info_set);
        }
        let ends = vec![vec![]];
        let lists = self.after(0, &info_sets, ends);
        lists
            .into_iter()
            .map(|mut sequences| {
                sequences.sort_unstable();
                PureStrategy(sequences)
            })
            .collect()
    }

    /// Each of `begun` with each way to go on after a sequence.
    fn after(
        &self,
        sequence: usize,
        info_sets: &[Vec<usize>],
        mut begun: Vec<Vec<u32>>,
    ) -> Vec<Vec<u32>> {
        for &info_set in &info_sets[sequence] {
            let mut next = vec![];
            for sequence in self.at(info_set) {
                let one = begun.iter().map(|all| [&all[..], &[sequence as u32]].concat());
                next.extend(self.after(sequence, info_sets, one.collect()));
            }
            begun = next;
        }
        begun
    }
}

impl SequenceForm {
    /// The game as a matrix, if neither player has more than `most` strategies.
    pub fn matrix(&self, most: u64) -> Result<Matrix, MatrixError> {
        for player in Player::BOTH {
            let strategies = self.treeplexes[player as usize].strategies();
            if strategies > u128::from(most) {
                return Err(MatrixError::Many { player, strategies, most });
            }
        }
        let [rows, columns] = self.treeplexes.each_ref().map(|plex| plex.list());
        let mut payoffs = Vec::with_capacity(rows.len() * columns.len());
        let mut plan = vec![0.0; self.treeplexes[0].sequences()];
        let mut gradient = vec![0.0; self.treeplexes[1].sequences()];
        for PureStrategy(row) in &rows {
            plan.fill(0.0);
            plan[0] = 1.0;
            row.iter().for_each(|&sequence| plan[sequence as usize] = 1.0);
            self.gradient(Player::Second, &plan, &mut gradient);
            payoffs.extend(columns.iter().map(|PureStrategy(column)| {
                let gains = column.iter().map(|&sequence| gradient[sequence as usize]);
                -(gradient[0] + gains.sum::<f64>())
            }));
        }
        Ok(Matrix { rows, columns, payoffs })
    }

    /// The game in which each player chooses once: payoffs by row, with this many columns.
    pub fn of_matrix(payoffs: &[f64], columns: usize) -> SequenceForm {
        let once = |moves: usize| Treeplex {
            first: vec![1, 1 + moves as u32],
            parent: vec![0],
            info_state: vec![0],
        };
        let place = |i: usize| [1 + (i / columns) as u32, 1 + (i % columns) as u32];
        let all = payoffs.iter().enumerate().filter(|(_, payoff)| **payoff != 0.0);
        let all: Vec<_> = all.map(|(i, &payoff)| (place(i), payoff)).collect();
        SequenceForm::of([once(payoffs.len() / columns), once(columns)], &all)
    }
}

impl Matrix {
    /// The game in which each player chooses a strategy. Its sequences are the strategies, after
    /// the empty one.
    pub fn form(&self) -> SequenceForm {
        SequenceForm::of_matrix(&self.payoffs, self.columns.len())
    }

    /// The behaviour of a player that is the same as choosing among the strategies with these
    /// probabilities.
    pub fn behaviour(&self, form: &SequenceForm, player: Player, mix: &[f64]) -> Behaviour {
        let (plex, strategies) = match player {
            Player::First => (&form.treeplexes[0], &self.rows),
            Player::Second => (&form.treeplexes[1], &self.columns),
        };
        let mut plan = vec![0.0; plex.sequences()];
        for (PureStrategy(strategy), likely) in strategies.iter().zip(mix) {
            strategy.iter().for_each(|&sequence| plan[sequence as usize] += likely);
        }
        plex.behaviour(&plan)
    }
}

/// Where two plans lead.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PlansOutcome {
    /// How likely the game is over.
    pub over: f64,
    /// What the first player gets on average, where it is over, and nothing where it is not.
    pub payoff: f64,
}

impl GameTree {
    /// All plans of `length` different moves of a player, or `None` if there are more than `most`.
    pub fn plans_of(&self, player: Player, length: usize, most: u64) -> Option<Vec<Vec<String>>> {
        let info_states = &self.states.info_states[player as usize];
        let first =
            (0..info_states.len() as u32).find(|&info_state| info_states.moves(info_state) > 0);
        // Who never moves has one plan, to do nothing.
        let Some(first) = first else { return Some(vec![vec![]]) };
        let names: Vec<String> = (0..info_states.moves(first))
            .map(|mv| info_states.name(first, mv).to_string())
            .collect();
        let mut plans: Vec<Vec<String>> = vec![vec![]];
        for _ in 0..length {
            let longer = plans.iter().flat_map(|plan| {
                let left = names.iter().filter(|name| !plan.contains(name));
                left.map(|name| [&plan[..], std::slice::from_ref(name)].concat())
            });
            plans = longer.take((most as usize).saturating_add(1)).collect();
            if plans.len() as u64 > most {
                return None;
            }
        }
        Some(plans)
    }

    /// Follows two plans. A plan has the names of the moves that a player tries, one a turn; what
    /// is not legal any more is passed over. Play stops when the game is over, and when the player
    /// whose turn it is has nothing left to try.
    pub fn follow_plans(&self, plans: [&[&str]; 2]) -> PlansOutcome {
        self.follow(0, plans)
    }

    fn follow(&self, node: u32, plans: [&[&str]; 2]) -> PlansOutcome {
        let (at, arcs) = (&self.states.nodes[node as usize], self.states.arcs(node));
        match at.turn {
            Turn::Over(payoff) => PlansOutcome { over: 1.0, payoff },
            Turn::Chance => arcs.iter().fold(PlansOutcome::default(), |sum, arc| {
                let next = self.follow(arc.to, plans);
                PlansOutcome {
                    over: sum.over + arc.chance * next.over,
                    payoff: sum.payoff + arc.chance * next.payoff,
                }
            }),
            Turn::Of(player) => {
                let (p, mut left) = (player as usize, plans);
                let info_states = self.info_states(player);
                let legal: Range<u32> = 0..arcs.len() as u32;
                while let [first, rest @ ..] = left[p] {
                    left[p] = rest;
                    let named = |&mv: &u32| info_states.name(at.info_states[p], mv) == *first;
                    if let Some(mv) = legal.clone().find(named) {
                        return self.follow(arcs[mv as usize].to, left);
                    }
                }
                PlansOutcome::default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        HiddenSetup,
        toys::{Abrupt, Kuhn, Random, explored, form},
    };
    use crabwise::watch::Unwatched;

    fn value(form: &SequenceForm) -> (String, bool) {
        let exact = form.exact(&Unwatched).unwrap();
        (exact.fraction.unwrap().to_string(), exact.proven)
    }

    #[test]
    fn kuhn_has_27_rows_and_64_columns() {
        let kuhn = form(Kuhn);
        assert_eq!(kuhn.treeplexes.each_ref().map(|plex| plex.strategies()), [27, 64]);
        let matrix = kuhn.matrix(64).unwrap();
        assert_eq!((matrix.rows.len(), matrix.columns.len()), (27, 64));
        assert_eq!(value(&matrix.form()), ("-1/18".to_string(), true));
        let refused = kuhn.matrix(63).unwrap_err();
        let many = MatrixError::Many { player: Player::Second, strategies: 64, most: 63 };
        assert_eq!(refused, many);
        assert_eq!(
            refused.to_string(),
            "the second player has 64 pure strategies, more than the 63 that are listed"
        );
    }

    /// Sequences and strategies are two ways to write the same game.
    #[test]
    fn matrix_and_sequences_agree_on_random_games() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let (mut tried, mut random) = (0, fastrand::Rng::with_seed(seed));
        while tried < 100 {
            let game = Random { seed: random.u64(..), length: 5 };
            let form = form(game);
            let Ok(matrix) = form.matrix(100) else { continue };
            tried += 1;
            let [rows, columns] = [&matrix.rows, &matrix.columns].map(|all| all.len() as u128);
            assert_eq!(form.treeplexes.each_ref().map(|plex| plex.strategies()), [rows, columns]);
            let one = form.exact(&Unwatched).unwrap();
            let other = matrix.form().exact(&Unwatched).unwrap();
            let (a, b) = (one.judged.value, other.judged.value);
            assert!((a - b).abs() < 1e-7, "{game:?}: {a}, {b}");
            let behaviours = Player::BOTH.map(|player| {
                matrix.behaviour(&form, player, &other.behaviours[player as usize][1..])
            });
            let judged = form.judge([&behaviours[0], &behaviours[1]]);
            assert!(judged.exploitability() < 1e-7, "{game:?}: {judged:?}");
        }
    }

    /// First the one cell, then the other, as the source numbers cells: column by column.
    const PLANS: [[&str; 2]; 12] = [
        ["0", "1"],
        ["0", "2"],
        ["0", "3"],
        ["1", "0"],
        ["1", "2"],
        ["1", "3"],
        ["2", "0"],
        ["2", "1"],
        ["2", "3"],
        ["3", "0"],
        ["3", "1"],
        ["3", "2"],
    ];

    /// Who has won abrupt dark Hex on 2x2 when both have tried two cells, `B` the first player, `W`
    /// the second, `.` nobody yet: rows and columns are the plans in order.
    const WON: [&str; 12] = [
        "BBB.WWBBBBBB",
        ".....W.W..W.",
        "....W..W..W.",
        ".W.BBBBBBBBB",
        "BBBBBBW..BBB",
        ".W....W.....",
        ".....W....W.",
        "BBB..WBBBBBB",
        "BBBBBBBBB.W.",
        ".W..W..W....",
        ".W..W.W.....",
        "BBBBBBWW.BBB",
    ];

    /// The cells in which the matrix printed in "Dark-Hex: An Imperfect Information Game" (thesis
    /// draft) differs, with what it has: row, column, and who has won.
    const MISPRINTED: [(&str, &str, char); 12] = [
        ("01", "12", '.'),
        ("02", "21", '.'),
        ("02", "30", 'W'),
        ("02", "31", '.'),
        ("03", "31", '.'),
        ("10", "02", '.'),
        ("12", "20", '.'),
        ("21", "10", 'W'),
        ("21", "13", '.'),
        ("30", "02", '.'),
        ("31", "12", '.'),
        ("32", "20", '.'),
    ];

    fn payoffs(won: &[Vec<char>]) -> Vec<f64> {
        let payoff = |won: &char| match won {
            'B' => 1.0,
            'W' => -1.0,
            _ => 0.0,
        };
        won.iter().flatten().map(payoff).collect()
    }

    fn place(cell: &str) -> usize {
        cell.parse().unwrap()
    }

    fn played() -> Vec<Vec<char>> {
        let game = HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased();
        let tree = explored(&game).tree;
        // By row, as here.
        let cells = |plan: &[&str; 2]| plan.map(|cell| ["0", "2", "1", "3"][place(cell)]);
        let won = |row, column| match tree.follow_plans([&cells(row), &cells(column)]) {
            PlansOutcome { over: 0.0, .. } => '.',
            PlansOutcome { payoff: 1.0, .. } => 'B',
            _ => 'W',
        };
        (PLANS.iter()).map(|row| PLANS.iter().map(|column| won(row, column)).collect()).collect()
    }

    #[test]
    fn plans_of_two_cells_on_2x2_make_the_known_matrix() {
        let played = played();
        let rows: Vec<String> = played.iter().map(|row| row.iter().collect()).collect();
        assert_eq!(rows, WON);
        let form = SequenceForm::of_matrix(&payoffs(&played), 12);
        assert_eq!(value(&form), ("1/2".to_string(), true));
    }

    /// With its misprints the matrix has another value.
    #[test]
    fn the_printed_matrix_is_wrong_in_twelve_cells() {
        let mut printed = played();
        let place = |name: &str| PLANS.iter().position(|plan| plan.concat() == name).unwrap();
        for (row, column, has) in MISPRINTED {
            let cell = &mut printed[place(row)][place(column)];
            assert_ne!(*cell, has, "{row},{column}");
            *cell = has;
        }
        let exact = SequenceForm::of_matrix(&payoffs(&printed), 12).exact(&Unwatched).unwrap();
        assert!((exact.judged.value - 0.684).abs() < 1e-3, "{:?}", exact.judged);
    }

    /// What is not legal is passed over, and what is left to do is left undone.
    #[test]
    fn plans_pass_over_what_is_not_legal() {
        let game = HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased();
        let tree = explored(&game).tree;
        let over = PlansOutcome { over: 1.0, payoff: 1.0 };
        assert_eq!(tree.follow_plans([&["0", "0", "2"], &["1"]]), over);
        assert_eq!(tree.follow_plans([&["0"], &["1", "2"]]), PlansOutcome::default());
    }

    /// Chance is averaged over: who bets and is called wins or loses two, evenly.
    #[test]
    fn plans_go_through_chance() {
        let game = HiddenSetup::of(Kuhn).erased();
        let outcome = explored(&game).tree.follow_plans([&["1"], &["1"]]);
        assert!((outcome.over - 1.0).abs() < 1e-12 && outcome.payoff.abs() < 1e-12);
    }
}

//! Linear programs, and what solves them.
//!
//! A program looks for the least of `aim · x`, where some rows of `A x` are equal to their right
//! side and the others at most that, and where the first entries of `x` are not below zero. A row
//! has a price: what the least would fall by if the right side grew by one. Such an entry has a
//! loss: what the least would rise by if the entry had to be one more. At a solution a row that is
//! below its right side has no price, and an entry that is above zero has no loss.
//!
//! Two backends solve such programs, and nobody who has a solution needs to know which. Clarabel
//! goes through the interior and ends in the middle of all solutions; it is Rust, and always there.
//! HiGHS goes along the edges by the simplex method and ends in a corner; it is compiled from C++,
//! and only with the feature `highs`, which nothing needs: it compiles for minutes, and Clarabel is as fast on sequences,
//! though slower on large matrices.

use std::fmt;

use clarabel::{
    algebra::CscMatrix,
    solver::{DefaultSettings, DefaultSolver, IPSolver, SupportedConeT},
};

use crabwise::watch::Stop;

/// What solves linear programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LpBackend {
    /// Interior points.
    #[default]
    Clarabel,
    /// The simplex method, if this library was built with the feature `highs`.
    Highs,
}

impl LpBackend {
    /// What it is called in commands and results.
    pub fn name(self) -> &'static str {
        match self {
            LpBackend::Clarabel => "clarabel",
            LpBackend::Highs => "highs",
        }
    }

    /// Whether this library was built with it.
    pub fn is_built(self) -> bool {
        match self {
            LpBackend::Clarabel => true,
            LpBackend::Highs => cfg!(feature = "highs"),
        }
    }

    /// The backend, if this library was built with it.
    pub fn built(self) -> Result<LpBackend, LpError> {
        if self.is_built() { Ok(self) } else { Err(LpError::Missing(self)) }
    }

    pub(crate) fn solve(self, program: &LinearProgram, aim: &[f64]) -> Result<Solution, LpError> {
        match self {
            LpBackend::Clarabel => clarabel(program, aim),
            LpBackend::Highs => highs(program, aim),
        }
    }
}

impl fmt::Display for LpBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LpBackend::Clarabel => "Clarabel",
            LpBackend::Highs => "HiGHS",
        })
    }
}

/// Why there is no equilibrium.
#[derive(Clone, PartialEq, Debug)]
pub enum LpError {
    /// Somebody asked for an end.
    Stopped(Stop),
    /// This library was built without the backend.
    Missing(LpBackend),
    /// The solver found no solution.
    Unsolved {
        /// How the solver ended.
        status: String,
        /// How far from an equilibrium what it found is.
        exploitability: f64,
    },
}

impl fmt::Display for LpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LpError::Stopped(stop) => stop.fmt(f),
            LpError::Missing(backend) => write!(
                f,
                "{backend} is not built in; 'cargo build --release --features highs' does that, and \
                 needs cmake and libclang"
            ),
            LpError::Unsolved { status, exploitability } => write!(
                f,
                "the linear program ended with {status} and an exploitability of \
                 {exploitability:.1e}; iterate instead"
            ),
        }
    }
}

impl std::error::Error for LpError {}

impl LpError {
    /// Nothing was found.
    pub(crate) fn unsolved(status: String) -> LpError {
        LpError::Unsolved { status, exploitability: f64::INFINITY }
    }
}

impl From<Stop> for LpError {
    fn from(stop: Stop) -> LpError {
        LpError::Stopped(stop)
    }
}

/// A linear program without its aim.
#[derive(Default)]
pub(crate) struct LinearProgram {
    /// Rows, columns and coefficients, no two of the same place.
    pub entries: (Vec<usize>, Vec<usize>, Vec<f64>),
    /// The right side of each row.
    pub right: Vec<f64>,
    /// The number of rows that hold with equality, which come first.
    pub equal: usize,
    /// The number of columns that are not below zero, which come first.
    pub signed: usize,
    /// The number of columns.
    pub width: usize,
}

impl LinearProgram {
    pub fn set(&mut self, row: usize, column: usize, coefficient: f64) {
        self.entries.0.push(row);
        self.entries.1.push(column);
        self.entries.2.push(coefficient);
    }
}

/// What a backend has found.
pub(crate) struct Solution {
    /// Of each column.
    pub values: Vec<f64>,
    /// Of each row.
    pub prices: Vec<f64>,
    /// By how much each row is below its right side.
    pub slacks: Vec<f64>,
    /// Of each column that is not below zero.
    pub losses: Vec<f64>,
    pub iterations: u32,
    /// How the backend ended.
    pub status: String,
}

/// That an entry is not below zero is one more row.
fn clarabel(program: &LinearProgram, aim: &[f64]) -> Result<Solution, LpError> {
    let &LinearProgram { equal, signed, width, .. } = program;
    let below = program.right.len();
    let height = below + signed;
    let (mut rows, mut columns, mut coefficients) = program.entries.clone();
    rows.extend(below..height);
    columns.extend(0..signed);
    coefficients.resize(rows.len(), -1.0);
    let mut right = program.right.clone();
    right.resize(height, 0.0);
    let matrix = CscMatrix::new_from_triplets(height, width, rows, columns, coefficients);
    let none = CscMatrix::zeros((width, width));
    let cones =
        [SupportedConeT::ZeroConeT(equal), SupportedConeT::NonnegativeConeT(height - equal)];
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-13,
        tol_gap_rel: 1e-13,
        tol_feas: 1e-13,
        presolve_enable: false,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(&none, aim, &matrix, &right, &cones, settings)
        .map_err(|error| LpError::unsolved(error.to_string()))?;
    solver.solve();
    let found = &solver.solution;
    Ok(Solution {
        values: found.x.clone(),
        prices: found.z[..below].to_vec(),
        slacks: found.s[..below].to_vec(),
        losses: found.z[below..].to_vec(),
        iterations: found.iterations,
        status: format!("{:?}", found.status),
    })
}

#[cfg(feature = "highs")]
fn highs(program: &LinearProgram, aim: &[f64]) -> Result<Solution, LpError> {
    use highs::{ColProblem, HighsModelStatus, Sense};

    let &LinearProgram { equal, signed, width, .. } = program;
    let mut problem = ColProblem::new();
    let row = |(row, &right): (usize, &f64)| match row < equal {
        true => problem.add_row(right..=right),
        false => problem.add_row(..=right),
    };
    let rows: Vec<_> = program.right.iter().enumerate().map(row).collect();
    let mut columns = vec![vec![]; width];
    let (at, of, coefficients) = &program.entries;
    for ((&row, &column), &coefficient) in at.iter().zip(of).zip(coefficients) {
        columns[column].push((rows[row], coefficient));
    }
    for (column, (entries, &aim)) in columns.iter().zip(aim).enumerate() {
        let least = if column < signed { 0.0 } else { f64::NEG_INFINITY };
        problem.add_column(aim, least.., entries);
    }
    let failed = |status| LpError::unsolved(format!("{status:?}"));
    let mut model = problem.try_optimise(Sense::Minimise).map_err(failed)?;
    // As exact as it can be told to be, and the same each time.
    for tolerance in ["primal_feasibility_tolerance", "dual_feasibility_tolerance"] {
        model.set_option(tolerance, 1e-10);
    }
    model.set_option("small_matrix_value", 1e-12);
    model.set_option("solver", "simplex");
    model.set_option("threads", 1);
    let solved = model.try_solve().map_err(failed)?;
    let status = solved.status();
    if status != HighsModelStatus::Optimal {
        return Err(LpError::unsolved(format!("{status:?}")));
    }
    let found = solved.get_solution();
    Ok(Solution {
        values: found.columns().to_vec(),
        // Its prices say what the least rises by.
        prices: found.dual_rows().iter().map(|price| -price).collect(),
        slacks: program.right.iter().zip(found.rows()).map(|(right, row)| right - row).collect(),
        losses: found.dual_columns()[..signed].to_vec(),
        iterations: u32::try_from(solved.simplex_iteration_count()).unwrap_or(0),
        status: format!("{status:?}"),
    })
}

#[cfg(not(feature = "highs"))]
fn highs(_: &LinearProgram, _: &[f64]) -> Result<Solution, LpError> {
    Err(LpError::Missing(LpBackend::Highs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::{Kuhn, form};
    use crabwise::watch::Unwatched;

    const BOTH: [LpBackend; 2] = [LpBackend::Clarabel, LpBackend::Highs];

    /// All backends mean the same by prices, slacks and losses. The least of `-a - 3b + c`, where
    /// `c - b = 5`, `a + b <= 1` and `a <= 3`, is 3, with all of the 1 in `b`.
    #[test]
    fn a_program_is_solved_as_by_hand() {
        let mut program = LinearProgram {
            right: vec![5.0, 1.0, 3.0],
            equal: 1,
            signed: 2,
            width: 3,
            ..LinearProgram::default()
        };
        for (row, column, coefficient) in
            [(0, 2, 1.0), (0, 1, -1.0), (1, 0, 1.0), (1, 1, 1.0), (2, 0, 1.0)]
        {
            program.set(row, column, coefficient);
        }
        for backend in BOTH.into_iter().filter(|backend| backend.is_built()) {
            let found = backend.solve(&program, &[-1.0, -3.0, 1.0]).unwrap();
            for (what, found, wanted) in [
                ("values", found.values, &[0.0, 1.0, 6.0][..]),
                ("prices", found.prices, &[-1.0, 2.0, 0.0]),
                ("slacks", found.slacks, &[0.0, 0.0, 3.0]),
                ("losses", found.losses, &[1.0, 0.0]),
            ] {
                assert_eq!(found.len(), wanted.len(), "{backend}: {what}");
                let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
                assert!(found.iter().zip(wanted).all(close), "{backend}: {what} {found:?}");
            }
        }
    }

    #[test]
    fn an_engine_that_is_not_built_in_is_an_error() {
        let exact = form(Kuhn).exact_with(LpBackend::Highs, &Unwatched);
        match LpBackend::Highs.is_built() {
            true => assert!(exact.is_ok()),
            false => assert_eq!(exact.unwrap_err(), LpError::Missing(LpBackend::Highs)),
        }
    }

    #[cfg(feature = "highs")]
    mod with_highs {
        use super::*;
        use crate::{
            SequenceForm,
            toys::{Abrupt, Random},
        };

        #[test]
        fn engines_prove_the_same_values() {
            for (game, value) in [
                (form(Abrupt { rows: 2, columns: 2 }), "1/2"),
                (form(Abrupt { rows: 2, columns: 3 }), "9/11"),
                (form(Abrupt { rows: 3, columns: 2 }), "-1/8"),
                (form(Kuhn), "-1/18"),
            ] {
                for backend in BOTH {
                    let exact = game.exact_with(backend, &Unwatched).unwrap();
                    assert_eq!(exact.fraction.unwrap().to_string(), value, "{backend}");
                    assert!(exact.proven && exact.judged.exploitability() < 1e-12, "{backend}");
                }
            }
        }

        fn agree(form: &SequenceForm, what: &dyn std::fmt::Debug) {
            let [one, other] = BOTH.map(|backend| form.exact_with(backend, &Unwatched).unwrap());
            let (a, b) = (one.judged, other.judged);
            assert!(b.exploitability() < 1e-7, "{what:?}: {b:?}");
            assert!((a.value - b.value).abs() < 1e-7, "{what:?}: {a:?}, {b:?}");
            if one.proven && other.proven {
                assert_eq!(one.fraction, other.fraction, "{what:?}");
            }
        }

        #[test]
        fn engines_agree_on_random_matrices() {
            let seed = fastrand::u64(..);
            println!("seed {seed}");
            let mut random = fastrand::Rng::with_seed(seed);
            for _ in 0..200 {
                let [rows, columns] = [(); 2].map(|()| random.usize(1..30));
                let whole = random.bool();
                let payoffs: Vec<f64> = (0..rows * columns)
                    .map(|_| match whole {
                        true => f64::from(random.i32(-3..=3)),
                        false => random.f64() - 0.5,
                    })
                    .collect();
                agree(&SequenceForm::of_matrix(&payoffs, columns), &(rows, columns, payoffs));
            }
        }

        #[test]
        fn engines_agree_on_random_games() {
            let seed = fastrand::u64(..);
            println!("seed {seed}");
            let mut random = fastrand::Rng::with_seed(seed);
            for _ in 0..100 {
                let game = Random { seed: random.u64(..), length: 6 };
                agree(&form(game), &game);
            }
        }
    }
}

//! `crabwise matrix`: a game as a matrix of pure strategies.

use std::{collections::HashMap, fmt::Write as _, path::Path};

use crabwise::{SolveError, watch::Watch};
use crabwise_api::hidden::{MixedStrategy, PayoffMatrix};
use crabwise_hidden::{GameTree, LpBackend, Matrix, Player, PureStrategy, SequenceForm};

use crate::{
    args::hidden::MatrixArgs,
    context::Context,
    error::Failure,
    output::{print, writable, write_whole},
    text::{Align, columns, fact},
};

/// A matrix as it is shown.
pub struct MatrixShown {
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    /// By row.
    pub cells: Vec<String>,
    /// The value for the first player, as text and as a number.
    pub value: Option<(String, f64)>,
    /// Whether that text is a fraction that was proved.
    pub proven: bool,
    /// With what probabilities rows and columns are target.
    pub mixes: [Vec<f64>; 2],
    /// Between which bounds the value lies.
    pub bounds: [f64; 2],
}

pub fn run(context: &Context, args: &MatrixArgs) -> Result<(), Failure> {
    let backend = args.engine.backend().built()?;
    let file = args.output.as_deref().filter(|path| *path != Path::new("-"));
    file.map(writable).transpose()?;
    let built = context.hidden(&args.game)?;
    let (game, progress) = (&built.string, context.progress());
    let explored = built.game.explore(context.session.memory(), &progress)?;
    let cells = args.cells.then(|| CellNumbers::of(&explored.tree)).transpose()?;
    let (payoffs, mut shown) = match args.plans {
        Some(length) => plans(&explored.tree, length.into(), args.most, cells.as_ref())?,
        None => {
            let memory = context.session.memory();
            let form = SequenceForm::new(&explored.tree, false, memory, &progress)?;
            pure_strategies(&explored.tree, form.matrix(args.most)?, cells.as_ref())
        }
    };
    shown.solve(&payoffs, backend, context.session.memory(), &progress)?;
    drop(progress);
    if args.output.is_some() && file.is_none() {
        return print(&csv(&shown));
    }
    if let Some(path) = file {
        let failed = |source| Failure::File { path: path.into(), source };
        write_whole(path, |out| out.write_all(csv(&shown).as_bytes()).map_err(failed))?;
    }
    context.print(&shown.json(game, backend), || text(game, &shown))
}

/// The matrix of reduced pure strategies, and its payoffs.
fn pure_strategies(
    tree: &GameTree,
    matrix: Matrix,
    numbers: Option<&CellNumbers>,
) -> (Vec<f64>, MatrixShown) {
    let names = Player::BOTH.map(|side| tree.sequence_names(side));
    let name = |p: usize, PureStrategy(pure): &PureStrategy| {
        let parts = pure.iter().map(|&sequence| names[p][sequence as usize].as_str());
        let name = parts.collect::<Vec<_>>().join("; ");
        numbers.map_or(name.clone(), |numbers| numbers.numbered(&name))
    };
    let rows = matrix.rows.iter().map(|pure| name(0, pure)).collect();
    let columns = matrix.columns.iter().map(|pure| name(1, pure)).collect();
    let cells = matrix.payoffs.iter().map(|payoff| number(*payoff)).collect();
    (matrix.payoffs, MatrixShown::unsolved(rows, columns, cells))
}

impl MatrixShown {
    fn unsolved(rows: Vec<String>, columns: Vec<String>, cells: Vec<String>) -> MatrixShown {
        let (mixes, bounds) = ([vec![], vec![]], [0.0; 2]);
        MatrixShown { rows, columns, cells, value: None, proven: false, mixes, bounds }
    }

    /// Works out the value of the matrix, and what is worth it.
    fn solve(
        &mut self,
        payoffs: &[f64],
        backend: LpBackend,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<(), Failure> {
        let form = SequenceForm::of_matrix(payoffs, self.columns.len());
        let bytes = form.exact_bytes();
        if bytes > memory {
            return Err(SolveError::no_memory("a linear program", bytes, memory).into());
        }
        let exact = form.exact_with(backend, watch)?;
        let [low, high] = exact.judged.bounds();
        self.bounds = [low, high];
        self.proven = exact.proven && exact.fraction.is_some();
        self.value = Some(match &exact.fraction {
            Some(fraction) if exact.proven => (fraction.to_string(), fraction.value()),
            _ => {
                let (middle, error) = ((low + high) / 2.0, (high - low) / 2.0);
                (format!("{middle:.9} ± {error:.1e}"), middle)
            }
        });
        self.mixes = exact.behaviours.map(|mix| mix[1..].to_vec());
        Ok(())
    }

    fn json<'a>(&'a self, game: &'a str, backend: LpBackend) -> PayoffMatrix<'a> {
        let strategies = |names: &'a [String], mix: &[f64]| {
            let each =
                |(name, &probability): (&'a String, &f64)| MixedStrategy { name, probability };
            names.iter().zip(mix).map(each).collect()
        };
        PayoffMatrix {
            game,
            engine: backend.name(),
            value: self.value.as_ref().map(|(_, value)| *value),
            fraction: self.value.as_ref().filter(|_| self.proven).map(|(text, _)| &**text),
            lower: self.bounds[0],
            upper: self.bounds[1],
            rows: strategies(&self.rows, &self.mixes[0]),
            columns: strategies(&self.columns, &self.mixes[1]),
            payoffs: self.cells.chunks(self.columns.len().max(1)).collect(),
        }
    }
}

/// The numbers of a board's cells, column by column.
struct CellNumbers(HashMap<String, usize>);

impl CellNumbers {
    /// The cells that the first player can try at first.
    fn of(tree: &GameTree) -> Result<CellNumbers, Failure> {
        let plans = tree.plans_of(Player::First, 1, u64::MAX).unwrap_or_default();
        let place = |name: &String| {
            let row = name.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
            let column = &name[..name.len() - row.len()];
            let row: u32 = row.parse().ok()?;
            (!column.is_empty()).then(|| (column.len(), column.to_string(), row))
        };
        let cells = plans.iter().flatten().map(|name| Some((place(name)?, name.clone())));
        let cells: Option<Vec<_>> = cells.collect();
        let Some(mut cells) = cells.filter(|cells| !cells.is_empty()) else {
            return Err(Failure::Input("--cells is for games that are played on a board".into()));
        };
        cells.sort();
        Ok(CellNumbers(cells.into_iter().zip(0..).map(|((_, name), i)| (name, i)).collect()))
    }

    /// A text with numbers for the names of cells in it.
    fn numbered(&self, text: &str) -> String {
        let parts = text.split_inclusive([' ', ';', ':', '-']);
        let number = |part: &str| {
            let word = part.trim_end_matches([' ', ';', ':', '-']);
            let rest = &part[word.len()..];
            self.0.get(word).map_or(part.to_string(), |number| format!("{number}{rest}"))
        };
        parts.map(number).collect()
    }

    /// A plan as its source writes it: 01 tries 0 and then 1.
    fn plan(&self, plan: &[String]) -> String {
        let numbers = plan.iter().map(|cell| self.0[cell].to_string()).collect::<Vec<_>>();
        numbers.join(if self.0.len() > 10 { "-" } else { "" })
    }

    fn order(&self, plan: &[String]) -> Vec<usize> {
        plan.iter().map(|cell| self.0[cell]).collect()
    }
}

/// The matrix of plans of `length` tries, and its payoffs: who has won when both are used up.
fn plans(
    tree: &GameTree,
    length: usize,
    most: u64,
    numbers: Option<&CellNumbers>,
) -> Result<(Vec<f64>, MatrixShown), Failure> {
    let [first, second] = Player::BOTH.map(|side| tree.plans_of(side, length, most));
    let many = || Failure::Input(format!("there are more than {most} plans; --most N allows more"));
    let (mut first, mut second) = (first.ok_or_else(many)?, second.ok_or_else(many)?);
    if let Some(numbers) = numbers {
        first.sort_by_key(|plan| numbers.order(plan));
        second.sort_by_key(|plan| numbers.order(plan));
    }
    if first.is_empty() || second.is_empty() {
        let line = format!("nobody has {length} different moves to try; fewer --plans would do");
        return Err(Failure::Input(line));
    }
    let (mut payoffs, mut cells) = (vec![], vec![]);
    for row in &first {
        for column in &second {
            let [one, two] =
                [row, column].map(|plan| plan.iter().map(String::as_str).collect::<Vec<&str>>());
            let end = tree.follow_plans([&one, &two]);
            payoffs.push(end.payoff);
            cells.push(match end.payoff {
                payoff if payoff > 0.0 => format!("{},0", number(payoff)),
                payoff if payoff < 0.0 => format!("0,{}", number(-payoff)),
                _ => "0,0".into(),
            });
        }
    }
    let name =
        |plan: &Vec<String>| numbers.map_or_else(|| plan.join("-"), |numbers| numbers.plan(plan));
    let (rows, columns) = (first.iter().map(name).collect(), second.iter().map(name).collect());
    Ok((payoffs, MatrixShown::unsolved(rows, columns, cells)))
}

fn number(x: f64) -> String {
    let text = format!("{x:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// A matrix with more columns is not printed.
const WIDEST: usize = 24;

fn text(game: &str, shown: &MatrixShown) -> String {
    let mut text = format!("{game}\n");
    let size = format!("{} × {}", shown.rows.len(), shown.columns.len());
    text += &fact("strategies", &size);
    if let Some((value, _)) = &shown.value {
        text += &fact("value", &format!("{value} for the first player, of this matrix"));
    }
    for (p, names) in [&shown.rows, &shown.columns].into_iter().enumerate() {
        let mix = names.iter().zip(&shown.mixes[p]).filter(|(_, likely)| **likely > 5e-4);
        let mix: Vec<String> =
            mix.map(|(name, likely)| format!("{name} {}", super::percent(*likely))).collect();
        let name = if p == 0 { "rows" } else { "columns" };
        let mut line = String::new();
        let _ = write!(line, "{}", mix.join(", "));
        text += &fact(name, &line);
    }
    if shown.columns.len() > WIDEST {
        return text + "\nthe matrix is too wide to print; -o FILE writes it as CSV\n";
    }
    let mut rows = vec![[vec![String::new()], shown.columns.clone()].concat()];
    for (name, cells) in shown.rows.iter().zip(shown.cells.chunks(shown.columns.len())) {
        rows.push([vec![name.clone()], cells.to_vec()].concat());
    }
    let sides: Vec<Align> =
        (0..rows[0].len()).map(|i| if i == 0 { Align::Left } else { Align::Right }).collect();
    text + "\n" + &columns(&sides, &rows)
}

fn csv(shown: &MatrixShown) -> String {
    let quoted = |text: &String| match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let line = |name: &String, cells: &[String]| {
        let cells = cells.iter().map(quoted);
        [quoted(name)].into_iter().chain(cells).collect::<Vec<_>>().join(",") + "\n"
    };
    let mut text = line(&String::new(), &shown.columns);
    for (name, cells) in shown.rows.iter().zip(shown.cells.chunks(shown.columns.len())) {
        text += &line(name, cells);
    }
    text
}

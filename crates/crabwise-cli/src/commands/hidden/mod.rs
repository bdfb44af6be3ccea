//! The commands for games with hidden information, and what they have in common.

mod checkpoint;
pub mod compare;
pub mod count;
pub mod equilibrium;
pub mod exploit;
pub mod look;
pub mod matrix;
pub mod play;
pub mod pone;
pub mod survey;
mod trace;
pub mod verify;
mod walked;

use std::{
    cmp::Ordering,
    collections::BinaryHeap,
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, ErrorKind},
    path::{Path, PathBuf},
    sync::Arc,
};

use crabwise::table::open_plain;
use crabwise_games::Built;
use crabwise_hidden::{
    ErasedHidden, GameTree, InfoSet, PackedStrategy, Player, Strategy, ViewStrategy,
};

use crate::{
    context::Context,
    error::{Failure, program},
    output::writable,
};

/// The file of a game's strategies: found, whole and of that game, before anything is laid out.
struct StrategyFile {
    path: PathBuf,
    packed: PackedStrategy,
}

/// The strategies of a game in a file, or where they are kept.
fn strategies(context: &Context, game: &str, file: Option<&Path>) -> Result<StrategyFile, Failure> {
    match opened(context, game, file)? {
        (path, _, true) => Err(Failure::Input(format!(
            "{} has strategies by views, of a game that is not laid out; 'play', 'league' and \
             'exploit --local-best-response' take them",
            path.display()
        ))),
        (path, mut from, false) => match PackedStrategy::read(game, &mut from) {
            Ok(packed) => Ok(StrategyFile { path, packed }),
            Err(source) => Err(Failure::Strategy { path, source }),
        },
    }
}

/// The strategies of a game in a file, of either kind.
enum FoundStrategies {
    /// Of a game that is to be laid out.
    Packed(StrategyFile),
    /// By views.
    Views(Arc<ViewStrategy>),
}

fn strategies_of_any_kind(
    context: &Context,
    built: &Built<ErasedHidden>,
    file: Option<&Path>,
) -> Result<FoundStrategies, Failure> {
    let game = &built.string;
    let (path, mut from, by_views) = opened(context, game, file)?;
    let failed = |source| Failure::Strategy { path: path.clone(), source };
    if by_views {
        let (walk, memory) = (built.game.walk(), context.session.memory());
        let found = ViewStrategy::read(game, &*walk, memory, &mut from).map_err(failed)?;
        return Ok(FoundStrategies::Views(found.into()));
    }
    let packed = PackedStrategy::read(game, &mut from).map_err(failed)?;
    Ok(FoundStrategies::Packed(StrategyFile { path, packed }))
}

/// A file of strategies, and whether they are by views.
fn opened(
    context: &Context,
    game: &str,
    file: Option<&Path>,
) -> Result<(PathBuf, BufReader<fs::File>, bool), Failure> {
    let path = file.map_or_else(|| context.session.strategies(game), PathBuf::from);
    if file.is_none() {
        context.fetch(&path)?;
    }
    // Where they are kept is no place for a pipe, which would never end.
    let opened = if file.is_some() { fs::File::open(&path) } else { open_plain(&path) };
    let opened = opened.map_err(|error| match file {
        None if error.kind() == ErrorKind::NotFound => Failure::Input(format!(
            "there are no strategies of '{game}'; make them with '{} equilibrium {game}'",
            program()
        )),
        _ => Failure::Input(format!("cannot read {}: {error}", path.display())),
    })?;
    let mut from = BufReader::new(opened);
    let by_views = from.fill_buf().is_ok_and(ViewStrategy::is_one);
    Ok((path, from, by_views))
}

impl StrategyFile {
    fn unpacked(self, tree: &GameTree) -> Result<Strategy, Failure> {
        let StrategyFile { path, packed } = self;
        packed.unpacked(tree).map_err(|source| Failure::Strategy { path, source })
    }
}

/// What is said of options that would go unheard.
fn for_open_games(options: &str) -> Failure {
    Failure::Input(format!("{options} are for games in which everything is seen"))
}

/// Refuses to write a drawing into a file that cannot be written, or that would be taken for something else.
fn svg_only(path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) if path.extension().is_none_or(|ending| ending != "svg") => {
            let line = format!("{}: a drawing is written as .svg", path.display());
            Err(Failure::Input(line))
        }
        Some(path) => writable(path),
        None => Ok(()),
    }
}

/// Probabilities below this are not shown.
const NOTHING: f64 = 5e-4;

/// `a1 50 %, b2 50 %`.
fn mixed(mix: &[(String, f64)]) -> String {
    let shown = mix.iter().filter(|(_, likely)| *likely >= NOTHING);
    let each = |(mv, likely): &(String, f64)| match *likely {
        likely if likely > 1.0 - NOTHING => mv.clone(),
        likely => format!("{mv} {}", percent(likely)),
    };
    shown.map(each).collect::<Vec<_>>().join(", ")
}

/// As exact as it takes, and no zeros at the end.
fn percent(likely: f64) -> String {
    let digits = format!("{:.2}", 100.0 * likely);
    format!("{} %", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// What a strategy does at each information set; first where the player comes most, as far as its own moves decide.
fn strategy_text(tree: &GameTree, player: Player, behaviour: &[f64], most: usize) -> String {
    // An information set comes up no more than those before it, so the first to be taken are the likeliest.
    let mut open = BinaryHeap::from([Likely {
        reach: 1.0,
        age: 0,
        info_set: tree.start(player),
        said: String::new(),
    }]);
    let (mut text, mut told, mut age) = (String::new(), 0, 0);
    while let Some(Likely { reach, info_set, said, .. }) = open.pop() {
        if tree.moves(info_set).len() > 0 {
            if told == most {
                let _ = writeln!(text, "  … and more views; --most N shows more");
                break;
            }
            let when = if said.is_empty() { "at first" } else { &said };
            let _ = writeln!(text, "  {when}: {}", mixed(&tree.mix(info_set, behaviour)));
            told += 1;
        }
        for (step, to) in tree.next(info_set) {
            let word = step.split(' ').next().unwrap_or_default();
            let place = tree.moves(info_set).position(|mv| mv == word);
            let reach = reach * place.map_or(1.0, |place| behaviour[info_set.first() + place]);
            if reach >= NOTHING {
                age += 1;
                let said = format!("{said} {step}").trim().to_string();
                open.push(Likely { reach, age, info_set: to, said });
            }
        }
    }
    text
}

/// An information set and how likely its player does what leads there; of equally likely ones the older is first.
struct Likely {
    reach: f64,
    age: usize,
    info_set: InfoSet,
    said: String,
}

impl Ord for Likely {
    fn cmp(&self, other: &Likely) -> Ordering {
        self.reach.total_cmp(&other.reach).then(other.age.cmp(&self.age))
    }
}

impl PartialOrd for Likely {
    fn partial_cmp(&self, other: &Likely) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Likely {
    fn eq(&self, other: &Likely) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Likely {}

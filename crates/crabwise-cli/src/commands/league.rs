//! `crabwise league`: players against each other, all against all. Those of games in which everything is seen are in
//! [`open_league`].
//!
//! What a pairing came to is written down as soon as it is known, and what is written down is not
//! played again.

mod open_league;

use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read},
    path::{Path, PathBuf},
};

use crabwise::{
    index::key,
    watch::{Shown, Watch},
};
use crabwise_games::Built;
use crabwise_hidden::{
    ErasedHidden, ExploredGame, GameTree, HiddenError, PackedStrategy, StrategyError, ViewStrategy,
    agents::{
        Agent, AnyAgent, Effort, IsmctsAgent, MonteCarloAgent, ProbOneAgent, QLearner, RandomAgent,
        StrategyAgent, ViewAgent,
    },
    league::{ExactResults, League, Meeting},
};

use crate::{
    args::LeagueArgs,
    context::Context,
    error::Failure,
    league_results::Results,
    output::{writable, write_whole},
    progress::Progress,
    results_log::{self, ResultsLog},
    svg,
    text::{Align, columns, count, several, signed},
};

pub fn run(context: &Context, args: &LeagueArgs) -> Result<(), Failure> {
    if !context.is_hidden(&args.game) {
        return open_league::run(context, args);
    }
    let output = args.output.as_deref().map(Output::new).transpose()?;
    let wanted = wanted(&args.players)?;
    let built = context.hidden(&args.game)?;
    let game = built.string.as_str();
    let seats: Vec<LeaguePlayer> = wanted
        .into_iter()
        .map(|one| LeaguePlayer::of(one, context, &built))
        .collect::<Result<_, _>>()?;
    let stakes = built.game.stakes();
    let rows = output.as_ref();
    let rows =
        rows.map(|output| PairingLog::open(&output.rows(), game, args, stakes)).transpose()?;
    let progress = context.progress();
    let memory = context.session.memory();
    let explored = laid_out(&built.game, &seats, args, memory, &progress)?;
    let about = LeagueSetting {
        string: game,
        game: &built.game,
        tree: explored.as_ref().map(|explored| &explored.tree),
        args,
        progress: &progress,
    };
    let results = about.played(context, seats, rows)?;
    drop(progress);
    told(context, output.as_ref(), &results)
}

/// Bytes that a game may take to be laid out only to work results out.
const SMALL: u64 = 256 << 20;

/// The game laid out, if somebody needs that, or if there is something to be worked out and it is small.
fn laid_out(
    game: &ErasedHidden,
    seats: &[LeaguePlayer],
    args: &LeagueArgs,
    memory: u64,
    progress: &Progress,
) -> Result<Option<ExploredGame>, Failure> {
    if seats.iter().any(LeaguePlayer::needs_layout) {
        return Ok(Some(game.explore(memory, progress)?));
    }
    let known = seats.iter().filter(|seat| seat.is_known()).count();
    if known < 2 || args.sampled {
        return Ok(None);
    }
    match game.explore(memory.min(SMALL), progress) {
        Ok(explored) => Ok(Some(explored)),
        Err(HiddenError::Room { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Writes and prints what came of a league.
fn told(context: &Context, output: Option<&Output>, results: &Results) -> Result<(), Failure> {
    if let Some(output) = output {
        output.write(results)?;
    }
    context.print(&results.json(), || text(results))
}

/// Where results go, and as what.
struct Output<'a> {
    path: &'a Path,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Csv,
    Json,
    Svg,
}

impl Output<'_> {
    fn new(path: &Path) -> Result<Output<'_>, Failure> {
        let what = match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => What::Csv,
            Some("json") => What::Json,
            Some("svg") => What::Svg,
            _ => {
                let path = path.display();
                let line = format!("-o {path}: a league is written as .csv, .json or .svg");
                return Err(Failure::Input(line));
            }
        };
        writable(path)?;
        Ok(Output { path, what })
    }

    /// The file in which pairings are kept.
    fn rows(&self) -> PathBuf {
        match self.what {
            What::Csv => self.path.into(),
            What::Json | What::Svg => {
                let mut name = self.path.as_os_str().to_owned();
                name.push(".part");
                name.into()
            }
        }
    }

    fn write(&self, results: &Results) -> Result<(), Failure> {
        let text = match self.what {
            What::Csv => return Ok(()),
            What::Json => crabwise_api::line(&results.json()),
            What::Svg => svg::league(results),
        };
        let failed = |source| Failure::File { path: self.path.into(), source };
        write_whole(self.path, |out| out.write_all(text.as_bytes()).map_err(failed))?;
        let rows = self.rows();
        fs::remove_file(&rows).map_err(|source| Failure::File { path: rows, source })
    }
}

/// Who is to play.
#[derive(Clone, PartialEq, Eq, Debug)]
enum PlayerArg {
    Player(PlayerKind),
    File(PathBuf),
}

/// Players that are made here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlayerKind {
    Random,
    Pone,
    Mc(u32),
    Ismcts(u32),
    Q(u32),
}

const PLAYERS: &str = "players are random, pone, mc=N, ismcts=N, q=N and files of strategies";

/// The most players, whose pairings are still a table.
const MOST: usize = 64;

fn wanted(words: &[String]) -> Result<Vec<PlayerArg>, Failure> {
    let wrong = |line: String| Err(Failure::Input(line));
    let mut all: Vec<PlayerArg> = vec![];
    for word in &whole_names(words) {
        let one = one_wanted(word).map_err(Failure::Input)?;
        if all.contains(&one) {
            return wrong(format!("'{}' takes part twice", Shown(word)));
        }
        all.push(one);
    }
    match all.len() {
        0 | 1 => wrong(format!("a league takes two players; {PLAYERS}")),
        2..=MOST => Ok(all),
        many => wrong(format!("{many} players are too many; at most {MOST} can take part")),
    }
}

/// The words of a list, of which several are one where they are the name of a file with commas.
fn whole_names(words: &[String]) -> Vec<String> {
    let (mut names, mut i) = (vec![], 0);
    while i < words.len() {
        let file = |end: &usize| Path::new(&words[i..*end].join(",")).is_file();
        let end = (i + 1..=words.len()).rev().find(file).unwrap_or(i + 1);
        names.push(words[i..end].join(","));
        i = end;
    }
    names
}

fn one_wanted(word: &str) -> Result<PlayerArg, String> {
    let (name, number) = match word.split_once('=') {
        Some((name, number)) => (name, Some(number)),
        None => (word, None),
    };
    let number = |default: u32| match number.map(str::parse) {
        None => Ok(default),
        Some(Ok(number @ 1..=MOST_TRIES)) => Ok(number),
        _ => Err(format!(
            "'{}': write {name}=N, with N from 1 to {}",
            Shown(word),
            count(MOST_TRIES.into())
        )),
    };
    let kind = match (name, word) {
        (_, "random") => Ok(PlayerKind::Random),
        (_, "pone") => Ok(PlayerKind::Pone),
        ("mc", _) => number(200).map(PlayerKind::Mc),
        ("ismcts", _) => number(500).map(PlayerKind::Ismcts),
        ("q", _) => number(100_000).map(PlayerKind::Q),
        _ if Path::new(word).is_file() => return Ok(PlayerArg::File(word.into())),
        _ => Err(format!("no player '{}', and no file of that name; {PLAYERS}", Shown(word))),
    };
    kind.map(PlayerArg::Player)
}

const MOST_TRIES: u32 = 1_000_000_000;

/// Somebody who is to play, with what there is to read before anything is laid out.
enum LeaguePlayer {
    Player(PlayerKind),
    /// Strategies: where they were, what they are called in a file of results, and themselves.
    Strategies {
        path: PathBuf,
        mark: String,
        packed: PackedStrategy,
    },
    /// Strategies by views, which need no layout.
    Views {
        path: PathBuf,
        mark: String,
        strategy: ViewStrategy,
    },
}

impl LeaguePlayer {
    /// Whether it learns or plays by a layout of the game.
    fn needs_layout(&self) -> bool {
        matches!(self, LeaguePlayer::Strategies { .. } | LeaguePlayer::Player(PlayerKind::Q(_)))
    }

    /// Whether it always does the same, so that results can be worked out.
    fn is_known(&self) -> bool {
        let searches = [PlayerKind::Random, PlayerKind::Pone];
        self.needs_layout()
            || searches.iter().any(|kind| matches!(self, LeaguePlayer::Player(one) if one == kind))
    }

    fn of(
        wanted: PlayerArg,
        context: &Context,
        built: &Built<ErasedHidden>,
    ) -> Result<LeaguePlayer, Failure> {
        let game = &built.string;
        let path = match wanted {
            PlayerArg::Player(kind) => return Ok(LeaguePlayer::Player(kind)),
            PlayerArg::File(path) => path,
        };
        let failed = |source| Failure::Strategy { path: path.clone(), source };
        let file = fs::File::open(&path).map_err(|error| failed(StrategyError::Io(error)))?;
        // No more of it is read than strategies take, and a pipe can be read but once.
        let mut from = BufReader::new(file);
        let by_views = from.fill_buf().is_ok_and(ViewStrategy::is_one);
        let mut copied = Copied { from, bytes: vec![] };
        // There, strategies are told apart by what they are and not only by where they were.
        let mark = |bytes: &[u8]| format!("{}@{:016x}", path.display(), key(&bytes, 0));
        if by_views {
            let (walk, memory) = (built.game.walk(), context.session.memory());
            let strategy = ViewStrategy::read(game, &*walk, memory, &mut copied).map_err(failed)?;
            let mark = mark(&copied.bytes);
            return Ok(LeaguePlayer::Views { path, mark, strategy });
        }
        let packed = PackedStrategy::read(game, &mut copied).map_err(failed)?;
        let mark = mark(&copied.bytes);
        Ok(LeaguePlayer::Strategies { path, mark, packed })
    }
}

/// What is read, and a copy of it.
struct Copied<R> {
    from: R,
    bytes: Vec<u8>,
}

impl<R: Read> Read for Copied<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(to)?;
        self.bytes.extend(&to[..count]);
        Ok(count)
    }
}

/// What is being played.
struct LeagueSetting<'a> {
    string: &'a str,
    game: &'a ErasedHidden,
    /// The layout, if somebody needs it or it is small.
    tree: Option<&'a GameTree>,
    args: &'a LeagueArgs,
    progress: &'a Progress,
}

impl<'a> LeagueSetting<'a> {
    fn played(
        &self,
        context: &Context,
        seats: Vec<LeaguePlayer>,
        mut rows: Option<PairingLog>,
    ) -> Result<Results, Failure> {
        let players = seats.into_iter().map(|seat| self.player(seat));
        let players = players.collect::<Result<Vec<_>, _>>()?;
        let (players, marks): (Vec<_>, Vec<_>) = players.into_iter().unzip();
        let (exact, unknown) = self.exact(context.session.memory())?;
        let LeagueArgs { games, seed, .. } = *self.args;
        let league = League::new(self.game, players, games, seed, exact.as_ref());
        let known = match &mut rows {
            Some(rows) => rows.begin(&marks)?,
            None => vec![],
        };
        let watch: &dyn Watch = self.progress;
        let pairings = league.run(&known, watch, |met| match &mut rows {
            Some(rows) => rows.add(met),
            None => Ok::<(), Failure>(()),
        })?;
        let standings = league.standings(&pairings);
        let names = (0..marks.len()).map(|player| league.name(player)).collect();
        let game = self.string.into();
        Ok(Results { game, seed, games, names, standings, pairings, unknown })
    }

    /// What exact results are worked out from, or why there is no such thing.
    fn exact(&self, memory: u64) -> Result<(Option<ExactResults>, Option<String>), Failure> {
        let tree = match self.tree {
            Some(tree) if !self.args.sampled => tree,
            _ => return Ok((None, None)),
        };
        // The layout may take half: the states are there already.
        match ExactResults::new(tree, memory / 2, self.progress) {
            Ok(exact) => Ok((Some(exact), None)),
            Err(error @ HiddenError::Room { .. }) => Ok((None, Some(error.to_string()))),
            Err(error) => Err(error.into()),
        }
    }

    /// A player, and what it is called in a file of results.
    fn player(&self, seat: LeaguePlayer) -> Result<(AnyAgent<'a>, String), Failure> {
        let player = match (seat, self.tree) {
            (LeaguePlayer::Strategies { path, mark, packed }, Some(tree)) => {
                let name = path.display().to_string();
                let strategy = packed.unpacked(tree);
                let strategy = strategy.map_err(|source| Failure::Strategy { path, source })?;
                let agent = StrategyAgent::new(name, tree, strategy.into());
                return Ok((AnyAgent::Strategy(agent), mark));
            }
            (LeaguePlayer::Views { path, mark, strategy }, _) => {
                let agent = ViewAgent::new(path.display().to_string(), strategy.into());
                return Ok((AnyAgent::Views(agent), mark));
            }
            (LeaguePlayer::Player(PlayerKind::Q(games)), Some(tree)) => {
                let seed = self.args.seed;
                AnyAgent::Learner(QLearner::train(tree, games.into(), seed, self.progress)?)
            }
            (LeaguePlayer::Player(PlayerKind::Pone), tree) => {
                let searching = ProbOneAgent::searching();
                AnyAgent::ProbOne(tree.map_or(searching, ProbOneAgent::new))
            }
            (LeaguePlayer::Player(PlayerKind::Mc(rollouts)), _) => {
                AnyAgent::MonteCarlo(MonteCarloAgent::new(Effort::Iterations(rollouts)))
            }
            (LeaguePlayer::Player(PlayerKind::Ismcts(iterations)), _) => {
                AnyAgent::Ismcts(IsmctsAgent::new(Effort::Iterations(iterations)))
            }
            _ => AnyAgent::Random(RandomAgent),
        };
        let mark = player.name();
        Ok((player, mark))
    }
}

/// The pairings of a league in a file.
struct PairingLog {
    log: ResultsLog,
    /// What each row begins with.
    league: [String; 3],
    /// What was there.
    rows: Vec<Vec<String>>,
    marks: Vec<String>,
}

const COLUMNS: [&str; 8] =
    ["game", "seed", "games", "first", "second", "played", "payoff", "margin"];

impl PairingLog {
    /// Opens a file, if it is there; its rows must be of the same league, in which nobody gets more than the stakes.
    fn open(
        path: &Path,
        game: &str,
        args: &LeagueArgs,
        stakes: [f64; 2],
    ) -> Result<PairingLog, Failure> {
        let LeagueArgs { games, seed, sampled, .. } = args;
        // What was worked out does not stand for what is to be played.
        let games = format!("{games}{}", if *sampled { "-sampled" } else { "" });
        let league = [game.to_string(), seed.to_string(), games];
        let header = COLUMNS.map(str::to_string);
        let (log, rows) = ResultsLog::open(path, &header, "league")?;
        let is_own = |row: &Vec<String>| {
            row.starts_with(&league)
                && numbers(row).is_some_and(|row| row.is_of(args.games, stakes))
        };
        if !rows.iter().all(is_own) {
            return Err(results_log::other(path, "league"));
        }
        Ok(PairingLog { log, league, rows, marks: vec![] })
    }

    /// Begins the file, or goes on with it, and says what these players came to. Rows of others who have taken part
    /// in the same league stay there.
    fn begin(&mut self, marks: &[String]) -> Result<Vec<Meeting>, Failure> {
        self.marks = marks.to_vec();
        self.log.begin()?;
        let rows = std::mem::take(&mut self.rows);
        Ok(rows.iter().filter_map(|row| read(row, marks)).collect())
    }

    fn add(&mut self, met: &Meeting) -> Result<(), Failure> {
        let names = met.players.map(|player| self.marks[player].clone());
        let numbers = [met.mean, met.margin].map(|number| number.to_string());
        let played = [met.games.to_string()];
        self.log.add(&[&self.league[..], &names, &played, &numbers].concat())
    }
}

/// The numbers of a row.
struct PairingNumbers {
    games: u64,
    mean: f64,
    margin: f64,
}

impl PairingNumbers {
    /// Whether so many games with these stakes can come to that, or what was worked out.
    fn is_of(&self, games: u64, [least, most]: [f64; 2]) -> bool {
        let PairingNumbers { games: played, mean, margin } = *self;
        let (mean, spread) = ((mean - least) / (most - least), 2.0 * (most - least));
        played <= games && (-1e-9..=1.0 + 1e-9).contains(&mean) && (0.0..=spread).contains(&margin)
    }
}

/// `None` if it is no row at all.
fn numbers(row: &[String]) -> Option<PairingNumbers> {
    let [_, _, _, _, _, games, mean, margin] = row else { return None };
    let (games, mean, margin) = (games.parse().ok()?, mean.parse().ok()?, margin.parse().ok()?);
    Some(PairingNumbers { games, mean, margin })
}

/// What a row says of these players; `None` if it is about somebody else.
fn read(row: &[String], marks: &[String]) -> Option<Meeting> {
    let PairingNumbers { games, mean, margin } = numbers(row)?;
    let place = |mark: &String| marks.iter().position(|known| known == mark);
    let players = [place(&row[3])?, place(&row[4])?];
    Some(Meeting { players, games, mean, margin })
}

fn text(results: &Results) -> String {
    let Results { game, seed, games, names, .. } = results;
    let mut text = format!(
        "{game}: {}, {} of each two with either first, seed {seed}\n\n",
        several(names.len() as u64, "player"),
        several(*games, "game")
    );
    text += &ranking(results);
    text += "\nwhat the first player (row) gets from the second (column), on average:\n";
    text += &crossed(results);
    text += "\n± is 95 % confidence; a payoff without it was worked out and is exact\n";
    if let Some(why) = &results.unknown {
        text += &format!("nothing was worked out: {why}\n");
    }
    text
}

fn ranking(results: &Results) -> String {
    let head = ["", "player", "Elo", "±", "score", "exploitability"];
    let mut rows = vec![head.map(str::to_string).to_vec()];
    for (i, one) in results.standings.iter().enumerate() {
        rows.push(vec![
            (i + 1).to_string(),
            results.names[one.player].clone(),
            format!("{:.0}", one.rating.elo),
            format!("{:.0}", one.rating.margin()),
            format!("{:.1} %", 100.0 * one.score),
            one.exploitability.map_or("-".into(), |gain| format!("{gain:.6}")),
        ]);
    }
    let sides = [Align::Right, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right];
    columns(&sides, &rows)
}

fn crossed(results: &Results) -> String {
    let order: Vec<usize> = results.standings.iter().map(|one| one.player).collect();
    let mut head = vec![String::new(), "first".into()];
    head.extend((1..=order.len()).map(|place| format!("({place})")));
    let mut rows = vec![head];
    for (i, &first) in order.iter().enumerate() {
        let mut row = vec![format!("({})", i + 1), results.names[first].clone()];
        row.extend(order.iter().map(|&second| results.met(first, second).map_or(".".into(), cell)));
        rows.push(row);
    }
    let sides = [&[Align::Right, Align::Left][..], &vec![Align::Right; order.len()]].concat();
    columns(&sides, &rows)
}

fn cell(met: &Meeting) -> String {
    match met.games {
        0 => signed(met.mean, 4),
        _ => format!("{} ± {:.3}", signed(met.mean, 3), met.margin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_by_their_names() {
        for (word, expected) in [
            ("random", PlayerKind::Random),
            ("pone", PlayerKind::Pone),
            ("mc", PlayerKind::Mc(200)),
            ("mc=7", PlayerKind::Mc(7)),
            ("ismcts", PlayerKind::Ismcts(500)),
            ("q=1000", PlayerKind::Q(1000)),
        ] {
            assert_eq!(one_wanted(word), Ok(PlayerArg::Player(expected)));
        }
        for wrong in ["", "mc=", "mc=0", "mc=x", "q=-1", "ismcts=1e3", "random=2", "pone=", "Q"] {
            assert!(one_wanted(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_row_that_was_written_can_be_read() {
        let marks = ["random", "a,b@12"].map(str::to_string);
        let met = Meeting { players: [1, 0], games: 200, mean: -1.0 / 3.0, margin: 0.1 };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        let header = COLUMNS.map(str::to_string);
        let (mut log, _) = ResultsLog::open(&path, &header, "league").unwrap();
        log.begin().unwrap();
        let league = ["kuhn", "1", "200"].map(str::to_string);
        let mut rows = PairingLog { log, league, marks: marks.to_vec(), rows: vec![] };
        rows.add(&met).unwrap();
        let (_, rows) = ResultsLog::open(&path, &header, "league").unwrap();
        assert_eq!(read(&rows[0], &marks), Some(met));
        assert_eq!(read(&rows[0], &marks[..1]), None);
        assert_eq!(read(&rows[0][..5], &marks), None);
    }

    #[test]
    fn rows_are_within_the_stakes() {
        let row = |played: &str, mean: &str, margin: &str| {
            let row = ["kuhn", "1", "20", "a", "b", played, mean, margin].map(str::to_string);
            numbers(&row).is_some_and(|row| row.is_of(20, [-2.0, 2.0]))
        };
        assert!(row("20", "-2", "0.5") && row("0", "2", "0") && row("20", "0.25", "4"));
        for (played, mean, margin) in [
            ("21", "0", "0"),
            ("-1", "0", "0"),
            ("20", "2.1", "0"),
            ("20", "-1e308", "0"),
            ("20", "NaN", "0"),
            ("20", "0", "-1"),
            ("20", "0", "inf"),
            ("20", "0", "9"),
        ] {
            assert!(!row(played, mean, margin), "{played} {mean} {margin}");
        }
    }
}

//! `crabwise play`: people, the table and chance against each other.
//!
//! With `--json` the conversation goes to standard error, and standard output gets the result.

use std::{
    collections::HashMap,
    io::{self, BufRead, Write},
    slice,
    time::Duration,
};

use crabwise::{
    ErasedGame,
    analysis::{horizon::Horizon, label::Weights},
    explore::{Board, Explorer, advise::Advice},
    watch::{Shown, Watch},
};
use crabwise_api::{studies, value::side};
use crabwise_session::{Needs, TableState};

use crate::{
    args::{MOST_DEPTH, PlayArgs, Player},
    commands::advise::verdict,
    context::Context,
    error::Failure,
    input::typed,
    text::{best, player, result, standing, table},
};

/// How far the usual opponent looks ahead where there can be no table.
const UNTABLED_DEPTH: u32 = 3;

pub fn run(context: &Context, args: &PlayArgs) -> Result<(), Failure> {
    if args.strategy.is_some() {
        let line = "--strategy is for games with hidden information";
        return Err(Failure::Input(line.into()));
    }
    let target = context.target(&args.of.game)?;
    let draws = args.traps.draws();
    let tabled = target.built.game.untabled().is_none();
    let other = if tabled { Player::Perfect } else { Player::Horizon(UNTABLED_DEPTH) };
    let players = [args.first, args.second.unwrap_or(other)];
    if players.iter().any(|who| matches!(who, Player::Pone | Player::Mc(_) | Player::Ismcts(_))) {
        let line =
            "ismcts, mc and pone are for games with hidden information; horizon=N looks ahead here";
        return Err(Failure::Input(line.into()));
    }
    let progress = context.progress();
    // People, chance and a short look ahead do without a table, and take one for hints that is there.
    let asked = players.contains(&Player::Perfect) || args.of.solve || draws.is_some();
    let wanted = asked || context.session.table(&target, &progress)? == TableState::Ready;
    let needs = Needs { solve: args.of.solve, ..Needs::default() }.with_labels(draws);
    let values = wanted.then(|| context.values(&target, needs)).transpose()?;
    let explorer = values.as_ref().map(|values| context.explorer(&target, values, draws));
    let explorer = explorer.transpose()?;
    let out: Box<dyn Write> =
        if context.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1 << 32));
    let mut room = PlayTable {
        game: &target.built.game,
        explorer: explorer.as_deref(),
        players,
        seeded: args.seed.is_some(),
        memory: context.session.memory() / 2,
        watch: &progress,
        random: fastrand::Rng::with_seed(seed),
        line: vec![],
        out,
    };
    progress.rest();
    let chance = |who: &Player| matches!(who, Player::Random | Player::Horizon(_));
    if args.seed.is_none() && room.players.iter().any(chance) {
        room.say(&format!("seed {seed}"))?;
    }
    let end = room.play(&mut io::stdin().lock())?;
    room.say(&end.words())?;
    if context.json {
        let (game, line) = (target.built.string.as_str(), room.line.as_slice());
        context.print(&studies::Play { game, line, result: end.name(), seed }, String::new)?;
    }
    Ok(())
}

/// Where a game is played: the players, the moves so far, and who is told.
struct PlayTable<'a> {
    game: &'a ErasedGame,
    /// What tells the worth of positions, where something does.
    explorer: Option<&'a dyn Explorer>,
    players: [Player; 2],
    /// Whether the perfect player varies.
    seeded: bool,
    /// Bytes that a look ahead may take.
    memory: u64,
    watch: &'a dyn Watch,
    random: fastrand::Rng,
    line: Vec<String>,
    out: Box<dyn Write + 'a>,
}

enum End {
    /// The rules ended it; `None` for a tie.
    Over(Option<usize>),
    /// It went in circles.
    Endless,
    /// The person left.
    Left,
}

impl End {
    fn words(&self) -> String {
        match self {
            End::Over(winner) => result(*winner),
            End::Endless => "draw by endless play".into(),
            End::Left => "goodbye".into(),
        }
    }

    fn name(&self) -> Option<&'static str> {
        match self {
            End::Over(Some(winner)) => Some(side(*winner)),
            End::Over(None) => Some("tie"),
            End::Endless => Some("draw"),
            End::Left => None,
        }
    }
}

/// What a person did at the prompt.
enum PromptAnswer {
    Move(String),
    Undo,
    Leave,
}

/// How long a hint takes where there is no table.
const A_MOMENT: Duration = Duration::from_secs(2);
/// Play without a person stops when a position comes up this often.
const REPEATS: usize = 3;
/// Or after this many moves.
const MOST_MOVES: usize = 10_000;

const HELP: &str = "\
type a move, or
  moves  to see all moves with their values
  hint   to be told the best
  undo   to take back your last move
  quit   to leave";

const COMPOUND_HELP: &str = "\
type a move, or one decision of it after the other, or
  moves  to see what can be decided, with values
  hint   to be told the best moves
  undo   to take back your last decision, or your last move
  quit   to leave";

impl PlayTable<'_> {
    fn play(&mut self, input: &mut dyn BufRead) -> Result<End, Failure> {
        let alone = !self.players.contains(&Player::Human);
        let mut met: HashMap<(u64, usize), usize> = HashMap::new();
        loop {
            let board = self.game.board(&self.line)?;
            self.say(&format!("\n{}\n", board.place.text.trim_end()))?;
            if let Some(outcome) = board.place.over {
                return Ok(End::Over(outcome.winner(board.place.mover)));
            }
            let times = met.entry((board.place.key, board.place.mover)).or_default();
            *times += 1;
            if alone && (*times == REPEATS || self.line.len() >= MOST_MOVES) {
                return Ok(End::Endless);
            }
            match self.players[board.place.mover] {
                Player::Human => match self.ask(&board, input)? {
                    PromptAnswer::Move(name) => self.line.push(name),
                    PromptAnswer::Undo => self.undo()?,
                    PromptAnswer::Leave => return Ok(End::Left),
                },
                computer => {
                    let name = self.choose(computer, &board)?;
                    self.say(&format!("{} plays {name}", player(board.place.mover)))?;
                    self.line.push(name);
                }
            }
        }
    }

    fn choose(&mut self, player: Player, board: &Board) -> Result<String, Failure> {
        let names: Vec<String> = match (player, self.explorer) {
            (Player::Horizon(depth), _) => {
                let seed = self.random.u64(..);
                vec![self.advised(&board.place.line, depth, None, seed)?.moves.swap_remove(0).name]
            }
            (Player::Perfect, Some(explorer)) => {
                let info = explorer.look(&board.place.line)?;
                let among = if self.seeded { info.best() } else { &info.moves[..1] };
                among.iter().map(|one| one.name.clone()).collect()
            }
            _ => board.moves.iter().map(|(name, _)| name.clone()).collect(),
        };
        Ok(names[self.random.usize(..names.len())].clone())
    }

    /// What a look ahead says of a position.
    fn advised(
        &self,
        line: &[String],
        depth: u32,
        time: Option<Duration>,
        seed: u64,
    ) -> Result<Advice, Failure> {
        let weights = Weights::default();
        let horizon = Horizon { depth, time, weights, seed, memory: self.memory };
        Ok(self.game.advise(line, &horizon, self.watch)?)
    }

    /// What is best here, by the table or as far as can be seen in a moment.
    fn hint(&self, at: &Board) -> Result<String, Failure> {
        match self.explorer {
            Some(explorer) => {
                let info = explorer.look(&self.line)?.deciding(&at.place.made);
                Ok(format!("{}; best: {}", standing(&info), best(&info)))
            }
            None => Ok(verdict(&self.advised(&self.line, MOST_DEPTH as u32, Some(A_MOMENT), 1)?)),
        }
    }

    /// All that can be done here, with its worth where that is known.
    fn all_moves(&self, at: &Board) -> Result<String, Failure> {
        match self.explorer {
            Some(explorer) => Ok(table(&explorer.look(&self.line)?.deciding(&at.place.made))),
            None => Ok(names(at).1.join(" ")),
        }
    }

    /// Asks until the answer is a move, all of its decisions, or ends the turn otherwise.
    fn ask(&mut self, board: &Board, input: &mut dyn BufRead) -> Result<PromptAnswer, Failure> {
        let mut at = board.clone();
        self.say(&legal(&at))?;
        loop {
            let Some(answer) = self.prompt(&at, input)? else { return Ok(PromptAnswer::Leave) };
            match meant(&at, &answer) {
                Some(Meant::Move(name)) => return Ok(PromptAnswer::Move(name)),
                Some(Meant::Part(part)) => {
                    at = *part;
                    self.say(&legal(&at))?;
                    continue;
                }
                None => {}
            }
            match answer.as_str() {
                "undo" if !at.place.made.is_empty() => {
                    let (last, before) = at.place.made.split_last().expect("something was decided");
                    self.say(&format!("taken back: {last}"))?;
                    at = board.deciding(before);
                    self.say(&legal(&at))?;
                }
                "undo" if self.mine_before().is_some() => return Ok(PromptAnswer::Undo),
                "undo" => self.say("there is nothing to take back")?,
                "quit" | "exit" => return Ok(PromptAnswer::Leave),
                "hint" => self.say(&self.hint(&at)?)?,
                "moves" => self.say(self.all_moves(&at)?.trim_end())?,
                "help" | "?" => self.say(if at.compound() { COMPOUND_HELP } else { HELP })?,
                "" => {}
                other => {
                    if let Some(name) = self.otherwise(&at, other) {
                        return Ok(PromptAnswer::Move(name));
                    }
                    let what = if at.compound() { "choice" } else { "move" };
                    let other = Shown(other);
                    self.say(&format!("no {what} '{other}' here; 'help' says what can be typed"))?;
                }
            }
        }
    }

    /// The legal move that the rules let a word mean, though it is not written so.
    fn otherwise(&self, at: &Board, word: &str) -> Option<String> {
        let line = [&self.line[..], &[word.to_string()]].concat();
        let name = self.game.board(&line).ok()?.place.line.pop()?;
        at.moves.iter().any(|(one, _)| *one == name).then_some(name)
    }

    /// One line of what a person types; `None` if nothing more will come.
    fn prompt(&mut self, at: &Board, input: &mut dyn BufRead) -> Result<Option<String>, Failure> {
        let words = [&[player(at.place.mover).to_string()], &at.place.made[..]].concat();
        write!(self.out, "{}> ", words.join(" ")).map_err(Failure::Pipe)?;
        self.out.flush().map_err(Failure::Pipe)?;
        let answer = typed(input)?;
        if answer.is_none() {
            self.say("")?;
        }
        Ok(answer)
    }

    /// How many moves there were when a person was last to move, before now.
    fn mine_before(&self) -> Option<usize> {
        (0..self.line.len()).rev().find(|length| {
            let board = self.game.board(&self.line[..*length]);
            board.is_ok_and(|board| self.players[board.place.mover] == Player::Human)
        })
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let length = self.mine_before().unwrap_or(self.line.len());
        let taken = self.line.split_off(length);
        self.say(&format!("taken back: {}", taken.join(" ")))
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.out, "{line}").and_then(|()| self.out.flush()).map_err(Failure::Pipe)
    }
}

/// What an answer comes to.
enum Meant {
    Move(String),
    /// The position with some of a turn decided.
    Part(Box<Board>),
}

/// The legal move that an answer names, or the decisions that it goes on with, capital letters or
/// not. A name counts for more, but not in the middle of a turn, as in lines of moves.
fn meant(at: &Board, answer: &str) -> Option<Meant> {
    let mut words = answer.split_whitespace().peekable();
    let mut at = at.clone();
    while let Some(word) = words.next() {
        let names = at.moves.iter().map(|(name, _)| (name.clone(), Some(name.clone())));
        let choices = at.choices().into_iter().map(|one| (one.name, one.completes));
        let legal: Vec<(String, Option<String>)> = match at.place.made.is_empty() {
            true => names.chain(choices).collect(),
            false => choices.chain(names).collect(),
        };
        let (name, completes) = pick(&legal, word)?;
        match completes {
            Some(name) if words.peek().is_none() => return Some(Meant::Move(name.clone())),
            Some(_) => return None,
            None => at = at.deciding(&[&at.place.made[..], slice::from_ref(name)].concat()),
        }
    }
    (!answer.is_empty()).then(|| Meant::Part(Box::new(at)))
}

/// The first thing that is called so, or the only one that is if capital letters do not matter.
fn pick<'a, T>(legal: &'a [(String, T)], word: &str) -> Option<&'a (String, T)> {
    let mut near = legal.iter().filter(|(name, _)| name.eq_ignore_ascii_case(word));
    let exact = legal.iter().find(|(name, _)| name == word);
    exact.or_else(|| near.next().filter(|(name, _)| near.all(|(other, _)| other == name)))
}

/// How many moves are listed at each turn.
const LISTED: usize = 40;

/// The legal moves, or what can be decided next, in an order that gives nothing away.
fn legal(at: &Board) -> String {
    let (what, mut names) = names(at);
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
    format!("{what}: {}{more}", names.join(" "))
}

/// What can be decided next, and what that is called.
fn names(at: &Board) -> (&'static str, Vec<String>) {
    let (what, mut names): (_, Vec<String>) = match at.compound() {
        true => ("choices", at.choices().into_iter().map(|one| one.name).collect()),
        false => ("moves", at.moves.iter().map(|(name, _)| name.clone()).collect()),
    };
    names.sort_by(|one, two| (one.len(), one).cmp(&(two.len(), two)));
    (what, names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games;
    use crabwise::watch::Unwatched;

    /// Plays on a sample game and gives back what was said and how it ended.
    fn played(game: &str, players: [Player; 2], input: &str) -> (String, Option<&'static str>) {
        played_with(game, players, true, input)
    }

    fn played_with(
        game: &str,
        players: [Player; 2],
        solved: bool,
        input: &str,
    ) -> (String, Option<&'static str>) {
        let folder = tempfile::tempdir().unwrap();
        let context = sample_games::context(&sample_games::registry(), folder.path());
        let target = context.target(game).unwrap();
        let explorer = solved.then(|| {
            context.session.solve(&target, &Unwatched, false, &|_| {}).unwrap();
            target.built.game.open(&context.session.job(&target, &Unwatched)).unwrap()
        });
        let mut said = vec![];
        let mut room = PlayTable {
            game: &target.built.game,
            explorer: explorer.as_deref(),
            players,
            seeded: false,
            memory: 1 << 20,
            watch: &Unwatched,
            random: fastrand::Rng::with_seed(1),
            line: vec![],
            out: Box::new(&mut said),
        };
        let end = room.play(&mut input.as_bytes()).unwrap();
        drop(room);
        (String::from_utf8(said).unwrap(), end.name())
    }

    #[test]
    fn endless_play_is_stopped_when_no_person_could_stop_it() {
        let (said, end) = played("circle", [Player::Perfect; 2], "");
        assert_eq!(end, Some("draw"));
        assert_eq!(said.matches("place 0").count(), REPEATS, "{said}");
        assert_eq!(End::Endless.words(), "draw by endless play");
        let players = [Player::Human, Player::Perfect];
        assert_eq!(played("circle", players, &"on\n".repeat(50)).1, None);
    }

    #[test]
    fn a_move_may_be_typed_in_another_way() {
        let players = [Player::Human, Player::Perfect];
        assert_eq!(played("rows:1-2", players, "b-1\na-0\nb-0\n").1, Some("first"));
        let (said, _) = played("rows:1-2", players, "1,1\nquit\n");
        assert!(said.contains("no move '1,1' here"), "{said}");
    }

    #[test]
    fn a_player_who_moves_again_is_asked_again() {
        let (said, end) = played("again", [Player::Human, Player::Perfect], "two\none\none\n");
        let turns: Vec<&str> = said.lines().filter(|line| line.contains("player")).collect();
        let asked = "first player> ";
        assert_eq!(turns, [asked, asked, "second player plays one", asked]);
        assert_eq!(end, Some("first"));
    }

    #[test]
    fn who_looks_ahead_needs_no_table() {
        let players = [Player::Human, Player::Horizon(6)];
        let (said, end) = played_with("heaps", players, false, "moves\nhint\nB-1\nA 1\nquit\n");
        assert!(said.contains("first player> A B\n"), "{said}");
        assert!(said.contains("first player> advice: B-1, proven: win in 5\n"), "{said}");
        assert!(said.contains("second player plays "), "{said}");
        // It wins what the person gives away.
        assert!(matches!(end, None | Some("second")), "{said}");
        let machines = [Player::Horizon(1), Player::Horizon(6)];
        assert!(played_with("heaps", machines, false, "").1.is_some());
    }

    const PEOPLE: [Player; 2] = [Player::Human; 2];

    #[test]
    fn a_turn_may_be_typed_whole_or_in_parts() {
        // In parts, in one line, whole, and whole once a part of it has been decided.
        let (said, end) = played("heaps", PEOPLE, "B\n1\na 1\nb-1\nA\nA-1\nb\n1\n");
        assert_eq!(end, Some("first"), "{said}");
        let prompts: Vec<&str> = said
            .lines()
            .filter(|line| line.contains("player") || line.contains("choices"))
            .collect();
        assert_eq!(
            prompts,
            [
                "choices: A B",
                "first player> choices: 1 2 3",
                "first player B> ",
                "choices: A B",
                "second player> ",
                "choices: A B",
                "first player> ",
                "choices: A B",
                "second player> choices: 1",
                "second player A> ",
                "choices: B",
                "first player> choices: 1",
                "first player B> ",
            ],
            "{said}"
        );
    }

    #[test]
    fn half_a_turn_is_taken_back_first() {
        let (said, end) = played("heaps", PEOPLE, "A\nundo\nB\n1\nA\nundo\nundo\nundo\nquit\n");
        assert_eq!(end, None);
        let taken: Vec<&str> = said
            .lines()
            .map(|line| line.split_once("> ").map_or(line, |(_, told)| told))
            .filter(|line| line.contains("take"))
            .collect();
        let nothing = "there is nothing to take back";
        assert_eq!(taken, ["taken back: A", "taken back: A", "taken back: B-1", nothing]);
    }

    #[test]
    fn choices_are_told_with_values_and_hints_are_whole_turns() {
        let typed = "hint\nmoves\nC\nA 3\nB 1 1\nA\nhint\nmoves\nB\nhelp\n";
        let (said, _) = played("heaps", PEOPLE, typed);
        let (first, then) = said.split_once("choices: 1 2\n").unwrap();
        assert!(first.contains("> first player to move: win in 5; best: B-1\n"), "{said}");
        assert!(first.contains("> choice  value  distance  moves\nB       win "), "{said}");
        for wrong in ["C", "A 3", "B 1 1"] {
            let line = format!("> no choice '{wrong}' here; 'help' says what can be typed\n");
            assert!(first.contains(&line), "{said}");
        }
        let hint = "first player to move: win in 5; with A decided: loss in 4; best: A-1\n";
        assert!(then.contains(hint), "{said}");
        assert!(then.contains("1       loss          4      1\n"), "{said}");
        assert!(then.contains("no choice 'B' here"), "{said}");
        assert!(then.contains("or one decision of it after the other, or\n"), "{said}");
    }

    #[test]
    fn a_turn_of_two_decisions_is_played_by_machines() {
        let (said, end) = played("heaps", [Player::Perfect, Player::Random], "");
        assert!(said.contains("first player plays B-1\n"), "{said}");
        assert_eq!(end, Some("first"));
    }
}

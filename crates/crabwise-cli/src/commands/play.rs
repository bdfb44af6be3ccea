//! `crabwise play`: people, the table and chance against each other.
//!
//! With `--json` the conversation goes to standard error, and standard output gets the result.

use std::{
    collections::HashMap,
    io::{self, BufRead, Write},
};

use crabwise::explore::{Explorer, MoveInfo, PositionInfo};

use crate::{
    args::{PlayArgs, Player},
    commands::look::move_table,
    error::Failure,
    json,
    setting::Setting,
    text::{player, result, standing, winner},
};

pub fn run(setting: &Setting, args: &PlayArgs) -> Result<(), Failure> {
    let chosen = setting.solved(&args.of)?;
    let explorer = setting.explorer(&chosen, args.traps.draws())?;
    let out: Box<dyn Write> =
        if setting.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1 << 32));
    let mut room = Room {
        explorer: &*explorer,
        players: [args.first, args.second],
        seeded: args.seed.is_some(),
        random: fastrand::Rng::with_seed(seed),
        line: vec![],
        out,
    };
    if args.seed.is_none() && room.players.contains(&Player::Random) {
        room.say(&format!("seed {seed}"))?;
    }
    let end = room.play(&mut io::stdin().lock())?;
    room.say(&end.words())?;
    if setting.json {
        let (game, line) = (chosen.built.string.as_str(), room.line.as_slice());
        setting.print(&json::Play { game, line, result: end.name(), seed }, String::new)?;
    }
    Ok(())
}

/// Where a game is played: the players, the moves so far, and who is told.
struct Room<'a> {
    explorer: &'a dyn Explorer,
    players: [Player; 2],
    /// Whether the perfect player varies.
    seeded: bool,
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
            End::Over(Some(winner)) => Some(json::side(*winner)),
            End::Over(None) => Some("tie"),
            End::Endless => Some("draw"),
            End::Left => None,
        }
    }
}

/// What a person did at the prompt.
enum Turn {
    Move(String),
    Undo,
    Leave,
}

/// Play without a person stops when a position comes up so often.
const REPEATS: usize = 3;
/// Or after so many moves.
const MOST_MOVES: usize = 10_000;

const HELP: &str = "\
type a move, or
  moves  to see all moves with their values
  hint   to be told the best
  undo   to take back your last move
  quit   to leave";

impl Room<'_> {
    fn play(&mut self, input: &mut dyn BufRead) -> Result<End, Failure> {
        let alone = !self.players.contains(&Player::Human);
        let mut met: HashMap<(u64, usize), usize> = HashMap::new();
        loop {
            let info = self.explorer.look(&self.line)?;
            self.say(&format!("\n{}\n", info.picture.trim_end()))?;
            if let Some(outcome) = info.over {
                return Ok(End::Over(winner(info.mover, outcome)));
            }
            let times = met.entry((info.key, info.mover)).or_default();
            *times += 1;
            if alone && (*times == REPEATS || self.line.len() >= MOST_MOVES) {
                return Ok(End::Endless);
            }
            match self.players[info.mover] {
                Player::Human => match self.ask(&info, input)? {
                    Turn::Move(name) => self.line.push(name),
                    Turn::Undo => self.undo()?,
                    Turn::Leave => return Ok(End::Left),
                },
                computer => {
                    let name = self.choose(computer, &info);
                    self.say(&format!("{} plays {name}", player(info.mover)))?;
                    self.line.push(name);
                }
            }
        }
    }

    fn choose(&mut self, player: Player, info: &PositionInfo) -> String {
        let among = match player {
            Player::Random => &info.moves[..],
            _ if self.seeded => best(info),
            _ => &info.moves[..1],
        };
        among[self.random.usize(..among.len())].name.clone()
    }

    /// Asks until the answer is a move, or ends the turn otherwise.
    fn ask(&mut self, info: &PositionInfo, input: &mut dyn BufRead) -> Result<Turn, Failure> {
        self.say(&format!("moves: {}", legal(info)))?;
        loop {
            write!(self.out, "{}> ", player(info.mover)).map_err(Failure::Pipe)?;
            self.out.flush().map_err(Failure::Pipe)?;
            let mut answer = vec![];
            // Bytes that are no text are a bad move, not the end of the game.
            if input.read_until(b'\n', &mut answer).map_err(unreadable)? == 0 {
                self.say("")?;
                return Ok(Turn::Leave);
            }
            let answer = String::from_utf8_lossy(&answer);
            let answer = answer.trim();
            if let Some(name) = meant(info, answer) {
                return Ok(Turn::Move(name));
            }
            match answer {
                "undo" if self.mine_before().is_some() => return Ok(Turn::Undo),
                "undo" => self.say("there is nothing to take back")?,
                "quit" | "exit" => return Ok(Turn::Leave),
                "hint" => self.say(&hint(info))?,
                "moves" => self.say(move_table(info).trim_end())?,
                "help" | "?" => self.say(HELP)?,
                "" => {}
                other => {
                    self.say(&format!("no move '{other}' here; 'help' says what can be typed"))?;
                }
            }
        }
    }

    /// How many moves there were when a person was last to move, before now.
    fn mine_before(&self) -> Option<usize> {
        (0..self.line.len()).rev().find(|length| {
            let info = self.explorer.look(&self.line[..*length]);
            info.is_ok_and(|info| self.players[info.mover] == Player::Human)
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

/// The moves that are as good as any.
fn best(info: &PositionInfo) -> &[MoveInfo] {
    let count = info.moves.iter().take_while(|one| one.equals(&info.moves[0])).count();
    &info.moves[..count]
}

fn hint(info: &PositionInfo) -> String {
    let names: Vec<&str> = best(info).iter().map(|one| one.name.as_str()).collect();
    format!("{}; best: {}", standing(info), names.join(" "))
}

/// The legal move that an answer names, capital letters or not.
fn meant(info: &PositionInfo, answer: &str) -> Option<String> {
    let exact = info.moves.iter().find(|one| one.name == answer);
    let mut near = info.moves.iter().filter(|one| one.name.eq_ignore_ascii_case(answer));
    let found = exact.or_else(|| near.next().filter(|_| near.next().is_none()));
    found.map(|one| one.name.clone())
}

/// How many moves are listed at each turn.
const LISTED: usize = 40;

/// The legal moves in an order that gives nothing away.
fn legal(info: &PositionInfo) -> String {
    let mut names: Vec<&str> = info.moves.iter().map(|one| one.name.as_str()).collect();
    names.sort_by_key(|name| (name.len(), *name));
    let more = names.len().saturating_sub(LISTED);
    names.truncate(LISTED);
    let more = if more > 0 { format!(" … and {more} more") } else { String::new() };
    names.join(" ") + &more
}

fn unreadable(source: std::io::Error) -> Failure {
    Failure::Input(format!("cannot read moves from standard input: {source}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys;
    use crabwise::watch::Unwatched;

    /// Plays on a toy game and gives back what was said and how it ended.
    fn played(toy: &str, players: [Player; 2], input: &str) -> (String, Option<&'static str>) {
        let folder = tempfile::tempdir().unwrap();
        let registry = toys::registry();
        let setting = toys::setting(&registry, folder.path());
        let chosen = setting.game(toy).unwrap();
        setting.solve(&chosen, &Unwatched).unwrap();
        let explorer = chosen.built.game.open(&setting.job(&chosen, &Unwatched)).unwrap();
        let mut said = vec![];
        let mut room = Room {
            explorer: &*explorer,
            players,
            seeded: false,
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
    fn a_player_who_moves_again_is_asked_again() {
        let (said, end) = played("again", [Player::Human, Player::Perfect], "two\none\none\n");
        let turns: Vec<&str> = said.lines().filter(|line| line.contains("player")).collect();
        let asked = "first player> ";
        assert_eq!(turns, [asked, asked, "second player plays one", asked]);
        assert_eq!(end, Some("first"));
    }
}

//! Game strings, and lines of moves and positions typed into their games.

use arbitrary::Unstructured;
use crabwise::{ErasedGame, explore::Board};
use crabwise_games::{Built, Registry};

use crate::{Attack, Attacker, Outcome, texts::nearly};

pub const ATTACK: Attack = Attack {
    name: "game-strings",
    about: "game strings, moves and positions: refused in one line, or one game under one name",
    begin: || Box::new(GameStrings::new()),
};

struct GameStrings {
    registry: Registry,
    seeds: Vec<String>,
}

const VALUES: &str = include_str!("../../testdata/values.toml");

/// Every game string that is known to be right.
pub fn known(registry: &Registry) -> Vec<String> {
    let listed = VALUES.lines().filter_map(|line| line.strip_prefix("string = \""));
    let listed = listed.filter_map(|line| line.strip_suffix('"')).map(str::to_string);
    let open = registry.entries().iter().flat_map(|entry| [entry.name, entry.example]);
    let hidden = registry.hidden().iter().flat_map(|entry| [entry.name, entry.example]);
    listed.chain(open.chain(hidden).map(str::to_string)).collect()
}

impl GameStrings {
    fn new() -> GameStrings {
        let registry = Registry::standard();
        let seeds = known(&registry);
        GameStrings { registry, seeds }
    }
}

impl Attacker for GameStrings {
    fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome {
        let string = nearly(chance, &self.seeds, &["outcomes", "misere", "unfolded", "abrupt"])?;
        *tried = format!("{string:?}");
        if self.registry.is_hidden(&string) {
            let built = self.registry.build_hidden(&string);
            return Ok(match built {
                Err(error) => one_line(&error.to_string()),
                Ok(Built { string, .. }) => {
                    let again = self.registry.build_hidden(&string).map(|built| built.string);
                    one_name(&string, again.map_err(|error| error.to_string()))
                }
            });
        }
        match self.registry.build(&string) {
            Err(error) => Ok(one_line(&error.to_string())),
            Ok(Built { string, game }) => {
                let again = self.registry.build(&string).map(|built| built.string);
                let held = one_name(&string, again.map_err(|error| error.to_string()));
                Ok(held.and(play(chance, &game, tried)?))
            }
        }
    }
}

fn one_name(string: &str, again: Result<String, String>) -> Result<(), String> {
    match again {
        Ok(again) if again == string => Ok(()),
        again => Err(format!("its canonical string {string:?} means {again:?}")),
    }
}

/// Demands that an error is one line, without control characters, and not beyond all measure.
pub fn one_line(error: &str) -> Result<(), String> {
    let readable = !error.is_empty() && error.len() < 10_000;
    match readable && !error.contains(|c: char| c.is_control()) {
        true => Ok(()),
        false => Err(format!("an error that nobody can read: {error:?}")),
    }
}

/// Plays some moves, sometimes types something else, and puts a position in the place of the line to it.
fn play(chance: &mut Unstructured, game: &ErasedGame, tried: &mut String) -> Outcome {
    let (mut line, mut positions) = (vec![], vec![]);
    for _ in 0..chance.int_in_range(0..=12)? {
        let board = match game.board(&line) {
            Ok(board) => board,
            Err(error) => return Ok(Err(format!("{line:?} is refused: {error}"))),
        };
        if let Err(what) = reads_back(game, &board) {
            return Ok(Err(format!("{line:?}: {what}")));
        }
        let names: Vec<String> = board.moves.iter().map(|(name, _)| name.clone()).collect();
        positions.push(board.place.notation);
        if names.is_empty() {
            break;
        }
        if chance.ratio(1, 6)? {
            let seeds = [&names[..], &positions[..]].concat();
            let odd = nearly(chance, &seeds, &[])?;
            let with_odd = [&line[..], std::slice::from_ref(&odd)].concat();
            *tried += &format!(", {with_odd:?}");
            if let Err(error) = game.board(&with_odd)
                && let Err(what) = one_line(&error.to_string())
            {
                return Ok(Err(what));
            }
        }
        line.push(chance.choose(&names)?.clone());
        *tried += &format!(" {}", line[line.len() - 1]);
    }
    Ok(Ok(()))
}

/// A notation that can be read means the position that it was written for.
fn reads_back(game: &ErasedGame, board: &Board) -> Result<(), String> {
    if !board.place.readable {
        return Ok(());
    }
    match game.board(std::slice::from_ref(&board.place.notation)) {
        Ok(again) if again.place.key == board.place.key => Ok(()),
        Ok(again) => {
            Err(format!("{:?} is read as {:?}", board.place.notation, again.place.notation))
        }
        Err(error) => Err(format!("{:?} is not read: {error}", board.place.notation)),
    }
}

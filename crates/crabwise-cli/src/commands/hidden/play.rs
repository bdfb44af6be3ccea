//! `crabwise play` in the dark: a person sees one view and hears the referee, and at last the truth.
//!
//! With `--json` the conversation goes to standard error, and standard output gets the result.

use std::io::{self, BufRead, Write};

use crabwise_hidden::{Laid, Player, Turn};

use super::{mix, mixed, strategies};
use crate::{
    args::{self, PlayArgs},
    error::Failure,
    json,
    progress::Progress,
    setting::Setting,
    text::player,
};

pub fn run(setting: &Setting, args: &PlayArgs) -> Result<(), Failure> {
    let built = setting.hidden(&args.of.game)?;
    let progress = Progress::new(setting);
    let laid = built.game.explore(setting.memory, &progress)?;
    let players = [args.first, args.second];
    let behaviours = match players.contains(&args::Player::Perfect) {
        true => {
            let file = args.strategy.as_deref();
            Some(strategies(setting, &built.string, &laid.tree, file)?.behaviours)
        }
        false => None,
    };
    progress.rest();
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1 << 32));
    let out: Box<dyn Write> =
        if setting.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let random = fastrand::Rng::with_seed(seed);
    let mut table = Table { laid: &laid, players, behaviours, random, out, line: vec![] };
    if args.seed.is_none() && players.iter().any(|who| *who != args::Player::Human) {
        table.say(&format!("seed {seed}"))?;
    }
    let payoff = table.play(&mut io::stdin().lock())?;
    table.say(&match payoff {
        None => "goodbye".to_string(),
        Some(payoff) => ending(payoff),
    })?;
    let line = std::mem::take(&mut table.line);
    if setting.json {
        let object = json::hidden::Play { game: &built.string, line: &line, payoff, seed };
        setting.print(&object, String::new)?;
    }
    Ok(())
}

fn ending(payoff: f64) -> String {
    let by = |payoff: f64| if payoff == 1.0 { String::new() } else { format!(" {payoff}") };
    match payoff {
        payoff if payoff > 0.0 => format!("the first player wins{}", by(payoff)),
        payoff if payoff < 0.0 => format!("the second player wins{}", by(-payoff)),
        _ => "nobody wins".into(),
    }
}

const HELP: &str = "\
type a move, or
  moves  to see what you can do
  hint   to be told what the strategy does here
  quit   to leave";

struct Table<'a> {
    laid: &'a Laid<'a>,
    players: [args::Player; 2],
    behaviours: Option<[Vec<f64>; 2]>,
    random: fastrand::Rng,
    out: Box<dyn Write + 'a>,
    line: Vec<String>,
}

impl Table<'_> {
    /// Plays to the end; `None` if the person leaves.
    fn play(&mut self, input: &mut dyn BufRead) -> Result<Option<f64>, Failure> {
        let tree = &self.laid.tree;
        let (mut at, mut views) = (tree.first_state(), Player::BOTH.map(|side| tree.start(side)));
        loop {
            let side = match tree.turn(at) {
                Turn::Over(payoff) => {
                    self.say(&format!("\n{}\n", self.laid.show(at).trim_end()))?;
                    return Ok(Some(payoff));
                }
                Turn::Chance => None,
                Turn::Of(side) => Some(side),
            };
            let mv = match side {
                None => tree.draw(at, &mut self.random),
                Some(side) => match self.choose(at, side, views[side as usize], input)? {
                    Some(mv) => mv,
                    None => return Ok(None),
                },
            };
            self.line.push(tree.move_name(at, mv));
            let (to, heard) = tree.advance(at, mv, &mut views);
            for side in Player::BOTH {
                if let Some(word) = &heard[side as usize]
                    && self.players[side as usize] == args::Player::Human
                {
                    self.say(&format!("the referee tells the {side}: {word}"))?;
                }
            }
            at = to;
        }
    }

    fn choose(
        &mut self,
        at: u32,
        side: Player,
        view: crabwise_hidden::View,
        input: &mut dyn BufRead,
    ) -> Result<Option<usize>, Failure> {
        let tree = &self.laid.tree;
        let count = tree.moves(view).len();
        match (self.players[side as usize], &self.behaviours) {
            (args::Player::Human, _) => self.ask(at, side, view, input),
            (args::Player::Perfect, Some(behaviours)) => {
                let likely = &behaviours[side as usize][view.first()..view.first() + count];
                let mut left = self.random.f64() * likely.iter().sum::<f64>();
                let place = likely.iter().position(|p| {
                    left -= p;
                    left < 0.0
                });
                let last = likely.iter().rposition(|p| *p > 0.0).unwrap_or(0);
                Ok(Some(place.unwrap_or(last)))
            }
            _ => Ok(Some(self.random.usize(..count))),
        }
    }

    fn ask(
        &mut self,
        at: u32,
        side: Player,
        view: crabwise_hidden::View,
        input: &mut dyn BufRead,
    ) -> Result<Option<usize>, Failure> {
        let tree = &self.laid.tree;
        let picture = self.laid.seen(at, side);
        self.say(&format!("\n{}\n", picture.trim_end()))?;
        let moves: Vec<String> = tree.moves(view).map(String::from).collect();
        loop {
            write!(self.out, "{}> ", player(side as usize)).map_err(Failure::Pipe)?;
            self.out.flush().map_err(Failure::Pipe)?;
            let mut line = String::new();
            if input.read_line(&mut line).map_err(Failure::Pipe)? == 0 {
                return Ok(None);
            }
            match line.trim() {
                "" => {}
                "quit" => return Ok(None),
                "help" => self.say(HELP)?,
                "moves" => self.say(&moves.join(" "))?,
                "hint" => {
                    let hint = match &self.behaviours {
                        Some(behaviours) => mixed(&mix(tree, view, &behaviours[side as usize])),
                        None => "there is no strategy at hand".into(),
                    };
                    self.say(&hint)?;
                }
                word => match moves.iter().position(|mv| mv == word) {
                    Some(mv) => return Ok(Some(mv)),
                    None => self.say(&format!("'{word}' is no move here; 'moves' shows them"))?,
                },
            }
        }
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.out, "{line}").map_err(Failure::Pipe)
    }
}

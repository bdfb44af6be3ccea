//! `crabwise play` in the dark: a person sees one view and hears the referee, and at last the truth.
//!
//! With `--json` the conversation goes to standard error, and standard output gets the result.

use std::io::{self, BufRead, Write};

use crabwise::watch::Shown;
use crabwise_api::hidden;
use crabwise_hidden::{
    Behaviour, Player, Turn,
    explorer::{Observations, Play},
};

use super::{mixed, strategies};
use crate::{
    args::{self, PlayArgs},
    context::Context,
    error::Failure,
    input::typed,
    text::player,
};

pub fn run(context: &Context, args: &PlayArgs) -> Result<(), Failure> {
    if args.of.solve || args.traps.draws().is_some() {
        return Err(super::for_open_games("--solve and --draws"));
    }
    let built = context.session.hidden(&args.of.game)?;
    let players = [args.first, args.second];
    if players.iter().any(|who| matches!(who, args::Player::Horizon(_))) {
        return Err(super::for_open_games("players that look ahead"));
    }
    let found = match players.contains(&args::Player::Perfect) {
        true => Some(strategies(context, &built.string, args.strategy.as_deref())?),
        false => None,
    };
    let progress = context.progress();
    let explored = built.game.explore(context.session.memory(), &progress)?;
    let found = found.map(|found| found.unpacked(&explored.tree)).transpose()?;
    let behaviours = found.map(|found| found.behaviours);
    progress.rest();
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1 << 32));
    let out: Box<dyn Write> =
        if context.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let random = fastrand::Rng::with_seed(seed);
    let play = Play::new(&explored);
    let mut table = DarkGame { play, players, behaviours, random, out };
    if args.seed.is_none() && players.iter().any(|who| *who != args::Player::Human) {
        table.say(&format!("seed {seed}"))?;
    }
    let payoff = table.run(&mut io::stdin().lock())?;
    table.say(&match payoff {
        None => "goodbye".to_string(),
        Some(payoff) => ending(payoff),
    })?;
    let line: Vec<String> = table.play.line().iter().map(|made| made.name.clone()).collect();
    if context.json {
        let object = hidden::PlayInTheDark { game: &built.string, line: &line, payoff, seed };
        context.print(&object, String::new)?;
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

struct DarkGame<'a> {
    play: Play<'a>,
    players: [args::Player; 2],
    behaviours: Option<[Behaviour; 2]>,
    random: fastrand::Rng,
    out: Box<dyn Write + 'a>,
}

impl DarkGame<'_> {
    /// Plays to the end; `None` if the person leaves.
    fn run(&mut self, input: &mut dyn BufRead) -> Result<Option<f64>, Failure> {
        loop {
            if let Some(truth) = self.play.truth() {
                self.say(&format!("\n{}\n", truth.picture.trim_end()))?;
                return Ok(Some(truth.payoff));
            }
            let Some(observed) = self.turn(input)? else { return Ok(None) };
            for (side, word) in Player::BOTH.into_iter().zip(observed) {
                if let Some(word) = word
                    && self.players[side as usize] == args::Player::Human
                {
                    self.say(&format!("the referee tells the {side}: {word}"))?;
                }
            }
        }
    }

    /// One move, and what the players observe; `None` if the person leaves.
    fn turn(&mut self, input: &mut dyn BufRead) -> Result<Option<Observations>, Failure> {
        let who = match self.play.turn() {
            Turn::Of(side) => Some((side, self.players[side as usize])),
            _ => None,
        };
        if let Some((side, args::Player::Human)) = who {
            return self.ask(side, input);
        }
        let perfect = matches!(who, Some((_, args::Player::Perfect)));
        let strategy = self.behaviours.as_ref().filter(|_| perfect);
        Ok(Some(self.play.go_on(strategy, &mut self.random)))
    }

    fn ask(
        &mut self,
        side: Player,
        input: &mut dyn BufRead,
    ) -> Result<Option<Observations>, Failure> {
        let view = self.play.seen_by(side);
        self.say(&format!("\n{}\n", view.picture.trim_end()))?;
        loop {
            write!(self.out, "{}> ", player(side as usize)).map_err(Failure::Pipe)?;
            self.out.flush().map_err(Failure::Pipe)?;
            let Some(line) = typed(input)? else { return Ok(None) };
            match line.as_str() {
                "" => {}
                "quit" => return Ok(None),
                "help" => self.say(HELP)?,
                "moves" => self.say(&view.moves.join(" "))?,
                "hint" => {
                    let hint = match &self.behaviours {
                        Some(behaviours) => mixed(&self.play.advice(side, behaviours)),
                        None => "there is no strategy at hand".into(),
                    };
                    self.say(&hint)?;
                }
                word => match self.play.make(word) {
                    Ok(observed) => return Ok(Some(observed)),
                    Err(_) => {
                        let word = Shown(word);
                        self.say(&format!("'{word}' is no move here; 'moves' shows them"))?;
                    }
                },
            }
        }
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.out, "{line}").map_err(Failure::Pipe)
    }
}

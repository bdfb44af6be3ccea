//! `crabwise play` in the dark: a person sees one view and hears the referee, and at last the truth.
//!
//! Positions are made as play goes on. Only a strategy that is not by views needs the game laid out, and whether there is
//! one is found out before that. With `--json` the conversation goes to standard error, and standard output gets the result.

use std::{
    io::{self, BufRead, Write},
    sync::Arc,
    time::Duration,
};

use crabwise::watch::Shown;
use crabwise_api::hidden;
use crabwise_games::Built;
use crabwise_hidden::{
    ErasedHidden, ExploredGame, Player, Strategy, Turn, ViewStrategy,
    agents::{
        AnyAgent, Effort, IsmctsAgent, MonteCarloAgent, ProbOneAgent, RandomAgent, StrategyAgent,
        ViewAgent,
    },
    play::{Observations, Play},
};

use super::{FoundStrategies, mixed, strategies_of_any_kind};
use crate::{
    args::{self, PlayArgs},
    context::Context,
    error::{Failure, program},
    input::typed,
    text::player,
};

/// How long the search for a hint takes, where there is no strategy, and how long a rival thinks that nobody named.
const A_SECOND: Effort = Effort::Time(Duration::from_secs(1));

pub fn run(context: &Context, args: &PlayArgs) -> Result<(), Failure> {
    if args.of.solve || args.traps.draws().is_some() {
        return Err(super::for_open_games("--solve and --draws"));
    }
    let built = context.hidden(&args.of.game)?;
    let named = [Some(args.first), args.second];
    if named.iter().flatten().any(|who| matches!(who, args::Player::Horizon(_))) {
        return Err(super::for_open_games("players that look ahead"));
    }
    let (players, found) = seated(context, args, &built)?;
    let progress = context.progress();
    let known = match found {
        None => None,
        Some(FoundStrategies::Views(strategy)) => Some(KnownStrategy::Views(strategy)),
        Some(FoundStrategies::Packed(found)) => {
            let explored = built.game.explore(context.session.memory(), &progress)?;
            let strategy = Arc::new(found.unpacked(&explored.tree)?);
            Some(KnownStrategy::LaidOut(Box::new(explored), strategy))
        }
    };
    progress.rest();
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1 << 32));
    let out: Box<dyn Write> =
        if context.json { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let agents = players.map(|who| agent(who, known.as_ref()));
    let mut table = DarkGame {
        play: built.game.play(),
        agents,
        known: known.as_ref(),
        random: fastrand::Rng::with_seed(seed),
        out,
    };
    if args.second.is_none() && players[1] != args::Player::Perfect {
        table.say("there are no strategies, so that the second player is ismcts")?;
    }
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

/// Who plays, and the strategies if somebody plays by them. A second player whom nobody named searches where there are
/// none.
fn seated(
    context: &Context,
    args: &PlayArgs,
    built: &Built<ErasedHidden>,
) -> Result<([args::Player; 2], Option<FoundStrategies>), Failure> {
    use args::Player::{Ismcts, Perfect};
    let game = &built.string;
    let wanted = args.first == Perfect || args.second == Some(Perfect) || args.strategy.is_some();
    if !wanted {
        let Some(second) = args.second else {
            let kept = context.session.strategies(game);
            context.fetch(&kept)?;
            return match kept.exists() {
                true => {
                    let found = strategies_of_any_kind(context, built, None)?;
                    Ok(([args.first, Perfect], Some(found)))
                }
                false => Ok(([args.first, Ismcts(A_SECOND)], None)),
            };
        };
        return Ok(([args.first, second], None));
    }
    let found =
        strategies_of_any_kind(context, built, args.strategy.as_deref()).map_err(|error| {
            match error {
                Failure::Input(line) if args.strategy.is_none() => {
                    let instead = "without them play against ismcts, mc, pone or random";
                    Failure::Input(format!(
                        "{line}, if it can be laid out; {instead}, as in \
                '{} play {game} --second ismcts=2s'",
                        program()
                    ))
                }
                error => error,
            }
        })?;
    Ok(([args.first, args.second.unwrap_or(Perfect)], Some(found)))
}

/// A strategy that is at hand.
enum KnownStrategy {
    /// Of a game that is laid out.
    LaidOut(Box<ExploredGame>, Arc<Strategy>),
    /// By views.
    Views(Arc<ViewStrategy>),
}

/// Who plays for a player; `None` for a person.
fn agent(who: args::Player, known: Option<&KnownStrategy>) -> Option<AnyAgent<'_>> {
    Some(match who {
        args::Player::Human => return None,
        args::Player::Perfect => match known {
            Some(KnownStrategy::Views(strategy)) => {
                AnyAgent::Views(ViewAgent::new("perfect", strategy.clone()))
            }
            Some(KnownStrategy::LaidOut(explored, strategy)) => {
                let agent = StrategyAgent::new("perfect", &explored.tree, strategy.clone());
                AnyAgent::Strategy(agent)
            }
            None => AnyAgent::Random(RandomAgent),
        },
        args::Player::Pone => AnyAgent::ProbOne(ProbOneAgent::searching()),
        args::Player::Mc(effort) => AnyAgent::MonteCarlo(MonteCarloAgent::new(effort)),
        args::Player::Ismcts(effort) => AnyAgent::Ismcts(IsmctsAgent::new(effort)),
        args::Player::Random | args::Player::Horizon(_) => AnyAgent::Random(RandomAgent),
    })
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
  hint   to be told what the strategy does here, or what a search finds
  quit   to leave";

struct DarkGame<'a> {
    play: Play,
    /// Nobody for a person.
    agents: [Option<AnyAgent<'a>>; 2],
    /// A strategy, if one is at hand.
    known: Option<&'a KnownStrategy>,
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
                    && self.agents[side as usize].is_none()
                {
                    self.say(&format!("the referee tells the {side}: {word}"))?;
                }
            }
        }
    }

    /// One move, and what the players observe; `None` if the person leaves.
    fn turn(&mut self, input: &mut dyn BufRead) -> Result<Option<Observations>, Failure> {
        let agent = match self.play.turn() {
            Turn::Of(side) => match &self.agents[side as usize] {
                None => return self.ask(side, input),
                agent => agent.as_ref(),
            },
            _ => None,
        };
        Ok(Some(self.play.go_on(agent, &mut self.random)))
    }

    /// What a strategy does here, or what a search finds.
    fn hint(&self, side: Player) -> String {
        match self.known {
            Some(KnownStrategy::LaidOut(explored, strategy)) => {
                return mixed(&self.play.advice(&explored.tree, side, &strategy.behaviours));
            }
            Some(KnownStrategy::Views(strategy)) => {
                let agent = ViewAgent::new("hint", strategy.clone());
                return mixed(&self.play.likely(side, &agent));
            }
            None => {}
        }
        let search = AnyAgent::Ismcts(IsmctsAgent::new(A_SECOND));
        let found = self.play.choose(Some(&search), &mut self.random.clone());
        let moves = self.play.seen_by(side).moves;
        let found = found.and_then(|mv| moves.get(mv)).map_or("", String::as_str);
        format!("{found}, by a search; there is no strategy at hand")
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
                    let hint = self.hint(side);
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

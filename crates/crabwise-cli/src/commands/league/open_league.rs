//! A league of a game in which everything is seen: whose way of playing catches whom?
//!
//! Perfect players differ in what they do where every move keeps a draw: one takes any, one sets the deepest trap (z),
//! one the densest (Z). Others look a few moves ahead, or do anything.

use crabwise::{
    ErasedGame,
    analysis::{
        horizon::Horizon,
        label::{Draws, Weights},
    },
    explore::{Explorer, LookError},
    watch::{Meter, Shown, Unwatched, Watch},
};
use crabwise_hidden::league::{Meeting, game_seed, pairs, standings};
use crabwise_session::{Needs, Source};
use rayon::prelude::*;

use super::{MOST, Output, PairingLog, Results, told};
use crate::{
    args::{self, LeagueArgs},
    context::Context,
    error::Failure,
};

/// Somebody who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OpenPlayer {
    Random,
    /// Any of the best moves.
    Perfect,
    /// The best move, and of drawn ones that with the deepest trap.
    Deepest,
    /// The best move, and of drawn ones that with the densest traps.
    Densest,
    Horizon(u32),
}

const PLAYERS: &str =
    "players are random, perfect, z (the deepest traps), Z (the densest) and horizon=N";

impl OpenPlayer {
    fn read(word: &str) -> Result<OpenPlayer, String> {
        match (word, word.split_once('=')) {
            ("random", _) => Ok(OpenPlayer::Random),
            ("perfect", _) => Ok(OpenPlayer::Perfect),
            ("z", _) => Ok(OpenPlayer::Deepest),
            ("Z", _) => Ok(OpenPlayer::Densest),
            (_, Some(("horizon", plies))) => args::depth(plies).map(OpenPlayer::Horizon),
            _ => Err(format!("no player '{}'; {PLAYERS}", Shown(word))),
        }
    }

    fn name(self) -> String {
        match self {
            OpenPlayer::Random => "random".into(),
            OpenPlayer::Perfect => "perfect".into(),
            OpenPlayer::Deepest => "z".into(),
            OpenPlayer::Densest => "Z".into(),
            OpenPlayer::Horizon(plies) => format!("horizon={plies}"),
        }
    }

    /// How it tells drawn moves apart, if it plays by the table.
    fn draws(self) -> Option<Option<Draws>> {
        match self {
            OpenPlayer::Random | OpenPlayer::Horizon(_) => None,
            OpenPlayer::Perfect => Some(None),
            OpenPlayer::Deepest => Some(Some(Draws::Deepest)),
            OpenPlayer::Densest => Some(Some(Draws::Densest(Weights::default()))),
        }
    }
}

/// A loss, and a win.
const STAKES: [f64; 2] = [-1.0, 1.0];
/// A game in which a position comes up this often is a draw, as is one of so many moves.
const REPEATS: usize = 3;
const MOST_MOVES: usize = 10_000;
/// What a look ahead may remember of positions: many games are played at once.
const MEMORY: u64 = 16 << 20;

pub fn run(context: &Context, args: &LeagueArgs) -> Result<(), Failure> {
    let output = args.output.as_deref().map(Output::new).transpose()?;
    let players = wanted(&args.players)?;
    if args.sampled {
        let line = "--sampled is for games with hidden information; others are always played";
        return Err(Failure::Input(line.into()));
    }
    let target = context.target(&args.game)?;
    let game = target.built.string.as_str();
    let rows = output.as_ref();
    let mut rows =
        rows.map(|output| PairingLog::open(&output.rows(), game, args, STAKES)).transpose()?;
    if players.iter().any(|player| player.draws().is_some()) {
        let needs = Needs { solve: true, only_table: Some("perfect players"), ..Needs::default() };
        context.values(&target, needs)?;
    }
    let progress = context.progress();
    let explorer = |player: &OpenPlayer| {
        let open = |draws| context.session.explorer(&target, Source::Table, draws, &progress);
        player.draws().map(open).transpose()
    };
    let explorers = players.iter().map(explorer).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<String> = players.iter().map(|player| player.name()).collect();
    let known = match &mut rows {
        Some(rows) => rows.begin(&names)?,
        None => vec![],
    };
    let league = OpenLeague {
        game: &target.built.game,
        players: &players,
        explorers: explorers.iter().map(Option::as_deref).collect(),
        names: &names,
        games: args.games,
        seed: args.seed,
    };
    let pairings = league.run(&known, &progress, &mut |met| match &mut rows {
        Some(rows) => rows.add(met),
        None => Ok(()),
    })?;
    let standings = standings(players.len(), args.games, STAKES, &pairings);
    let results = Results {
        game: game.into(),
        seed: args.seed,
        games: args.games,
        names,
        standings,
        pairings,
        unknown: None,
    };
    progress.rest();
    told(context, output.as_ref(), &results)
}

fn wanted(words: &[String]) -> Result<Vec<OpenPlayer>, Failure> {
    let mut all = vec![];
    for word in words {
        let player = OpenPlayer::read(word).map_err(Failure::Input)?;
        if all.contains(&player) {
            return Err(Failure::Input(format!("'{}' takes part twice", Shown(word))));
        }
        all.push(player);
    }
    match all.len() {
        2..=MOST => Ok(all),
        0 | 1 => Err(Failure::Input(format!("a league takes two players; {PLAYERS}"))),
        many => Err(Failure::Input(format!(
            "{many} players are too many; at most {MOST} can take part"
        ))),
    }
}

struct OpenLeague<'a> {
    game: &'a ErasedGame,
    players: &'a [OpenPlayer],
    /// What those who play by a table look at.
    explorers: Vec<Option<&'a dyn Explorer>>,
    names: &'a [String],
    games: u64,
    seed: u64,
}

impl OpenLeague<'_> {
    /// All meetings, but for those that are known; `done` is told of each when it is over.
    fn run(
        &self,
        known: &[Meeting],
        watch: &dyn Watch,
        done: &mut dyn FnMut(&Meeting) -> Result<(), Failure>,
    ) -> Result<Vec<Meeting>, Failure> {
        let pairs = pairs(self.players.len());
        let find = |pair: [usize; 2]| known.iter().find(|met| met.players == pair).copied();
        let open = pairs.iter().filter(|pair| find(**pair).is_none()).count() as u64;
        let stopped = |stop| Failure::from(crabwise::SolveError::from(stop));
        let meter = Meter::new(watch, "playing", None, Some(open * self.games)).map_err(stopped)?;
        let mut all = vec![];
        for pair in pairs {
            let met = match find(pair) {
                Some(met) => met,
                None => {
                    let met = self.meet(pair, &meter)?;
                    done(&met)?;
                    met
                }
            };
            all.push(met);
        }
        Ok(all)
    }

    fn meet(&self, pair: [usize; 2], meter: &Meter) -> Result<Meeting, Failure> {
        let names = pair.map(|player| self.names[player].clone());
        let play = |nth: u64| {
            let payoff = self.play(pair, game_seed(self.seed, &names, nth))?;
            meter.add(1).map_err(|stop| Failure::from(crabwise::SolveError::from(stop)))?;
            Ok(payoff)
        };
        let payoffs = (0..self.games).into_par_iter().map(play);
        let payoffs = payoffs.collect::<Result<Vec<f64>, Failure>>()?;
        Ok(Meeting::of(pair, &payoffs, STAKES))
    }

    /// What the first player gets in one game.
    fn play(&self, pair: [usize; 2], seed: u64) -> Result<f64, Failure> {
        let mut random = fastrand::Rng::with_seed(seed);
        let (mut line, mut met) = (vec![], std::collections::HashMap::new());
        loop {
            let board = self.game.board(&line)?;
            if let Some(outcome) = board.place.over {
                return Ok(match outcome.winner(board.place.mover) {
                    Some(0) => 1.0,
                    Some(_) => -1.0,
                    None => 0.0,
                });
            }
            let times = met.entry((board.place.key, board.place.mover)).or_insert(0);
            *times += 1;
            if *times == REPEATS || line.len() >= MOST_MOVES {
                return Ok(0.0);
            }
            let name =
                self.choose(pair[board.place.mover], &board.place.line, &board.moves, &mut random)?;
            line = board.place.line;
            line.push(name);
        }
    }

    fn choose(
        &self,
        player: usize,
        line: &[String],
        moves: &[(String, Vec<String>)],
        random: &mut fastrand::Rng,
    ) -> Result<String, LookError> {
        if let Some(explorer) = self.explorers[player] {
            let info = explorer.look(line)?;
            let best = info.best();
            return Ok(best[random.usize(..best.len())].name.clone());
        }
        let OpenPlayer::Horizon(depth) = self.players[player] else {
            return Ok(moves[random.usize(..moves.len())].0.clone());
        };
        let (weights, seed) = (Weights::default(), random.u64(..));
        let horizon = Horizon { depth, time: None, weights, seed, memory: MEMORY };
        Ok(self.game.advise(line, &horizon, &Unwatched)?.moves.swap_remove(0).name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games;

    #[test]
    fn players_by_their_names() {
        for (word, player) in [
            ("random", OpenPlayer::Random),
            ("perfect", OpenPlayer::Perfect),
            ("z", OpenPlayer::Deepest),
            ("Z", OpenPlayer::Densest),
            ("horizon=4", OpenPlayer::Horizon(4)),
        ] {
            assert_eq!((OpenPlayer::read(word), player.name()), (Ok(player), word.to_string()));
        }
        for wrong in ["", "horizon", "horizon=0", "horizon=x", "mc=2", "zz"] {
            assert!(OpenPlayer::read(wrong).is_err(), "{wrong}");
        }
        let all =
            |words: &[&str]| wanted(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>());
        assert!(all(&["random"]).is_err() && all(&["random", "random"]).is_err());
    }

    /// Who plays perfectly always wins the game that the first player wins; and each game depends on the seed alone.
    #[test]
    fn the_better_player_wins() {
        let folder = tempfile::tempdir().unwrap();
        let registry = sample_games::registry();
        let context = sample_games::context(&registry, folder.path());
        let target = context.target("heaps").unwrap();
        context.session.solve(&target, &Unwatched, false, &|_| {}).unwrap();
        let explorer = context.session.explorer(&target, Source::Table, None, &Unwatched).unwrap();
        let players = [OpenPlayer::Perfect, OpenPlayer::Random, OpenPlayer::Horizon(6)];
        let names = players.map(OpenPlayer::name);
        let league = || OpenLeague {
            game: &target.built.game,
            players: &players,
            explorers: vec![Some(&*explorer), None, None],
            names: &names,
            games: 50,
            seed: 7,
        };
        let played = league().run(&[], &Unwatched, &mut |_| Ok(())).unwrap();
        let mean = |pair| played.iter().find(|met| met.players == pair).unwrap().mean;
        assert_eq!((mean([0, 1]), mean([0, 2]), mean([2, 0])), (1.0, 1.0, 1.0));
        assert!(mean([1, 0]) < 0.0, "{played:?}");
        // What is known is not played again.
        let known = Meeting { mean: 0.25, ..played[0] };
        let again = league().run(&[known], &Unwatched, &mut |_| Ok(())).unwrap();
        assert_eq!((again[0], &again[1..]), (known, &played[1..]));
    }
}

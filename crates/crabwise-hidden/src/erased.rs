//! One erasure of a game's types: what a registry holds and every command works on.
//!
//! [`HiddenSetup`] joins a game with the abilities it has, and [`ErasedHidden`] is what is left once the types are erased.
//! It is played by its rules alone; what asks for all positions lays the game out first.

use std::sync::Arc;

use crabwise::{SolveError, watch::Watch};

use crate::{
    agents::{AnyAgent, play_game},
    play::{Play, Ruled, Sketch},
    prob_one::{self, CertainMoves, CertainView, Letters, ProbOneSolver, ProbOneWins},
    rules::{Described, Hidden, InfoAbstraction, Mirrored, Player, Sketched, Turn},
    tree::{
        GameTree, HiddenError, InfoSet,
        exploration::{self, Explored, MirrorNames},
        foresight,
        info_states::{Description, Descriptions},
    },
    view::{ViewError, ViewInfo, view},
    walk::{Features, RulesWalk, Walk},
};

/// Joins a game with its abilities: `HiddenSetup::of(game)`, what it can do, `erased()`.
pub struct HiddenSetup<G: Hidden> {
    game: G,
    abstraction: Option<Explore<G>>,
    mirror: Option<MirrorNames<G>>,
    prob_one: Option<(ProbOne<G>, CertainMoves<G>, CertainViews<G>)>,
    sketch: Option<Sketch<G>>,
    features: Option<Features<G>>,
    played_out: Option<Box<ErasedHidden>>,
}

type Explore<G> = fn(
    &G,
    Option<MirrorNames<G>>,
    u64,
    &dyn Watch,
) -> Result<Explored<<G as Hidden>::Position>, HiddenError>;

type ProbOne<G> = fn(&G, Player, u64, &dyn Watch) -> Option<Result<ProbOneWins, SolveError>>;

type CertainViews<G> =
    fn(&G, Player, [u32; 2], u64, &dyn Watch) -> Option<Result<Vec<CertainView>, SolveError>>;

impl<G: Hidden + 'static> HiddenSetup<G> {
    /// A game that can do what every game can.
    pub fn of(game: G) -> HiddenSetup<G> {
        let (abstraction, mirror, prob_one) = (None, None, None);
        let (sketch, features, played_out) = (None, None, None);
        HiddenSetup { game, abstraction, mirror, prob_one, sketch, features, played_out }
    }

    /// Less matters than all that a player knows.
    pub fn abstracted(self) -> HiddenSetup<G>
    where
        G: InfoAbstraction,
    {
        HiddenSetup { abstraction: Some(exploration::by_abstraction), ..self }
    }

    /// The game is its own mirror image.
    pub fn mirrored(self) -> HiddenSetup<G>
    where
        G: Mirrored,
    {
        let mv: fn(&G, G::Move) -> String = |game, mv| game.mirror_move(mv).to_string();
        let observation: fn(&G, G::Observation) -> String =
            |game, observation| game.mirror_observation(observation).to_string();
        HiddenSetup { mirror: Some((mv, observation)), ..self }
    }

    /// The game finds its certain wins itself.
    pub fn prob_one(self) -> HiddenSetup<G>
    where
        G: ProbOneSolver,
    {
        HiddenSetup { prob_one: Some((G::prob_one, G::certain_moves, G::certain_views)), ..self }
    }

    /// The game draws its positions.
    pub fn drawn(self) -> HiddenSetup<G>
    where
        G: Sketched,
    {
        HiddenSetup { sketch: Some(G::picture), ..self }
    }

    /// The game says what estimates are to be made from.
    pub fn described(self) -> HiddenSetup<G>
    where
        G: Described,
    {
        HiddenSetup { features: Some(Features::own()), ..self }
    }

    /// Names the game that goes on until nothing can be done any more, though somebody has won.
    pub fn played_out(self, game: ErasedHidden) -> HiddenSetup<G> {
        HiddenSetup { played_out: Some(Box::new(game)), ..self }
    }

    /// Erases the types.
    pub fn erased(self) -> ErasedHidden {
        let HiddenSetup { game, abstraction, mirror, prob_one, sketch, features, played_out } =
            self;
        let explore = abstraction.unwrap_or(exploration::by_history);
        let (certain, solver) = match prob_one {
            Some((all, moves, views)) => (Some(moves), Some((all, views))),
            None => (None, None),
        };
        let rules = Arc::new(Ruled { game, certain, sketch, features });
        let walked = rules.clone();
        ErasedHidden {
            walk: Box::new(move || Box::new(RulesWalk::new(walked.clone(), features))),
            abstracted: abstraction.is_some(),
            mirrored: mirror.is_some(),
            played_out,
            game: Box::new(Erased { rules, explore, mirror, solver }),
        }
    }
}

/// A game with hidden information, ready to be played, explored and solved.
pub struct ErasedHidden {
    game: Box<dyn AnyHidden>,
    walk: Box<dyn Fn() -> Box<dyn Walk> + Send + Sync>,
    played_out: Option<Box<ErasedHidden>>,
    abstracted: bool,
    mirrored: bool,
}

/// What is left of a game without its types.
trait AnyHidden: Send + Sync {
    fn play(&self) -> Play;
    fn play_game(&self, players: [&AnyAgent; 2], seed: u64) -> f64;
    fn stakes(&self) -> [f64; 2];
    fn foresee(&self, player: Player, words: &[&str]) -> Result<(), String>;
    fn view(
        &self,
        player: Player,
        words: &[&str],
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<ViewInfo, ViewError>;
    fn prob_one(
        &self,
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<ProbOneWins, SolveError>>;
    fn certain_views(
        &self,
        player: Player,
        counts: [u32; 2],
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<Vec<CertainView>, SolveError>>;
    fn explore(&self, memory: u64, watch: &dyn Watch) -> Result<ExploredGame, HiddenError>;
}

struct Erased<G: Hidden> {
    rules: Arc<Ruled<G>>,
    explore: Explore<G>,
    mirror: Option<MirrorNames<G>>,
    solver: Option<(ProbOne<G>, CertainViews<G>)>,
}

impl<G: Hidden + 'static> AnyHidden for Erased<G> {
    fn play(&self) -> Play {
        Play::new(&self.rules)
    }

    fn play_game(&self, players: [&AnyAgent; 2], seed: u64) -> f64 {
        let Ruled { game, certain, features, .. } = &*self.rules;
        play_game(game, *certain, *features, players, seed)
    }

    fn stakes(&self) -> [f64; 2] {
        self.rules.game.stakes()
    }

    fn foresee(&self, player: Player, words: &[&str]) -> Result<(), String> {
        foresight::check(&self.rules.game, player, words)
    }

    fn view(
        &self,
        player: Player,
        words: &[&str],
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<ViewInfo, ViewError> {
        view(&self.rules, player, words, memory, watch)
    }

    fn prob_one(
        &self,
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<ProbOneWins, SolveError>> {
        let (prob_one, _) = self.solver?;
        prob_one(&self.rules.game, player, memory, watch)
    }

    fn certain_views(
        &self,
        player: Player,
        counts: [u32; 2],
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<Vec<CertainView>, SolveError>> {
        let (_, views) = self.solver?;
        views(&self.rules.game, player, counts, memory, watch)
    }

    fn explore(&self, memory: u64, watch: &dyn Watch) -> Result<ExploredGame, HiddenError> {
        let rules = self.rules.clone();
        let (states, positions) = (self.explore)(&rules.game, self.mirror, memory, watch)?;
        let tree = GameTree::new(states)?;
        Ok(ExploredGame { tree, pictures: Box::new(Album { rules, positions }) })
    }
}

impl ErasedHidden {
    /// Begins a game: its positions are made as play goes on.
    pub fn play(&self) -> Play {
        self.game.play()
    }

    /// One game between two agents: what the first player gets. The seed decides all that is left to chance.
    pub fn play_game(&self, players: [&AnyAgent; 2], seed: u64) -> f64 {
        self.game.play_game(players, seed)
    }

    /// The game at its start, to be walked by its rules.
    pub fn walk(&self) -> Box<dyn Walk> {
        (self.walk)()
    }

    /// Makes walks.
    pub fn walks(&self) -> &(dyn Fn() -> Box<dyn Walk> + Send + Sync) {
        &*self.walk
    }

    /// The least and the most that the first player can get.
    pub fn stakes(&self) -> [f64; 2] {
        self.game.stakes()
    }

    /// Finds all positions of the game within a number of bytes.
    pub fn explore(&self, memory: u64, watch: &dyn Watch) -> Result<ExploredGame, HiddenError> {
        self.game.explore(memory, watch)
    }

    /// Refuses a line of what a player does and observes that cannot come about, as far as that is quickly known. The
    /// error says what could come instead.
    pub fn foresee(&self, player: Player, line: &[String]) -> Result<(), String> {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        self.game.foresee(player, &words)
    }

    /// What a player sees after a line of what it did and observed, and which moves win with certainty there: by the
    /// rules, without a layout. The watcher's end is the search's.
    pub fn view(
        &self,
        player: Player,
        line: &[String],
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<ViewInfo, ViewError> {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        self.game.view(player, &words, memory, watch)
    }

    /// Where either player wins with probability one: found by the game itself if it can, else from all its states.
    pub fn prob_one(
        &self,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<[ProbOneWins; 2], HiddenError> {
        let own = |player| self.game.prob_one(player, memory, watch);
        if let Some(first) = own(Player::First)
            && let Some(second) = own(Player::Second)
        {
            return Ok([first?, second?]);
        }
        let explored = self.explore(memory, watch)?;
        Ok(Player::BOTH.map(|player| explored.prob_one(player)))
    }

    /// The certain views of a player with so many cells that look empty and so many hidden stones: found by the game
    /// itself if it can, else among all its states.
    pub fn certain_views(
        &self,
        player: Player,
        [empty, hidden]: [u32; 2],
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Vec<CertainView>, HiddenError> {
        if let Some(own) = self.game.certain_views(player, [empty, hidden], memory, watch) {
            return Ok(own?);
        }
        let mut views = self.explore(memory, watch)?.certain_views(player);
        views.retain(|view| {
            view.empty == empty && (view.hidden[0]..=view.hidden[1]).contains(&hidden)
        });
        Ok(views)
    }

    /// The game that goes on until nothing can be done any more; `None` if nobody has said how.
    pub fn played_out(&self) -> Option<&ErasedHidden> {
        self.played_out.as_deref()
    }

    /// Whether less matters than all that a player knows.
    pub fn is_abstracted(&self) -> bool {
        self.abstracted
    }

    /// Whether the game is its own mirror image.
    pub fn is_mirrored(&self) -> bool {
        self.mirrored
    }
}

/// All positions of a game, with what they look like.
pub struct ExploredGame {
    /// The states and the information sets.
    pub tree: GameTree,
    pictures: Box<dyn Pictures>,
}

trait Pictures: Send + Sync {
    fn show(&self, state: u32) -> String;
    fn seen(&self, state: u32, player: Player) -> String;
    fn describe(&self, state: u32, player: Player) -> Option<Description>;
}

struct Album<G: Hidden> {
    rules: Arc<Ruled<G>>,
    positions: Vec<G::Position>,
}

impl<G: Hidden> Pictures for Album<G> {
    fn show(&self, state: u32) -> String {
        self.rules.game.show(&self.positions[state as usize])
    }

    fn seen(&self, state: u32, player: Player) -> String {
        self.rules.game.seen(&self.positions[state as usize], player)
    }

    fn describe(&self, state: u32, player: Player) -> Option<Description> {
        let Ruled { game, features, .. } = &*self.rules;
        let (features, at) = ((*features)?, &self.positions[state as usize]);
        let mut present = vec![];
        (features.describe)(game, at, player, &mut present);
        let numbers = game.moves(at).into_iter();
        let moves = numbers.map(|mv| features.number(game, mv) as u32).collect();
        Some(Description { features: present, moves })
    }
}

impl ExploredGame {
    /// What the game says of each information state at which a player has to move; `None` if it says nothing.
    pub fn descriptions(&self, player: Player) -> Option<Descriptions> {
        let states = &self.tree.states;
        let mut all = vec![Description::default(); self.tree.info_states(player).len()];
        for state in 0..states.len() as u32 {
            let node = &states.nodes[state as usize];
            let own = &mut all[node.info_states[player as usize] as usize];
            if node.turn == Turn::Of(player) && own.moves.is_empty() {
                *own = self.pictures.describe(state, player)?;
            }
        }
        Some(Descriptions(all))
    }

    /// The referee's picture of a state.
    pub fn show(&self, state: u32) -> String {
        self.pictures.show(state)
    }

    /// A player's picture of a state.
    pub fn seen(&self, state: u32, player: Player) -> String {
        self.pictures.seen(state, player)
    }

    /// Where a player wins with probability one, from all states.
    pub fn prob_one(&self, player: Player) -> ProbOneWins {
        prob_one::wins(&self.tree, player, &|state| self.seen(state, player))
    }

    /// The views of a player that win with probability one, the order of events forgotten.
    pub fn certain_views(&self, player: Player) -> Vec<CertainView> {
        let (seen, shown) = (|state| self.seen(state, player), |state| self.show(state));
        prob_one::certain_views(&self.tree, player, &Letters { seen: &seen, shown: &shown })
    }

    /// The moves that win with probability one at an information set, which a line of what its player did and observed
    /// leads to; none if there is no certain win.
    pub fn certain_moves(&self, info_set: InfoSet, line: &[String]) -> Result<Vec<String>, String> {
        prob_one::certain_moves(&self.tree, info_set, line)
    }
}

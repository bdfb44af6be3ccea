//! One erasure of a game's types: what a registry holds and every command works on.
//!
//! [`HiddenSetup`] joins a game with the abilities it has, and [`ErasedHidden`] is what is left once the types are erased.

use std::sync::Arc;

use crabwise::{Picture, SolveError, watch::Watch};

use crate::{
    prob_one::{self, CertainView, Letters, ProbOneSolver, ProbOneWins},
    rules::{Described, Hidden, InfoAbstraction, Mirrored, Player, Sketched, Turn},
    tree::{
        GameTree, HiddenError, InfoSet,
        exploration::{self, Explored, MirrorNames},
        foresight,
        info_states::{Description, Descriptions},
    },
    walk::{Features, RulesWalk, Walk},
};

/// Joins a game with its abilities: `HiddenSetup::of(game)`, what it can do, `erased()`.
pub struct HiddenSetup<G: Hidden> {
    game: G,
    abstraction: Option<Explore<G>>,
    mirror: Option<MirrorNames<G>>,
    prob_one: Option<ProbOne<G>>,
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

type Sketch<G> = fn(&G, &<G as Hidden>::Position, Option<Player>) -> Picture;

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
        HiddenSetup { prob_one: Some(G::prob_one), ..self }
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
        let game = Arc::new(game);
        let explore = abstraction.unwrap_or(exploration::by_history);
        ErasedHidden {
            abstracted: abstraction.is_some(),
            mirrored: mirror.is_some(),
            played_out,
            prob_one: prob_one.map(|prob_one| -> ErasedProbOne {
                let game = game.clone();
                Box::new(move |player, memory, watch| prob_one(&game, player, memory, watch))
            }),
            foresee: {
                let game = game.clone();
                Box::new(move |player, words| foresight::check(&*game, player, words))
            },
            walk: {
                let game = game.clone();
                Box::new(move || Box::new(RulesWalk::new(game.clone(), features)))
            },
            explore: Box::new(move |memory, watch| {
                let (states, positions) = explore(&game, mirror, memory, watch)?;
                let pictures = Box::new(Album { game: game.clone(), positions, sketch, features });
                Ok(ExploredGame { tree: GameTree::new(states)?, pictures })
            }),
        }
    }
}

/// A game with hidden information, ready to be explored and solved.
pub struct ErasedHidden {
    explore: ErasedExplore,
    foresee: Foresee,
    walk: Box<dyn Fn() -> Box<dyn Walk> + Send + Sync>,
    prob_one: Option<ErasedProbOne>,
    played_out: Option<Box<ErasedHidden>>,
    abstracted: bool,
    mirrored: bool,
}

type Foresee = Box<dyn Fn(Player, &[&str]) -> Result<(), String> + Send + Sync>;

type ErasedExplore =
    Box<dyn Fn(u64, &dyn Watch) -> Result<ExploredGame, HiddenError> + Send + Sync>;

type ErasedProbOne =
    Box<dyn Fn(Player, u64, &dyn Watch) -> Option<Result<ProbOneWins, SolveError>> + Send + Sync>;

impl ErasedHidden {
    /// Finds all positions of the game within a number of bytes.
    pub fn explore(&self, memory: u64, watch: &dyn Watch) -> Result<ExploredGame, HiddenError> {
        (self.explore)(memory, watch)
    }

    /// The game at its start, to be walked by its rules.
    pub fn walk(&self) -> Box<dyn Walk> {
        (self.walk)()
    }

    /// Makes walks.
    pub fn walks(&self) -> &(dyn Fn() -> Box<dyn Walk> + Send + Sync) {
        &*self.walk
    }

    /// Refuses a line of what a player does and observes that cannot come about, as far as that is quickly known. The
    /// error says what could come instead.
    pub fn foresee(&self, player: Player, line: &[String]) -> Result<(), String> {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        (self.foresee)(player, &words)
    }

    /// Where either player wins with probability one: found by the game itself if it can, else from all its states.
    pub fn prob_one(
        &self,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<[ProbOneWins; 2], HiddenError> {
        let own = |player| self.prob_one.as_ref()?(player, memory, watch);
        if let Some(first) = own(Player::First)
            && let Some(second) = own(Player::Second)
        {
            return Ok([first?, second?]);
        }
        let explored = self.explore(memory, watch)?;
        Ok(Player::BOTH.map(|player| explored.prob_one(player)))
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
    fn sketch(&self, state: u32, seen_by: Option<Player>) -> Option<Picture>;
    fn is_drawn(&self) -> bool;
    fn describe(&self, state: u32, player: Player) -> Option<Description>;
}

struct Album<G: Hidden> {
    game: Arc<G>,
    positions: Vec<G::Position>,
    sketch: Option<Sketch<G>>,
    features: Option<Features<G>>,
}

impl<G: Hidden> Pictures for Album<G> {
    fn show(&self, state: u32) -> String {
        self.game.show(&self.positions[state as usize])
    }

    fn seen(&self, state: u32, player: Player) -> String {
        self.game.seen(&self.positions[state as usize], player)
    }

    fn sketch(&self, state: u32, seen_by: Option<Player>) -> Option<Picture> {
        let at = &self.positions[state as usize];
        self.sketch.map(|sketch| sketch(&self.game, at, seen_by))
    }

    fn is_drawn(&self) -> bool {
        self.sketch.is_some()
    }

    fn describe(&self, state: u32, player: Player) -> Option<Description> {
        let (features, at) = (self.features?, &self.positions[state as usize]);
        let mut present = vec![];
        (features.describe)(&self.game, at, player, &mut present);
        let numbers = self.game.moves(at).into_iter();
        let moves = numbers.map(|mv| features.number(&self.game, mv) as u32).collect();
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

    /// A state as shapes, as this player sees it or, if nobody is named, as it is. If the game does not draw, these
    /// are letters.
    pub fn picture(&self, state: u32, seen_by: Option<Player>) -> Picture {
        let letters = || match seen_by {
            Some(player) => self.seen(state, player),
            None => self.show(state),
        };
        let sketch = self.pictures.sketch(state, seen_by);
        sketch.unwrap_or_else(|| Picture::of_text(&letters()))
    }

    /// Whether the game draws, so that its pictures are more than letters.
    pub fn is_drawn(&self) -> bool {
        self.pictures.is_drawn()
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

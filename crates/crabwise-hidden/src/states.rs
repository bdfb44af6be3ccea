//! The positions of a game with hidden information, each once, and what can be known of them.
//!
//! *States* are positions together with what either player has in mind, in the order of the number of moves
//! that lead there; whoever reaches one by several ways finds the same future. A *mind* is all that a
//! player's future depends on: a view, or the gist of one where the game has gists. Minds form an automaton:
//! from one to the next by a move of one's own and the word that follows it, or by a word alone. Unrolled
//! into a tree it has a node for each view; but it is never unrolled here, and counts of histories and of
//! views are sums over states and minds.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
    hash::Hash,
};

use super::{Gist, Hidden, Player, Turn, any::Name};
use crabwise::watch::{Bytes, Meter, Stop, Watch};

/// Of an [`Arc`]: the player's mind is as it was.
pub(super) const STILL: u32 = u32::MAX;

/// All states of a game, and all minds.
pub(super) struct States {
    pub(super) nodes: Vec<Node>,
    pub(super) arcs: Vec<Arc>,
    /// The first state at each depth, and after the last depth the number of states.
    pub(super) depths: Vec<u32>,
    pub(super) minds: [Minds; 2],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub turn: Turn,
    pub minds: [u32; 2],
    /// The first of its arcs; the next node has the first that is not.
    pub first: u32,
}

/// One move at one state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub to: u32,
    /// How likely chance makes it; 1 for the moves of players.
    pub chance: f64,
    /// Which kid of each player's mind is next, or [`STILL`].
    pub steps: [u32; 2],
}

/// The minds of one player. Moves and kids of all of them lie in common arrays.
pub(super) struct Minds {
    minds: Vec<Mind>,
    /// Names of moves, by mind.
    moves: Vec<u32>,
    kids: Vec<Kid>,
    names: Vec<String>,
    images: HashMap<u32, u32>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Mind {
    moves: u32,
    kids: u32,
}

/// What a mind becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kid {
    pub to: u32,
    pub step: Step,
}

/// What a player does or is told: a move of one's own by its place among the legal ones, the number of a
/// word, or a move and what is said to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Step {
    pub mv: Option<u32>,
    pub word: Option<u32>,
}

/// Why a game with hidden information was not laid out.
#[derive(Debug)]
pub enum HiddenError {
    /// There is not enough room.
    Room {
        /// What is too large, with its figure.
        what: String,
        /// The bytes that it takes, as far as that is known.
        needed: u64,
        /// The bytes that there are.
        memory: u64,
    },
    /// The game breaks the contract of [`Hidden`].
    Contract(String),
    /// Somebody asked for an end.
    Stopped(Stop),
}

impl fmt::Display for HiddenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HiddenError::Room { what, needed, memory } => {
                write!(
                    f,
                    "{what} take {}, more than the {} allowed",
                    Bytes(*needed),
                    Bytes(*memory)
                )
            }
            HiddenError::Contract(what) => write!(f, "the rules contradict themselves: {what}"),
            HiddenError::Stopped(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for HiddenError {}

impl From<Stop> for HiddenError {
    fn from(stop: Stop) -> HiddenError {
        HiddenError::Stopped(stop)
    }
}

/// How minds are told apart.
trait Know<G: Hidden> {
    /// What the mind of a player is known by, who had `from` in mind and came to `to` by a step.
    fn key(
        &self,
        game: &G,
        from: Option<(u32, Step)>,
        to: &G::Position,
        player: Player,
    ) -> Self::Key;
    type Key: Eq + Hash;
}

/// By the whole view.
struct Whole;

impl<G: Hidden> Know<G> for Whole {
    type Key = Option<(u32, Step)>;

    fn key(&self, _: &G, from: Option<(u32, Step)>, _: &G::Position, _: Player) -> Self::Key {
        from
    }
}

/// By its gist.
struct Brief;

impl<G: Gist> Know<G> for Brief {
    type Key = G::Gist;

    fn key(&self, game: &G, _: Option<(u32, Step)>, to: &G::Position, player: Player) -> G::Gist {
        game.gist(to, player)
    }
}

/// The states of a game with their positions.
pub(super) type Explored<P> = (States, Vec<P>);

/// All states of a game, minds being views.
pub(super) fn by_views<G: Hidden>(
    game: &G,
    mirror: Option<Name<G>>,
    memory: u64,
    watch: &dyn Watch,
) -> Result<Explored<G::Position>, HiddenError> {
    Search::new(game, Whole, mirror).run(memory, watch)
}

/// All states of a game, minds being gists.
pub(super) fn by_gists<G: Gist>(
    game: &G,
    mirror: Option<Name<G>>,
    memory: u64,
    watch: &dyn Watch,
) -> Result<Explored<G::Position>, HiddenError> {
    Search::new(game, Brief, mirror).run(memory, watch)
}

struct Search<'a, G: Hidden, K: Know<G>> {
    game: &'a G,
    know: K,
    mirror: Option<Name<G>>,
    positions: Vec<G::Position>,
    nodes: Vec<Node>,
    arcs: Vec<Arc>,
    sides: [Side<K::Key, G::Word>; 2],
    /// The states at the depth that is being reached.
    seen: HashMap<(G::Position, [u32; 2]), u32>,
}

/// One player's minds in the making.
struct Side<K, W> {
    ids: HashMap<K, u32>,
    words: HashMap<W, u32>,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The number of the mirror image of each name, where there is a mirror.
    images: HashMap<u32, u32>,
    minds: Vec<Sketch>,
}

#[derive(Default)]
struct Sketch {
    moves: Vec<u32>,
    kids: Vec<Kid>,
}

impl<K: Eq + Hash, W: Copy + Eq + Hash + fmt::Display> Side<K, W> {
    fn new() -> Side<K, W> {
        let (ids, words, numbers) = (HashMap::new(), HashMap::new(), HashMap::new());
        let images = HashMap::new();
        Side { ids, words, names: vec![], numbers, images, minds: vec![] }
    }

    fn name(&mut self, name: String) -> u32 {
        let next = self.names.len() as u32;
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            next
        })
    }

    /// The number of a name, whose mirror image is remembered.
    fn named(&mut self, name: String, image: impl FnOnce() -> Option<String>) -> u32 {
        let number = self.name(name);
        if !self.images.contains_key(&number)
            && let Some(image) = image()
        {
            let image = self.name(image);
            self.images.insert(number, image);
        }
        number
    }

    fn word(&mut self, word: W, image: impl FnOnce() -> Option<String>) -> u32 {
        match self.words.get(&word) {
            Some(&number) => number,
            None => {
                let number = self.named(word.to_string(), image);
                self.words.insert(word, number);
                number
            }
        }
    }

    fn mind(&mut self, key: K) -> u32 {
        let next = self.minds.len() as u32;
        *self.ids.entry(key).or_insert_with(|| {
            self.minds.push(Sketch::default());
            next
        })
    }

    /// Which kid of `from` is reached by a step that leads to `to`.
    fn kid(&mut self, from: u32, step: Step, to: u32) -> Result<u32, HiddenError> {
        let kids = &mut self.minds[from as usize].kids;
        match kids.iter().position(|kid| kid.step == step) {
            Some(i) if kids[i].to == to => Ok(i as u32),
            Some(_) => Err(HiddenError::Contract(
                "the same gist, the same move and the same word lead to different gists".into(),
            )),
            None => {
                kids.push(Kid { to, step });
                Ok(kids.len() as u32 - 1)
            }
        }
    }

    /// The moves of a mind, which must be what they were before.
    fn moves(&mut self, mind: u32, moves: Vec<u32>) -> Result<(), HiddenError> {
        let known = &mut self.minds[mind as usize].moves;
        if known.is_empty() {
            *known = moves;
        } else if *known != moves {
            let what = "positions that look alike have different moves";
            return Err(HiddenError::Contract(what.into()));
        }
        Ok(())
    }

    fn flat(self) -> Minds {
        let (mut minds, mut moves, mut kids) = (vec![], vec![], vec![]);
        for sketch in self.minds {
            minds.push(Mind { moves: moves.len() as u32, kids: kids.len() as u32 });
            moves.extend(sketch.moves);
            kids.extend(sketch.kids);
        }
        minds.push(Mind { moves: moves.len() as u32, kids: kids.len() as u32 });
        Minds { minds, moves, kids, names: self.names, images: self.images }
    }
}

impl<'a, G: Hidden, K: Know<G>> Search<'a, G, K> {
    fn new(game: &'a G, know: K, mirror: Option<Name<G>>) -> Self {
        let sides = [Side::new(), Side::new()];
        let (positions, nodes, arcs) = (vec![], vec![], vec![]);
        Search { game, know, mirror, positions, nodes, arcs, sides, seen: HashMap::new() }
    }

    fn run(mut self, memory: u64, watch: &dyn Watch) -> Result<Explored<G::Position>, HiddenError> {
        let meter = Meter::new(watch, "finding positions", None, None)?;
        let start = self.game.start();
        let minds = Player::BOTH.map(|player| {
            let key = self.know.key(self.game, None, &start, player);
            self.sides[player as usize].mind(key)
        });
        self.node(start, minds);
        let mut depths = vec![0];
        let mut done = 0;
        while done < self.nodes.len() {
            self.seen.clear();
            let end = self.nodes.len();
            depths.push(end as u32);
            while done < end {
                self.expand(done)?;
                done += 1;
                if done % 1024 == 0 {
                    meter.add(1024)?;
                    self.fits(memory)?;
                }
            }
        }
        self.nodes.push(Node { turn: Turn::Chance, minds: [0; 2], first: self.arcs.len() as u32 });
        let minds = self.sides.map(Side::flat);
        Ok((States { nodes: self.nodes, arcs: self.arcs, depths, minds }, self.positions))
    }

    fn fits(&self, memory: u64) -> Result<(), HiddenError> {
        // While a depth is found its states are in the map, too.
        let state = size_of::<Node>() + 3 * size_of::<G::Position>() + 24;
        let needed = (self.nodes.len() * state + self.arcs.len() * size_of::<Arc>()) as u64;
        if needed <= memory && self.arcs.len() < STILL as usize {
            return Ok(());
        }
        let what = format!("the first {} positions", self.nodes.len());
        Err(HiddenError::Room { what, needed, memory })
    }

    fn node(&mut self, at: G::Position, minds: [u32; 2]) -> u32 {
        match self.seen.entry((at, minds)) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let (at, number) = (new.key().0.clone(), self.nodes.len() as u32);
                self.nodes.push(Node { turn: self.game.turn(&at), minds, first: 0 });
                self.positions.push(at);
                new.insert(number);
                number
            }
        }
    }

    fn expand(&mut self, number: usize) -> Result<(), HiddenError> {
        let Node { turn, minds, .. } = self.nodes[number];
        self.nodes[number].first = self.arcs.len() as u32;
        let at = self.positions[number].clone();
        let (game, mover) = match turn {
            Turn::Over(_) => return Ok(()),
            Turn::Chance => (self.game, None),
            Turn::Of(player) => (self.game, Some(player)),
        };
        let moves: Vec<G::Move> = game.moves(&at).into_iter().collect();
        if moves.is_empty() {
            return Err(HiddenError::Contract(format!("no move at {at:?}")));
        }
        if let Some(player) = mover {
            let side = &mut self.sides[player as usize];
            let image = |mv| self.mirror.map(|(image, _)| image(game, mv));
            let names = moves.iter().map(|&mv| side.named(mv.to_string(), || image(mv))).collect();
            side.moves(minds[player as usize], names)?;
        }
        let weight = |mv: &G::Move| if mover.is_none() { game.weight(&at, *mv) } else { 1.0 };
        let all: f64 = if mover.is_none() { moves.iter().map(weight).sum() } else { 1.0 };
        for (i, mv) in moves.iter().enumerate() {
            let to = game.play(&at, *mv);
            let (mut next, mut steps) = (minds, [STILL; 2]);
            for player in Player::BOTH {
                let own = (mover == Some(player)).then_some(i as u32);
                let (p, word) = (player as usize, game.told(&at, *mv, player));
                if own.is_none() && word.is_none() {
                    continue;
                }
                let image = |word| self.mirror.map(|(_, image)| image(game, word));
                let word = word.map(|word| self.sides[p].word(word, || image(word)));
                let step = Step { mv: own, word };
                let key = self.know.key(game, Some((minds[p], step)), &to, player);
                next[p] = self.sides[p].mind(key);
                steps[p] = self.sides[p].kid(minds[p], step, next[p])?;
            }
            let to = self.node(to, next);
            self.arcs.push(Arc { to, chance: weight(mv) / all, steps });
        }
        Ok(())
    }
}

impl States {
    /// The number of states, the ends included.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The bytes that these take.
    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&self.nodes[..]) + size_of_val(&self.arcs[..])) as u64
    }

    pub(super) fn arcs(&self, node: u32) -> &[Arc] {
        let first = |node: u32| self.nodes[node as usize].first as usize;
        &self.arcs[first(node)..first(node + 1)]
    }

    /// Something for each state that is worked out from what it is for those that follow.
    pub(super) fn backwards<T: Clone + Default>(
        &self,
        mut value: impl FnMut(u32, &Node, &[T]) -> T,
    ) -> Vec<T> {
        let mut all = vec![T::default(); self.len()];
        for node in (0..self.len()).rev() {
            // A move leads to a later state.
            all[node] = value(node as u32, &self.nodes[node], &all);
        }
        all
    }
}

impl Minds {
    pub(super) fn len(&self) -> usize {
        self.minds.len() - 1
    }

    /// How many moves a mind has to choose from; 0 if it is never its turn.
    pub(super) fn moves(&self, mind: u32) -> u32 {
        self.names_of(mind).len() as u32
    }

    pub(super) fn names_of(&self, mind: u32) -> &[u32] {
        &self.moves[self.move_range(mind)]
    }

    /// Where its moves lie among those of all minds.
    pub(super) fn move_range(&self, mind: u32) -> std::ops::Range<usize> {
        let mind = mind as usize;
        self.minds[mind].moves as usize..self.minds[mind + 1].moves as usize
    }

    pub(super) fn kids(&self, mind: u32) -> &[Kid] {
        &self.kids[self.kid_range(mind)]
    }

    /// Where its kids lie among those of all minds.
    pub(super) fn kid_range(&self, mind: u32) -> std::ops::Range<usize> {
        let mind = mind as usize;
        self.minds[mind].kids as usize..self.minds[mind + 1].kids as usize
    }

    /// The name of a move.
    pub(super) fn name(&self, mind: u32, mv: u32) -> &str {
        &self.names[self.names_of(mind)[mv as usize] as usize]
    }

    /// The same minds with only some of their moves and kids.
    pub(super) fn keep(&self, moves: &[bool], kids: &[bool]) -> Minds {
        let mut kept = Minds {
            minds: vec![],
            moves: vec![],
            kids: vec![],
            names: self.names.clone(),
            images: self.images.clone(),
        };
        for mind in 0..=self.len() as u32 {
            let (moves_before, kids_before) = (kept.moves.len() as u32, kept.kids.len() as u32);
            kept.minds.push(Mind { moves: moves_before, kids: kids_before });
            if mind == self.len() as u32 {
                break;
            }
            if moves[mind as usize] {
                kept.moves.extend_from_slice(self.names_of(mind));
            }
            let used = self.kid_range(mind).filter(|&kid| kids[kid]);
            kept.kids.extend(used.map(|kid| self.kids[kid]));
        }
        kept
    }

    /// The mirror image of each mind, and of each kid its number among the image's kids; `None` where
    /// there is no mirror.
    pub(super) fn mirrored(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        if self.images.is_empty() {
            return None;
        }
        let mut minds = vec![STILL; self.len()];
        let mut kids = vec![STILL; self.kids.len()];
        minds[0] = 0;
        let mut open = vec![0];
        while let Some(mind) = open.pop() {
            let image = minds[mind as usize];
            for (i, kid) in self.kid_range(mind).zip(self.kids(mind)) {
                let step = self.image_of(mind, image, kid.step)?;
                let place = self.kids(image).iter().position(|other| other.step == step)?;
                kids[i] = place as u32;
                if minds[kid.to as usize] == STILL {
                    minds[kid.to as usize] = self.kids(image)[place].to;
                    open.push(kid.to);
                }
            }
        }
        Some((minds, kids))
    }

    fn image_of(&self, mind: u32, image: u32, step: Step) -> Option<Step> {
        let mv = match step.mv {
            Some(mv) => Some(self.image_move(mind, image, mv)?),
            None => None,
        };
        let word = match step.word {
            Some(word) => Some(*self.images.get(&word)?),
            None => None,
        };
        Some(Step { mv, word })
    }

    /// The place among the moves of the mirror image of a mind of the image of a move.
    pub(super) fn image_move(&self, mind: u32, image: u32, mv: u32) -> Option<u32> {
        let name = self.images.get(&self.names_of(mind)[mv as usize])?;
        let place = self.names_of(image).iter().position(|other| other == name)?;
        Some(place as u32)
    }

    pub(super) fn word(&self, word: u32) -> &str {
        &self.names[word as usize]
    }
}

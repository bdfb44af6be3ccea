//! The payoffs of a game as a matrix of sequences, of which equal parts are kept once.
//!
//! The first player's expected payoff is `x' A y`, where `x` and `y` are the reaches of both players'
//! sequences and `A` has, for a pair of them, the payoffs of all ends to which the two lead, times how likely
//! chance goes there. Everything that works on whole strategies needs `A` for two things only: what each
//! sequence of one player earns against a reach of the other, `A y` and `-A' x`.
//!
//! All histories that lead to the same state have the same future, and the sequences of either player that
//! this future is made of lie at the same distances from where the view's own begin (see
//! [`Plex`](super::Plex)). So the game is cut at a depth: of each state there, the payoffs below it are
//! kept once, as a *block* of rows and columns counted from the view; of each history that leads there,
//! where either player's view begins. A block is multiplied for eight histories at a time, which lie side
//! by side in memory. At which depth to cut is chosen so that the whole takes the least room.
//!
//! A game that is its own mirror image can be folded: strategies that treat mirror images alike are
//! enough, for if `x` is optimal, so is half of `x` and half of its mirror image. Any reach is taken for
//! this half and half. Then of two histories that mirror each other, told apart by the first player's first
//! move that has an image of its own, one is kept. A sequence of the first player that was left out earns
//! what its image does. A sequence of the second player earns, against the half that was left out, what its
//! image earns against the half that is there.

use rayon::prelude::*;

use super::{
    HiddenError, Player, Plex, Turn,
    plex::Shape,
    states::{Node, STILL, States},
};
use crabwise::watch::{Meter, Watch};

/// The payoffs of a game, and both players' sequences.
pub struct Form {
    /// Both players' sequences.
    pub plexes: [Plex; 2],
    blocks: Vec<Block>,
    /// For each player, the histories at the cut in an order that parts the player's sequences, and
    /// whose.
    parts: [Parts; 2],
    folded: Option<Folded>,
}

/// What was left out because its mirror image is there.
struct Folded {
    /// For each sequence of either player its image.
    images: [Vec<u32>; 2],
    /// For each sequence of the first player whether it was left out.
    left_out: Vec<bool>,
}

/// The payoffs under one state, or at one end above the cut.
#[derive(Clone, Default, Debug)]
struct Block {
    /// How many sequences of each player there are, counting the one that leads here as number 0.
    sizes: [u32; 2],
    /// By rows that are the first player's sequences, and by rows that are the second's.
    sides: [Lines; 2],
}

/// A matrix by rows: of each row its columns, those with the same payoff together.
#[derive(Clone, Default, Debug)]
struct Lines {
    runs: Vec<Run>,
    columns: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    row: u32,
    /// Where its columns end.
    end: u32,
    payoff: f64,
}

/// A history at the cut: which block comes next, and where.
#[derive(Clone, Copy, Debug)]
struct Pair {
    block: u32,
    seats: [Seat; 2],
    chance: f64,
}

/// A place among a player's sequences: the one that leads here, and where those from here on begin.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Seat {
    pub incoming: u32,
    pub base: u32,
}

/// Histories by what part of a player's sequences they are about, so that parts can be worked on at the
/// same time, and by block within.
#[derive(Default)]
struct Parts {
    pairs: Vec<Pair>,
    /// Parts one after the other: where its sequences begin and end, and where its histories end.
    ranges: Vec<(u32, u32, usize)>,
}

/// How large a form will be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Both players' views.
    pub views: [u64; 2],
    /// Both players' sequences.
    pub sequences: [u64; 2],
    /// Ends of the game, as histories.
    pub ends: u128,
    /// The number of moves at which the game is cut.
    pub cut: usize,
    /// Histories at the cut.
    pub pairs: u64,
    /// Payoffs in all blocks, at most.
    pub payoffs: u64,
    /// Bytes of it all.
    pub bytes: u64,
}

/// How many histories are worked on at once.
const LANES: usize = 8;

/// A game is cut no deeper than where blocks have this many payoffs on average.
const LEAST: u64 = 256;

impl Size {
    pub(super) fn new(states: &States, shapes: &[Shape; 2]) -> Size {
        let ends = states.ends();
        let [views, sequences] = [0, 1].map(|what| {
            [0, 1].map(|p: usize| match what {
                0 => shapes[p].views[0],
                _ => shapes[p].sequences[0].saturating_add(1),
            })
        });
        let mut size =
            Size { views, sequences, ends: ends[0], cut: 0, pairs: 1, payoffs: 0, bytes: u64::MAX };
        let mut ways = vec![0_u128; states.len()];
        ways[0] = 1;
        let mut early = 0_u128;
        for cut in 0..states.depths.len() - 1 {
            let (mut pairs, mut below, mut payoffs) = (0_u128, 0_u128, 0_u128);
            for node in states.depths[cut]..states.depths[cut + 1] {
                let many = ways[node as usize];
                match states.nodes[node as usize].turn {
                    Turn::Over(_) => early = early.saturating_add(many),
                    _ => {
                        pairs = pairs.saturating_add(many);
                        let ends = ends[node as usize];
                        payoffs = payoffs.saturating_add(ends);
                        below = below.saturating_add(ends.saturating_mul(many));
                        for arc in states.arcs(node) {
                            let way = &mut ways[arc.to as usize];
                            *way = way.saturating_add(many);
                        }
                    }
                }
            }
            // A payoff is a column and its share of a run, by rows and by columns; a history is there twice,
            // and while it is sorted once more.
            let histories = pairs.saturating_add(early);
            let bytes = payoffs.saturating_mul(16).saturating_add(histories.saturating_mul(120));
            let coarse = pairs > 0 && below / pairs >= u128::from(LEAST);
            if cut == 0 || coarse && bytes < u128::from(size.bytes) {
                let least = |many: u128| u64::try_from(many).unwrap_or(u64::MAX);
                (size.cut, size.pairs) = (cut, least(pairs + early));
                (size.payoffs, size.bytes) = (least(payoffs), least(bytes));
            }
        }
        let all = |numbers: [u64; 2]| numbers[0].saturating_add(numbers[1]);
        let plexes = all(views).saturating_mul(12).saturating_add(all(sequences).saturating_mul(8));
        size.bytes = size.bytes.saturating_add(plexes);
        size
    }
}

impl Form {
    pub(super) fn new(
        states: &States,
        shapes: &[Shape; 2],
        size: &Size,
        fold: bool,
        watch: &dyn Watch,
    ) -> Result<Form, HiddenError> {
        if size.sequences.iter().any(|&many| many > u64::from(u32::MAX) / 2) {
            let (what, memory) = ("more than 2^31 sequences".into(), u64::MAX);
            return Err(HiddenError::Room { what, needed: size.bytes, memory });
        }
        let plexes = [0, 1].map(|p| Plex::new(&states.minds[p], &shapes[p]));
        let layout = Layout { states, shapes };
        let mirrors =
            fold.then(|| Some([states.minds[0].mirrored()?, states.minds[1].mirrored()?]));
        let mirrors = mirrors.flatten();
        let mirror = mirrors.as_ref().map(|[first, _]| first);
        let (pairs, numbers, wanted) = (vec![], vec![NONE; states.len()], vec![]);
        let mut cut = Cut { layout, mirror, depth: size.cut, pairs, numbers, wanted };
        cut.walk(Place::start(), 0, Seen::Alike);
        let Cut { pairs, wanted, .. } = cut;
        let meter = Meter::new(watch, "laying out", None, Some(wanted.len() as u64))?;
        let blocks = (wanted.par_iter())
            .map(|&node| {
                let block = layout.block(node);
                meter.add(1).map(|()| block)
            })
            .collect::<Result<Vec<Block>, _>>()?;
        let parts = Player::BOTH.map(|player| {
            // Of a history whose image is there too, the second player gets half from either.
            let half = if player == Player::Second && mirrors.is_some() { 0.5 } else { 1.0 };
            let weigh = |&(pair, whole): &(Pair, bool)| {
                let chance = if whole { pair.chance } else { half * pair.chance };
                Pair { chance, ..pair }
            };
            Parts::new(pairs.iter().map(weigh).collect(), player, &layout)
        });
        let folded = mirrors.map(|mirrors| Folded::new(&layout, &mirrors));
        Ok(Form { plexes, blocks, parts, folded })
    }

    /// A form given by its payoffs: of a sequence of either player how much.
    pub fn of(plexes: [Plex; 2], payoffs: &[([u32; 2], f64)]) -> Form {
        let sizes = [0, 1].map(|p: usize| plexes[p].sequences() as u32);
        let block = Block::new(sizes, payoffs.to_vec());
        let pair = Pair { block: 0, seats: [Seat { incoming: 0, base: 1 }; 2], chance: 1.0 };
        let parts =
            [0, 1].map(|p: usize| Parts { pairs: vec![pair], ranges: vec![(0, sizes[p], 1)] });
        Form { plexes, blocks: vec![block], parts, folded: None }
    }

    /// What each sequence of a player earns by itself against a reach of the other.
    pub fn gradient(&self, player: Player, reach: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        let even = self.folded.as_ref().map(|folded| folded.even(player.other(), reach));
        let reach = even.as_deref().unwrap_or(reach);
        let (p, parts) = (player as usize, &self.parts[player as usize]);
        let (mut tasks, mut rest, mut done, mut first) = (vec![], &mut *gradient, 0, 0);
        for &(begin, end, last) in &parts.ranges {
            let (_, tail) = rest.split_at_mut(begin as usize - done);
            let (own, tail) = tail.split_at_mut((end - begin) as usize);
            tasks.push((own, begin, &parts.pairs[first..last]));
            (rest, done, first) = (tail, end as usize, last);
        }
        tasks.into_par_iter().for_each(|(own, begin, pairs)| {
            self.part(p, reach, own, begin, pairs);
        });
        if let Some(folded) = &self.folded {
            folded.complete(player, gradient);
        }
    }

    fn part(&self, p: usize, reach: &[f64], own: &mut [f64], begin: u32, pairs: &[Pair]) {
        let (q, arch) = (1 - p, pulp::Arch::new());
        let (mut from, mut into) = (vec![], vec![]);
        for group in pairs.chunk_by(|a, b| a.block == b.block) {
            let block = &self.blocks[group[0].block as usize];
            let live: Vec<&Pair> = (group.iter())
                .filter(|pair| reach[pair.seats[q].incoming as usize] != 0.0)
                .collect();
            for pairs in live.chunks(LANES) {
                if let [pair] = pairs {
                    block.once(p, pair, reach, own, begin);
                } else {
                    block.gather(q, pairs, reach, &mut from);
                    arch.dispatch(|| block.multiply(p, &from, &mut into));
                    block.scatter(p, pairs, &into, own, begin);
                }
            }
        }
    }

    /// The behaviours that this form takes these for: the same, or if it is folded, half of each and half of
    /// its mirror image.
    pub fn evened(&self, behaviours: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
        let Some(folded) = &self.folded else { return behaviours };
        Player::BOTH.map(|player| {
            let plex = &self.plexes[player as usize];
            let mut reach = vec![0.0; plex.sequences()];
            plex.reach(&behaviours[player as usize], &mut reach);
            plex.behaviour(&folded.even(player, &reach))
        })
    }

    /// All payoffs, by pairs of sequences, the first player's first; of a folded form, those that are kept.
    pub fn payoffs(&self) -> Vec<([u32; 2], f64)> {
        let mut all = vec![];
        for pair in &self.parts[0].pairs {
            let place = |p: usize, local: u32| match local {
                0 => pair.seats[p].incoming,
                _ => pair.seats[p].base + local - 1,
            };
            self.blocks[pair.block as usize].sides[0].each(|row, column, payoff| {
                all.push(([place(0, row), place(1, column)], payoff * pair.chance));
            });
        }
        all.sort_by_key(|&(at, _)| at);
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        all
    }

    /// The number of payoffs of all histories, at most.
    pub(super) fn entries(&self) -> u64 {
        let block = |pair: &Pair| self.blocks[pair.block as usize].sides[0].columns.len();
        self.parts[0].pairs.iter().map(|pair| block(pair) as u64).sum()
    }
}

impl Lines {
    /// The matrix of these entries, which are sorted by row and then by payoff.
    fn new(entries: &[(u32, u32, f64)]) -> Lines {
        let mut lines = Lines::default();
        let alike = |a: &(u32, u32, f64), b: &(u32, u32, f64)| (a.0, a.2) == (b.0, b.2);
        for run in entries.chunk_by(alike) {
            lines.columns.extend(run.iter().map(|entry| entry.1));
            let end = lines.columns.len() as u32;
            lines.runs.push(Run { row: run[0].0, end, payoff: run[0].2 });
        }
        lines
    }

    fn each(&self, mut entry: impl FnMut(u32, u32, f64)) {
        let mut first = 0;
        for run in &self.runs {
            for &column in &self.columns[first..run.end as usize] {
                entry(run.row, column, run.payoff);
            }
            first = run.end as usize;
        }
    }
}

impl Block {
    fn new(sizes: [u32; 2], mut payoffs: Vec<([u32; 2], f64)>) -> Block {
        payoffs.sort_unstable_by_key(|&(at, _)| at);
        payoffs.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0.0 };
            same
        });
        let sides = [0, 1].map(|p: usize| {
            let mut entries: Vec<(u32, u32, f64)> =
                payoffs.iter().map(|&(at, payoff)| (at[p], at[1 - p], payoff)).collect();
            entries.sort_unstable_by(|a, b| {
                a.0.cmp(&b.0).then(a.2.total_cmp(&b.2)).then(a.1.cmp(&b.1))
            });
            let mut lines = Lines::new(&entries);
            if p == 1 {
                lines.runs.iter_mut().for_each(|run| run.payoff = -run.payoff);
            }
            lines
        });
        Block { sizes, sides }
    }

    /// Puts the reaches of eight histories side by side.
    fn gather(&self, q: usize, pairs: &[&Pair], reach: &[f64], from: &mut Vec<[f64; LANES]>) {
        let size = self.sizes[q] as usize;
        from.clear();
        from.resize(size, [0.0; LANES]);
        for (lane, pair) in pairs.iter().enumerate() {
            let Seat { incoming, base } = pair.seats[q];
            from[0][lane] = pair.chance * reach[incoming as usize];
            let reach = &reach[base as usize..base as usize + size - 1];
            for (to, reach) in from[1..].iter_mut().zip(reach) {
                to[lane] = pair.chance * reach;
            }
        }
    }

    /// The payoffs times eight reaches. Inlined, so that it is compiled for what the processor can do.
    #[inline(always)]
    fn multiply(&self, p: usize, from: &[[f64; LANES]], into: &mut Vec<[f64; LANES]>) {
        into.clear();
        into.resize(self.sizes[p] as usize, [0.0; LANES]);
        let Lines { runs, columns } = &self.sides[p];
        let mut first = 0;
        for run in runs {
            let mut sum = [0.0; LANES];
            for &column in &columns[first..run.end as usize] {
                let from = &from[column as usize];
                for lane in 0..LANES {
                    sum[lane] += from[lane];
                }
            }
            first = run.end as usize;
            let into = &mut into[run.row as usize];
            for lane in 0..LANES {
                into[lane] += run.payoff * sum[lane];
            }
        }
    }

    fn scatter(
        &self,
        p: usize,
        pairs: &[&Pair],
        into: &[[f64; LANES]],
        own: &mut [f64],
        begin: u32,
    ) {
        for (lane, pair) in pairs.iter().enumerate() {
            let Seat { incoming, base } = pair.seats[p];
            own[(incoming - begin) as usize] += into[0][lane];
            if into.len() > 1 {
                let own = &mut own[(base - begin) as usize..];
                for (own, from) in own.iter_mut().zip(&into[1..]) {
                    *own += from[lane];
                }
            }
        }
    }

    /// One history alone.
    fn once(&self, p: usize, pair: &Pair, reach: &[f64], own: &mut [f64], begin: u32) {
        let (mine, theirs) = (pair.seats[p], pair.seats[1 - p]);
        let Lines { runs, columns } = &self.sides[p];
        let mut first = 0;
        for run in runs {
            let reached = |column: u32| match column {
                0 => reach[theirs.incoming as usize],
                _ => reach[(theirs.base + column - 1) as usize],
            };
            let columns = &columns[first..run.end as usize];
            let sum: f64 = columns.iter().map(|&column| reached(column)).sum();
            first = run.end as usize;
            let place = if run.row == 0 { mine.incoming } else { mine.base + run.row - 1 };
            own[(place - begin) as usize] += pair.chance * run.payoff * sum;
        }
    }
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
pub(super) struct Layout<'a> {
    pub states: &'a States,
    pub shapes: &'a [Shape; 2],
}

/// A history: its state, and where in either player's sequences it is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub node: u32,
    pub seats: [Seat; 2],
    pub chance: f64,
}

impl Place {
    /// Before anything has happened.
    pub fn start() -> Place {
        Place { node: 0, seats: [Seat { incoming: 0, base: 1 }; 2], chance: 1.0 }
    }
}

impl<'a> Layout<'a> {
    pub fn node(&self, place: Place) -> &'a Node {
        &self.states.nodes[place.node as usize]
    }

    pub fn next(self, place: Place) -> impl Iterator<Item = Place> {
        let node = self.node(place);
        let mover = match node.turn {
            Turn::Of(player) => Some(player as usize),
            _ => None,
        };
        self.states.arcs(place.node).iter().enumerate().map(move |(i, arc)| {
            let mut seats = place.seats;
            for (p, seat) in seats.iter_mut().enumerate() {
                if arc.steps[p] == STILL {
                    continue;
                }
                if mover == Some(p) {
                    seat.incoming = seat.base + i as u32;
                }
                let kids = self.states.minds[p].kid_range(node.minds[p]);
                seat.base += self.shapes[p].offsets[kids.start + arc.steps[p] as usize];
            }
            Place { node: arc.to, seats, chance: place.chance * arc.chance }
        })
    }

    /// The payoffs below a state.
    fn block(self, node: u32) -> Block {
        let mut payoffs = vec![];
        self.payoffs(Place { node, ..Place::start() }, &mut payoffs);
        let minds = self.states.nodes[node as usize].minds;
        let over = matches!(self.states.nodes[node as usize].turn, Turn::Over(_));
        let size = |p: usize| self.shapes[p].sequences[minds[p] as usize] as u32;
        // At an end there is nothing but what led there.
        let sizes = [0, 1].map(|p| if over { 1 } else { 1 + size(p) });
        Block::new(sizes, payoffs)
    }

    fn payoffs(self, place: Place, payoffs: &mut Vec<([u32; 2], f64)>) {
        if let Turn::Over(payoff) = self.node(place).turn {
            if payoff != 0.0 {
                payoffs.push((place.seats.map(|seat| seat.incoming), payoff * place.chance));
            }
            return;
        }
        for next in self.next(place) {
            self.payoffs(next, payoffs);
        }
    }
}

/// The histories at the cut, and those that end before it.
struct Cut<'a> {
    layout: Layout<'a>,
    mirror: Option<&'a Mirror>,
    depth: usize,
    /// Histories, and of each whether its image was left out.
    pairs: Vec<(Pair, bool)>,
    /// The block of each state that has one.
    numbers: Vec<u32>,
    wanted: Vec<u32>,
}

/// The images of a player's minds and of their kids.
type Mirror = (Vec<u32>, Vec<u32>);

impl Cut<'_> {
    fn walk(&mut self, place: Place, depth: usize, seen: Seen) {
        let turn = self.layout.node(place).turn;
        if !matches!(turn, Turn::Over(_)) && depth < self.depth {
            for (i, next) in self.layout.next(place).enumerate() {
                if let Some(seen) = self.next(place, i, seen) {
                    self.walk(next, depth + 1, seen);
                }
            }
            return;
        }
        let number = &mut self.numbers[place.node as usize];
        if *number == NONE {
            *number = self.wanted.len() as u32;
            self.wanted.push(place.node);
        }
        let pair = Pair { block: *number, seats: place.seats, chance: place.chance };
        self.pairs.push((pair, seen == Seen::Parted));
    }

    /// What the first player's view is after a move, in the mirror; `None` if its image is enough.
    fn next(&self, place: Place, i: usize, seen: Seen) -> Option<Seen> {
        let (Some((_, images)), Seen::Alike) = (self.mirror, seen) else { return Some(seen) };
        let (node, minds) = (self.layout.node(place), &self.layout.states.minds[0]);
        let (mind, step) = (node.minds[0], self.layout.states.arcs(place.node)[i].steps[0]);
        if step == STILL {
            return Some(seen);
        }
        if node.turn == Turn::Of(Player::First) {
            let image = minds.image_move(mind, mind, i as u32)?;
            if image != i as u32 {
                return (image > i as u32).then_some(Seen::Parted);
            }
        }
        let alike = images[minds.kid_range(mind).start + step as usize] == step;
        Some(if alike { Seen::Alike } else { Seen::Other })
    }
}

/// What the first player's view is in the mirror.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// The same view.
    Alike,
    /// Another one, which is there too.
    Other,
    /// Another one, which was left out.
    Parted,
}

impl Folded {
    fn new(layout: &Layout, mirrors: &[Mirror; 2]) -> Folded {
        let sizes = [0, 1].map(|p: usize| 1 + layout.shapes[p].sequences[0] as usize);
        let mut images = sizes.map(|size| vec![0; size]);
        let mut left_out = sizes.map(|size| vec![false; size]);
        for p in 0..2 {
            let walk = Images { layout, p, mirror: &mirrors[p] };
            walk.fill(Twin { mind: 0, base: [1, 1] }, false, &mut images[p], &mut left_out[p]);
        }
        let [left_out, _] = left_out;
        Folded { images, left_out }
    }

    /// Half of a reach and half of its mirror image.
    fn even(&self, player: Player, reach: &[f64]) -> Vec<f64> {
        let images = &self.images[player as usize];
        let half = |(&image, own): (&u32, &f64)| (own + reach[image as usize]) / 2.0;
        images.par_iter().zip(reach).map(half).collect()
    }

    /// Adds what was left out to a gradient.
    fn complete(&self, player: Player, gradient: &mut [f64]) {
        let images = self.images[player as usize].iter().enumerate();
        match player {
            Player::First => {
                for (sequence, &image) in images.filter(|(sequence, _)| self.left_out[*sequence]) {
                    gradient[sequence] = gradient[image as usize];
                }
            }
            Player::Second => {
                for (sequence, &image) in
                    images.filter(|(sequence, image)| *sequence <= **image as usize)
                {
                    let sum = gradient[sequence] + gradient[image as usize];
                    (gradient[sequence], gradient[image as usize]) = (sum, sum);
                }
            }
        }
    }
}

/// Where the sequences of a view begin, and those of its image.
#[derive(Clone, Copy)]
struct Twin {
    mind: u32,
    base: [u32; 2],
}

/// Finds images, and what is left out because its image is there.
struct Images<'a> {
    layout: &'a Layout<'a>,
    p: usize,
    mirror: &'a Mirror,
}

impl Images<'_> {
    fn fill(&self, twin: Twin, out: bool, images: &mut [u32], left_out: &mut [bool]) {
        let Twin { mind, base } = twin;
        let (minds, shape) = (&self.layout.states.minds[self.p], &self.layout.shapes[self.p]);
        let image = self.mirror.0[mind as usize];
        let moves: Vec<u32> = (0..minds.moves(mind))
            .map(|mv| minds.image_move(mind, image, mv).unwrap_or(mv))
            .collect();
        // As long as a view is its own image, moves part.
        let left = |mv: u32| if base[0] == base[1] { moves[mv as usize] < mv } else { out };
        for mv in 0..minds.moves(mind) {
            let sequence = (base[0] + mv) as usize;
            (images[sequence], left_out[sequence]) = (base[1] + moves[mv as usize], left(mv));
        }
        for (i, kid) in minds.kid_range(mind).zip(minds.kids(mind)) {
            let other = minds.kid_range(image).start + self.mirror.1[i] as usize;
            let base = [base[0] + shape.offsets[i], base[1] + shape.offsets[other]];
            let out = kid.step.mv.map_or(out, left);
            self.fill(Twin { mind: kid.to, base }, out, images, left_out);
        }
    }
}

impl Parts {
    fn new(mut pairs: Vec<Pair>, player: Player, layout: &Layout) -> Parts {
        let p = player as usize;
        let mut cuts = vec![(0, 1 + layout.shapes[p].sequences[0] as u32)];
        let mut trees = layout.after_a_move(p, &[(0, 1)]);
        let seat = |pair: &Pair| pair.seats[p].incoming;
        // As many parts as may keep all threads busy, as long as every history belongs to one.
        while !trees.is_empty() && cuts.len() < ENOUGH {
            let mut finer: Vec<(u32, u32)> = (trees.iter())
                .map(|&(mind, base)| {
                    (base, base + layout.shapes[p].sequences[mind as usize] as u32)
                })
                .collect();
            finer.sort_unstable();
            let inside = |pair: &Pair| {
                let i = finer.partition_point(|&(_, end)| end <= seat(pair));
                finer.get(i).is_some_and(|&(begin, _)| begin <= seat(pair))
            };
            if !pairs.iter().all(inside) {
                break;
            }
            cuts = finer;
            trees = layout.after_a_move(p, &trees);
        }
        let part = |pair: &Pair| cuts.partition_point(|&(_, end)| end <= seat(pair));
        pairs.sort_by_key(|pair| (part(pair), pair.block));
        let last = |i: usize| pairs.partition_point(|pair| part(pair) <= i);
        let ranges = cuts.iter().enumerate().map(|(i, &(begin, end))| (begin, end, last(i)));
        let ranges = ranges.collect();
        Parts { pairs, ranges }
    }
}

/// So many parts keep all threads busy, and are not parted further.
const ENOUGH: usize = 64;

impl Layout<'_> {
    /// Where a player's sequences begin, with the mind, after one more move of the player's.
    fn after_a_move(&self, p: usize, trees: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let (minds, shape) = (&self.states.minds[p], &self.shapes[p]);
        let (mut after, mut open) = (vec![], trees.to_vec());
        while let Some((mind, base)) = open.pop() {
            for (i, kid) in minds.kid_range(mind).zip(minds.kids(mind)) {
                let to = if kid.step.mv.is_some() { &mut after } else { &mut open };
                if shape.sequences[kid.to as usize] > 0 {
                    to.push((kid.to, base + shape.offsets[i]));
                }
            }
        }
        after
    }
}

impl States {
    /// How many histories that end lie below each state.
    pub(super) fn ends(&self) -> Vec<u128> {
        self.backwards(|node, at, ends: &[u128]| match at.turn {
            Turn::Over(_) => 1,
            _ => (self.arcs(node).iter())
                .fold(0_u128, |sum, arc| sum.saturating_add(ends[arc.to as usize])),
        })
    }
}

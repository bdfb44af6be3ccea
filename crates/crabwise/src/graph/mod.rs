//! A numbered game with its types erased: positions are slots, moves are edges.
//!
//! The solvers, the counting and the search for what can be reached work on this and are compiled
//! once, not once a game. A game is asked for a whole run of slots at a time, so that the price of
//! forgetting its type is paid once for thousands of positions.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use rayon::prelude::*;

mod mirrored;
pub(crate) mod partition;

use self::mirrored::mirrored;
use crate::{
    game::{
        Game, Outcome, Unplay,
        batched::{Expander, Expansion},
        one_line,
    },
    graph::partition::Partition,
    index::{Index, Slot, nth_slot},
};

/// What a run of slots is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// Holes and ends only.
    Ends,
    /// Holes, ends and the children of the rest.
    All,
    /// The children, of positions that are known not to be over.
    Children,
    /// Holes, ends and how many moves the rest have.
    Count,
    /// Holes, ends and of the rest the children in other tiers, with how many are in this one.
    Leaving,
}

/// What is at a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Node {
    Hole,
    Over(Outcome),
    /// A position, with the number of its moves.
    Open(u32),
}

/// Where a move leads, and whether the mover moves again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Edge {
    pub(crate) to: Slot,
    pub(crate) again: bool,
}

/// The answer for a run of slots. The edges of all nodes stand one after the other.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// For [`Ask::Leaving`]: how many moves of each node stay inside the tier.
    pub(crate) inner: Vec<u32>,
}

/// Slots that are scanned before it is looked how many moves they had.
const SCAN: u64 = if cfg!(test) { 10 } else { 1 << 11 };

impl Page {
    /// Scans slots from the first of a range on until they have `moves` moves, or four times as many slots are
    /// scanned. Returns where the rest begins.
    pub(crate) fn fill(
        &mut self,
        graph: &dyn Graph,
        tier: u32,
        slots: Range<u64>,
        ask: Ask,
        moves: u64,
    ) -> u64 {
        let (mut at, most) = (slots.start, slots.end.min(slots.start + moves.max(1) * 4));
        let mut some = Page::default();
        *self = Page::default();
        while at < most && (at == slots.start || (self.edges.len() as u64) < moves) {
            let to = (at + SCAN).min(most);
            graph.scan(tier, &(at..to).collect::<Vec<u64>>(), ask, &mut some);
            // Counts of moves inside the tier end with the last node that has any.
            self.inner.resize(self.nodes.len(), 0);
            self.inner.append(&mut some.inner);
            self.nodes.append(&mut some.nodes);
            self.edges.append(&mut some.edges);
            at = to;
        }
        at
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.inner.clear();
    }

    /// Adds what is at a position, and an edge for each child that has a `place`. Others stay inside the tier, and
    /// are counted.
    #[inline]
    pub(crate) fn add<G: Game>(
        &mut self,
        game: &G,
        at: &G::Position,
        ask: Ask,
        mut place: impl FnMut(G::Position) -> Option<Slot>,
    ) {
        let outcome = if ask == Ask::Children { None } else { game.over(at) };
        let (before, mut inner) = (self.edges.len(), 0);
        let node = match (outcome, ask) {
            (Some(outcome), _) => Node::Over(outcome),
            (None, Ask::Ends) => Node::Open(0),
            (None, Ask::Count) => Node::Open(game.moves(at).into_iter().count() as u32),
            (None, Ask::All | Ask::Children | Ask::Leaving) => {
                for mv in game.moves(at) {
                    let to = game.play(at, mv);
                    let again = game.again(at, &to);
                    match place(to) {
                        Some(to) => self.edges.push(Edge { to, again }),
                        None => inner += 1,
                    }
                }
                Node::Open((self.edges.len() - before) as u32)
            }
        };
        if inner > 0 {
            self.inner.resize(self.nodes.len(), 0);
            self.inner.push(inner);
        }
        self.nodes.push(node);
    }

    /// Adds an outcome or edges; where only those that leave the tier are wanted, the others are counted.
    fn add_edges(
        &mut self,
        tier: u32,
        outcome: Option<Outcome>,
        edges: impl Iterator<Item = Edge>,
        leaving: bool,
    ) {
        let (before, mut inner) = (self.edges.len(), 0);
        for edge in edges {
            match leaving && edge.to.tier == tier {
                true => inner += 1,
                false => self.edges.push(edge),
            }
        }
        if inner > 0 {
            self.inner.resize(self.nodes.len(), 0);
            self.inner.push(inner);
        }
        let open = Node::Open((self.edges.len() - before) as u32);
        self.nodes.push(outcome.map_or(open, Node::Over));
    }

    /// Scans slots that are known to have moves, and pairs each with its edges.
    pub(crate) fn children<'p>(
        &'p mut self,
        graph: &dyn Graph,
        tier: u32,
        slots: impl Iterator<Item = u64>,
    ) -> impl Iterator<Item = (u64, &'p [Edge])> {
        let slots: Vec<u64> = slots.collect();
        graph.scan(tier, &slots, Ask::Children, self);
        slots.into_iter().zip(self.iter().map(|(_, edges)| edges))
    }

    /// The nodes with their edges; where only counts were asked for, without.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Node, &[Edge])> {
        let mut rest = &self.edges[..];
        self.nodes.iter().map(move |&node| {
            let count = if let Node::Open(moves) = node { moves as usize } else { 0 };
            let (edges, after) = rest.split_at(count.min(rest.len()));
            rest = after;
            (node, edges)
        })
    }
}

/// A game with a numbering.
pub(crate) trait Graph: Sync {
    fn tiers(&self) -> u32;
    fn len(&self, tier: u32) -> u64;
    fn loopy(&self, tier: u32) -> bool;
    fn last_child_tier(&self, tier: u32) -> u32;
    fn start(&self) -> Slot;

    /// Answers for the given slots of a tier.
    fn scan(&self, tier: u32, slots: &[u64], ask: Ask, page: &mut Page);

    /// How the slots of a tier are cut up among workers, where the numbering itself is.
    fn partition(&self, _tier: u32) -> Option<Partition> {
        None
    }

    /// The index of the slot with an address, which is the index itself where all of the numbering is
    /// known.
    fn place(&self, address: Slot) -> Option<u64> {
        Some(address.index)
    }

    /// The keys of this worker's positions of a tier, in rising order, where addresses are keys.
    fn keys(&self, _tier: u32) -> Option<Vec<u64>> {
        None
    }

    /// How many moves there are from all positions of all workers together, where that is known.
    fn moves(&self) -> Option<u64> {
        None
    }

    /// The ability to be played backwards.
    fn backwards(&self) -> Option<&dyn Backwards> {
        None
    }

    /// How many positions share a slot at the most.
    fn max_orbit(&self) -> u32 {
        1
    }

    /// Whether slots can be counted as positions up to symmetry.
    fn merges_orbits(&self) -> bool {
        false
    }

    /// How many positions share this one.
    fn orbit_size(&self, _slot: Slot) -> u64 {
        1
    }

    /// The classes of a tier, by name and number of slots; one without a name if there are none.
    fn classes(&self, tier: u32) -> Vec<(String, u64)> {
        vec![(String::new(), self.len(tier))]
    }

    /// Which of the positions that share its slot the start is.
    fn start_member(&self) -> Option<u64> {
        Some(0)
    }

    /// Where the moves of one of the positions that share a slot lead: slot and member.
    fn members(&self, _slot: Slot, _member: u64, _out: &mut Vec<(Slot, Option<u64>)>) {}

    /// The picture of one of the positions that share a slot, and the same in one line; without a member,
    /// of the one that is kept there.
    fn pictures(&self, slot: Slot, member: Option<u64>) -> [String; 2];
    /// Where the `nth` move from a slot leads, on one line.
    fn show_child(&self, slot: Slot, nth: usize) -> String;

    /// The picture on one line.
    fn show(&self, slot: Slot) -> String {
        one_line(&self.pictures(slot, None)[0])
    }

    /// Whether a tier is nothing but a slot for ends without a board, which are not counted.
    fn boardless(&self, tier: u32) -> bool {
        self.len(tier) == 1 && self.orbit_size(Slot { tier, index: 0 }) == 0
    }

    fn total(&self) -> u64 {
        (0..self.tiers()).map(|tier| self.len(tier)).sum()
    }

    /// The slots of the largest tier.
    fn largest(&self) -> u64 {
        (0..self.tiers()).map(|tier| self.len(tier)).max().unwrap_or(0)
    }

    /// The slot at a place counted through all tiers.
    fn nth(&self, at: u64) -> Slot {
        nth_slot(at, |tier| self.len(tier))
    }
}

/// The slots of all tiers, one after the other.
pub(crate) fn slots(graph: &dyn Graph) -> impl Iterator<Item = Slot> {
    (0..graph.tiers()).flat_map(|tier| (0..graph.len(tier)).map(move |index| Slot { tier, index }))
}

/// A game that can be played backwards.
pub(crate) trait Backwards: Sync {
    /// Finds the parents of some slots inside their tier, one for each move.
    fn parents(&self, tier: u32, children: &[u64], out: &mut Origins);

    /// Which of up to 64 slots, `first` and on, have a parent among those marked, in whatever tier:
    /// a bit each, as in `slots`, which says whom to ask.
    fn pull(&self, tier: u32, first: u64, slots: u64, marked: &Marks) -> u64;

    /// Whether all images of the start can be reached from it, so that whatever can be reached can
    /// be reached mirrored as well. `false` if that is not known.
    fn mirrored(&self) -> bool;
}

/// Where moves come from: the parents of several children, one after the other.
#[derive(Default)]
pub(crate) struct Origins {
    /// The parents, each with whether its mover moves again.
    pub(crate) parents: Vec<(u64, bool)>,
    /// Where the parents of each child end.
    pub(crate) ends: Vec<usize>,
}

/// How a game that can be played backwards is seen so: a view is not told apart by what its game can do.
pub(crate) type Reversal<G, I> = for<'v, 'a> fn(&'v View<'a, G, I>) -> &'v dyn Backwards;

/// The [`Reversal`] of a game.
pub(crate) fn reversed<'v, G: Unplay, I: Index<G::Position>>(
    view: &'v View<'_, G, I>,
) -> &'v dyn Backwards {
    view
}

/// A bit a slot, by tier.
pub(crate) type Marks = [Vec<AtomicU64>];

/// Whether the bit of a slot is set.
#[inline]
pub(crate) fn is_marked(marked: &Marks, slot: Slot) -> bool {
    let word = marked.get(slot.tier as usize).and_then(|bits| bits.get((slot.index / 64) as usize));
    word.is_some_and(|word| word.load(Relaxed) >> (slot.index % 64) & 1 == 1)
}

/// Positions whose children are looked up together.
const BATCH: usize = 64;

/// A game seen as a graph through its numbering.
pub(crate) struct View<'a, G: Game, I: ?Sized> {
    pub(crate) game: &'a G,
    pub(crate) index: &'a I,
    pub(crate) unplay: Option<Reversal<G, I>>,
    /// How the game tells of many positions at once.
    pub(crate) batched: Option<Expander<G>>,
}

impl<'a, G: Game, I: Index<G::Position> + ?Sized> View<'a, G, I> {
    /// A game without further abilities.
    pub(crate) fn plain(game: &'a G, index: &'a I) -> Self {
        View { game, index, unplay: None, batched: None }
    }

    fn member(&self, slot: Slot, at: &G::Position) -> Option<u64> {
        if slot.tier >= self.tiers() || slot.index >= self.len(slot.tier) {
            return None;
        }
        let alike = self.index.orbit(&self.index.position(slot)?);
        alike.iter().position(|one| one == at).map(|member| member as u64)
    }

    /// Scans what a game tells of many positions at once. What it does not tell has no moves.
    fn scan_blocks(
        &self,
        (tier, slots): (u32, &[u64]),
        ask: Ask,
        Expander { expand, batch, .. }: Expander<G>,
        page: &mut Page,
    ) {
        let (mut out, mut found) = (Expansion::default(), vec![]);
        for slots in slots.chunks(batch) {
            let kept = |index: &u64| self.index.position(Slot { tier, index: *index });
            let kept: Vec<Option<G::Position>> = slots.iter().map(kept).collect();
            let holes: Vec<bool> = kept.iter().map(Option::is_none).collect();
            let positions: Vec<G::Position> = kept.into_iter().flatten().collect();
            (out.clear(), found.clear());
            expand(self.game, &positions, &mut out);
            self.index.children(tier, &out.children, &mut found);
            let (mut nodes, mut child) = (out.outcomes.iter().zip(&out.counts), 0);
            for hole in holes {
                if hole {
                    page.nodes.push(Node::Hole);
                    continue;
                }
                let (outcome, count) = nodes.next().unwrap_or((&None, &0));
                let edges = (child..).zip(found.iter().skip(child).take(*count as usize));
                let edges = edges.map(|(nth, to)| Edge { to: *to, again: out.moves_again(nth) });
                page.add_edges(tier, *outcome, edges, ask == Ask::Leaving);
                child += *count as usize;
            }
        }
    }
}

impl<G: Game, I: Index<G::Position> + ?Sized> Graph for View<'_, G, I> {
    hands_on! {
        to index:
        tiers() -> u32;
        len(tier: u32) -> u64;
        loopy(tier: u32) -> bool;
        max_orbit() -> u32;
        merges_orbits() -> bool;
        orbit_size(slot: Slot) -> u64;
        classes(tier: u32) -> Vec<(String, u64)>;
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        self.index.last_child_tier(tier).min(self.index.tiers().saturating_sub(1))
    }

    fn start(&self) -> Slot {
        self.index.slot(&self.game.start())
    }

    fn scan(&self, tier: u32, slots: &[u64], ask: Ask, page: &mut Page) {
        page.clear();
        let moves = matches!(ask, Ask::All | Ask::Children | Ask::Leaving);
        if let Some(expander) = self.batched.filter(|_| moves) {
            return self.scan_blocks((tier, slots), ask, expander, page);
        }
        let (mut children, mut found) = (vec![], vec![]);
        for slots in slots.chunks(BATCH) {
            children.clear();
            found.clear();
            let from = page.edges.len();
            for &index in slots {
                let Some(at) = self.index.position(Slot { tier, index }) else {
                    page.nodes.push(Node::Hole);
                    continue;
                };
                page.add(self.game, &at, ask, |to| {
                    if ask == Ask::Leaving && self.index.tier(&to) == tier {
                        return None;
                    }
                    children.push(to);
                    Some(Slot::NOWHERE)
                });
            }
            self.index.children(tier, &children, &mut found);
            page.edges[from..].iter_mut().zip(&found).for_each(|(edge, to)| edge.to = *to);
        }
    }

    fn backwards(&self) -> Option<&dyn Backwards> {
        self.unplay.map(|reversed| reversed(self))
    }

    fn start_member(&self) -> Option<u64> {
        self.member(self.start(), &self.game.start())
    }

    fn members(&self, slot: Slot, member: u64, out: &mut Vec<(Slot, Option<u64>)>) {
        let Some(kept) = self.index.position(slot) else { return };
        let Some(at) = self.index.orbit(&kept).into_iter().nth(member as usize) else { return };
        if self.game.over(&at).is_none() {
            for mv in self.game.moves(&at) {
                let to = self.game.play(&at, mv);
                let child = self.index.slot(&to);
                out.push((child, self.member(child, &to)));
            }
        }
    }

    fn pictures(&self, slot: Slot, member: Option<u64>) -> [String; 2] {
        let inside = slot.tier < self.tiers() && slot.index < self.len(slot.tier);
        let kept = if inside { self.index.position(slot) } else { None };
        let at = kept.and_then(|kept| match member {
            Some(member) => self.index.orbit(&kept).into_iter().nth(member as usize),
            None => Some(kept),
        });
        let both = |at: G::Position| [self.game.show(&at), self.game.notation(&at)];
        at.map_or_else(|| ["a hole".into(), "a hole".into()], both)
    }

    fn show_child(&self, slot: Slot, nth: usize) -> String {
        let Some(at) = self.index.position(slot) else { return "a hole".into() };
        let mv = self.game.moves(&at).into_iter().nth(nth);
        mv.map_or("nowhere".into(), |mv| one_line(&self.game.show(&self.game.play(&at, mv))))
    }
}

impl<G: Unplay, I: Index<G::Position>> Backwards for View<'_, G, I> {
    fn parents(&self, tier: u32, children: &[u64], out: &mut Origins) {
        let View { game, index, .. } = *self;
        out.parents.clear();
        out.ends.clear();
        for &child in children {
            if let Some(at) = index.position(Slot { tier, index: child }) {
                for from in game.unplay(&at) {
                    if index.tier(&from) == tier {
                        out.parents.push((index.slot(&from).index, game.again(&from, &at)));
                    }
                }
            }
            out.ends.push(out.parents.len());
        }
    }

    fn pull(&self, tier: u32, first: u64, slots: u64, marked: &Marks) -> u64 {
        let View { game, index, .. } = *self;
        let (mut left, mut found) = (slots, 0);
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let slot = Slot { tier, index: first + u64::from(bit) };
            if let Some(at) = index.position(slot) {
                let mut origins = game.unplay(&at).into_iter().map(|from| index.slot(&from));
                found |= u64::from(origins.any(|from| is_marked(marked, from))) << bit;
            }
        }
        found
    }

    fn mirrored(&self) -> bool {
        mirrored(self)
    }
}

/// Slots that a thread takes at a time.
const RUN: u64 = 1 << 11;

/// Cuts `0..len` into runs, and joins what `each` makes of them on all threads, in order. The page is room that is
/// used again and again.
pub(crate) fn in_runs<T: Send, E: Send>(
    len: u64,
    each: impl Fn(&mut Page, Range<u64>) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let each = |page: &mut Page, run: u64| each(page, run * RUN..((run + 1) * RUN).min(len));
    (0..len.div_ceil(RUN)).into_par_iter().map_init(Page::default, each).collect()
}

//! Contracts that any game, numbering, un-move and kernel can be held to.
//!
//! Small games are checked completely, large ones on positions met in random play from a seed and
//! on random slots. The values are compared with the slow truths where these can keep up.

use std::collections::{BTreeSet, HashSet};

use crate::{
    Fault, Game, Index, Kernel, Outcome, OutcomePlanes, ReachabilityKernel, Slot, SolveError,
    TierValues, Value, Word,
    analysis::{
        reachability::Reached,
        reachability_kernel::Flow,
        reference::{rounds, walk},
    },
    game::{
        batched::{Expansion, one_by_one},
        dynamic::{DynGame, DynMove, DynPosition},
        one_line,
    },
    graph::{Graph, View},
    index::{key, nth_slot},
    solve::{
        Task, growth::play_out, in_memory::run_keeping_all, loopy, misplaced, sweep::sweep_run,
    },
    watch::{Meter, Watch},
};

/// The result of one contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What was looked at.
    pub contract: &'static str,
    /// How many positions or slots.
    pub checked: u64,
    /// Whether that was all of them.
    pub complete: bool,
    /// The first thing found wrong.
    pub broken: Option<String>,
}

/// How a game is played backwards.
pub(crate) type UnplayOf = fn(DynGame, &DynPosition) -> Vec<DynPosition>;

/// How a game tells of many positions at once.
pub(crate) type ExpandOf = fn(DynGame, &[DynPosition]) -> Expansion<DynPosition>;

/// A numbering of positions whose types are erased.
type Numbering<'a> = dyn Index<DynPosition> + 'a;

/// How many positions are looked at before a sample has to do, and how many are in that: what holds for so many is
/// seldom broken by further ones, and a person waits for the answer.
const MOST: usize = 200_000;
const SAMPLED: usize = 1 << 16;
/// Up to how many positions the slow truths are asked.
pub const SLOW: u64 = 20_000;
/// How many slots are looked at before a solve, at the most and in a small game, beside one in each tier; and how many
/// more slots a game has for each further one.
const SPOTS: u64 = 1024;
const FEWEST: u64 = 64;
const SLOTS_A_SPOT: u64 = 1 << 11;

/// Up to how many bytes a game without a numbering is walked for a check.
pub(crate) const WALK_BYTES: u64 = 256 << 20;

/// Positions to check with: all of them, or those met in random play.
pub(crate) struct Sample<'a> {
    game: &'a DynGame<'a>,
    seed: u64,
    positions: Vec<DynPosition>,
    complete: bool,
    /// Two positions that are equal and yet go on differently.
    torn: Option<String>,
}

/// How many positions that are met again are compared with what they were before.
const MOST_COMPARED: usize = 1 << 17;

pub(crate) fn sample<'a>(game: &'a DynGame<'a>, seed: u64) -> Sample<'a> {
    let (mut torn, mut compared) = (None, 0);
    let (mut positions, complete) = walk(game, MOST, |known, to| {
        if torn.is_none() && compared < MOST_COMPARED {
            compared += 1;
            torn = difference(game, known, to);
        }
    });
    if !complete {
        let mut random = fastrand::Rng::with_seed(seed);
        positions.truncate(SAMPLED / 2);
        while positions.len() < SAMPLED {
            // Long games are cut.
            play_out(game, &mut random, |length, at| {
                positions.push(at.clone());
                length < 1000
            });
        }
    }
    Sample { game, seed, positions, complete, torn }
}

/// How two equal positions go on differently, if they do.
fn difference(game: &DynGame, one: &DynPosition, two: &DynPosition) -> Option<String> {
    let names = |at: &DynPosition| -> Vec<String> {
        game.moves(at).into_iter().map(|mv| mv.to_string()).collect()
    };
    let same =
        game.over(one) == game.over(two) && (game.over(one).is_some() || names(one) == names(two));
    let (a, b) = (one_line(&game.show(one)), one_line(&game.show(two)));
    (!same).then(|| {
        format!("{a} and {b} are equal positions, but go on differently: what tells them apart?")
    })
}

fn judge<T>(
    contract: &'static str,
    items: impl IntoIterator<Item = T>,
    complete: bool,
    mut one: impl FnMut(T) -> Result<(), String>,
) -> Checked {
    let mut checked = 0;
    for item in items {
        checked += 1;
        if let Err(broken) = one(item) {
            return Checked { contract, checked, complete: false, broken: Some(broken) };
        }
    }
    Checked { contract, checked, complete, broken: None }
}

/// What the slow truths cannot keep up with is not judged.
pub(crate) fn unjudged(contract: &'static str) -> Checked {
    Checked { contract, checked: 0, complete: false, broken: None }
}

fn ensure(holds: bool, or: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(or()) }
}

/// Moves are there unless the game is over, are written in one word each, all differently, are
/// told apart by their decisions, and lead where they led before; equal positions have equal keys.
pub(crate) fn game(sample: &Sample) -> Checked {
    let game = sample.game;
    if sample.torn.is_some() {
        let checked = sample.positions.len() as u64;
        return Checked { checked, broken: sample.torn.clone(), ..unjudged("rules") };
    }
    let (mut seen, mut named) = (0, 0);
    judge("rules", &sample.positions, sample.complete, |at| {
        let at_place = |how| format!("{how}, at {}", one_line(&game.show(at)));
        ensure(game.over(at) == game.over(&at.clone()), || at_place("the outcome changes".into()))?;
        ensure(!game.show(at).trim().is_empty(), || format!("there is no picture of {at:?}"))?;
        seen += 1;
        if game.over(at).is_some() || named > MOST_NAMES && seen % 32 != 0 {
            return Ok(());
        }
        let moves: Vec<DynMove> = game.moves(at).into_iter().collect();
        named += moves.len();
        playable(game, at, &moves).map_err(at_place)
    })
}

fn playable(game: &DynGame, at: &DynPosition, moves: &[DynMove]) -> Result<(), String> {
    let names: Vec<String> = moves.iter().map(DynMove::to_string).collect();
    ensure(!moves.is_empty(), || "no move, yet not over".into())?;
    let again = game.moves(at).into_iter().map(|mv| mv.to_string());
    ensure(again.eq(names.iter().cloned()), || "asked twice, `moves` answers differently".into())?;
    let mut distinct = HashSet::new();
    for name in &names {
        ensure(is_word(name), || format!("the move '{name}' is not one word"))?;
        ensure(distinct.insert(name), || format!("two moves are written '{name}'"))?;
    }
    decided(game, moves)?;
    for (mv, name) in moves.iter().zip(&names) {
        let (once, twice) = (game.play(at, mv.clone()), game.play(at, mv.clone()));
        let same = once == twice && key(&once, 0) == key(&twice, 0);
        ensure(same, || format!("'{name}' leads to different places"))?;
    }
    Ok(())
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && !name.contains(char::is_whitespace)
}

/// Once the names of this number of moves have been looked at, those of every 32nd position are.
const MOST_NAMES: usize = 1 << 20;

/// Whether the moves of a position can be made decision by decision: each of one word or more,
/// and none made while another one is half made.
fn decided(game: &DynGame, moves: &[DynMove]) -> Result<(), String> {
    let mut made = vec![];
    for mv in moves {
        let decisions = game.decisions(mv);
        ensure(!decisions.is_empty(), || format!("the move '{mv}' is made of no decision"))?;
        if let Some(odd) = decisions.iter().find(|name| !is_word(name)) {
            return Err(format!("the decision '{odd}' of the move '{mv}' is not one word"));
        }
        ensure(game.decisions(mv) == decisions, || {
            format!("asked twice, `decisions` answers differently of '{mv}'")
        })?;
        made.push((decisions, mv));
    }
    // In this order whatever begins with a list of decisions comes right after it.
    made.sort_by(|(one, _), (two, _)| one.cmp(two));
    for pair in made.windows(2) {
        let [(one, first), (two, second)] = pair else { continue };
        let (short, long) = (one.join(" "), two.join(" "));
        ensure(one != two, || {
            format!("'{first}' and '{second}' are the same decisions, '{short}'")
        })?;
        ensure(!two.starts_with(one), || {
            format!(
                "the decisions of '{first}', '{short}', are the beginning of those of '{second}', \
                 '{long}'"
            )
        })?;
    }
    Ok(())
}

/// `slot` and `position` undo each other; moves lead to later tiers, or stay in loopy ones;
/// positions that share a slot have the same children; what is reached from the start is numbered.
pub(crate) fn index(sample: &Sample, index: &Numbering) -> Checked {
    let game = sample.game;
    let total = index.total();
    let complete = total <= MOST as u64;
    let mut random = fastrand::Rng::with_seed(sample.seed);
    let slots: Vec<u64> = if complete {
        (0..total).collect()
    } else {
        (0..SAMPLED).map(|_| random.u64(0..total)).collect()
    };
    let by_slot = judge("numbering", slots, complete, |at| {
        let slot = nth_slot(at, |tier| index.len(tier));
        index.position(slot).map_or(Ok(()), |at| numbered(game, index, slot, &at))
    });
    if by_slot.broken.is_some() {
        return by_slot;
    }
    let by_play = judge("numbering", &sample.positions, sample.complete, |at| {
        let slot = index.slot(at);
        let inside = slot.tier < index.tiers() && slot.index < index.len(slot.tier);
        let show = |at| one_line(&game.show(at));
        let Some(kept) = inside.then(|| index.position(slot)).flatten() else {
            let why = misplaced(&View::plain(game, index), None, slot);
            return Err(format!("{} has no place: {why}", show(at)));
        };
        ensure(kept == *at || may_share(game, index, &kept, at), || {
            let (at, kept) = (show(at), show(&kept));
            format!("{at} shares slot {slot} with {kept}, but `orbit` does not list it")
        })
    });
    let checked = by_slot.checked + by_play.checked;
    Checked { checked, complete: by_slot.complete && by_play.complete, ..by_play }
}

/// Whether a position may be in the slot where another is kept: it is alike, or both are over in
/// the same way and the slot stands for all such ends.
fn may_share(game: &DynGame, index: &Numbering, kept: &DynPosition, at: &DynPosition) -> bool {
    let alike = index.orbit(kept);
    let ends = || game.over(at).is_some() && game.over(at) == game.over(kept);
    alike.contains(at) || alike.is_empty() && ends()
}

fn numbered(game: &DynGame, index: &Numbering, slot: Slot, at: &DynPosition) -> Result<(), String> {
    let picture = || one_line(&game.show(at));
    let (found, alike, reach) = (index.slot(at), index.orbit(at), index.last_child_tier(slot.tier));
    ensure(found == slot, || {
        format!("{} is kept at slot {slot}, but `slot` says {found}", picture())
    })?;
    ensure(!alike.is_empty() || game.over(at).is_some(), || {
        format!("`orbit` of {} lists nothing, but play goes on there", picture())
    })?;
    ensure(alike.is_empty() || alike.contains(at), || {
        format!("`orbit` of {} leaves out the position itself", picture())
    })?;
    ensure(alike.len() <= index.max_orbit() as usize, || {
        let (alike, folds, at) = (alike.len(), index.max_orbit(), picture());
        format!("`orbit` lists {alike} positions for {at}, and `max_orbit` says {folds}")
    })?;
    let mut images = if index.merges_orbits() { index.images(at) } else { vec![] }.into_iter();
    ensure(images.all(|image| index.slot(&image) == slot), || {
        format!("an image of {} has another slot, but `merges_orbits` is true", picture())
    })?;
    ensure(reach >= slot.tier, || format!("`last_child_tier({})` is {reach}", slot.tier))?;
    let future = future(game, index, slot, at)?;
    // Where images have slots apart, to compare is slow, and one other image will do.
    let most = if index.merges_orbits() { alike.len() } else { 1 };
    for other in alike.iter().filter(|other| *other != at).take(most) {
        let same = index.slot(other) == slot && self::future(game, index, slot, other)? == future;
        ensure(same, || {
            let other = one_line(&game.show(other));
            format!("{} and {other} share a slot but not their future", picture())
        })?;
    }
    Ok(())
}

/// What a position comes to: its outcome, and its moves up to symmetry. Of each the first slot of the images of where it
/// leads is told, as a numbering need not fold all of them into one, and whether the mover moves again.
type Future = (Option<Outcome>, BTreeSet<(Slot, bool)>);

fn future(
    game: &DynGame,
    index: &Numbering,
    slot: Slot,
    at: &DynPosition,
) -> Result<Future, String> {
    let over = game.over(at);
    let (mut kinds, mut found) = (BTreeSet::new(), vec![]);
    if over.is_some() {
        return Ok((over, kinds));
    }
    for mv in game.moves(at) {
        let to = game.play(at, mv);
        found.clear();
        index.children(slot.tier, std::slice::from_ref(&to), &mut found);
        let child = index.slot(&to);
        ensure(found == [child], || {
            format!("`children` and `slot` say different things of {}", one_line(&game.show(&to)))
        })?;
        let inside = child.tier == slot.tier && index.loopy(slot.tier);
        let ahead = child.tier > slot.tier && child.tier <= index.last_child_tier(slot.tier);
        let known = child.tier < index.tiers() && child.index < index.len(child.tier);
        ensure(known && (inside || ahead), || {
            let why = misplaced(&View::plain(game, index), Some(slot.tier), child);
            format!("a move from {} leads to no place: {why}", one_line(&game.show(at)))
        })?;
        let images = if index.merges_orbits() { vec![] } else { index.images(&to) };
        let images = images.iter().map(|image| index.slot(image));
        kinds.insert((images.fold(child, Slot::min), game.again(at, &to)));
    }
    Ok((over, kinds))
}

/// What a solve believes without asking, beside the numbering.
pub(crate) struct Believed<'a> {
    pub(crate) unplay: Option<UnplayOf>,
    pub(crate) spread: Option<&'a dyn ReachabilityKernel>,
    pub(crate) expand: Option<ExpandOf>,
}

/// Holds a few slots of every tier to the contracts of the numbering, the un-moves and the spread: what a solve can
/// afford.
pub(crate) fn spot(
    game: &DynGame,
    index: &Numbering,
    graph: &dyn Graph,
    believed: &Believed,
) -> Result<(), Fault> {
    let total = index.total().max(1);
    let most = SPOTS.min(FEWEST + total / SLOTS_A_SPOT);
    for tier in 0..index.tiers() {
        let len = index.len(tier);
        let spots = (u128::from(most) * u128::from(len) / u128::from(total)) as u64;
        let spots = spots.clamp(1, most).min(len);
        for i in 0..spots {
            let place = (u128::from(i) * u128::from(len) / u128::from(spots)) as u64;
            let slot = Slot { tier, index: place };
            let Some(at) = index.position(slot) else { continue };
            numbered(game, index, slot, &at).map_err(Fault::numbering)?;
            believed.hold(game, index, graph, (slot, &at))?;
        }
    }
    Ok(())
}

impl Believed<'_> {
    fn hold(
        &self,
        game: &DynGame,
        index: &Numbering,
        graph: &dyn Graph,
        (slot, at): (Slot, &DynPosition),
    ) -> Result<(), Fault> {
        let place = || one_line(&game.show(at));
        // Where a solver looks for a child, the child is kept.
        let moves = if game.over(at).is_some() { None } else { Some(game.moves(at)) };
        for mv in moves.into_iter().flatten() {
            let to = game.play(at, mv);
            let slot = index.slot(&to);
            let kept = index.position(slot);
            let right = |kept: DynPosition| kept == to || may_share(game, index, &kept, &to);
            ensure(kept.is_some_and(right), || {
                format!("{} is not kept at its slot, {slot}", one_line(&game.show(&to)))
            })
            .map_err(Fault::numbering)?;
        }
        let orbit = index.orbit(at);
        let size = graph.orbit_size(slot);
        ensure(size == orbit.len() as u64, || {
            format!("`orbit_size` of {} is {size}, and `orbit` lists {}", place(), orbit.len())
        })
        .map_err(Fault::numbering)?;
        if let Some(expand) = self.expand {
            let some = std::slice::from_ref(at);
            expanded(game, some, &expand(*game, some)).map_err(Fault::expansion)?;
        }
        if let Some(unplay) = self.unplay {
            unplayed(game, index, unplay, at).map_err(Fault::unplay)?;
        }
        if let Some(spread) = self.spread {
            let (mut said, mut members) = ([0], [0]);
            spread.moves(slot.tier, slot.index, &mut said);
            spread.members(slot.tier, slot.index, None, &mut members);
            let over = game.over(at).is_some();
            let counted = if over { 0 } else { game.moves(at).into_iter().count() };
            let right = counted == usize::from(said[0]) || orbit.is_empty();
            ensure(right && members[0].count_ones() as usize == orbit.len(), || {
                let members = members[0].count_ones();
                format!(
                    "{} has {counted} moves and {} images; it says {} and {members}",
                    place(),
                    orbit.len(),
                    said[0]
                )
            })
            .map_err(Fault::spread)?;
        }
        Ok(())
    }
}

/// What is told of many positions at once is what is told of each, however many they are.
pub(crate) fn batched(sample: &Sample, expand: ExpandOf) -> Checked {
    let (mut rest, mut blocks) = (&sample.positions[..], vec![]);
    for size in [1, 2, 63, 64, 65, 1000, 4096].into_iter().cycle() {
        let (block, more) = rest.split_at(rest.len().min(size));
        blocks.push(block);
        rest = more;
        if rest.is_empty() {
            break;
        }
    }
    let done = judge("batches", blocks, sample.complete, |block| {
        expanded(sample.game, block, &expand(*sample.game, block))
    });
    Checked { checked: sample.positions.len() as u64, ..done }
}

fn expanded(
    game: &DynGame,
    positions: &[DynPosition],
    told: &Expansion<DynPosition>,
) -> Result<(), String> {
    if let Some(trouble) = told.trouble(positions.len()) {
        return Err(format!("`expand` tells {trouble}"));
    }
    let mut child = 0;
    for (nth, at) in positions.iter().enumerate() {
        let mut right = Expansion::default();
        one_by_one(game, std::slice::from_ref(at), &mut right);
        let count = told.counts[nth] as usize;
        ensure(told.agrees((nth, child), &right), || {
            let tell = |outcome: Option<Outcome>, moves: usize| match outcome {
                Some(outcome) => format!("a {}", Value::from(outcome).outcome()),
                None => format!("{moves} moves"),
            };
            let by_rules = tell(right.outcomes[0], right.children.len());
            let (at, said) = (one_line(&game.show(at)), tell(told.outcomes[nth], count));
            let all = positions.len();
            format!(
                "of {at}, one of {all}, `expand` tells {said}, and the rules {by_rules}, or others"
            )
        })?;
        child += count;
    }
    Ok(())
}

/// Un-moves and moves are the same edges, seen from both ends.
pub(crate) fn unplay(sample: &Sample, index: &Numbering, unplay: UnplayOf) -> Checked {
    let one = |at| unplayed(sample.game, index, unplay, at);
    judge("un-moves", &sample.positions, sample.complete, one)
}

/// The moves to a position and from it are its un-moves and those of its children, and the positions that share its slot
/// have as many.
fn unplayed(
    game: &DynGame,
    index: &Numbering,
    unplay: UnplayOf,
    at: &DynPosition,
) -> Result<(), String> {
    let children = |at: &DynPosition| -> Vec<DynPosition> {
        let moves = if game.over(at).is_some() { None } else { Some(game.moves(at)) };
        moves.into_iter().flatten().map(|mv| game.play(at, mv)).collect()
    };
    // Where the moves of a position lead, each slot as often as moves lead there.
    let slots = |children: &[DynPosition]| {
        let mut slots: Vec<Slot> = children.iter().map(|to| index.slot(to)).collect();
        slots.sort();
        slots
    };
    let same = |from: &DynPosition, ends: &[DynPosition], at: &DynPosition, from_there: &[_]| {
        let moves = ends.iter().filter(|end| *end == at).count();
        let unmoves = from_there.iter().filter(|origin| *origin == from).count();
        ensure(moves == unmoves, || {
            let (from, at) = (game.notation(from), game.notation(at));
            format!("{moves} moves lead from {from} to {at}, {unmoves} un-moves back")
        })
    };
    let (origins, ends) = (unplay(*game, at), children(at));
    origins.iter().try_for_each(|from| same(from, &children(from), at, &origins))?;
    ends.iter().try_for_each(|to| same(at, &ends, to, &unplay(*game, to)))?;
    let others = if ends.is_empty() { vec![] } else { index.orbit(at) };
    others.iter().try_for_each(|other| {
        ensure(slots(&children(other)) == slots(&ends), || {
            let (at, other) = (game.notation(at), game.notation(other));
            format!("{at} and {other} share a slot but not the number of moves")
        })
    })
}

/// The solver that the plan chooses agrees with the slow truth, where that can keep up.
pub(crate) fn values(
    sample: &Sample,
    index: &Numbering,
    task: Task,
    watch: &dyn Watch,
) -> Result<Checked, SolveError> {
    let game = sample.game;
    if index.total() > SLOW * 50 || sample.positions.len() as u64 > SLOW {
        return Ok(unjudged("values"));
    }
    let tiers = run_keeping_all(task, watch)?;
    let truth = rounds(game);
    Ok(judge("values", &truth, true, |(at, value)| {
        let found = tiers.get(index.slot(at));
        let value = if task.outcomes { value.without_distance() } else { *value };
        ensure(found == Some(value), || {
            let found = found.map_or("nothing".into(), |found: Value| found.to_string());
            format!("{} is a {value}, and the solver says {found}", one_line(&game.show(at)))
        })
    }))
}

/// A kernel fills every tier as the plain one does, from outcomes alone too if it can read them.
pub(crate) fn kernel(
    graph: &dyn Graph,
    kernel: &dyn Kernel<u8>,
    watch: &dyn Watch,
) -> Result<Checked, SolveError> {
    let mut all = Checked { complete: true, ..unjudged("kernel") };
    let reads_outcomes = kernel.reads_outcomes() && !loopy(graph);
    for outcomes in [false, true].into_iter().filter(|outcomes| !outcomes || reads_outcomes) {
        let tiers = &run_keeping_all(Task { outcomes, ..Task::plain(graph) }, watch)?;
        for tier in (0..graph.tiers()).filter(|tier| !graph.loopy(*tier)) {
            let slow = tiers.tier(tier).expect("all tiers were kept");
            if !matches!(slow, TierValues::One(_) | TierValues::OutcomePlanes(_)) {
                continue;
            }
            let meter = Meter::new(watch, "sweeping", Some(tier), Some(slow.len()))?;
            let mut fast = vec![u8::HOLE; slow.len() as usize];
            let swept = sweep_run(kernel, tier, 0, tiers, &mut fast, &meter);
            let same = match slow {
                TierValues::OutcomePlanes(slow) => {
                    OutcomePlanes::from_codes(&fast).as_ref() == Some(slow)
                }
                slow => u8::tier(fast) == *slow,
            };
            all.checked += slow.len();
            let broken = match swept {
                // Outcomes are found without it then.
                Err(SolveError::TooFar) if !slow.have_distances() => continue,
                Ok(()) if same => continue,
                Ok(()) => format!("the kernel differs from the plain one in tier {tier}"),
                Err(error) => format!("the kernel fails in tier {tier}: {error:?}"),
            };
            return Ok(Checked { complete: false, broken: Some(broken), ..all });
        }
    }
    Ok(all)
}

/// What a game says of what can be reached, and of how many moves there are, is what following its
/// moves finds. Larger games are not compared.
pub(crate) fn spread(
    game: &DynGame,
    index: &Numbering,
    graph: &dyn Graph,
    spread: &dyn ReachabilityKernel,
    watch: &dyn Watch,
) -> Result<Checked, SolveError> {
    if index.total() > SLOW {
        return Ok(unjudged("spread"));
    }
    let slow = Reached::begin(graph)?.follow_all(graph, watch)?;
    let fast = Reached::told(Flow::new(spread, false), graph, watch)?;
    let every = Reached::told(Flow::new(spread, true), graph, watch)?;
    let counts = |tier: u32| {
        let mut moves = vec![0; index.len(tier) as usize];
        for (run, moves) in (0..).step_by(1000).zip(moves.chunks_mut(1000)) {
            spread.moves(tier, run, moves);
        }
        (0..).map(move |index| Slot { tier, index }).zip(moves)
    };
    let slots = (0..index.tiers()).flat_map(counts);
    Ok(judge("spread", slots, true, |(slot, moves)| {
        let alike = index.position(slot).map_or(vec![], |at| index.orbit(&at));
        let said = (alike.len() as u64..8).any(|member| every.has_bit(slot, member));
        ensure(!said, || format!("more positions are said to share slot {slot} than do"))?;
        for (member, at) in (0..).zip(&alike) {
            let place = || one_line(&game.show(at));
            let counted =
                if game.over(at).is_some() { 0 } else { game.moves(at).into_iter().count() };
            ensure(counted == usize::from(moves), || {
                format!("at {}, there are {counted} moves and not {moves}", place())
            })?;
            let [slow, fast] = [slow.has(slot, member), fast.has(slot, member)];
            ensure(slow == fast && every.has(slot, member), || {
                let place = place();
                format!(
                    "at {place}, it is said to be reached: {fast}; following moves finds: {slow}"
                )
            })?;
        }
        Ok(())
    }))
}

//! Whether what can be reached from the start can be reached mirrored as well.

use std::collections::{HashMap, HashSet};

use super::View;
use crate::{
    game::Unplay,
    index::{Index, Slot},
};

/// Steps of a walk before it is given up; games of tests are small.
const MOST_STEPS: usize = if cfg!(test) { 1 << 12 } else { 1 << 20 };
/// Orbits that are looked at backwards from the start.
const MOST_BACK: usize = 1 << 14;

/// Whether all images of the start can be reached from it.
///
/// A random walk from the start s that meets a position v, and later an image h·v of it, shows that
/// h·v can be reached from v. If an image k·s of the start can be reached from v, then so can k·s
/// and h·k·s from s, and hence h·s: the symmetries g for which g·s can be reached from s are closed
/// under products, and so are a group. That k·s can be reached from v is certain once the walk
/// has come from v to a position from which un-moves have led back to an image of s. So every such
/// h is collected, and if together they take the start to all of its images, the answer is
/// yes. If the walk finds too few of them, the answer is not known.
pub(crate) fn mirrored<G: Unplay, I: Index<G::Position>>(view: &View<G, I>) -> bool {
    let View { game, index, .. } = *view;
    let start = game.start();
    if index.images(&start).len() <= 1 {
        return false;
    }
    let home = leads_home(game, index);
    let wanted = index.images(&start).into_iter().collect::<HashSet<_>>().len();
    let mut random = fastrand::Rng::with_seed(1);
    let (mut at, mut met) = (start.clone(), HashMap::new());
    // Symmetries found on this walk, and those that are certain.
    let (mut found, mut certain) = (HashSet::new(), HashSet::new());
    for _ in 0..MOST_STEPS {
        let slot = index.slot(&at);
        let first = met.entry(slot).or_insert_with(|| at.clone());
        if *first != at {
            found.extend(index.images(first).iter().position(|image| *image == at));
        }
        if home.contains(&slot) && !found.is_subset(&certain) {
            certain.extend(&found);
            if images_under(index, &start, &certain).len() == wanted {
                return true;
            }
        }
        let inside = |to: &G::Position| index.tier(to) == slot.tier && game.over(to).is_none();
        let next = game.moves(&at).into_iter().map(|mv| game.play(&at, mv)).filter(inside);
        let next: Vec<G::Position> = next.collect();
        if next.is_empty() {
            // Nothing is certain about what was met on the way to a dead end.
            (at, found) = (start.clone(), certain.clone());
            met.clear();
        } else {
            at = next[random.usize(..next.len())].clone();
        }
    }
    false
}

/// Some of the slots from which an image of the start can be reached within its tier.
fn leads_home<G: Unplay, I: Index<G::Position>>(game: &G, index: &I) -> HashSet<Slot> {
    let start = game.start();
    let (tier, mut met) = (index.tier(&start), HashSet::from([index.slot(&start)]));
    let (mut queue, mut next) = (vec![start], 0);
    while next < queue.len() && met.len() < MOST_BACK {
        let at = queue[next].clone();
        next += 1;
        for from in game.unplay(&at) {
            if index.tier(&from) == tier && met.insert(index.slot(&from)) {
                queue.push(from);
            }
        }
    }
    met
}

/// The images of a position under all products of some symmetries.
fn images_under<P: Clone + Eq + std::hash::Hash>(
    index: &impl Index<P>,
    at: &P,
    symmetries: &HashSet<usize>,
) -> HashSet<P> {
    let (mut known, mut queue) = (HashSet::from([at.clone()]), vec![at.clone()]);
    while let Some(at) = queue.pop() {
        let images = index.images(&at);
        for &symmetry in symmetries {
            if known.insert(images[symmetry].clone()) {
                queue.push(images[symmetry].clone());
            }
        }
    }
    known
}

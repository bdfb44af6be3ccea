//! What players get to see, against brute force over all histories.

use std::collections::BTreeMap;

use super::{super::toys, *};
use crate::{
    ExploredGame, Hidden, HiddenSetup,
    random::{by_mix, greatest},
};

/// One history: the state it leads to, what either player did and heard, and how likely chance and
/// each player's opponent, who makes any move, do what leads there.
#[derive(Clone)]
struct History {
    node: u32,
    steps: [Vec<u32>; 2],
    likely: [f64; 2],
}

fn histories(tree: &GameTree) -> Vec<History> {
    let (states, mut all) = (&tree.states, vec![]);
    let mut open = vec![History { node: 0, steps: [vec![], vec![]], likely: [1.0; 2] }];
    while let Some(history) = open.pop() {
        let arcs = states.arcs(history.node);
        for arc in arcs {
            let mut next = History { node: arc.to, ..history.clone() };
            for player in Player::BOTH {
                let p = player as usize;
                next.likely[p] *= match states.nodes[history.node as usize].turn {
                    Turn::Of(mover) if mover == player => 1.0,
                    Turn::Of(_) => 1.0 / arcs.len() as f64,
                    _ => arc.chance,
                };
                next.steps[p].extend((arc.steps[p] != UNNOTICED).then_some(arc.steps[p]));
            }
            open.push(next);
        }
        all.push(history);
    }
    all
}

fn view<'a>(tree: &'a GameTree, player: Player, steps: &[u32]) -> AgentView<'a> {
    let mut view = AgentView::new(tree, player);
    steps.iter().for_each(|&step| view.observe(step));
    view
}

fn beliefs_are_right(explored: &ExploredGame) {
    let tree = &explored.tree;
    for player in Player::BOTH {
        let p = player as usize;
        let mut info_sets: BTreeMap<Vec<u32>, BTreeMap<u32, f64>> = BTreeMap::new();
        for history in histories(tree) {
            if tree.states.nodes[history.node as usize].turn == Turn::Of(player) {
                let states = info_sets.entry(history.steps[p].clone()).or_default();
                *states.entry(history.node).or_insert(0.0) += history.likely[p];
            }
        }
        for (steps, expected) in info_sets {
            let all: f64 = expected.values().sum();
            let view = view(tree, player, &steps);
            let found = view.belief().states(tree);
            assert!(found.iter().map(|one| one.0).eq(expected.keys().copied()), "{steps:?}");
            for ((_, found), expected) in found.iter().zip(expected.values()) {
                assert!((found - expected / all).abs() < 1e-12, "{steps:?}");
            }
        }
    }
}

#[test]
fn a_belief_has_the_states_that_look_alike_and_no_other() {
    let kuhn = HiddenSetup::of(toys::Kuhn).erased();
    beliefs_are_right(&toys::explored(&kuhn));
    let first = fastrand::u64(..1 << 32);
    println!("seed {first}");
    for seed in first..first + 100 {
        let game = HiddenSetup::of(toys::Random { seed, length: 5 }).erased();
        beliefs_are_right(&toys::explored(&game));
    }
}

/// A belief that is asked for now and then is the one that was asked for all along.
#[test]
fn a_belief_is_kept_up_to_date() {
    let game = HiddenSetup::of(toys::Random { seed: 3, length: 7 }).erased();
    let explored = toys::explored(&game);
    let tree = &explored.tree;
    for history in histories(tree).into_iter().take(500) {
        let mut often = AgentView::new(tree, Player::First);
        for &step in &history.steps[0] {
            often.belief();
            often.observe(step);
        }
        let once = view(tree, Player::First, &history.steps[0]);
        assert_eq!(often.belief().states(tree).len(), once.belief().states(tree).len());
        for (a, b) in often.belief().states(tree).iter().zip(once.belief().states(tree)) {
            assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-12);
        }
    }
}

/// Remembers what it saw.
struct Witness(std::sync::Mutex<Vec<(Vec<u32>, usize, usize)>>);

impl Agent for Witness {
    fn name(&self) -> String {
        "witness".into()
    }

    fn choose(&self, view: &AgentView, random: &mut fastrand::Rng) -> u32 {
        let states = view.belief().states(view.tree()).len();
        self.0.lock().unwrap().push((view.steps().to_vec(), view.info_set().first(), states));
        random.u32(..view.moves())
    }
}

/// Whatever the other's card is, who has been dealt a card sees that and the two others as
/// possible.
#[test]
fn a_seat_tells_ones_own_card_and_no_other() {
    let game = HiddenSetup::of(toys::Kuhn).erased();
    let explored = toys::explored(&game);
    let witness = Witness(Default::default());
    for seed in 0..200 {
        play_game(&explored.tree, [&witness, &witness], seed);
    }
    let seen = witness.0.into_inner().unwrap();
    assert!(seen.iter().all(|&(_, _, states)| states == 2), "{seen:?}");
    let mut first: Vec<&Vec<u32>> = seen.iter().map(|(steps, ..)| steps).collect();
    first.sort();
    first.dedup();
    // A card; a card and a pass or a bet; a card, a pass and a bet.
    assert_eq!(first.len(), 3 + 6 + 3);
}

/// Follows the rules through a game by names, as a check of the information sets that seats tell.
#[test]
fn a_view_is_where_its_steps_lead() {
    let game = toys::Random { seed: 11, length: 6 };
    assert!(matches!(game.turn(&game.start()), Turn::Of(_) | Turn::Chance));
    let game = HiddenSetup::of(game).erased();
    let explored = toys::explored(&game);
    for history in histories(&explored.tree) {
        for player in Player::BOTH {
            let steps = &history.steps[player as usize];
            let mut info_set = explored.tree.start(player);
            for &step in steps {
                info_set = explored.tree.next(info_set).nth(step as usize).unwrap().1;
            }
            assert_eq!(view(&explored.tree, player, steps).info_set(), info_set);
        }
    }
}

#[test]
fn what_is_drawn_is_as_likely_as_it_should_be() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut times = [0; 3];
    for _ in 0..30_000 {
        times[by_mix(&[0.5, 0.0, 0.5], &mut random) as usize] += 1;
    }
    assert!(times[1] == 0 && (14_000..16_000).contains(&times[0]), "{times:?}");
    let mut times = [0; 3];
    for _ in 0..3000 {
        times[greatest(&[2.0, 1.0, 2.0], &mut random) as usize] += 1;
    }
    assert!(times[1] == 0 && (1300..1700).contains(&times[0]), "{times:?}");
}

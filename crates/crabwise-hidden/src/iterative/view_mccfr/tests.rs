use super::*;
use crate::{
    ErasedHidden, HiddenSetup, IterativeSolver, Mccfr, SequenceForm,
    toys::{Abrupt, Kuhn, Random, tree},
};
use crabwise::watch::Unwatched;

const SCHEMES: [Sampling; 2] = [Sampling::External, Sampling::Outcome { explore: 0.6 }];
const ROOM: u64 = 1 << 28;

fn walked(game: &ErasedHidden, sampling: Sampling, seed: u64, draws: u64) -> ViewMccfr {
    ViewMccfr::new("game", &|| game.walk(), sampling, seed, draws, ROOM).unwrap()
}

fn run(learner: &mut ViewMccfr, iterations: u64) {
    (0..iterations).for_each(|_| learner.step());
}

fn games() -> Vec<ErasedHidden> {
    let random = |seed| HiddenSetup::of(Random { seed, length: 6 }).erased();
    let hex = HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased();
    vec![HiddenSetup::of(Kuhn).erased(), hex, random(3), random(4), random(5)]
}

/// The slow way lays the game out; with the same seed both find the same numbers to the bit.
#[test]
fn walking_the_rules_and_the_layout_agree() {
    for game in &games() {
        let tree = tree(game);
        for sampling in SCHEMES {
            for draws in [1, 8, 11] {
                let mut laid_out = Mccfr::new(&tree, sampling, 9, draws).unwrap();
                let mut learner = walked(game, sampling, 9, draws).keeping_all();
                (0..60).for_each(|_| laid_out.step());
                run(&mut learner, 60);
                let regrets = laid_out.by_view();
                for player in Player::BOTH {
                    let table = &learner.tables[player as usize];
                    assert!(table.places.len() > 1);
                    for (view, place) in table.views() {
                        let (regret, average) = &regrets[player as usize][&view];
                        let both = [&regret[..], average].concat();
                        assert_eq!(table.numbers(place), both, "{sampling:?}");
                    }
                    let left = regrets[player as usize].iter();
                    let mut left = left.filter(|(view, _)| !table.places.contains_key(*view));
                    assert!(left.all(|(_, (a, b))| a.iter().chain(&b[..]).all(|x| *x == 0.0)));
                }
            }
        }
    }
}

/// Whatever is drawn and kept, strategies come closer to an equilibrium.
#[test]
fn all_that_is_drawn_comes_closer() {
    for (game, most) in [
        (HiddenSetup::of(Kuhn).erased(), 0.03),
        (HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased(), 0.05),
    ] {
        let tree = tree(&game);
        let form = SequenceForm::new(&tree, false, 1 << 30, &Unwatched).unwrap();
        for sampling in [SCHEMES[0], SCHEMES[1], Sampling::Line] {
            let mut learner = walked(&game, sampling, 1, 16);
            run(&mut learner, 6_000);
            let ViewModel::Table(table) = learner.model() else { panic!() };
            let [first, second] = table.behaviours(&tree);
            let far = form.judge([&first, &second]).exploitability();
            println!("{sampling:?}: {far}");
            assert!(far < most, "{sampling:?}: {far}");
        }
    }
}

#[test]
fn a_checkpoint_goes_on_with_the_same_numbers() {
    let games = games();
    for sampling in [SCHEMES[0], SCHEMES[1], Sampling::Line] {
        let mut learner = walked(&games[3], sampling, 7, 3);
        run(&mut learner, 20);
        let mut saved = vec![];
        learner.save(&mut saved).unwrap();
        let mut again =
            walked(&games[3], Sampling::External, 0, 1).resume(&mut &saved[..]).unwrap();
        run(&mut learner, 20);
        run(&mut again, 20);
        let bytes = |learner: &ViewMccfr| {
            let mut bytes = vec![];
            learner.save(&mut bytes).unwrap();
            bytes
        };
        assert!(bytes(&learner) == bytes(&again));
        let other = walked(&games[0], sampling, 7, 3);
        assert!(other.resume(&mut &saved[..]).is_err());
        let middle = saved.len() / 2;
        saved[middle] ^= 1;
        assert!(walked(&games[3], sampling, 0, 1).resume(&mut &saved[..]).is_err());
    }
}

/// The table never outgrows its room, and learning goes on.
#[test]
fn a_full_table_stays_within_its_room() {
    let game = HiddenSetup::of(Abrupt { rows: 3, columns: 3 }).erased();
    let room = 6 << 20;
    let mut learner =
        ViewMccfr::new("game", &|| game.walk(), Sampling::Outcome { explore: 0.6 }, 1, 64, room)
            .unwrap();
    while learner.full_after().is_none() {
        run(&mut learner, 100);
    }
    let (views, bytes) = (learner.views(), learner.bytes());
    run(&mut learner, 100);
    assert!(bytes <= room / 5 * 3 && learner.bytes() <= room / 5 * 3, "{bytes}");
    assert!(views[0] > 1000 && views[1] > 1000, "{views:?}");
    let few = ViewMccfr::new("game", &|| game.walk(), Sampling::Line, 1, 1, 1 << 20);
    assert!(matches!(few, Err(HiddenError::Room { .. })));
}

use super::*;
use crate::{
    ErasedHidden, HiddenSetup, StrategyError,
    toys::{Abrupt, Kuhn},
};

const ROOM: u64 = 1 << 24;

fn read(game: &ErasedHidden, mut file: &[u8]) -> Result<ViewStrategy, StrategyError> {
    ViewStrategy::read("game", &*game.walk(), ROOM, &mut file)
}

fn strategies(game: &ErasedHidden) -> [ViewStrategy; 2] {
    let (walk, mut table) = (game.walk(), ViewTable::default());
    let mut numbers = fastrand::Rng::with_seed(4);
    for player in Player::BOTH {
        let mut view = View::start(player);
        for _ in 0..9 {
            view = view.after(Some(numbers.u64(..)), None);
            table.insert(player, view, &[numbers.f64(), 0.0, numbers.f64()]);
        }
    }
    let counts = walk.counts();
    let network = Network::new(&[counts.features + 2, 2, counts.moves], 3);
    [ViewModel::Table(table), ViewModel::Network(network)].map(|model| ViewStrategy {
        game: "game".into(),
        method: "deep".into(),
        iterations: 7,
        model,
    })
}

#[test]
fn files_are_read_as_they_were_written_and_no_damage_goes_unseen() {
    let games =
        [HiddenSetup::of(Kuhn).erased(), HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased()];
    for strategy in strategies(&games[1]) {
        let mut file = vec![];
        strategy.write(&*games[1].walk(), &mut file).unwrap();
        assert!(ViewStrategy::is_one(&file));
        let again = read(&games[1], &file).unwrap();
        assert_eq!((again.method.as_str(), again.iterations), ("deep", 7));
        let mut twice = vec![];
        again.write(&*games[1].walk(), &mut twice).unwrap();
        assert!(file == twice);
        assert!(matches!(read(&games[0], &file), Err(StrategyError::Outdated)));
        let mut from = &file[..];
        let other = ViewStrategy::read("other", &*games[1].walk(), ROOM, &mut from);
        assert!(matches!(other, Err(StrategyError::Other { .. })));
        let step = file.len().div_ceil(400);
        for place in (0..file.len()).step_by(step) {
            let mut spoilt = file.clone();
            spoilt[place] ^= 1 << (place % 8);
            let told = read(&games[1], &spoilt).map(|read| {
                let mut bytes = vec![];
                read.write(&*games[1].walk(), &mut bytes).unwrap();
                bytes
            });
            // A bit of the frame of what is compressed may mean nothing.
            assert!(told.is_err() || told.is_ok_and(|bytes| bytes == file), "{place}");
            assert!(read(&games[1], &file[..place]).is_err(), "{place}");
        }
    }
}

/// Whoever makes a file may make its checksums too: a view may have any number of moves, and a network any weights.
#[test]
fn what_is_read_are_probabilities_and_they_fit() {
    let game = HiddenSetup::of(Kuhn).erased();
    let tree = crate::toys::tree(&game);
    let (walk, counts) = (game.walk(), game.walk().counts());
    let again = |model: ViewModel| {
        let (iterations, method) = (0, "forged".into());
        let strategy = ViewStrategy { game: "game".into(), method, iterations, model };
        let mut file = vec![];
        strategy.write(&*walk, &mut file).unwrap();
        read(&game, &file).map(|read| read.model)
    };
    for many in [1, 3] {
        let mut table = ViewTable::default();
        for player in Player::BOTH {
            let last: Vec<f64> = (1..=many).map(|n| f64::from(u8::from(n == many))).collect();
            each_view(&tree, player, |_, view| table.insert(player, view, &last));
        }
        let Ok(ViewModel::Table(table)) = again(ViewModel::Table(table)) else { panic!() };
        let even = ViewTable::default().behaviours(&tree);
        assert_eq!(table.behaviours(&tree), even, "{many} probabilities of two moves");
    }
    let network = |units: usize, weight: f64| {
        let mut network = Network::new(&[counts.features + 2, units, units, counts.moves], 3);
        network.weights.fill(weight);
        again(ViewModel::Network(network))
    };
    assert!(network(2, 1e9).is_ok());
    for weight in [1e300, -1e300, f64::NAN, f64::INFINITY] {
        assert!(matches!(network(2, weight), Err(StrategyError::Damaged(_))), "{weight}");
    }
    // 16 million weights, in a file of some kilobytes.
    assert!(matches!(network(4096, 0.0), Err(StrategyError::Io(_))));
}

#[test]
fn nothing_may_follow() {
    let game = HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased();
    for strategy in strategies(&game) {
        let mut file = vec![];
        strategy.write(&*game.walk(), &mut file).unwrap();
        assert!(read(&game, &file).is_ok());
        file.push(0);
        assert!(read(&game, &file).is_err());
    }
}

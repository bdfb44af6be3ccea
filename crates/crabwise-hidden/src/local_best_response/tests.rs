use super::*;
use crate::{
    Cfr, CfrVariant, ErasedHidden, HiddenSetup, IterativeSolver, SequenceForm, Updates, ViewTable,
    sequence_form::Behaviour,
    toys::{Abrupt, Kuhn, Random, tree},
};
use crabwise::watch::Unwatched;

fn games() -> Vec<(&'static str, ErasedHidden)> {
    let random = |seed| HiddenSetup::of(Random { seed, length: 6 }).erased();
    vec![
        ("kuhn", HiddenSetup::of(Kuhn).erased()),
        ("2x2", HiddenSetup::of(Abrupt { rows: 2, columns: 2 }).erased()),
        ("random 3", random(3)),
        ("random 4", random(4)),
        ("random 5", random(5)),
    ]
}

/// The slow way: what each sequence earns if its player goes on by the strategy, from the payoffs that are laid out.
fn laid_out(form: &SequenceForm, player: Player, behaviours: &[Behaviour; 2]) -> f64 {
    let (p, q) = (player as usize, player.other() as usize);
    let plex = &form.treeplexes[p];
    let plan = form.treeplexes[q].realization_plan(&behaviours[q]);
    let mut gradient = vec![0.0; plex.sequences()];
    form.gradient(player, &plan, &mut gradient);
    let mut earns = gradient.clone();
    let mut answer = behaviours[p].clone();
    for info_set in (0..plex.info_sets()).rev() {
        let at = plex.at(info_set);
        let worth: f64 = at.clone().map(|s| behaviours[p][s] * earns[s]).sum();
        answer[at.clone()].fill(0.0);
        answer[at.start + greatest(&earns[at])] = 1.0;
        earns[plex.parent(info_set)] += worth;
    }
    plex.expected_value(&answer, &mut gradient)
}

/// It agrees with the slow way, is at most the exploitability and at least zero, and finds that even play is exploitable.
#[test]
fn it_is_a_lower_bound() {
    for (name, game) in games() {
        let tree = tree(&game);
        let form = SequenceForm::new(&tree, false, 1 << 30, &Unwatched).unwrap();
        for iterations in [0, 3, 30, 300] {
            let mut cfr = Cfr::new(&form, CfrVariant::Vanilla, Updates::Alternating);
            (0..iterations).for_each(|_| cfr.step());
            let behaviours = match iterations {
                0 => form.treeplexes.each_ref().map(|plex| plex.uniform()),
                _ => cfr.average(),
            };
            let [first, second] = &behaviours;
            let judged = form.judge([first, second]);
            let table = ViewTable::of(&tree, &behaviours);
            let walks = || game.walk();
            let judge =
                LocalBestResponse { walks: &walks, policy: &table, tries: 0, most: 0, seed: 0 };
            let found = Player::BOTH.map(|player| judge.exact(player));
            for player in Player::BOTH {
                let p = player as usize;
                assert!(found[p] <= judged.best[p] + 1e-6, "{name}: {found:?} {judged:?}");
                // A table holds probabilities of 4 bytes, and so the choice among equals may differ.
                if iterations == 0 {
                    let slow = laid_out(&form, player, &behaviours);
                    assert!((found[p] - slow).abs() < 1e-6, "{name}: {} {slow}", found[p]);
                }
            }
            let bound = (found[0] + found[1]) / 2.0;
            println!("{name} {iterations}: {bound} of {}", judged.exploitability());
            assert!(bound >= -1e-6, "{name}: {bound}");
            assert!(iterations > 0 || bound > 0.02, "{name}: {bound}");
        }
    }
}

/// Games that are played find what all histories say, but for chance; where moves are equally good by what the strategy
/// does later, which of them is made may matter, and so in games made by chance they agree with the bounds.
#[test]
fn games_agree_with_all_histories() {
    for (name, game) in games() {
        let tree = tree(&game);
        let form = SequenceForm::new(&tree, false, 1 << 30, &Unwatched).unwrap();
        let even = form.treeplexes.each_ref().map(|plex| plex.uniform());
        let judged = form.judge([&even[0], &even[1]]);
        let walks = || game.walk();
        let policy = &crate::EvenPolicy;
        let judge = LocalBestResponse { walks: &walks, policy, tries: 64, most: 200, seed: 1 };
        let exact = Player::BOTH.map(|player| judge.exact(player));
        let found = judge.judge(500, &Unwatched).unwrap();
        println!("{name}: {exact:?} {found:?}");
        for player in Player::BOTH {
            let Answer { mean, error } = found.answers[player as usize];
            assert!(mean < judged.best[player as usize] + 4.0 * error + 1e-9, "{name}: {found:?}");
            assert!(mean > player.sign() * judged.value - 4.0 * error - 1e-9, "{name}: {found:?}");
            let near = (mean - exact[player as usize]).abs() < 4.0 * error + 0.03;
            assert!(near || name.starts_with("random"), "{name}: {exact:?} {found:?}");
        }
        assert!(found.at_least() <= judged.exploitability() && found.mean() > 0.0, "{name}");
    }
}

#[test]
fn beliefs_are_thinned_evenly() {
    let random = &mut fastrand::Rng::with_seed(1);
    let guess = |i: u16| Guess { moves: vec![i], weight: f64::from(i) };
    let mut sums = [0.0; 10];
    for _ in 0..2000 {
        let mut belief: Vec<Guess> = (0..10).map(guess).collect();
        thin(&mut belief, 3, random);
        assert!(belief.len() <= 3 && !belief.is_empty());
        let total: f64 = belief.iter().map(|guess| guess.weight).sum();
        assert!((total - 45.0).abs() < 1e-9);
        belief.iter().for_each(|guess| sums[usize::from(guess.moves[0])] += guess.weight / 2000.0);
    }
    (0..10).for_each(|i| assert!((sums[i] - i as f64).abs() < 1.0, "{sums:?}"));
}

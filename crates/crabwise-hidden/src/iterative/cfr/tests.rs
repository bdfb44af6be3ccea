//! Every variant against its bound, a known curve, and its definition followed history by history.

use std::collections::HashMap;

use super::*;
use crate::{
    Hidden, HiddenSetup, Turn,
    toys::{Kuhn, Random, explored, form},
    tree::{
        info_states::{InfoStates, Step},
        shape::Shape,
    },
};

const DISCOUNTED: CfrVariant = CfrVariant::Discounted { alpha: 1.5, beta: 0.0, gamma: 2.0 };
const VARIANTS: [CfrVariant; 5] =
    [CfrVariant::Vanilla, CfrVariant::Plus, CfrVariant::Linear, DISCOUNTED, CfrVariant::Predictive];
const UPDATES: [Updates; 2] = [Updates::Alternating, Updates::Simultaneous];

fn run(regrets: &mut Cfr, iterations: u64) -> f64 {
    (0..iterations).for_each(|_| regrets.step());
    regrets.judge().exploitability()
}

/// The curve of another implementation, by the definition of 2007 with alternating updates.
#[test]
fn kuhn_follows_the_known_curve() {
    let form = form(Kuhn);
    let mut regrets = Cfr::new(&form, CfrVariant::Vanilla, Updates::Alternating);
    let after = run(&mut regrets, 281);
    assert!((after - 0.00237740).abs() < 5e-9, "{after}");
}

/// No variant exceeds its bound, every variant comes as close as it does, and the value is within bounds.
#[test]
fn all_rules_solve_kuhn() {
    let form = form(Kuhn);
    for updates in UPDATES {
        let close = match updates {
            Updates::Alternating => [3e-3, 5e-4, 5e-4, 5e-4, 1e-6],
            Updates::Simultaneous => [2e-2, 1e-2, 1e-2, 1e-2, 1e-2],
        };
        for (variant, close) in VARIANTS.into_iter().zip(close) {
            let mut regrets = Cfr::new(&form, variant, updates);
            let mut envelope = vec![];
            for t in 1..=1000 {
                regrets.step();
                let judged = regrets.judge();
                envelope.extend([10, 100, 1000].contains(&t).then(|| judged.exploitability()));
                let (far, [low, high]) = (judged.exploitability(), judged.bounds());
                let bound = 4.0 * 6.0 * (2.0 / f64::from(t)).sqrt();
                assert!(far < bound, "{variant:?} {updates:?} {t}: {far}");
                let slack = 1e-12;
                assert!(low - slack <= -1.0 / 18.0 && -1.0 / 18.0 <= high + slack);
            }
            let far = regrets.judge().exploitability();
            println!("{variant:?} {updates:?}: {far:e}");
            assert!(far < close, "{variant:?} {updates:?}: {far}");
            assert!(envelope.is_sorted_by(|a, b| a > b), "{variant:?} {updates:?}: {envelope:?}");
        }
    }
}

#[test]
fn all_rules_agree_on_random_games() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..20 {
        let game = Random { seed: random.u64(..), length: 6 };
        let form = form(game);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for (i, variant) in VARIANTS.into_iter().enumerate() {
            let mut regrets = Cfr::new(&form, variant, UPDATES[i % 2]);
            let far = run(&mut regrets, 1000);
            assert!(far < 0.1, "{game:?} {variant:?}: {far}");
            let bounds = regrets.judge().bounds();
            (low, high) = (low.max(bounds[0]), high.min(bounds[1]));
        }
        assert!(low <= high + 1e-9, "{game:?}: {low}, {high}");
    }
}

fn bits(regrets: &Cfr) -> Vec<u64> {
    let mut saved = vec![];
    regrets.save(&mut saved).unwrap();
    let arrays = [regrets.average(), regrets.current()];
    let floats = arrays.iter().flatten().flatten().map(|float| float.to_bits());
    saved.into_iter().map(u64::from).chain(floats).collect()
}

#[test]
fn runs_and_threads_make_no_difference() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let mut many = 0;
    for _ in 0..30 {
        let form = form(Random { seed: random.u64(..), length: 7 });
        for variant in [CfrVariant::Vanilla, CfrVariant::Predictive] {
            let cut = |most: usize| {
                let pools = [None, None];
                let mut regrets = Cfr::cut(&form, variant, Updates::Alternating, pools, Some(most));
                run(&mut regrets, 10);
                regrets
            };
            let whole = cut(usize::MAX);
            assert!(whole.sides.iter().all(|side| side.runs.runs.len() <= 1));
            let most = random.usize(..4);
            let parts = pool.install(|| cut(most));
            many += parts.sides[0].runs.runs.len();
            assert!(bits(&whole) == bits(&parts), "runs of {most}");
        }
    }
    assert!(many > 100, "{many}");
}

#[test]
fn a_checkpoint_goes_on_with_the_same_numbers() {
    let form = form(Random { seed: 5, length: 6 });
    let other = self::form(Random { seed: 6, length: 6 });
    for (variant, updates) in VARIANTS.into_iter().zip(UPDATES.into_iter().cycle()) {
        let mut regrets = Cfr::new(&form, variant, updates);
        run(&mut regrets, 10);
        let mut saved = vec![];
        regrets.save(&mut saved).unwrap();
        let mut again = Cfr::load(&form, &mut &saved[..]).unwrap();
        assert_eq!((again.variant(), again.iterations()), (variant, 10));
        run(&mut regrets, 7);
        run(&mut again, 7);
        assert!(bits(&regrets) == bits(&again), "{variant:?}");

        assert!(Cfr::load(&other, &mut &saved[..]).is_err());
        assert!(Cfr::load(&form, &mut &saved[..saved.len() - 1]).is_err());
        for at in [0, 17, 25, 33, 41, 60, 90, saved.len() / 2, saved.len() - 1] {
            let mut wrong = saved.clone();
            wrong[at] ^= 4;
            assert!(Cfr::load(&form, &mut &wrong[..]).is_err(), "byte {at}");
        }
    }
}

#[test]
fn a_bucket_for_each_view_changes_nothing() {
    let form = form(Random { seed: 5, length: 6 });
    let own = form.treeplexes.each_ref().map(|plex| (0..plex.info_sets() as u32).rev().collect());
    for variant in VARIANTS {
        let mut plain = Cfr::new(&form, variant, Updates::Alternating);
        let mut with_buckets =
            Cfr::with_buckets(&form, variant, Updates::Alternating, &own).unwrap();
        run(&mut plain, 20);
        run(&mut with_buckets, 20);
        assert!(!with_buckets.is_abstraction());
        assert!(
            plain.average() == with_buckets.average() && plain.current() == with_buckets.current()
        );
    }
}

/// A player who forgets the card can still do something sensible, but no longer the best.
#[test]
fn shared_buckets_are_an_abstraction() {
    let form = form(Kuhn);
    let [first, second] = &form.treeplexes;
    let shared = [vec![0; first.info_sets()], (0..second.info_sets() as u32).collect()];
    let mut with_buckets =
        Cfr::with_buckets(&form, CfrVariant::Plus, Updates::Alternating, &shared).unwrap();
    let far = run(&mut with_buckets, 1000);
    assert!(with_buckets.is_abstraction() && far > 0.05 && far < 0.5, "{far}");
    let average = &with_buckets.average()[0];
    assert!(
        (0..first.info_sets()).all(|history| average[first.at(history)] == average[first.at(0)])
    );
    let mut saved = vec![];
    with_buckets.save(&mut saved).unwrap();
    assert!(Cfr::load(&form, &mut &saved[..]).is_err());
    let again = Cfr::load_with_buckets(&form, &shared, &mut &saved[..]).unwrap();
    assert!(bits(&with_buckets) == bits(&again));
}

#[test]
fn a_start_is_the_first_behaviour() {
    let form = form(Random { seed: 8, length: 6 });
    let mut solved = Cfr::new(&form, CfrVariant::Plus, Updates::Alternating);
    run(&mut solved, 300);
    let [first, second] = solved.average();
    for variant in VARIANTS {
        let mut regrets = Cfr::new(&form, variant, Updates::Alternating);
        run(&mut regrets, 3);
        regrets.start_from([&first, &second], 0.125);
        for (plex, (now, then)) in
            form.treeplexes.iter().zip(regrets.current().iter().zip([&first, &second]))
        {
            let all = plex.at(0).start..plex.sequences();
            assert!(all.into_iter().all(|s| (now[s] - then[s]).abs() < 1e-12));
        }
        assert!(run(&mut regrets, 1) < solved.judge().exploitability() + 1e-9);
    }
}

/// The passes over many information sets, without payoffs.
#[test]
#[ignore = "takes a gigabyte, to be timed"]
fn many_views() {
    fn grow(plex: &mut Treeplex, parent: u32, depth: u32) {
        let first = 1 + 2 * plex.parent.len() as u32;
        plex.first.push(first);
        plex.parent.push(parent);
        plex.info_state.push(0);
        for transition in 0..if depth > 0 { 4 } else { 0 } {
            grow(plex, first + transition / 2, depth - 1);
        }
    }
    let treeplexes = [11, 0].map(|depth| {
        let mut plex = Treeplex { first: vec![], parent: vec![], info_state: vec![] };
        grow(&mut plex, 0, depth);
        plex.first.push(1 + 2 * plex.parent.len() as u32);
        plex
    });
    let form = SequenceForm::of(treeplexes, &[]);
    let bytes = Cfr::bytes(&form, CfrVariant::Plus);
    let start = std::time::Instant::now();
    let mut regrets = Cfr::new(&form, CfrVariant::Plus, Updates::Alternating);
    let Runs { runs, top } = &regrets.sides[0].runs;
    let histories = form.treeplexes[0].info_sets();
    println!("{histories} views, {bytes} bytes, {} runs under {}", runs.len(), top.len());
    println!("set up in {:?}", start.elapsed());
    for _ in 0..5 {
        let start = std::time::Instant::now();
        regrets.step();
        println!("a step in {:?}", start.elapsed());
    }
}

/// What was done, and what was heard, in order.
type PlayerHistory = Vec<(Option<u32>, Option<String>)>;

/// One iteration at a time, history by history.
struct SlowTwin<'g, G> {
    game: &'g G,
    regret: [HashMap<PlayerHistory, Vec<f64>>; 2],
    average: [HashMap<PlayerHistory, Vec<f64>>; 2],
    new: HashMap<PlayerHistory, Vec<f64>>,
}

fn add_to(
    map: &mut HashMap<PlayerHistory, Vec<f64>>,
    history: &PlayerHistory,
    mv: usize,
    many: usize,
    by: f64,
) {
    map.entry(history.clone()).or_insert_with(|| vec![0.0; many])[mv] += by;
}

impl<G: Hidden> SlowTwin<'_, G> {
    fn mix(&self, p: usize, history: &PlayerHistory, many: usize) -> Vec<f64> {
        let regrets = self.regret[p].get(history).cloned().unwrap_or(vec![0.0; many]);
        let all: f64 = regrets.iter().filter(|&&regret| regret > 0.0).sum();
        let even = 1.0 / many as f64;
        let mixed = |regret: f64| if all > 0.0 { regret.max(0.0) / all } else { even };
        regrets.into_iter().map(mixed).collect()
    }

    /// What a history is worth to a player who learns from it; `reach` is the player's, the other's
    /// and chance's.
    fn walk(
        &mut self,
        at: &G::Position,
        histories: &[PlayerHistory; 2],
        reach: [f64; 3],
        player: Player,
        weight: f64,
    ) -> f64 {
        let (game, p) = (self.game, player as usize);
        let mover = match game.turn(at) {
            Turn::Over(payoff) => return player.sign() * payoff,
            Turn::Chance => None,
            Turn::Of(player) => Some(player),
        };
        let moves: Vec<G::Move> = game.moves(at).into_iter().collect();
        let weights: Vec<f64> = moves.iter().map(|&mv| game.weight(at, mv)).collect();
        let all: f64 = weights.iter().sum();
        let mix = match mover {
            None => weights.into_iter().map(|weight| weight / all).collect(),
            Some(mover) => self.mix(mover as usize, &histories[mover as usize], moves.len()),
        };
        let who = mover.map_or(2, |mover| usize::from(mover != player));
        let worths: Vec<f64> = (moves.iter().enumerate())
            .map(|(i, &mv)| {
                let next = Player::BOTH.map(|heard| {
                    let word = game.observe(at, mv, heard).map(|word| word.to_string());
                    let own = (mover == Some(heard)).then_some(i as u32);
                    let step = (own.is_some() || word.is_some()).then_some((own, word));
                    histories[heard as usize].iter().cloned().chain(step).collect()
                });
                let mut reach = reach;
                reach[who] *= mix[i];
                self.walk(&game.play(at, mv), &next, reach, player, weight)
            })
            .collect();
        let worth = worths.iter().zip(&mix).map(|(worth, mix)| worth * mix).sum();
        if who == 0 {
            for (i, &of) in worths.iter().enumerate() {
                let (history, many) = (&histories[p], moves.len());
                add_to(&mut self.new, history, i, many, reach[1] * reach[2] * (of - worth));
                add_to(&mut self.average[p], history, i, many, weight * reach[0] * mix[i]);
            }
        }
        worth
    }

    /// Adds the new regrets by the definitions; whether none was so near zero that rounding decides.
    fn learn(&mut self, variant: CfrVariant, p: usize, t: f64) -> bool {
        let mut sure = true;
        for (history, new) in self.new.drain() {
            let many = new.len();
            let regrets = self.regret[p].entry(history).or_insert_with(|| vec![0.0; many]);
            for (regret, new) in regrets.iter_mut().zip(new) {
                match variant {
                    CfrVariant::Linear => *regret += t * new,
                    _ => *regret += new,
                }
                sure &= many == 1 || regret.abs() > 1e-3;
                if variant == CfrVariant::Plus {
                    *regret = regret.max(0.0);
                }
            }
        }
        sure
    }

    fn step(&mut self, variant: CfrVariant, t: f64) -> bool {
        let weight = if variant == CfrVariant::Vanilla { 1.0 } else { t };
        let start = [vec![], vec![]];
        Player::BOTH.into_iter().fold(true, |sure, player| {
            self.walk(&self.game.start(), &start, [1.0; 3], player, weight);
            self.learn(variant, player as usize, t) && sure
        })
    }
}

/// Where the sequences of an information set begin.
fn place(info_states: &InfoStates, shape: &Shape, history: &PlayerHistory) -> usize {
    let (mut info_state, mut base) = (0, 1);
    for (mv, word) in history {
        let word = word.as_deref();
        let same = |step: &Step| {
            step.mv == *mv && step.observation.map(|number| info_states.observation(number)) == word
        };
        let transition = info_states
            .transitions(info_state)
            .iter()
            .position(|transition| same(&transition.step))
            .unwrap();
        base += shape.offsets[info_states.transition_range(info_state).start + transition];
        info_state = info_states.transitions(info_state)[transition].to;
    }
    base as usize
}

/// A random game with payoffs of which hardly two are the same, so that no regret is zero by chance.
#[derive(Clone, Copy, Debug)]
struct Rough(Random);

impl Hidden for Rough {
    type Position = <Random as Hidden>::Position;
    type Move = <Random as Hidden>::Move;
    type Observation = <Random as Hidden>::Observation;

    fn start(&self) -> Self::Position {
        self.0.start()
    }

    fn stakes(&self) -> [f64; 2] {
        [-3.0, 4.0]
    }

    fn turn(&self, at: &Self::Position) -> Turn {
        let mix = |sum: f64, &mv: &u8| (3.7 * sum + 0.61 * f64::from(mv)).fract();
        match self.0.turn(at) {
            Turn::Over(payoff) => Turn::Over(payoff + at.0.iter().fold(0.37, mix)),
            turn => turn,
        }
    }

    fn moves(&self, at: &Self::Position) -> impl IntoIterator<Item = Self::Move> {
        self.0.moves(at)
    }

    fn play(&self, at: &Self::Position, mv: Self::Move) -> Self::Position {
        self.0.play(at, mv)
    }

    fn weight(&self, at: &Self::Position, mv: Self::Move) -> f64 {
        self.0.weight(at, mv)
    }

    fn observe(
        &self,
        at: &Self::Position,
        mv: Self::Move,
        to: Player,
    ) -> Option<Self::Observation> {
        self.0.observe(at, mv, to)
    }

    fn seen(&self, at: &Self::Position, player: Player) -> String {
        self.0.seen(at, player)
    }
}

#[test]
fn histories_one_by_one_give_the_same() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let (mut random, mut compared) = (fastrand::Rng::with_seed(seed), 0);
    for _ in 0..150 {
        let game = Rough(Random { seed: random.u64(..), length: 5 });
        let setup = HiddenSetup::of(game).erased();
        let explored = explored(&setup);
        let form = form(game);
        for variant in [CfrVariant::Vanilla, CfrVariant::Plus, CfrVariant::Linear] {
            let mut regrets = Cfr::new(&form, variant, Updates::Alternating);
            let (regret, average) = Default::default();
            let mut twin = SlowTwin { game: &game, regret, average, new: HashMap::new() };
            for t in 1..=5 {
                regrets.step();
                let sure = twin.step(variant, f64::from(t));
                let fast = regrets.average();
                for p in 0..2 {
                    for (history, slow) in &twin.average[p] {
                        let base = place(
                            &explored.tree.states.info_states[p],
                            &explored.tree.shapes[p],
                            history,
                        );
                        let all: f64 = slow.iter().sum();
                        for (i, slow) in slow.iter().enumerate() {
                            let even = 1.0 / twin.average[p][history].len() as f64;
                            let slow = if all > 0.0 { slow / all } else { even };
                            let fast = fast[p][base + i];
                            let far = (fast - slow).abs();
                            assert!(far < 1e-12, "{game:?}: {fast}, {slow}");
                            // The first behaviour is even whatever the regrets are.
                            compared += i32::from(t > 2);
                        }
                    }
                }
                if !sure {
                    break;
                }
            }
        }
    }
    println!("{compared} compared");
    assert!(compared > 1_000, "{compared}");
}

/// By hand: who has played paper against scissors regrets not to have played scissors by 1 and rock by 2, which is
/// added to the regret that it began with.
#[test]
fn regrets_are_those_worked_out_by_hand() {
    // Rock, paper, scissors against the same.
    let form = SequenceForm::of_matrix(&[0.0, -1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0, 0.0], 3);
    let mut regrets = Cfr::new(&form, CfrVariant::Vanilla, Updates::Simultaneous);
    regrets.start_with(Player::First, 2, 1.0);
    regrets.start_with(Player::Second, 3, 1.0);
    assert_eq!(regrets.current()[0][1..], [0.0, 1.0, 0.0]);
    regrets.step();
    // The regret of the start stays.
    let after = [1, 2, 3].map(|sequence| regrets.regret(Player::First, sequence));
    assert_eq!(after, [2.0, 1.0, 1.0]);
    assert_eq!(regrets.average()[0][1..], [0.0, 1.0, 0.0]);
    assert_eq!(regrets.current()[0][1..], [0.5, 0.25, 0.25]);
    let second = [1, 2, 3].map(|sequence| regrets.regret(Player::Second, sequence));
    assert_eq!(second, [-2.0, -1.0, 1.0]);
}

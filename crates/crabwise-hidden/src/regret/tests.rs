//! Every rule against its bound, a known curve, and its definition followed history by history.

use std::collections::HashMap;

use super::*;
use crate::{
    Hidden, Setup, Turn,
    states::Minds,
    toys::{Kuhn, Random, form, laid},
};

const DISCOUNTED: Rule = Rule::Discounted { alpha: 1.5, beta: 0.0, gamma: 2.0 };
const RULES: [Rule; 5] = [Rule::Cfr, Rule::CfrPlus, Rule::Linear, DISCOUNTED, Rule::Predictive];
const UPDATES: [Updates; 2] = [Updates::Alternating, Updates::Simultaneous];

fn run(regrets: &mut Regrets, iterations: u64) -> f64 {
    (0..iterations).for_each(|_| regrets.step());
    regrets.judge().exploitability()
}

/// The curve of another implementation, by the definition of 2007 with alternating updates.
#[test]
fn kuhn_follows_the_known_curve() {
    let form = form(Kuhn);
    let mut regrets = Regrets::new(&form, Rule::Cfr, Updates::Alternating);
    let after = run(&mut regrets, 281);
    assert!((after - 0.00237740).abs() < 5e-9, "{after}");
}

/// No rule exceeds its bound, every rule comes as close as it does, and the value is within bounds.
#[test]
fn all_rules_solve_kuhn() {
    let form = form(Kuhn);
    for updates in UPDATES {
        let close = match updates {
            Updates::Alternating => [3e-3, 5e-4, 5e-4, 5e-4, 1e-6],
            Updates::Simultaneous => [2e-2, 1e-2, 1e-2, 1e-2, 1e-2],
        };
        for (rule, close) in RULES.into_iter().zip(close) {
            let mut regrets = Regrets::new(&form, rule, updates);
            let mut envelope = vec![];
            for t in 1..=1000 {
                regrets.step();
                let judged = regrets.judge();
                envelope.extend([10, 100, 1000].contains(&t).then(|| judged.exploitability()));
                let (far, [low, high]) = (judged.exploitability(), judged.bounds());
                let bound = 4.0 * 6.0 * (2.0 / f64::from(t)).sqrt();
                assert!(far < bound, "{rule:?} {updates:?} {t}: {far}");
                let slack = 1e-12;
                assert!(low - slack <= -1.0 / 18.0 && -1.0 / 18.0 <= high + slack);
            }
            let far = regrets.judge().exploitability();
            println!("{rule:?} {updates:?}: {far:e}");
            assert!(far < close, "{rule:?} {updates:?}: {far}");
            assert!(envelope.is_sorted_by(|a, b| a > b), "{rule:?} {updates:?}: {envelope:?}");
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
        for (i, rule) in RULES.into_iter().enumerate() {
            let mut regrets = Regrets::new(&form, rule, UPDATES[i % 2]);
            let far = run(&mut regrets, 1000);
            assert!(far < 0.1, "{game:?} {rule:?}: {far}");
            let bounds = regrets.judge().bounds();
            (low, high) = (low.max(bounds[0]), high.min(bounds[1]));
        }
        assert!(low <= high + 1e-9, "{game:?}: {low}, {high}");
    }
}

fn bits(regrets: &Regrets) -> Vec<u64> {
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
        for rule in [Rule::Cfr, Rule::Predictive] {
            let cut = |most: usize| {
                let pools = [None, None];
                let mut regrets =
                    Regrets::cut(&form, rule, Updates::Alternating, pools, Some(most));
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
    for (rule, updates) in RULES.into_iter().zip(UPDATES.into_iter().cycle()) {
        let mut regrets = Regrets::new(&form, rule, updates);
        run(&mut regrets, 10);
        let mut saved = vec![];
        regrets.save(&mut saved).unwrap();
        let mut again = Regrets::load(&form, &mut &saved[..]).unwrap();
        assert_eq!((again.rule(), again.iterations()), (rule, 10));
        run(&mut regrets, 7);
        run(&mut again, 7);
        assert!(bits(&regrets) == bits(&again), "{rule:?}");

        assert!(Regrets::load(&other, &mut &saved[..]).is_err());
        assert!(Regrets::load(&form, &mut &saved[..saved.len() - 1]).is_err());
        for at in [0, 17, 25, 33, 41, 60, 90, saved.len() / 2, saved.len() - 1] {
            let mut wrong = saved.clone();
            wrong[at] ^= 4;
            assert!(Regrets::load(&form, &mut &wrong[..]).is_err(), "byte {at}");
        }
    }
}

#[test]
fn a_bucket_for_each_view_changes_nothing() {
    let form = form(Random { seed: 5, length: 6 });
    let own = form.plexes.each_ref().map(|plex| (0..plex.views() as u32).rev().collect());
    for rule in RULES {
        let mut plain = Regrets::new(&form, rule, Updates::Alternating);
        let mut pooled = Regrets::pooled(&form, rule, Updates::Alternating, &own).unwrap();
        run(&mut plain, 20);
        run(&mut pooled, 20);
        assert!(!pooled.is_abstraction());
        assert!(plain.average() == pooled.average() && plain.current() == pooled.current());
    }
}

/// A player who forgets the card can still do something sensible, but no longer the best.
#[test]
fn shared_buckets_are_an_abstraction() {
    let form = form(Kuhn);
    let [first, second] = &form.plexes;
    let shared = [vec![0; first.views()], (0..second.views() as u32).collect()];
    let mut pooled = Regrets::pooled(&form, Rule::CfrPlus, Updates::Alternating, &shared).unwrap();
    let far = run(&mut pooled, 1000);
    assert!(pooled.is_abstraction() && far > 0.05 && far < 0.5, "{far}");
    let average = &pooled.average()[0];
    assert!((0..first.views()).all(|view| average[first.at(view)] == average[first.at(0)]));
    let mut saved = vec![];
    pooled.save(&mut saved).unwrap();
    assert!(Regrets::load(&form, &mut &saved[..]).is_err());
    let again = Regrets::load_pooled(&form, &shared, &mut &saved[..]).unwrap();
    assert!(bits(&pooled) == bits(&again));
}

#[test]
fn a_start_is_the_first_behaviour() {
    let form = form(Random { seed: 8, length: 6 });
    let mut solved = Regrets::new(&form, Rule::CfrPlus, Updates::Alternating);
    run(&mut solved, 300);
    let [first, second] = solved.average();
    for rule in RULES {
        let mut regrets = Regrets::new(&form, rule, Updates::Alternating);
        run(&mut regrets, 3);
        regrets.start_from([&first, &second], 0.125);
        for (plex, (now, then)) in
            form.plexes.iter().zip(regrets.current().iter().zip([&first, &second]))
        {
            let all = plex.at(0).start..plex.sequences();
            assert!(all.into_iter().all(|s| (now[s] - then[s]).abs() < 1e-12));
        }
        assert!(run(&mut regrets, 1) < solved.judge().exploitability() + 1e-9);
    }
}

/// The passes over many views, without payoffs.
#[test]
#[ignore = "takes a gigabyte, to be timed"]
fn many_views() {
    fn grow(plex: &mut Plex, parent: u32, depth: u32) {
        let first = 1 + 2 * plex.parent.len() as u32;
        plex.first.push(first);
        plex.parent.push(parent);
        plex.mind.push(0);
        for kid in 0..if depth > 0 { 4 } else { 0 } {
            grow(plex, first + kid / 2, depth - 1);
        }
    }
    let plexes = [11, 0].map(|depth| {
        let mut plex = Plex { first: vec![], parent: vec![], mind: vec![] };
        grow(&mut plex, 0, depth);
        plex.first.push(1 + 2 * plex.parent.len() as u32);
        plex
    });
    let form = Form::of(plexes, &[]);
    let bytes = Regrets::bytes(&form, Rule::CfrPlus);
    let start = std::time::Instant::now();
    let mut regrets = Regrets::new(&form, Rule::CfrPlus, Updates::Alternating);
    let Runs { runs, top } = &regrets.sides[0].runs;
    let views = form.plexes[0].views();
    println!("{views} views, {bytes} bytes, {} runs under {}", runs.len(), top.len());
    println!("set up in {:?}", start.elapsed());
    for _ in 0..5 {
        let start = std::time::Instant::now();
        regrets.step();
        println!("a step in {:?}", start.elapsed());
    }
}

/// What was done, and what was heard, in order.
type View = Vec<(Option<u32>, Option<String>)>;

/// One iteration at a time, history by history.
struct Twin<'g, G> {
    game: &'g G,
    regret: [HashMap<View, Vec<f64>>; 2],
    average: [HashMap<View, Vec<f64>>; 2],
    new: HashMap<View, Vec<f64>>,
}

fn add_to(map: &mut HashMap<View, Vec<f64>>, view: &View, mv: usize, many: usize, by: f64) {
    map.entry(view.clone()).or_insert_with(|| vec![0.0; many])[mv] += by;
}

impl<G: Hidden> Twin<'_, G> {
    fn mix(&self, p: usize, view: &View, many: usize) -> Vec<f64> {
        let regrets = self.regret[p].get(view).cloned().unwrap_or(vec![0.0; many]);
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
        views: &[View; 2],
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
            Some(mover) => self.mix(mover as usize, &views[mover as usize], moves.len()),
        };
        let who = mover.map_or(2, |mover| usize::from(mover != player));
        let worths: Vec<f64> = (moves.iter().enumerate())
            .map(|(i, &mv)| {
                let next = Player::BOTH.map(|heard| {
                    let word = game.told(at, mv, heard).map(|word| word.to_string());
                    let own = (mover == Some(heard)).then_some(i as u32);
                    let step = (own.is_some() || word.is_some()).then_some((own, word));
                    views[heard as usize].iter().cloned().chain(step).collect()
                });
                let mut reach = reach;
                reach[who] *= mix[i];
                self.walk(&game.play(at, mv), &next, reach, player, weight)
            })
            .collect();
        let worth = worths.iter().zip(&mix).map(|(worth, mix)| worth * mix).sum();
        if who == 0 {
            for (i, &of) in worths.iter().enumerate() {
                let (view, many) = (&views[p], moves.len());
                add_to(&mut self.new, view, i, many, reach[1] * reach[2] * (of - worth));
                add_to(&mut self.average[p], view, i, many, weight * reach[0] * mix[i]);
            }
        }
        worth
    }

    /// Adds the new regrets by the definitions; whether none was so near zero that rounding decides.
    fn learn(&mut self, rule: Rule, p: usize, t: f64) -> bool {
        let mut sure = true;
        for (view, new) in self.new.drain() {
            let many = new.len();
            let regrets = self.regret[p].entry(view).or_insert_with(|| vec![0.0; many]);
            for (regret, new) in regrets.iter_mut().zip(new) {
                match rule {
                    Rule::Linear => *regret += t * new,
                    _ => *regret += new,
                }
                sure &= many == 1 || regret.abs() > 1e-3;
                if rule == Rule::CfrPlus {
                    *regret = regret.max(0.0);
                }
            }
        }
        sure
    }

    fn step(&mut self, rule: Rule, t: f64) -> bool {
        let weight = if rule == Rule::Cfr { 1.0 } else { t };
        let start = [vec![], vec![]];
        Player::BOTH.into_iter().fold(true, |sure, player| {
            self.walk(&self.game.start(), &start, [1.0; 3], player, weight);
            self.learn(rule, player as usize, t) && sure
        })
    }
}

/// Where the sequences of a view begin.
fn place(minds: &Minds, shape: &crate::plex::Shape, view: &View) -> usize {
    let (mut mind, mut base) = (0, 1);
    for (mv, word) in view {
        let word = word.as_deref();
        let same = |step: &super::super::states::Step| {
            step.mv == *mv && step.word.map(|word| minds.word(word)) == word
        };
        let kid = minds.kids(mind).iter().position(|kid| same(&kid.step)).unwrap();
        base += shape.offsets[minds.kid_range(mind).start + kid];
        mind = minds.kids(mind)[kid].to;
    }
    base as usize
}

/// A random game with payoffs of which hardly two are the same, so that no regret is zero by chance.
#[derive(Clone, Copy, Debug)]
struct Rough(Random);

impl Hidden for Rough {
    type Position = <Random as Hidden>::Position;
    type Move = <Random as Hidden>::Move;
    type Word = <Random as Hidden>::Word;

    fn start(&self) -> Self::Position {
        self.0.start()
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

    fn told(&self, at: &Self::Position, mv: Self::Move, to: Player) -> Option<Self::Word> {
        self.0.told(at, mv, to)
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
        let setup = Setup::of(game).erased();
        let laid = laid(&*setup);
        let form = form(game);
        for rule in [Rule::Cfr, Rule::CfrPlus, Rule::Linear] {
            let mut regrets = Regrets::new(&form, rule, Updates::Alternating);
            let (regret, average) = Default::default();
            let mut twin = Twin { game: &game, regret, average, new: HashMap::new() };
            for t in 1..=5 {
                regrets.step();
                let sure = twin.step(rule, f64::from(t));
                let fast = regrets.average();
                for p in 0..2 {
                    for (view, slow) in &twin.average[p] {
                        let base = place(&laid.tree.states.minds[p], &laid.tree.shapes[p], view);
                        let all: f64 = slow.iter().sum();
                        for (i, slow) in slow.iter().enumerate() {
                            let even = 1.0 / twin.average[p][view].len() as f64;
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

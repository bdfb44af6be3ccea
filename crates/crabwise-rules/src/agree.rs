//! The fast way and the definition of the language agree: on random rules at positions of random play, and on small
//! games everywhere.

use std::collections::{BTreeSet, HashSet};

use fastrand::Rng;

use crate::{
    bounds::{Bounds, Spent},
    check::check,
    game::with_values,
    ground::ground,
    groups, kif,
    machine::Kind,
    net::{self, Node, Roots},
    program::Line,
    reference::{Reference, State},
    terms::Terms,
    text::{Text, Wishes},
};

const BOUNDS: Bounds = Bounds { text: 1 << 20, steps: 200_000_000, bytes: 1 << 30 };

/// A random text in which everything is in its place: layers of relations over three things, with moves for two.
fn random_text(random: &mut Rng) -> String {
    let mut text =
        String::from("(role r) (role s) (thing a) (thing b) (thing c) (pair a b) (pair b c)\n");
    let variables = ["?x", "?y", "?z"];
    for fact in ["(p a)", "(p b)", "(q a b)", "(q c c)", "t"] {
        if random.bool() {
            text += &format!("(init {fact}) ");
        }
    }
    text += "(init always)\n";
    let term = |random: &mut Rng| match random.u8(0..4) {
        0 => ["a", "b", "c"][random.usize(0..3)].to_string(),
        _ => variables[random.usize(0..3)].to_string(),
    };
    let fact = |random: &mut Rng| match random.u8(0..4) {
        0 => format!("(p {})", term(random)),
        1 | 2 => format!("(q {} {})", term(random), term(random)),
        _ => "t".to_string(),
    };
    // A condition that may use relations below this layer, and does if wanted.
    let condition = |random: &mut Rng, layer: usize, moves: bool, own: bool| {
        let relation = |random: &mut Rng, below: usize| {
            let which = random.usize(0..below);
            match which % 2 {
                0 => format!("(d{which} {})", term(random)),
                _ => format!("(d{which} {} {})", term(random), term(random)),
            }
        };
        match random.u8(0..10) {
            0 if moves => format!("(does {} (m {}))", ["r", "s"][random.usize(0..2)], term(random)),
            1 if moves => "(does r wait)".to_string(),
            0..=3 => format!("(true {})", fact(random)),
            4 => format!("(pair {} {})", term(random), term(random)),
            5 => format!("(distinct {} {})", term(random), term(random)),
            6 if own => relation(random, layer + 1),
            _ if layer > 0 => relation(random, layer),
            _ => format!("(true {})", fact(random)),
        }
    };
    let mut rule = |random: &mut Rng, head: String, layer: usize, moves: bool, own: bool| {
        let mut body: Vec<String> = vec![];
        for _ in 0..random.usize(1..4) {
            let one = condition(random, layer, moves, false);
            body.push(match random.u8(0..6) {
                0 | 1 if !one.starts_with("(distinct") => format!("(not {one})"),
                2 => format!("(or {one} {})", condition(random, layer, moves, false)),
                _ => one,
            });
        }
        if own && random.bool() {
            body.push(condition(random, layer, moves, true));
        }
        // Whatever is used is some thing.
        for variable in variables {
            if head.contains(variable) || body.iter().any(|one| one.contains(variable)) {
                body.push(format!("(thing {variable})"));
            }
        }
        text += &format!("(<= {head} {})\n", body.join(" "));
    };
    for layer in 0..4 {
        for _ in 0..random.usize(1..4) {
            let head = match layer % 2 {
                0 => format!("(d{layer} {})", term(random)),
                _ => format!("(d{layer} {} {})", term(random), term(random)),
            };
            rule(random, head, layer, false, true);
        }
    }
    for _ in 0..random.usize(2..7) {
        let head = format!("(next {})", fact(random));
        rule(random, head, 4, true, false);
    }
    for role in ["r", "s"] {
        let head = format!("(legal {role} (m {}))", term(random));
        rule(random, head, 4, false, false);
        let head = format!("(goal {role} 100)");
        rule(random, head, 4, false, false);
    }
    rule(random, "terminal".into(), 4, false, false);
    text + "(legal r wait) (legal s wait) (<= (next always) (true always)) (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))
            (<= (sees r (it ?x)) (does s (m ?x)))"
}

/// What the net says of a state and of moves, as the reference says it.
struct Fast<'a> {
    terms: &'a Terms,
    roots: &'a Roots,
    line: Line,
}

impl Fast<'_> {
    fn asked(roots: &Roots) -> Vec<u32> {
        let mut asked = vec![roots.terminal];
        asked.extend(&roots.next);
        for role in &roots.roles {
            for list in [&role.moves, &role.goals, &role.sees] {
                asked.extend(list.iter().map(|(_, lit)| *lit));
            }
        }
        asked
    }

    fn say(&self, at: &State, moves: &[(String, String)]) -> [BTreeSet<(String, String)>; 5] {
        let mut values = vec![0x5555; self.line.places];
        for &(place, node) in &self.line.inputs {
            let holds = match node {
                Node::Fact(fact) => at.contains(&self.terms.kif(self.roots.facts[fact as usize])),
                Node::Does(role, mv) => {
                    let role = &self.roots.roles[usize::from(role)];
                    let mv = self.terms.kif(role.moves[mv as usize].0);
                    moves.contains(&(self.terms.kif(role.role), mv))
                }
                _ => panic!("no input: {node:?}"),
            };
            values[place as usize] = if holds { u64::MAX } else { 0 };
        }
        self.line.run(&mut values);
        let mut nth = 0;
        let mut next = || {
            let value = self.line.output(&values, nth);
            assert!(value == 0 || value == u64::MAX);
            nth += 1;
            value != 0
        };
        let mut said: [BTreeSet<(String, String)>; 5] = Default::default();
        if next() {
            said[0].insert(("terminal".into(), String::new()));
        }
        for fact in &self.roots.facts {
            if next() {
                said[1].insert((self.terms.kif(*fact), String::new()));
            }
        }
        for role in &self.roots.roles {
            for (which, list) in [&role.moves, &role.goals, &role.sees].into_iter().enumerate() {
                for (term, _) in list {
                    if next() {
                        said[2 + which].insert((self.terms.kif(role.role), self.terms.kif(*term)));
                    }
                }
            }
        }
        said
    }
}

fn slow(
    game: &Reference,
    at: &State,
    moves: &[(String, String)],
) -> [BTreeSet<(String, String)>; 5] {
    let alone = |state: State| state.into_iter().map(|one| (one, String::new())).collect();
    let over: State = game.terminal(at).then(|| "terminal".to_string()).into_iter().collect();
    [alone(over), alone(game.next(at, moves)), game.legal(at), game.goals(at), game.sees(at, moves)]
}

/// A legal move of each role; nothing if some role has none.
fn some_moves(game: &Reference, at: &State, random: &mut Rng) -> Option<Vec<(String, String)>> {
    let legal = game.legal(at);
    let of = |role: String| {
        let all: Vec<_> = legal.iter().filter(|(of, _)| *of == role).collect();
        random.choice(all).cloned()
    };
    game.roles().into_iter().map(of).collect()
}

#[test]
fn nets_say_what_the_definition_says_on_random_rules() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = Rng::with_seed(seed);
    let (mut loops, mut grouped) = (0, 0);
    for _ in 0..60 {
        let text = random_text(&mut random);
        let program = kif::read(&text).unwrap();
        assert_eq!(check(&program), [], "{text}");
        let game = Reference::new(&program);
        let mut spent = Spent::new(BOUNDS);
        let ground = ground(&program, &mut spent).unwrap();
        let (mut net, roots) = net::build(&ground, &mut spent).unwrap();
        loops += net.loops.len();
        let line = Line::of(&net, &Fast::asked(&roots));
        let groups = groups::find(&mut net, &roots, &ground.terms, &mut spent).unwrap();
        grouped += groups.groups.len();
        let fast = Fast { terms: &ground.terms, roots: &roots, line };
        for _ in 0..2 {
            let mut at = game.start();
            for _ in 0..6 {
                let Some(moves) = some_moves(&game, &at, &mut random) else { break };
                let slow = slow(&game, &at, &moves);
                assert_eq!(fast.say(&at, &moves), slow, "{text}\n{at:?} {moves:?}");
                for group in &groups.groups {
                    let holding = group.facts.iter().filter(|fact| {
                        at.contains(&ground.terms.kif(roots.facts[**fact as usize]))
                    });
                    let many = holding.count();
                    assert!(many < 2 && (many == 1 || !group.exactly), "{text}\n{at:?} {group:?}");
                }
                at = game.next(&at, &moves);
            }
        }
    }
    assert!(loops > 0 && grouped > 0, "{loops} loops, {grouped} groups");
}

/// All positions of a game as it is played, every `nth` of them held against the definition; how many there are, how
/// many are over, and how many moves.
fn everywhere(text: &str, nth: usize) -> [usize; 3] {
    let text = Text::read(text, Wishes::default(), BOUNDS).unwrap_or_else(|bad| panic!("{bad:?}"));
    let machine = text.machine().unwrap_or_else(|bad| panic!("{bad:?}"));
    let game = Reference::new(text.program());
    let roles = game.roles();
    let state = |words: &[u64]| -> State {
        let holds = |fact: &u32| machine.layout.holds(words, *fact);
        let facts = (0..machine.roots.facts.len() as u32).filter(holds);
        facts.map(|fact| machine.terms.kif(machine.roots.facts[fact as usize])).collect()
    };
    let mut start = machine.start.clone();
    assert_eq!(state(&start), game.start());
    with_values(|values| machine.settle(&mut start, 0, values));
    let (mut known, mut queue) = (HashSet::from([start.clone()]), vec![start]);
    let (mut over, mut moves, mut count) = (0, 0, 0);
    while let Some(words) = queue.pop() {
        let at = state(&words);
        let kind = with_values(|values| machine.kind(&words, values));
        count += 1;
        let compared = count % nth == 0;
        assert!(!compared || game.terminal(&at) == matches!(kind, Kind::Over(_)));
        if let Kind::Over(goals) = kind {
            over += 1;
            if !compared {
                continue;
            }
            let goals =
                (roles.iter().zip(goals)).map(|(role, value)| (role.clone(), value.to_string()));
            assert_eq!(game.goals(&at), goals.collect());
            continue;
        }
        let Kind::Of(mover) = kind else { panic!("{kind:?} at {at:?}") };
        let legal = if compared { game.legal(&at) } else { BTreeSet::new() };
        let deeds = with_values(|values| machine.legal_of(&words, mover, values));
        let role = &roles[usize::from(mover)];
        let own: BTreeSet<String> =
            legal.iter().filter(|(of, _)| of == role).map(|(_, mv)| mv.clone()).collect();
        let found = deeds.iter().map(|deed| machine.terms.kif(machine.deeds[*deed as usize].term));
        assert!(!compared || found.collect::<BTreeSet<_>>() == own);
        for deed in deeds {
            moves += 1;
            let mut to = words.clone();
            with_values(|values| machine.perform(&words, deed, &mut to, values));
            if compared {
                let mv = machine.terms.kif(machine.deeds[deed as usize].term);
                let others = legal.iter().filter(|(of, _)| of != role).cloned();
                let joint: Vec<_> = others.chain([(role.clone(), mv)]).collect();
                assert_eq!(joint.len(), 2);
                assert_eq!(state(&to), game.next(&at, &joint), "{joint:?} at {at:?}");
            }
            with_values(|values| machine.settle(&mut to, 1 - mover, values));
            if known.insert(to.clone()) {
                queue.push(to);
            }
        }
    }
    [known.len(), over, moves]
}

#[test]
fn every_position_of_small_games_is_what_the_definition_says() {
    let nim = include_str!("../testdata/nim-3-5-7.kif").replace("(heap b 5)", "(heap b 2)");
    let nim = nim.replace("(heap c 7)", "(heap c 3)");
    assert_eq!(everywhere(&nim, 1), [88, 2, 332]);
    let hex = include_str!("../testdata/hex-3x3.kif");
    assert_eq!(everywhere(hex, 97)[0], 5514);
}

fn hidden(text: &str) -> crabwise_hidden::ErasedHidden {
    let text = Text::read(text, Wishes::default(), BOUNDS).unwrap_or_else(|bad| panic!("{bad:?}"));
    text.hidden_game().unwrap_or_else(|bad| panic!("{bad:?}"))
}

#[test]
fn games_that_are_not_all_seen_have_their_sizes() {
    let counts = |text: &str| {
        let explored = hidden(text).explore(1 << 28, &crabwise::watch::Unwatched).unwrap();
        let counts = explored.tree.counts();
        (counts.info_sets, counts.sequences, counts.games)
    };
    let kuhn = counts(include_str!("../testdata/kuhn.kif"));
    assert_eq!(kuhn, ([6, 6], [13, 13], 30));
    let signs = counts(include_str!("../testdata/rock-paper-scissors.kif"));
    assert_eq!(signs, ([1, 1], [4, 4], 9));
}

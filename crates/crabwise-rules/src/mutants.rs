//! Texts that somebody spoilt: each is refused with a mistake within the text, or is a game that can be played, and soon.

use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::{
    bounds::Bounds,
    game::with_values,
    machine::Kind,
    text::{Text, Wishes},
};

const SEEDS: [&str; 4] = [
    include_str!("../testdata/nim-3-5-7.kif"),
    include_str!("../testdata/hex-3x3.kif"),
    include_str!("../testdata/kuhn.kif"),
    include_str!("../testdata/rock-paper-scissors.kif"),
];
const TOKENS: [&str; 24] = [
    "(",
    ")",
    "<=",
    "not",
    "or",
    "and",
    "distinct",
    "?p",
    "?c",
    "?new",
    "true",
    "does",
    "next",
    "legal",
    "init",
    "role",
    "goal",
    "terminal",
    "sees",
    "random",
    "noop",
    "100",
    "(s ?x)",
    "(cell 1 1 red)",
];
/// What a spoilt text may cost: a server's part of a second.
const BOUNDS: Bounds = Bounds { text: 1 << 16, steps: 3_000_000, bytes: 64 << 20 };

/// A text with some of its words exchanged, doubled or left out.
fn spoilt(random: &mut Rng) -> String {
    let text = SEEDS[random.usize(0..SEEDS.len())];
    let text: String = text.lines().map(|line| line.split(';').next().unwrap_or("")).collect();
    let text = text.replace('(', " ( ").replace(')', " ) ");
    let mut words: Vec<&str> = text.split_whitespace().collect();
    for _ in 0..random.usize(1..6) {
        let place = random.usize(0..words.len());
        match random.u8(0..5) {
            0 => drop(words.remove(place)),
            1 => words.insert(place, words[random.usize(0..words.len())]),
            2 => words[place] = words[random.usize(0..words.len())],
            3 => words[place] = TOKENS[random.usize(0..TOKENS.len())],
            _ => words.insert(place, TOKENS[random.usize(0..TOKENS.len())]),
        }
    }
    words.join(" ")
}

/// Plays a text for some moves, if it is a game of turns; whether it is a game.
fn tried(text: &str, random: &mut Rng) -> bool {
    let read = match Text::read(text, Wishes::default(), BOUNDS) {
        Ok(read) => read,
        Err(mistakes) => {
            assert!(!mistakes.is_empty());
            for mistake in mistakes {
                assert!(text.get(mistake.span.start as usize..mistake.span.end as usize).is_some());
                assert!(!mistake.what.is_empty() && !mistake.what.contains('\n'));
            }
            return false;
        }
    };
    if read.is_hidden() {
        return read.hidden_game().is_ok();
    }
    let Ok(machine) = read.machine() else { return false };
    let mut at = machine.start.clone();
    with_values(|values| machine.settle(&mut at, 0, values));
    for _ in 0..20 {
        let Kind::Of(role) = with_values(|values| machine.kind(&at, values)) else { break };
        let deeds = with_values(|values| machine.legal_of(&at, role, values));
        let deed = random.choice(deeds).expect("who is to move has a move");
        let from = at.clone();
        with_values(|values| {
            machine.perform(&from, deed, &mut at, values);
            machine.settle(&mut at, 1 - role, values);
        });
        machine.show(&at);
        let written = machine.notation(&at);
        assert!(machine.read(&written).is_some(), "{written}");
    }
    true
}

#[test]
fn a_spoilt_text_is_refused_or_played() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = Rng::with_seed(seed);
    let (mut games, mut slowest) = (0, Duration::ZERO);
    let begun = Instant::now();
    for _ in 0..400 {
        if begun.elapsed() > Duration::from_secs(4) {
            break;
        }
        let text = spoilt(&mut random);
        let now = Instant::now();
        games += u32::from(tried(&text, &mut random));
        slowest = slowest.max(now.elapsed());
    }
    assert!(games > 0);
    assert!(slowest < Duration::from_secs(5), "{slowest:?}");
}

#[test]
fn what_grows_without_end_is_refused() {
    let game = "(role a) (role b) (init (n z)) (legal a go) (legal b go) (goal a 50) (goal b 50)
        (<= terminal (true (n (s (s z)))))";
    for (more, what) in [
        ("(<= (next (n (s ?x))) (true (n ?x)))", "grows without end"),
        ("(<= (next (n (f ?x ?y))) (true (n ?x)) (true (n ?y)))", ""),
        (
            "(<= (next (n (s ?x))) (true (n ?x)) (p ?a ?b ?c ?d ?e ?f ?g))
          (<= (p ?a ?b ?c ?d ?e ?f ?g) (q ?a) (q ?b) (q ?c) (q ?d) (q ?e) (q ?f) (q ?g))
          (q 1) (q 2) (q 3) (q 4) (q 5) (q 6) (q 7) (q 8) (q 9) (q 10) (q 11) (q 12)",
            "takes more than",
        ),
    ] {
        let begun = Instant::now();
        let text = Text::read(&format!("{game}{more}"), Wishes::default(), BOUNDS).unwrap();
        let mistake = text.machine().err().expect("refused");
        assert!(mistake.what.contains(what), "{}", mistake.what);
        assert!(mistake.span.end > 0);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}

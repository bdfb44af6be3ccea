//! Moves made of several decisions: a decision is worth the best move that begins with it, and a
//! line means the same in moves and in decisions.

use std::{cmp::Reverse, collections::BTreeMap, fmt, slice};

use crabwise::{
    ErasedGame, Game, Job, Outcome, Setup, Value,
    analysis::horizon::Horizon,
    analysis::label::{Draws, Label, Weights},
    explore::{ChoiceInfo, Explorer, PositionInfo},
    watch::Unwatched,
};

use crate::graphs::{Graph, Vertices};

/// A random graph on which a move is one decision, two or three, by where it leads.
struct Compound(Graph);

#[derive(Clone, Copy)]
struct To(u32);

impl To {
    fn decisions(self) -> Vec<String> {
        let To(to) = self;
        match to % 4 {
            0 => vec![format!("to{to}")],
            1 => vec![format!("x{}", to % 3), format!("y{}", to / 3), "z".into()],
            _ => vec![format!("x{}", to % 3), format!("z{}", to / 3)],
        }
    }
}

impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.decisions().join("-"))
    }
}

impl Game for Compound {
    type Position = u32;
    type Move = To;

    fn start(&self) -> u32 {
        self.0.start()
    }

    fn moves(&self, at: &u32) -> impl IntoIterator<Item = To> {
        self.0.moves(at).into_iter().map(To)
    }

    fn play(&self, at: &u32, To(to): To) -> u32 {
        self.0.play(at, to)
    }

    fn over(&self, at: &u32) -> Option<Outcome> {
        self.0.over(at)
    }

    fn again(&self, from: &u32, to: &u32) -> bool {
        self.0.again(from, to)
    }

    fn decisions(&self, mv: &To) -> Vec<String> {
        mv.decisions()
    }
}

/// How good something is, by its definition: drawn moves differ by their labels, if there are any,
/// and only then is a tie better than a draw.
fn rank(value: Value, label: Option<Label>) -> (Value, u64, Value) {
    match (value, label) {
        (Value::Tie(_) | Value::Draw, Some(label)) => (Value::Draw, label.index(), value),
        _ => (value, 0, value),
    }
}

/// What a decision must come to, found out move by move.
struct Group {
    best: (Value, u64, Value),
    moves: usize,
    completes: Option<String>,
}

fn groups(whole: &PositionInfo, made: &[String]) -> BTreeMap<String, Group> {
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for one in &whole.moves {
        if one.decisions.len() <= made.len() || one.decisions[..made.len()] != *made {
            continue;
        }
        let best = rank(one.value, one.label);
        let last = one.decisions.len() == made.len() + 1;
        let group = Group { best, moves: 0, completes: last.then(|| one.name.clone()) };
        let group = groups.entry(one.decisions[made.len()].clone()).or_insert(group);
        group.best = group.best.max(best);
        group.moves += 1;
    }
    groups
}

fn compare(what: &str, choices: &[ChoiceInfo], mut groups: BTreeMap<String, Group>) {
    let worth = |choice: &ChoiceInfo| rank(choice.value.expect("known"), choice.label);
    assert!(choices.is_sorted_by_key(|choice| Reverse(worth(choice))), "{what}: {choices:?}");
    for choice in choices {
        let group = groups.remove(&choice.name).expect("no decision is offered twice");
        assert_eq!(worth(choice), group.best, "{what}, {}", choice.name);
        assert_eq!((choice.moves, &choice.completes), (group.moves, &group.completes), "{what}");
    }
    assert!(groups.is_empty(), "{what}: {:?} are not offered", groups.keys());
}

/// Everything that can be decided at a position, to the end of the turn. Gives back how many
/// decisions there were after a first one.
fn decide(what: &str, table: &dyn Explorer, whole: &PositionInfo, made: &[String]) -> usize {
    let choices = whole.choices(made);
    compare(what, &choices, groups(whole, made));
    let line = [&whole.place.line[..], made].concat();
    let here = table.look(&line).unwrap();
    assert_eq!(here, whole.deciding(made), "{what}");
    assert_eq!((&here.place.line, &here.place.made[..]), (&whole.place.line, made), "{what}");
    assert_eq!(here.choices(made), choices, "{what}");
    let best = choices.first().map_or(whole.value, |best| best.value.expect("known"));
    assert_eq!(here.worth(), if made.is_empty() { whole.value } else { best }, "{what}");
    perfect(what, table, &line, &here);
    let mut met = choices.len() * usize::from(!made.is_empty());
    for choice in choices {
        let made = [made, &[choice.name]].concat();
        match choice.completes {
            None => met += decide(what, table, whole, &made),
            Some(name) => {
                let [by_name, by_decisions] = [vec![name], made]
                    .map(|turn| table.look(&[&whole.place.line[..], &turn].concat()).unwrap());
                assert_eq!(by_name, by_decisions, "{what}");
            }
        }
    }
    met
}

/// Perfect play finishes the turn with one of the best moves, and goes on from there.
fn perfect(what: &str, table: &dyn Explorer, line: &[String], here: &PositionInfo) {
    for seed in [None, Some(7)] {
        let found = table.perfect(line, seed, 1).unwrap().moves;
        assert_eq!(found.len(), here.moves.len().min(1), "{what}");
        assert!(found.iter().all(|first| here.best().contains(first)), "{what}: {found:?}");
    }
    let play = table.perfect(line, None, 9).unwrap();
    if let Some(first) = play.moves.first() {
        let on = table
            .perfect(&[&here.place.line[..], slice::from_ref(&first.name)].concat(), None, 8)
            .unwrap();
        assert!(on.moves.starts_with(&play.moves[1..]), "{what}");
    }
}

fn stroll(what: &str, table: &dyn Explorer, random: &mut fastrand::Rng) -> usize {
    let (mut line, mut met) = (vec![], 0);
    for _ in 0..6 {
        let at = table.look(&line).unwrap();
        assert_eq!(at.place.made, [""; 0]);
        assert_eq!(at.compound(), at.moves.iter().any(|one| one.decisions.len() > 1), "{what}");
        met += decide(what, table, &at, &[]);
        if at.moves.is_empty() {
            break;
        }
        let one = &at.moves[random.usize(..at.moves.len())];
        if random.bool() {
            line.push(one.name.clone());
        } else {
            line.extend(one.decisions.iter().cloned());
        }
    }
    met
}

#[test]
fn a_choice_is_worth_the_best_move_that_begins_so_on_random_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let mut met = 0;
    for seed in 0..150 {
        let graph = Graph::random(seed, true);
        let (vertices, game) = (Vertices::of(&graph, true), Setup::of(Compound(graph)));
        let game = if seed % 2 == 0 { game.erased() } else { game.numbered(vertices).erased() };
        let table = folder.path().join(format!("{seed}"));
        let job = Job { game: "compound", table: &table, memory: u64::MAX, watch: &Unwatched };
        game.solve(&job, true, &|_| {}).unwrap();
        let broken = game.check(&job, seed).unwrap().into_iter().find_map(|done| done.broken);
        assert_eq!(broken, None, "seed {seed}");
        let plain = game.open(&job).unwrap();
        let deepest = game.open_labelled(&job, Draws::Deepest).unwrap();
        let densest = game.open_labelled(&job, Draws::Densest(Weights::default())).unwrap();
        let mut random = fastrand::Rng::with_seed(seed);
        for (how, table) in [("plain", plain), ("depths", deepest), ("densities", densest)] {
            met += stroll(&format!("seed {seed}, {how}"), &*table, &mut random);
        }
    }
    assert!(met > 1500, "{met}");
}

/// One turn, in which moves are called what they are called here.
struct Once;

/// The name of a move and its decisions. The first is called what others begin with.
const MOVES: [(&str, &[&str]); 5] = [
    ("a", &["alone"]),
    ("a-b", &["a", "b"]),
    ("a-c", &["a", "c"]),
    ("d-a", &["d", "a"]),
    ("d-b", &["d", "b"]),
];

impl Game for Once {
    type Position = Option<&'static str>;
    type Move = &'static str;

    fn start(&self) -> Self::Position {
        None
    }

    fn moves(&self, _at: &Self::Position) -> impl IntoIterator<Item = &'static str> {
        MOVES.map(|(name, _)| name)
    }

    fn play(&self, _at: &Self::Position, mv: &'static str) -> Self::Position {
        Some(mv)
    }

    fn over(&self, at: &Self::Position) -> Option<Outcome> {
        at.map(|name| if name.ends_with('b') { Outcome::Win } else { Outcome::Loss })
    }

    fn decisions(&self, mv: &&'static str) -> Vec<String> {
        let (_, decisions) = MOVES.iter().find(|(name, _)| name == mv).unwrap();
        decisions.iter().map(|name| name.to_string()).collect()
    }
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_string).collect()
}

/// Solves the one turn and asks something about it.
fn once(ask: impl FnOnce(&ErasedGame, &dyn Explorer)) {
    let (game, folder) = (Setup::of(Once).erased(), tempfile::tempdir().unwrap());
    let table = folder.path().join("table");
    let job = Job { game: "once", table: &table, memory: u64::MAX, watch: &Unwatched };
    game.solve(&job, true, &|_| {}).unwrap();
    ask(&game, &*game.open(&job).unwrap());
}

#[test]
fn names_win_over_decisions() {
    once(|_, table| {
        let line = |line: &str| table.look(&words(line)).unwrap().place.line.join(" ");
        assert_eq!(line("a"), "a");
        assert_eq!(line("alone"), "a");
        // In the middle of a turn there is no other move that could be meant.
        assert_eq!(line("d a"), "d-a");
        assert_eq!(line("a-b"), "a-b");
        let half = table.look(&words("d")).unwrap();
        assert_eq!(
            (half.place.line, half.place.made, half.value),
            (vec![], words("d"), Value::Win(1))
        );
        let names = |made: &str| {
            let choices = table.look(&[]).unwrap().choices(&words(made));
            choices.into_iter().map(|choice| choice.name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(""), "alone a d");
        assert_eq!(["a", "d", "d a", "e"].map(names), ["c b", "a b", "", ""]);
    });
}

#[test]
fn what_cannot_be_read_is_told_with_what_could_be() {
    once(|game, table| {
        let error = |line: &str| table.look(&words(line)).unwrap_err().to_string();
        assert_eq!(error("e"), "at the start there is no move or decision 'e'; legal: alone a d");
        assert_eq!(error("d e"), "after 'd' there is no decision 'e'; legal: a b");
        assert_eq!(error("d d-a"), "after 'd' there is no decision 'd-a'; legal: a b");
        assert_eq!(error("d a e"), "after 'd-a' the game is over, so 'e' cannot be played");
        assert_eq!(error("a b"), "after 'a' the game is over, so 'b' cannot be played");
        let (weights, memory) = (Weights::default(), 1 << 20);
        let horizon = Horizon { depth: 1, time: None, weights, seed: 1, memory };
        let advise = |line: &str| game.advise(&words(line), &horizon, &Unwatched);
        assert_eq!(advise("d a").unwrap().place.line, ["d-a"]);
        let refused = advise("d").unwrap_err().to_string();
        assert_eq!(refused, "at the start 'd' is only the beginning of a move; legal: a b");
    });
}

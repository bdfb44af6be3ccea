//! The published counts, and the slow twin: all true boards that a view allows.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crabwise::watch::{Stop, Unwatched};
use serde_json::{Value as Json, json};

use super::{survey::Table, *};

const FACTS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/dark-hex.json"));

fn joined(game: &Hex, player: Player, stones: u64) -> bool {
    Lines::distance(game, player, stones, 0) == Some(0)
}

fn search(game: &Hex, player: Player) -> Search<'_, Hex> {
    Search::new(game, player, 1 << 30, &Unwatched)
}

/// The twin: for each view that play can come to, the sets of cells that the opponent may have, and
/// whether the player wins with certainty.
struct Twin<'a> {
    game: &'a Hex,
    player: Player,
    views: BTreeMap<(u64, u64), (BTreeSet<u64>, bool)>,
}

impl Twin<'_> {
    fn of(game: &Hex, player: Player) -> Twin<'_> {
        let mut twin = Twin { game, player, views: BTreeMap::new() };
        let boards = match player {
            Player::First => Some(BTreeSet::from([0])),
            Player::Second => twin.answered(0, &BTreeSet::from([0])).1,
        };
        if let Some(boards) = boards {
            twin.certain(View::default(), boards);
        }
        twin
    }

    /// Whether the opponent, with any of these stones, wins by some further stone; and what it has
    /// where it does not, unless it always does.
    fn answered(&self, own: u64, boards: &BTreeSet<u64>) -> (bool, Option<BTreeSet<u64>>) {
        let answers =
            |&board: &u64| bits(self.game.all() & !(own | board)).map(move |c| board | 1 << c);
        let all: BTreeSet<u64> = boards.iter().flat_map(answers).collect();
        let wins = |board: &u64| joined(self.game, self.player.other(), *board);
        let (won, open): (BTreeSet<_>, BTreeSet<_>) = all.into_iter().partition(wins);
        (!won.is_empty(), (!open.is_empty()).then_some(open))
    }

    /// All moves are followed, so that all views are met; whichever way, they allow the same
    /// boards.
    fn certain(&mut self, at: View, boards: BTreeSet<u64>) -> bool {
        if let Some((same, certain)) = self.views.get(&(at.own, at.known)) {
            assert_eq!(*same, boards, "{at:?}");
            return *certain;
        }
        let mut certain = false;
        for cell in bits(self.game.all() & !(at.own | at.known)) {
            let (taken, free): (BTreeSet<u64>, BTreeSet<u64>) =
                boards.iter().partition(|&board| board >> cell & 1 == 1);
            let rejected = taken.is_empty() || self.certain(at.with_known(cell), taken);
            certain |= self.placed(at.with_own(cell), &free) && rejected;
        }
        self.views.insert((at.own, at.known), (boards, certain));
        certain
    }

    fn placed(&mut self, at: View, free: &BTreeSet<u64>) -> bool {
        if free.is_empty() || joined(self.game, self.player, at.own) {
            return true;
        }
        let (lost, open) = self.answered(at.own, free);
        let certain = open.is_none_or(|open| self.certain(at, open));
        certain && !lost
    }
}

/// Whether the player, to move, wins in the light.
fn in_the_light(
    game: &Hex,
    player: Player,
    (own, other): (u64, u64),
    known: &mut HashMap<(u64, u64, bool), bool>,
) -> bool {
    let key = (own, other, player == Player::First);
    if let Some(&wins) = known.get(&key) {
        return wins;
    }
    let wins = bits(game.all() & !(own | other)).any(|cell| {
        let own = own | 1 << cell;
        joined(game, player, own) || !in_the_light(game, player.other(), (other, own), known)
    });
    known.insert(key, wins);
    wins
}

#[test]
fn the_true_boards_agree_view_by_view() {
    let sizes = [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)];
    for (rows, columns) in sizes {
        let game = Hex::new(rows, columns);
        let mut light = HashMap::new();
        for player in Player::BOTH {
            let (twin, table) =
                (Twin::of(&game, player), Table::new(&game, player, &Unwatched).unwrap());
            let mut search = search(&game, player);
            let views = survey(&game, player, 1 << 30, &Unwatched).unwrap().all.views;
            assert_eq!(views, twin.views.len() as u64, "{rows}x{columns} {player}");
            for (&(own, known), (boards, certain)) in &twin.views {
                let at = View { own, known };
                let entry = table.at(at);
                assert!(entry.possible() && search.possible(at));
                assert_eq!(entry.certain(), *certain, "{rows}x{columns} {player} {at:?}");
                assert_eq!(
                    search.certain(at).unwrap(),
                    *certain,
                    "{rows}x{columns} {player} {at:?}"
                );
                let mut boards = boards.iter();
                let weak =
                    boards.all(|&other| in_the_light(&game, player, (own, other), &mut light));
                assert_eq!(entry.weak(), weak, "{rows}x{columns} {player} {at:?}");
            }
        }
    }
}

#[test]
fn search_and_survey_agree_on_all_views() {
    for (rows, columns) in [(3, 4), (4, 3)] {
        let game = Hex::new(rows, columns);
        let all = game.all();
        let pairs = (0..=all).flat_map(|own| (0..=all).map(move |known| View { own, known }));
        let views: Vec<View> = pairs.filter(|at| at.own & at.known == 0).collect();
        for player in Player::BOTH {
            let (table, mut search) =
                (Table::new(&game, player, &Unwatched).unwrap(), search(&game, player));
            for &at in &views {
                let (entry, possible) = (table.at(at), search.possible(at));
                assert_eq!(entry.possible(), possible, "{rows}x{columns} {player} {at:?}");
                let certain = possible && search.certain(at).unwrap();
                assert_eq!(entry.certain(), certain, "{rows}x{columns} {player} {at:?}");
                assert!(entry.weak() || !certain, "{rows}x{columns} {player} {at:?}");
            }
        }
    }
}

/// A survey as the facts have it.
fn told(found: &Survey, player: Player) -> Json {
    let counts = |counts: &Counts| json!([counts.views, counts.certain, counts.weak]);
    let by = found.by.iter().map(|((e, h), found)| (format!("{e},{h}"), counts(found)));
    let mut told = json!({
        "views": found.all.views,
        "pone": found.all.certain,
        "weak": found.all.weak,
        "root": u8::from(found.root),
        "root_weak": u8::from(found.root_weak),
        "by_eh": by.collect::<serde_json::Map<_, _>>(),
    });
    if player == Player::First {
        told["winning_openings"] = json!(found.openings);
    }
    told
}

#[test]
fn the_published_counts_are_found() {
    let facts: Json = serde_json::from_str(FACTS).unwrap();
    let boards = facts["pone_classic"].as_object().unwrap();
    assert_eq!(boards.len(), 5);
    for (board, expected) in boards {
        let (rows, columns) = board.split_once('x').unwrap();
        let game = Hex::new(rows.parse().unwrap(), columns.parse().unwrap());
        for (player, name) in [(Player::First, "p0"), (Player::Second, "p1")] {
            let found = survey(&game, player, 1 << 30, &Unwatched).unwrap();
            assert_eq!(told(&found, player), expected[name], "{board} {name}");
            let mut search = search(&game, player);
            assert_eq!(search.winning(View::default()).unwrap(), found.openings, "{board} {name}");
        }
    }
}

#[test]
fn who_wins_with_certainty() {
    let first = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5), (3, 6), (2, 26)];
    let second = [(3, 2), (4, 2), (5, 2), (6, 3), (7, 3), (26, 2)];
    let neither = [(4, 3), (5, 3), (4, 4), (4, 5), (5, 4), (5, 5)];
    let certain = |(rows, columns)| {
        let game = Hex::new(rows, columns);
        Player::BOTH.map(|player| search(&game, player).certain(View::default()).unwrap())
    };
    for (sizes, expected) in
        [(&first[..], [true, false]), (&second[..], [false, true]), (&neither[..], [false, false])]
    {
        sizes.iter().for_each(|&size| assert_eq!(certain(size), expected, "{size:?}"));
    }
    let openings = |rows, columns| {
        search(&Hex::new(rows, columns), Player::First).winning(View::default()).unwrap()
    };
    assert_eq!((openings(3, 3), openings(3, 4)), (vec![2, 6], (2..=9).collect()));
}

/// Follows the strategy against everything, and keeps the views that it meets.
fn follow(search: &mut Search<'_, Hex>, at: View, met: &mut BTreeSet<(u64, u64)>) {
    if !met.insert((at.own, at.known)) {
        return;
    }
    let cell = search.best(at).unwrap().unwrap();
    if let Some(view) = search.rejected(at, cell) {
        follow(search, view, met);
    }
    match search.accepted(at, cell) {
        Accepted::Goes(view) => follow(search, view, met),
        Accepted::Never | Accepted::Wins => {}
        Accepted::Loses => panic!("{at:?} {cell}"),
    }
}

#[test]
fn the_strategy_wins_wherever_it_leads() {
    for (rows, columns, player) in [
        (3, 3, Player::First),
        (3, 4, Player::First),
        (3, 2, Player::Second),
        (6, 3, Player::Second),
    ] {
        let game = Hex::new(rows, columns);
        let mut met = BTreeSet::new();
        follow(&mut search(&game, player), View::default(), &mut met);
        assert!(met.len() > 3, "{rows}x{columns}: {}", met.len());
    }
    let game = Hex::new(3, 4);
    assert_eq!(search(&game, Player::Second).best(View::default()).unwrap(), None);
    let joined = View { own: 0o7777, known: 0 };
    assert_eq!(search(&game, Player::First).best(joined).unwrap(), None);
}

struct Impatient;

impl Watch for Impatient {
    fn tell(&self, _stage: &Stage) -> Result<(), Stop> {
        Err(Stop::Cancelled)
    }
}

#[test]
fn limits_are_kept() {
    let game = Hex::new(5, 5);
    let first = View::default();
    let no_room =
        |error| matches!(error, SolveError::NoMemory { bytes, limit, .. } if bytes > limit);
    assert!(no_room(survey(&game, Player::First, 1 << 40, &Unwatched).unwrap_err()));
    let mut little = Search::new(&game, Player::First, 1 << 12, &Unwatched);
    assert!(no_room(little.certain(first).unwrap_err()));
    assert!(little.views() > 50 && little.views() < 400, "{}", little.views());
    let mut stopped = Search::new(&game, Player::First, 1 << 30, &Impatient);
    assert!(matches!(stopped.certain(first), Err(SolveError::Stopped(Stop::Cancelled))));
    assert_eq!(stopped.views(), 1);
}

use crabwise_graphfile::Limits;
use serde_json::Value as Json;

use super::*;
use crate::board_drawing::{BoardDrawing, Layout};
use crate::views::{
    Token, best_answer, census, histories, info_states_hold, mirror_holds, positions,
    sketches_hold, uniform, views_hold, walk,
};

/// Counts and values that were found independently of this program.
const FACTS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/dark-hex.json"));

const COLLISIONS: [Collision; 2] = [Collision::Classic, Collision::Abrupt];
const SIGNALS: [Signal; 3] = [Signal::Silent, Signal::Noisy, Signal::Flash];

fn facts() -> Json {
    serde_json::from_str(FACTS).unwrap()
}

fn rules() -> impl Iterator<Item = (Collision, Signal)> {
    COLLISIONS.into_iter().flat_map(|collision| SIGNALS.map(|signal| (collision, signal)))
}

fn hex(rows: u32, columns: u32, collision: Collision, signal: Signal) -> Dark<Hex> {
    Dark { game: Hex::new(rows, columns), collision, signal, ends: true }
}

fn tictactoe(collision: Collision) -> Dark<Mnk> {
    Dark { game: Mnk::new(3, 3, 3), collision, signal: Signal::Silent, ends: true }
}

fn parse<T>(game: fn(&mut Params) -> Result<T, String>, text: &str) -> Result<(T, String), String> {
    let mut params =
        Params::parse(text, &|_| Err(std::io::Error::other("no files here")), Limits::NONE);
    let game = game(&mut params)?;
    Ok((game, params.finish()?.0))
}

/// The game of a row of the facts.
fn game_of(board: &Json, collision: &Json, signal: &Json) -> Dark<Hex> {
    let words = [board, collision, signal].map(|word| word.as_str().unwrap());
    parse(parse_hex, &words.join(",")).unwrap().0
}

/// The numbers of inner and of final positions.
fn sizes<P: Placement>(game: &Dark<P>) -> [usize; 2] {
    let all = positions(game);
    let over = all.iter().filter(|at| matches!(game.turn(at), Turn::Over(_))).count();
    [all.len() - over, over]
}

/// The numbers of gists at which each player moves.
fn gists<P: Placement>(game: &Dark<P>) -> [usize; 2] {
    let mut gists = [(); 2].map(|()| std::collections::HashSet::new());
    for at in positions(game) {
        if let Turn::Of(mover) = game.turn(&at) {
            gists[mover as usize].insert(game.info_state(&at, mover));
        }
    }
    gists.map(|gists| gists.len())
}

#[test]
fn small_boards_are_counted_history_by_history() {
    for fact in facts()["counts"].as_array().unwrap() {
        if fact["board"] == "3x3" {
            continue;
        }
        let game = game_of(&fact["board"], &fact["coll"], &fact["signal"]);
        let census = census(&game);
        let both = |name: &str| [0, 1].map(|player| fact[format!("{name}_{player}")].clone());
        assert_eq!(fact["histories"], census.histories, "{fact}");
        assert_eq!(fact["terminal_histories"], census.over, "{fact}");
        assert_eq!(both("pr_info"), census.sets, "{fact}");
        assert_eq!(both("pr_seq"), census.sequences, "{fact}");
        assert_eq!(both("maxbelief"), census.belief, "{fact}");
    }
}

#[test]
fn histories_and_positions_are_counted_up_to_nine_cells() {
    for fact in facts()["counts"].as_array().unwrap() {
        if fact["signal"] != "silent" {
            continue;
        }
        let game = game_of(&fact["board"], &fact["coll"], &fact["signal"]);
        let [all, over] = histories(&game);
        assert_eq!(fact["histories"], all, "{fact}");
        assert_eq!(fact["terminal_histories"], over, "{fact}");
        let [inner, over] = sizes(&game);
        assert_eq!(fact["dag_states_nonterm"], inner, "{fact}");
        assert_eq!(fact["dag_states_term"], over, "{fact}");
        let [first, second] = gists(&game);
        assert_eq!((&fact["ir_info"][0], &fact["ir_info"][1]), (&first.into(), &second.into()));
    }
}

#[test]
fn histories_of_phantom_tictactoe_are_counted() {
    assert_eq!(histories(&tictactoe(Collision::Classic))[0], 19_934_533_171);
    assert_eq!(histories(&tictactoe(Collision::Abrupt))[0], 27_115_470_835);
}

#[test]
fn uniform_play_is_worth_what_the_facts_say() {
    for (name, fact) in facts()["uniform_policy"].as_object().unwrap() {
        let game = parse(parse_hex, name).unwrap().0;
        let near = |fact: &Json, value: f64| (fact.as_f64().unwrap() - value).abs() < 1e-9;
        assert!(near(&fact["ev_uniform"], uniform(&game)), "{name}");
        assert!(near(&fact["br_black"], best_answer(&game, Player::First)), "{name}");
        assert!(near(&fact["br_white"], best_answer(&game, Player::Second)), "{name}");
    }
}

/// Complete games by the first cell tried, and by the number of stones at the end.
fn complete<P: Placement>(game: &Dark<P>) -> (Vec<u64>, [u64; 5]) {
    let (mut first, mut stones) = (vec![0; 4], [0; 5]);
    walk(game, |at, views| {
        if let (Turn::Over(_), Some(Token::Did(cell))) = (game.turn(at), views[0].first()) {
            first[usize::from(cell.number())] += 1;
            stones[(at.stones[0] | at.stones[1]).count_ones() as usize] += 1;
        }
    });
    (first, stones)
}

/// A board that nobody wins before it is full.
struct Endless(Grid);

impl Placement for Endless {
    fn grid(&self) -> Grid {
        self.0
    }

    fn ending(&self, stones: [u64; 2], _last: Player) -> Option<Ending> {
        (stones[0] | stones[1] == self.0.all()).then_some(Ending::Even)
    }

    fn drawing(&self) -> BoardDrawing {
        BoardDrawing::new(self.0, Layout::Up)
    }

    fn draw(&self, mark: impl Fn(Cell) -> char) -> String {
        self.0.picture(mark)
    }
}

#[test]
fn four_cells_are_counted_by_hand() {
    // The two cells that touch each other make for shorter games.
    let classic = complete(&hex(2, 2, Collision::Classic, Signal::Silent));
    assert_eq!(classic, (vec![64, 44, 44, 64], [0, 0, 0, 48, 168]));
    let (first, _) = complete(&hex(2, 2, Collision::Abrupt, Signal::Silent));
    assert_eq!(first.iter().sum::<u64>(), 234);
    let to_the_end = COLLISIONS.map(|collision| {
        let game = Endless(Grid { columns: 2, rows: 2 });
        histories(&Dark { game, collision, signal: Signal::Silent, ends: true })[1]
    });
    assert_eq!(to_the_end, [336, 408]);
}

#[test]
fn no_view_leaks() {
    for (collision, signal) in rules() {
        for (rows, columns) in [(1, 1), (1, 3), (2, 2), (2, 3)] {
            views_hold(&hex(rows, columns, collision, signal));
            info_states_hold(&hex(rows, columns, collision, signal));
        }
        for (rows, columns) in [(1, 1), (1, 3), (2, 2)] {
            sketches_hold(&hex(rows, columns, collision, signal));
        }
        sketches_hold(&Dark { game: Mnk::new(2, 2, 2), collision, signal, ends: true });
        let game = Dark { game: Mnk::new(3, 2, 2), collision, signal, ends: true };
        views_hold(&game);
        info_states_hold(&game);
    }
}

/// The referee sees all stones, a player the own ones and those found out.
#[test]
fn a_player_sees_less_than_the_referee() {
    let game = hex(2, 2, Collision::Classic, Signal::Flash);
    let grid = game.game.grid();
    let moves = [grid.at(0, 0), grid.at(1, 0), grid.at(1, 0), grid.at(0, 1)];
    let at = moves.iter().fold(game.start(), |at, &mv| game.play(&at, mv));
    let tones = |seen_by: Option<Player>| {
        let shapes = game.picture(&at, seen_by).shapes;
        let discs = shapes.iter().filter(|one| matches!(one.form, Form::Disc { .. }));
        let count = |tone: Tone| discs.clone().filter(|one| one.tone == tone).count();
        [count(Tone::First), count(Tone::Second), count(Tone::Hint)]
    };
    let [first, second] = Player::BOTH.map(|player| tones(Some(player)));
    assert_eq!([tones(None), first, second], [[2, 1, 1], [2, 1, 0], [0, 1, 1]]);
}

#[test]
fn half_a_turn_changes_nothing() {
    for (collision, signal) in rules() {
        for (rows, columns) in [(1, 1), (1, 3), (2, 2), (2, 3), (3, 2)] {
            mirror_holds(&hex(rows, columns, collision, signal));
        }
        mirror_holds(&Dark { game: Mnk::new(3, 2, 2), collision, signal, ends: true });
    }
    let game = hex(8, 8, Collision::Classic, Signal::Flash);
    let (corner, last) = (game.game.grid().cell(0), game.game.grid().cell(63));
    assert_eq!(game.mirror_observation(Observation::Flash(corner)), Observation::Flash(last));
    let at = game.play(&game.start(), corner);
    assert_eq!(game.mirror(&at), game.play(&game.start(), last));
}

#[test]
fn there_is_always_a_cell_to_try_until_the_end() {
    for collision in COLLISIONS {
        let game = tictactoe(collision);
        for at in positions(&game) {
            let over = matches!(game.turn(&at), Turn::Over(_));
            assert!(over || game.moves(&at).into_iter().next().is_some());
            let full = at.stones[0] | at.stones[1] == 0o777;
            assert!(over || !full);
        }
    }
}

#[test]
fn variants_differ_only_where_stones_collide() {
    for (rows, columns) in [(2, 2), (2, 3)] {
        let game = |collision, signal| hex(rows, columns, collision, signal);
        let [classic, abrupt] = COLLISIONS.map(|collision| game(collision, Signal::Silent));
        let signals = SIGNALS.map(|signal| game(Collision::Classic, signal));
        for at in positions(&classic).union(&positions(&abrupt)) {
            let Turn::Of(mover) = classic.turn(at) else { continue };
            for mv in classic.moves(at) {
                let (tried, lost) = (classic.play(at, mv), abrupt.play(at, mv));
                let collides = tried.known != at.known;
                assert_eq!(collides, at.stones[mover.other() as usize] & mv.bit() != 0);
                assert_eq!((tried.stones, tried.known), (lost.stones, lost.known));
                assert_eq!(lost.turn, mover.other());
                assert_eq!(tried.turn, if collides { mover } else { mover.other() });
                // But for what can be heard next.
                let heard = |game: &Dark<Hex>| Stones { aware: [false; 2], ..game.play(at, mv) };
                assert!(signals.each_ref().map(heard) == [tried; 3]);
                let observe = |player| signals.each_ref().map(|game| game.observe(at, mv, player));
                assert_eq!(observe(mover), [collides.then_some(Observation::Taken); 3]);
                let signs = [None, Some(Observation::Noise), Some(Observation::Flash(mv))];
                assert_eq!(observe(mover.other()), if collides { signs } else { [None; 3] });
            }
        }
    }
}

#[test]
fn one_sees_own_stones_and_those_found_out() {
    let game = hex(2, 3, Collision::Classic, Signal::Flash);
    let [a1, c2] = [(0, 0), (2, 1)].map(|(x, y)| game.game.grid().at(x, y));
    let at = [a1, c2].into_iter().fold(game.start(), |at, cell| game.play(&at, cell));
    assert_eq!(game.show(&at), "  a b c\n 1 X . .\n  2 . . O");
    assert_eq!(game.seen(&at, Player::First), "  a b c\n 1 X . .\n  2 . . .");
    assert_eq!(game.seen(&at, Player::Second), "  a b c\n 1 . . .\n  2 . . O");
    let words = Player::BOTH.map(|player| game.observe(&at, c2, player).unwrap().to_string());
    assert_eq!(words, ["taken", "flash-c2"]);
    let at = game.play(&at, c2);
    assert_eq!((at.turn, game.seen(&at, Player::First)), (Player::First, game.show(&at)));
}

#[test]
fn parameters_have_one_spelling() {
    for (text, spelled) in [
        ("", "3x3"),
        ("2x3,classic,silent", "2x3"),
        ("abrupt", "3x3,abrupt"),
        ("flash,abrupt,2x2", "2x2,abrupt,flash"),
        ("noisy,classic", "3x3,noisy"),
        ("8x8", "8x8"),
        ("1x1", "1x1"),
    ] {
        assert_eq!(parse(parse_hex, text).map(|(_, spelled)| spelled), Ok(spelled.into()));
    }
    let wrong = |text| parse(parse_hex, text).err().unwrap();
    assert_eq!(wrong("3x3,loud"), "'loud' is none of classic, abrupt, silent, noisy, flash");
    assert_eq!(wrong("classic,abrupt"), "only one of classic, abrupt can be chosen");
    assert_eq!(wrong("8x9"), "8x9 has more than 64 cells");
    assert_eq!(wrong("2x2,3x3"), "'3x3' is one parameter too many");
    let (game, spelled) = parse(parse_tictactoe, "noisy,abrupt").unwrap();
    assert_eq!((game.collision, game.signal), (Collision::Abrupt, Signal::Noisy));
    assert_eq!(spelled, "abrupt,noisy");
    assert_eq!(parse(parse_tictactoe, "classic").unwrap().1, "");
    assert!(parse(parse_tictactoe, "3x3").is_err());
}

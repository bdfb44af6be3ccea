//! Games with hidden information: equilibria, files of strategies, views, and play in the dark.

use std::{fs, process::Command, thread, time::Duration};

use crate::sandbox::Sandbox;

const SMALL: &str = "dark-hex:2x2,abrupt";

/// The value of Leduc poker, which no rounding of probabilities finds.
const LEDUC: &str = "-1454920850547486749701863871533/16995463438839962469905132501930";

#[test]
fn an_equilibrium_is_exact_and_kept() {
    let sandbox = Sandbox::new();
    let found = sandbox.json(&["equilibrium", SMALL]);
    assert_eq!(found["game"], SMALL);
    assert_eq!((found["value"].as_f64(), found["fraction"].as_str()), (Some(0.5), Some("1/2")));
    assert_eq!((found["exact"].as_bool(), found["method"].as_str()), (Some(true), Some("lp")));
    for name in ["exploitability", "iterations", "wall_seconds", "lower", "upper"] {
        assert!(found[name].is_number(), "{name}");
    }
    let judged = sandbox.json(&["exploit", SMALL]);
    assert!(judged["exploitability"].as_f64().unwrap().abs() < 1e-12);
    let view = sandbox.json(&["look", SMALL, "b1"]);
    assert_eq!(view["player"], "first");
    assert!((view["expects"].as_f64().unwrap() - 0.5).abs() < 1e-9);
    let likely: f64 = view["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mv| mv["probability"].as_f64().unwrap())
        .sum();
    assert!((likely - 1.0).abs() < 1e-9);
}

/// Every method gives bounds that contain the value, the same with one thread and with two.
#[test]
fn all_methods_are_right_within_their_error() {
    let sandbox = Sandbox::new();
    for method in [
        "lp",
        "cfr",
        "cfr+",
        "linear",
        "discounted",
        "pcfr+",
        "external",
        "outcome",
        "regression",
        "regression-softmax",
        "regression-power",
        "regression-network",
    ] {
        let [one, two] = ["1", "2"].map(|threads| {
            let words = ["equilibrium", SMALL, "--iterations", "60", "--threads", threads];
            sandbox.json(&[&words[..], &["--method", method, "--anew"]].concat())
        });
        assert_eq!((&one["value"], &one["upper"]), (&two["value"], &two["upper"]), "{method}");
        let [lower, upper] = ["lower", "upper"].map(|name| one[name].as_f64().unwrap());
        assert!(lower <= 0.5 + 1e-9 && upper >= 0.5 - 1e-9, "{method}: {lower} {upper}");
    }
    let abstraction = sandbox.json(&[
        "equilibrium",
        SMALL,
        "--order-free",
        "--method",
        "cfr+",
        "--iterations",
        "9",
    ]);
    assert_eq!(abstraction["abstraction"], true);
}

#[test]
fn an_engine_is_for_linear_programs() {
    let sandbox = Sandbox::new();
    for (method, told) in [("lp", Some("clarabel")), ("cfr+", None)] {
        let found = sandbox.json(&[
            "equilibrium",
            SMALL,
            "--method",
            method,
            "--iterations",
            "9",
            "--anew",
        ]);
        assert_eq!(found.get("engine").and_then(|engine| engine.as_str()), told);
    }
    assert_eq!(sandbox.json(&["matrix", "kuhn", "--engine", "clarabel"])["engine"], "clarabel");
    for engine in ["clarabel", "highs"] {
        let words = ["equilibrium", SMALL, "--method", "cfr", "--engine", engine];
        sandbox.run(&words).fails(2, "--engine is for lp, not for cfr");
    }
    let words = ["equilibrium", SMALL, "--order-free", "--engine", "clarabel"];
    sandbox.run(&words).fails(2, "--engine is for lp, not for pcfr+");
}

#[cfg(not(feature = "highs"))]
#[test]
fn an_engine_that_is_not_built_in_is_refused() {
    let sandbox = Sandbox::new();
    let line = "HiGHS is not built in; 'cargo build --release --features highs' does that, and \
                needs cmake and libclang";
    sandbox.run(&["equilibrium", SMALL, "--engine", "highs"]).fails(2, line);
    sandbox.run(&["matrix", "kuhn", "--engine", "highs"]).fails(2, line);
}

/// What is said of both engines is the same, but for the name and the time.
#[cfg(feature = "highs")]
#[test]
fn engines_agree() {
    let sandbox = Sandbox::new();
    for (game, fraction, value) in [
        (SMALL, Some("1/2"), 0.5),
        ("dark-hex:2x3,abrupt", Some("9/11"), 9.0 / 11.0),
        ("kuhn", Some("-1/18"), -1.0 / 18.0),
        ("leduc", Some(LEDUC), -0.085606424),
    ] {
        for engine in ["clarabel", "highs"] {
            let found = sandbox.json(&["equilibrium", game, "--engine", engine, "--method", "lp"]);
            assert_eq!(found["engine"], engine);
            assert_eq!(found["fraction"].as_str(), fraction, "{game} by {engine}");
            assert_eq!(found["exact"].as_bool(), Some(fraction.is_some()), "{game} by {engine}");
            let far = found["value"].as_f64().unwrap() - value;
            assert!(far.abs() < 1e-9, "{game} by {engine}: {found}");
            assert!(found["exploitability"].as_f64().unwrap() < 1e-9, "{game} by {engine}");
        }
    }
    let matrix = sandbox.json(&["matrix", "kuhn", "--engine", "highs"]);
    assert_eq!((&matrix["value"], &matrix["engine"]), (&(-1.0 / 18.0).into(), &"highs".into()));
    let told = sandbox.run(&["equilibrium", SMALL, "--engine", "highs"]).ok();
    assert!(told.contains("\nmethod        lp by highs, "), "{told}");
}

#[test]
fn a_run_that_is_stopped_goes_on() {
    let sandbox = Sandbox::new();
    let words =
        ["equilibrium", "dark-hex:3x2,abrupt", "--method", "cfr+", "--quiet", "--until", "1e-12"];
    let child = sandbox.command(&words).spawn().unwrap();
    let part = sandbox.path("tables/dark-hex_3x2,abrupt.strat.cfr+.part");
    thread::sleep(Duration::from_millis(700));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{line}");
    assert!(line.contains("kept, and the same command goes on from there"), "{line}");
    let kept = line.split_once("; ").unwrap().1.split(' ').next().unwrap().replace(',', "");
    let most = (kept.parse::<u64>().unwrap() + 5).to_string();
    assert!(part.exists());
    let words = ["equilibrium", "dark-hex:3x2,abrupt", "--method", "cfr+", "--iterations", &most];
    let found = sandbox.json(&words);
    assert_eq!(found["iterations"].to_string(), most);
    assert!(!part.exists());

    // What is not a run is not gone on with.
    fs::write(&part, "nonsense").unwrap();
    let done = sandbox.run(&words);
    assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
    assert!(done.err.contains("--anew"), "{}", done.err);
}

#[test]
fn strategies_of_something_else_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.json(&["equilibrium", "kuhn", "-o", "kuhn.strat"]);
    let of = "kuhn.strat: these are strategies for kuhn";
    sandbox.run(&["exploit", SMALL, "kuhn.strat"]).fails(2, of);
    sandbox.run(&["look", "leduc", "--strategy", "kuhn.strat"]).fails(2, of);
    fs::write(sandbox.path("none.strat"), "nothing").unwrap();
    sandbox
        .run(&["exploit", "kuhn", "none.strat"])
        .fails(2, "none.strat: this is no file of strategies");
    let mut bytes = fs::read(sandbox.path("kuhn.strat")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(sandbox.path("kuhn.strat"), bytes).unwrap();
    let line = "kuhn.strat: a strategy is damaged; make the file again";
    sandbox.run(&["exploit", "kuhn", "kuhn.strat"]).fails(2, line);
    let none = "there are no strategies of 'leduc'; make them with 'crabwise equilibrium leduc'";
    sandbox.run(&["exploit", "leduc"]).fails(2, none);
}

#[test]
fn what_does_not_fit_is_refused_with_the_figure() {
    let sandbox = Sandbox::new();
    let words = ["equilibrium", "dark-hex:2x4,abrupt", "--memory", "40M", "--quiet"];
    let done = sandbox.run(&words);
    assert_eq!((done.code, done.out.as_str()), (3, ""), "{}", done.err);
    assert!(done.err.contains("MiB"), "{}", done.err);
}

#[test]
fn bad_input_gets_one_line() {
    let sandbox = Sandbox::new();
    sandbox.json(&["equilibrium", SMALL]);
    let line = "'z9' cannot come at first; a1, b1, a2, b2 can";
    sandbox.run(&["look", SMALL, "z9"]).fails(2, line);
    let done = sandbox.run(&["look", SMALL, "--second", "a1", "taken", "b9"]);
    assert!(done.err.contains("'b9' cannot come after 'a1 taken'; "), "{}", done.err);
    for words in [
        &["equilibrium", "tictactoe"][..],
        &["equilibrium", SMALL, "--until", "0"],
        &["equilibrium", SMALL, "--method", "magic"],
        &["solve", SMALL],
        &["matrix", "leduc"],
        &["pone", SMALL, "-o", "plan.svg"],
    ] {
        let done = sandbox.run(words);
        assert_eq!(
            (done.code, done.out.as_str(), done.err.lines().count()),
            (2, "", 1),
            "{words:?}: {}",
            done.err
        );
    }
}

/// A person sees the own stones and hears the referee; the other's stones are shown at the end.
#[test]
fn play_in_the_dark() {
    let sandbox = Sandbox::new();
    sandbox.json(&["equilibrium", "dark-hex:2x2,abrupt,flash"]);
    let words = ["play", "dark-hex:2x2,abrupt,flash", "--seed", "1", "--first", "human"];
    let told = sandbox.type_in(&words, "nonsense\nmoves\nhint\na1\na2\nb1\nb2\nb1\nb2\n").ok();
    assert!(told.contains("'nonsense' is no move here; 'moves' shows them"), "{told}");
    assert!(told.contains("a1 b1 a2 b2"), "{told}");
    assert!(told.trim_end().ends_with("wins"), "{told}");
    let before_the_end = told.rsplit_once("player> ").unwrap().0;
    let found_out = told.matches("tells the first player: taken").count();
    let shown = before_the_end.rsplit_once("  a b").unwrap().1.matches('O').count();
    assert!(shown <= found_out, "{told}");
    let left = sandbox.type_in(&["play", "kuhn", "--second", "random", "--seed", "2"], "").ok();
    assert!(left.trim_end().ends_with("goodbye"), "{left}");
}

#[test]
fn methods_are_compared_and_drawn() {
    let sandbox = Sandbox::new();
    let words = ["compare", "kuhn", SMALL, "--methods", "lp,cfr+", "--time", "50ms", "-o", "c.svg"];
    let told = sandbox.json(&words);
    let games = told["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game["methods"].as_array().unwrap().len() == 2));
    let drawing = fs::read_to_string(sandbox.path("c.svg")).unwrap();
    assert!(drawing.contains("cfr+") && drawing.contains("kuhn"), "{drawing}");
}

/// The matrix that the source printed, with what it should have been.
#[test]
fn the_matrix_of_plans() {
    let facts: serde_json::Value = serde_json::from_str(
        &fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/dark-hex.json"))
            .unwrap(),
    )
    .unwrap();
    let told = Sandbox::new().json(&["matrix", SMALL, "--plans", "2"]);
    assert_eq!(told["value"], 0.5);
    // There cells are numbered column by column.
    let cell = |digit: char| ["a1", "a2", "b1", "b2"][digit.to_digit(10).unwrap() as usize];
    let name = |plan: &str| plan.chars().map(cell).collect::<Vec<_>>().join("-");
    let place = |side: &str, plan: &str| {
        let names = told[side].as_array().unwrap();
        names.iter().position(|row| row["name"] == name(plan)).unwrap()
    };
    let matrix = facts["abrupt_2x2_matrix"].as_object().unwrap();
    assert_eq!(matrix.len(), 144);
    for (plans, payoffs) in matrix {
        let (row, column) = plans.split_once(',').unwrap();
        let found = &told["payoffs"][place("rows", row)][place("columns", column)];
        let wanted = format!("{},{}", payoffs[0], payoffs[1]);
        assert_eq!(found.as_str(), Some(wanted.as_str()), "{plans}");
    }
}

/// Column by column, as the source numbers cells, and in its order.
#[test]
fn the_matrix_with_numbers_for_cells() {
    let facts = facts();
    let told = Sandbox::new().json(&["matrix", SMALL, "--plans", "2", "--cells"]);
    let names = |side: &str| -> Vec<String> {
        let all = told[side].as_array().unwrap().iter();
        all.map(|row| row["name"].as_str().unwrap().to_string()).collect()
    };
    let (rows, columns) = (names("rows"), names("columns"));
    assert!(rows.is_sorted() && rows == columns && rows.len() == 12, "{rows:?}");
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            let payoffs = &facts["abrupt_2x2_matrix"][format!("{row},{column}")];
            let wanted = format!("{},{}", payoffs[0], payoffs[1]);
            assert_eq!(told["payoffs"][i][j].as_str(), Some(wanted.as_str()), "{row},{column}");
        }
    }
    let pure = Sandbox::new().json(&["matrix", "dark-hex:1x2", "--cells"]);
    assert!(pure["rows"][0]["name"].as_str().unwrap().starts_with('0'), "{pure}");
    let line = "--cells is for games that are played on a board";
    Sandbox::new().run(&["matrix", "kuhn", "--cells"]).fails(2, line);
}

fn facts() -> serde_json::Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/dark-hex.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Games of dark Hex by first move and by length add up, to what was counted in another way.
#[test]
fn games_are_counted_by_move_and_by_length() {
    let sandbox = Sandbox::new();
    let rows = |words: &[&str], table: usize| -> Vec<(String, u64)> {
        let told = sandbox.json(words);
        let rows = told["tables"][table]["rows"].as_array().unwrap().clone();
        let text = |row: &serde_json::Value, name: &str| row[name].as_str().unwrap().to_string();
        rows.iter().map(|row| (text(row, "key"), text(row, "games").parse().unwrap())).collect()
    };
    let owned = |rows: &[(&str, u64)]| -> Vec<(String, u64)> {
        rows.iter().map(|(key, games)| (key.to_string(), *games)).collect()
    };
    let first = rows(&["count", "dark-hex:2x2", "--by", "first-move"], 0);
    assert_eq!(first, owned(&[("a1", 64), ("b1", 44), ("a2", 44), ("b2", 64)]));
    let turns = rows(&["count", "dark-hex:2x2", "--by", "length"], 0);
    assert_eq!(turns, owned(&[("3", 48), ("4", 168)]));
    for (game, all) in [("dark-hex:2x3", 53_920), ("dark-hex:3x2,abrupt", 122_032), ("kuhn", 30)] {
        for by in ["first-move", "length"] {
            let sum: u64 = rows(&["count", game, "--by", by], 0).iter().map(|row| row.1).sum();
            assert_eq!(sum, all, "{game} by {by}");
        }
        let sum: u64 = rows(&["count", game, "--by", "length"], 1).iter().map(|row| row.1).sum();
        assert_eq!(sum, all, "{game} by moves");
    }
}

/// A list has as many views as the table of certain wins says, which comes of another search.
#[test]
fn certain_views_are_listed() {
    let sandbox = Sandbox::new();
    for game in ["dark-hex:2x2", "dark-hex:2x3", "dark-hex:3x2,noisy"] {
        let counted = sandbox.json(&["pone", game]);
        for (side, option) in [(0, None), (1, Some("--second"))] {
            for row in counted["players"][side]["by"].as_array().unwrap() {
                let pair = format!("{},{}", row["empty"], row["hidden"]);
                let words = ["pone", game, "--list", &pair];
                let words: Vec<&str> = words.into_iter().chain(option).collect();
                let listed = sandbox.json(&words)["views"].as_array().unwrap().len() as u64;
                assert_eq!(Some(listed), row["certain"].as_u64(), "{game} {side} {pair}");
            }
        }
    }
}

#[test]
fn one_view_is_answered() {
    let sandbox = Sandbox::new();
    let told = sandbox.json(&["pone", "dark-hex:2x3,abrupt", "b2"]);
    assert_eq!((&told["player"], &told["certain"]), (&"first".into(), &false.into()));
    let won = sandbox.json(&["pone", SMALL, "b1", "b2", "taken"]);
    assert_eq!((&won["certain"], &won["moves"]), (&true.into(), &serde_json::json!(["a2"])));
    let line = "'z9' cannot come at first; a1, b1, a2, b2 can";
    sandbox.run(&["pone", SMALL, "z9"]).fails(2, line);
    for words in [&["pone", SMALL, "--list", "4"][..], &["pone", SMALL, "--second"]] {
        assert_eq!(sandbox.run(words).code, 2, "{words:?}");
    }
}

/// Also where no rounding of probabilities finds them.
#[test]
fn values_are_fractions_of_any_length() {
    let sandbox = Sandbox::new();
    let leduc = sandbox.json(&["equilibrium", "leduc"]);
    assert_eq!((&leduc["exact"], &leduc["fraction"]), (&true.into(), &LEDUC.into()));
    assert!((leduc["value"].as_f64().unwrap() + 0.085_606_424).abs() < 1e-9);
    let noisy = sandbox.json(&["equilibrium", "dark-hex:3x2,abrupt,noisy"]);
    assert_eq!((&noisy["exact"], &noisy["fraction"]), (&true.into(), &"-1347/15572".into()));
    let told = sandbox.run(&["equilibrium", "dark-hex:3x2,abrupt,noisy"]).ok();
    assert!(told.contains(" for the first player, exactly -1347/15572\n"), "{told}");
}

/// What is worked out by hand for rock, paper and scissors: paper was played against scissors.
#[test]
fn regrets_are_traced() {
    let sandbox = Sandbox::new();
    let words = [
        &["equilibrium", "rock-paper-scissors", "--trace", "", "--simultaneous"][..],
        &["--start", "paper=1", "--start-other", "scissors=1", "--trace-at", "0,1,1000"],
        &["--curve", "rps.svg"],
    ];
    let told = sandbox.json(&words.concat());
    let point = |i: usize, name: &str| -> Vec<f64> {
        let moves = told["points"][i]["moves"].as_array().unwrap();
        ["rock", "paper", "scissors"]
            .map(|mv| moves.iter().find(|one| one["move"] == mv).unwrap()[name].as_f64().unwrap())
            .to_vec()
    };
    assert_eq!((point(0, "regret"), point(0, "now")), (vec![0.0, 1.0, 0.0], vec![0.0, 1.0, 0.0]));
    assert_eq!(point(1, "regret"), [2.0, 1.0, 1.0]);
    assert_eq!(point(1, "now"), [0.5, 0.25, 0.25]);
    assert!(point(2, "average").iter().all(|likely| (likely - 1.0 / 3.0).abs() < 0.05), "{told}");
    assert!(fs::read_to_string(sandbox.path("rps.svg")).unwrap().contains("scissors"));
    let trace = |more: &[&str]| {
        sandbox.run(&[&["equilibrium", "rock-paper-scissors", "--trace", ""], more].concat())
    };
    let line = "there is no move 'well' to begin with; legal: rock paper scissors";
    trace(&["--start", "well=1"]).fails(2, line);
    let line = "--trace is for cfr, cfr+, linear, discounted and pcfr+, not for lp";
    trace(&["--method", "lp"]).fails(2, line);
    for more in [&["--start", "rock"][..], &["--until", "0.1"]] {
        assert_eq!(trace(more).code, 2, "{more:?}");
    }
    assert_eq!(sandbox.run(&["equilibrium", "kuhn", "--start", "bet=1"]).code, 2);
}

/// All variants on all boards; a survey goes on with what is written down, and says what was too much.
#[test]
fn dark_boards_are_surveyed() {
    let sandbox = Sandbox::new();
    let words = ["survey", "dark-hex", "--to", "2x2", "-o", "rows.csv"];
    let told = sandbox.json(&words);
    let rows = told["rows"].as_array().unwrap();
    let fractions: Vec<&str> = rows.iter().map(|row| row["fraction"].as_str().unwrap()).collect();
    assert_eq!(fractions, ["1", "1", "1", "1/2", "1/2", "1/2"]);
    let sizes: Vec<&str> = rows.iter().map(|row| row["histories"].as_str().unwrap()).collect();
    assert_eq!(sizes, ["441", "441", "441", "471", "471", "471"]);
    assert_eq!(rows[3]["information_sets"], 94);
    // A row that is there is believed, and one that is torn is worked out again.
    let text = fs::read_to_string(sandbox.path("rows.csv")).unwrap();
    let changed = text.replace("dark-hex:2x2,noisy\",1,", "dark-hex:2x2,noisy\",0.25,");
    assert_ne!(changed, text);
    fs::write(sandbox.path("rows.csv"), &changed[..changed.len() - 5]).unwrap();
    let again = sandbox.json(&words);
    assert_eq!(again["rows"][1]["value"], 0.25);
    assert_eq!(again["rows"][5]["fraction"], "1/2");
    let other = ["survey", "dark-hex", "--from", "1x1", "--to", "1x2", "-o", "rows.csv"];
    assert_eq!(sandbox.run(&other).code, 2);
    let narrow = ["survey", "dark-hex", "--from", "4x3", "--to", "4x3", "--time", "1ms"];
    let late = sandbox.json(&narrow);
    for row in late["rows"].as_array().unwrap() {
        assert_eq!(
            (&row["value"], &row["error"], &row["method"]),
            (&0.0.into(), &1.0.into(), &"stakes".into())
        );
        assert!(row["note"].as_str().unwrap().starts_with("only bounds within 0.001 s"), "{row}");
    }
    for words in [
        &["survey", "kuhn", "--to", "2x2"][..],
        &["survey", "dark-hex", "--to", "3"],
        &["survey", "dark-hex", "--to", "2x2", "--table"],
        &["survey", "nim", "--to", "3"],
    ] {
        let done = sandbox.run(words);
        assert_eq!((done.code, done.err.lines().count()), (2, 1), "{words:?}: {}", done.err);
    }
}

//! Games with hidden information that are not laid out.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::sandbox::Sandbox;

const SMALL: &str = "dark-hex:2x2,abrupt";
const LARGE: &str = "dark-hex:4x4,abrupt";

/// Whoever walks the rules of a small game is judged like all others.
#[test]
fn what_is_walked_is_judged_on_the_whole_game_where_it_fits() {
    let sandbox = Sandbox::new();
    for (method, iterations, most) in
        [("external", "2000", 0.1), ("outcome", "2000", 0.2), ("deep", "6", 0.42)]
    {
        let words = ["equilibrium", SMALL, "--walked", "--iterations", iterations, "--anew"];
        let found = sandbox.json(&[&words[..], &["--method", method]].concat());
        let far = found["exploitability"].as_f64().unwrap();
        assert!(far < most, "{method}: {far}");
        let [lower, upper] = ["lower", "upper"].map(|name| found[name].as_f64().unwrap());
        assert!(lower <= 0.5 + 1e-9 && upper >= 0.5 - 1e-9, "{method}: {lower} {upper}");
    }
    let judged = sandbox.json(&["exploit", SMALL]);
    let locally = sandbox.json(&["exploit", SMALL, "--local-best-response", "--games", "100"]);
    assert!(locally.get("exploitability").is_none());
    let [bound, is] = [&locally["lower_bound"], &judged["exploitability"]];
    assert!(bound.as_f64().unwrap() <= is.as_f64().unwrap() + 1e-6, "{bound} {is}");
}

/// A board of which nothing fits: strategies, a lower bound, and a run that goes on where it was.
#[test]
fn large_boards_are_learnt_without_a_layout() {
    let sandbox = Sandbox::new();
    for method in ["external", "outcome", "deep"] {
        let run = |iterations: &str| {
            let words = ["equilibrium", LARGE, "--walked", "--games", "4", "--memory", "600M"];
            let limits = ["--method", method, "--iterations", iterations];
            sandbox.json(&[&words[..], &limits[..]].concat())
        };
        let found = run("2");
        assert_eq!(found["iterations"], 2);
        assert!(found.get("exploitability").is_none() && found["lower_bound"].is_number());
        assert_eq!(found["one_line"], method != "outcome");
        let words = ["exploit", LARGE, "--local-best-response", "--games", "4"];
        let judged = sandbox.json(&words);
        assert_eq!(judged["strategies"], format!("{method} after 2 iterations"));
    }
    let file = "tables/dark-hex_4x4,abrupt.strat";
    let line = format!(
        "{} has strategies by views, of a game that is not laid out; 'play', 'league' and \
         'exploit --local-best-response' take them",
        sandbox.path(file).display()
    );
    sandbox.run(&["exploit", LARGE]).fails(2, &line);
    let file = sandbox.path(file).display().to_string();
    let players = format!("random,{file}");
    let met =
        sandbox.run(&["league", LARGE, "--players", &players, "--games", "4", "--quiet"]).ok();
    assert!(met.contains(&file), "{met}");
    let words =
        ["play", LARGE, "--first", "random", "--second", "perfect", "--seed", "1", "--json"];
    // The game itself is shown on standard error.
    let played = sandbox.run(&words).out;
    assert!(serde_json::from_str::<Value>(&played).unwrap()["payoff"].is_number());
}

/// Where nothing fits that is said at once, with what works, and not when the memory is full.
#[test]
fn a_game_that_is_surely_too_large_is_refused_at_once() {
    let sandbox = Sandbox::new();
    let refused = |words: &[&str]| {
        let began = Instant::now();
        let done = sandbox.run(&[words, &["--memory", "4G", "--quiet"]].concat());
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        assert_eq!((done.code, done.out.as_str()), (3, ""), "{}", done.err);
        let why = "crabwise: the positions of this game, ";
        assert!(done.err.starts_with(why) && done.err.lines().count() == 1, "{}", done.err);
        done.err
    };
    for words in [&["equilibrium", LARGE][..], &["equilibrium", LARGE, "--method", "cfr"]] {
        let line = refused(words);
        let remedy = format!("'crabwise equilibrium {LARGE} --method outcome --time 10min'\n");
        assert!(line.ends_with(&remedy), "{line}");
    }
    let line = refused(&["count", LARGE]);
    assert!(line.ends_with(", more than the 4.0 GiB allowed\n"), "{line}");
}

#[test]
fn what_cannot_be_done_is_told_before_any_work() {
    let sandbox = Sandbox::new();
    let line = "where nothing is laid out nothing says when strategies are good enough; give --time \
                or --iterations, and no --until";
    for words in [&["--until", "0.1", "--time", "1s"][..], &[]] {
        let all = [&["equilibrium", LARGE, "--method", "deep"], words].concat();
        sandbox.run(&all).fails(2, line);
    }
    let words = ["equilibrium", LARGE, "--walked", "--method", "lp"];
    sandbox.run(&words).fails(2, "--walked is for external, outcome and deep, not for lp");
    let words =
        ["equilibrium", LARGE, "--walked", "--method", "deep", "--curve", "a.svg", "--time"];
    let line = "--curve is for methods that are judged while they learn, in games laid out";
    sandbox.run(&[&words[..], &["1s"]].concat()).fails(2, line);
    for method in ["deep", "outcome"] {
        let words =
            ["equilibrium", LARGE, "--walked", "--memory", "1M", "--time", "1s", "--method"];
        let done = sandbox.run(&[&words[..], &[method]].concat());
        assert_eq!((done.code, done.err.lines().count()), (3, 1), "{}", done.err);
        assert!(done.err.contains("more than the 1.0 MiB allowed"), "{}", done.err);
    }
    let done = sandbox.run(&["exploit", SMALL, "uniform", "--games", "10"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("--local-best-response"), "{}", done.err);
}

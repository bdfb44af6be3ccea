//! Labels, traps, advice, and graphs from files.

use std::fs;

use crate::sandbox::{Sandbox, names};

#[test]
fn the_worked_games_have_their_labels() {
    let sandbox = Sandbox::new();
    for (game, start, counts, literally_wrong) in [
        ("tokens:2", "G3", r#"{"G1":1,"P2":1,"G3":1}"#, 0),
        ("boxers:3x3", "T2", r#"{"G1":18,"P2":32,"T2":112}"#, 32),
        ("cruzados", "P2", r#"{"G1":8,"P2":8,"T2":16}"#, 8),
        ("cruzados:2x2,adjacent", "T2", r#"{"G1":8,"P2":8,"T2":16}"#, 8),
        ("cruzados:2x2,straight", "P2", r#"{"G1":8,"P2":8,"G3":16}"#, 24),
    ] {
        let out = sandbox.run(&["label", game, "--all", "--literal", "--json", "--quiet"]).ok();
        // The order of labels is part of the text; an object would lose it.
        assert!(out.contains(&format!("\"counts\":{counts}")), "{game}: {out}");
        let told: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(told["start"], start, "{game}");
        assert_eq!(told["literal"]["wrong"], literally_wrong, "{game}");
        let islands = told["islands"].as_array().unwrap();
        assert_eq!(islands.len() as u64, told["total"].as_u64().unwrap());
        assert_eq!(names(&islands[0]), ["bridges", "key", "label", "literal"]);
        let differ = |island: &&serde_json::Value| {
            island["label"].as_str().unwrap()[..1] != island["literal"].as_str().unwrap()[..1]
        };
        assert_eq!(islands.iter().filter(differ).count(), literally_wrong);
    }
    let told = sandbox.json(&["label", "boxers:3x3"]);
    assert_eq!(names(&told), ["counts", "game", "islands", "start", "start_key", "total"]);
    assert_eq!(names(&told["islands"][0]), ["bridges", "key", "label"]);
    let told = sandbox.json(&["label", "boxers:3x3", "--no-bridges"]);
    assert_eq!(names(&told["islands"][0]), ["key", "label"]);
}

#[test]
fn labels_go_into_files_of_four_kinds() {
    let sandbox = Sandbox::new();
    for (file, first, last) in [
        ("c.csv", "key,label,kind,index,bridges,start\n../B.-A,G1,G,1,,\n", "\n.B/..-A,G1,G,1,,\n"),
        ("c.json", "{\"game\":\"cruzados:2x2\",\"start\":\"P2\",", "\n]}\n"),
        ("c.dot", "digraph \"cruzados:2x2\" {\n", "\n}\n"),
        ("c.svg", "<svg xmlns=", "</svg>\n"),
    ] {
        let said = sandbox.run(&["label", "cruzados", "-o", file, "--quiet"]).ok();
        assert!(said.ends_with(&format!("\n32 islands written to {file}\n")), "{said}");
        let text = fs::read_to_string(sandbox.path(file)).unwrap();
        assert!(text.starts_with(first), "{text}");
        assert!(text.ends_with(last) || file == "c.csv", "{text}");
    }
    let told = sandbox.json(&["label", "cruzados", "-o", "d.csv"]);
    assert_eq!((&told["file"], &told["counts"]["T2"]), (&"d.csv".into(), &16.into()));
    let dot = fs::read_to_string(sandbox.path("c.dot")).unwrap();
    let best = "  \".B/A.-A\" -> \".A/..-B\" [penwidth=3, color=\"#1d2733\"];\n";
    assert!(dot.contains(best), "{dot}");
    assert!(dot.contains("  \".B/A.-A\" -> \"AB/..-B\";\n"), "{dot}");
    // The whole of a folded game, each mirror image by itself.
    let told = sandbox.json(&["label", "tictactoe", "-o", "t.csv"]);
    assert_eq!(told["total"], 5478);
    let text = fs::read_to_string(sandbox.path("t.csv")).unwrap();
    let mut keys: Vec<&str> = text.lines().collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 5479);
    sandbox.run(&["label", "tictactoe", "-o", "t.svg"]).fails(
        2,
        "5,478 islands are too many for a picture, which takes 400; write --format dot, csv or json",
    );
    assert!(!sandbox.path("t.svg").exists());
    sandbox
        .run(&["label", "cruzados", "-o", "labels"])
        .fails(2, "the ending of labels says nothing; add --format csv, json, dot, svg or keys");
}

/// A labelled graph is a game again, with the same labels, moves that keep the turn and ties
/// included.
#[test]
fn a_graph_that_was_written_can_be_read() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("ties.json"), TIES).unwrap();
    for (n, game) in ["cruzados", "boxers:2x3", "graph", "graph:ties.json"].iter().enumerate() {
        let file = format!("{n}.dot");
        sandbox.run(&["label", game, "-o", &file, "--quiet"]).ok();
        let (one, two) =
            (sandbox.json(&["label", game]), sandbox.json(&["label", &format!("graph:{file}")]));
        assert_eq!((&one["start"], &one["counts"]), (&two["start"], &two["counts"]), "{game}");
    }
}

/// What is written of a graph, in any form, is the same graph when it is read.
#[test]
fn every_form_of_a_graph_is_read_back() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("ties.json"), TIES).unwrap();
    let odd = r#"{"start": "=1+1W", "turns": "WS", "islands": [
        {"key": "=1+1W", "bridges": ["'two, \"words\"S", " blankS", {"to": "@aW", "again": true}]},
        {"key": "'two, \"words\"S", "bridges": ["=1+1W"]}, {"key": " blankS", "outcome": "win"},
        {"key": "@aW", "bridges": ["a>b\\cS"]}, {"key": "a>b\\cS", "bridges": []}]}"#;
    fs::write(sandbox.path("odd.json"), odd).unwrap();
    let seed = 20_261_119;
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut games: Vec<String> =
        ["graph", "graph:ties.json", "graph:odd.json", "graph:ties.json,start=4A"]
            .map(String::from)
            .into();
    for n in 0..6 {
        let islands = random.usize(2..25);
        let key = |i: usize| format!("{i}{}", ["A", "B"][i % 2]);
        let mut rows = String::new();
        for _ in 0..random.usize(1..3 * islands) {
            let (from, to) = (random.usize(..islands), random.usize(..islands));
            let again = if from % 2 == to % 2 { "again" } else { "" };
            rows += &format!("{},{},{again}\n", key(from), key(to));
        }
        fs::write(sandbox.path(&format!("r{n}.csv")), rows).unwrap();
        games.push(format!("graph:r{n}.csv"));
    }
    for game in &games {
        let labels = |game: &str, most: &str| {
            sandbox.run(&["label", game, "--format", "csv", most, "--quiet"]).ok()
        };
        let all = labels(game, "--all");
        for (command, form) in [
            ("label", "csv"),
            ("label", "json"),
            ("label", "dot"),
            ("export", "csv"),
            ("export", "json"),
            ("export", "dot"),
        ] {
            let file = format!("{command}.{form}");
            sandbox.run(&[command, game, "--format", form, "-o", &file, "--quiet"]).ok();
            let read = format!("graph:{file}");
            let back = labels(&read, "--all");
            let mut rows = [all.lines().collect::<Vec<_>>(), back.lines().collect()];
            rows.iter_mut().for_each(|rows| rows.sort_unstable());
            assert_eq!(rows[0], rows[1], "{game} by {file}");
            // Written again, it is the same file; in DOT, bridges stand before the islands that they lead to.
            if form != "dot" {
                let again =
                    sandbox.run(&[command, &read, "--format", form, "-o", "-", "--quiet"]).ok();
                let first = fs::read_to_string(sandbox.path(&file)).unwrap();
                let named = |game: &str| format!("{{\"game\":\"{game}\"");
                assert_eq!(
                    first.replacen(&named(game), &named(&read), 1),
                    again,
                    "{game} by {file}"
                );
            }
            // And it agrees with the table, where it can be held against that.
            if form != "dot" {
                let said = sandbox.run(&["verify", game, "--against", &file, "--quiet"]).ok();
                assert!(said.ends_with(" compared, 0 differing\n"), "{game} by {file}: {said}");
            }
        }
    }
    sandbox.run(&["label", "graph", "--format", "json", "--no-bridges", "-o", "n.json"]).ok();
    sandbox.run(&["label", "graph:n.json"]).fails(
        2,
        "graph: n.json, line 2: a label without \"bridges\" is none of a graph; it was written without them",
    );
    sandbox.run(&["label", "graph", "--format", "csv", "--no-bridges", "-o", "n.csv"]).ok();
    sandbox.run(&["label", "graph:n.csv"]).fails(
        2,
        "graph: n.csv, line 1: labels without a column 'bridges' are no graph; they were written without them",
    );
}

#[test]
fn rounds_are_told_as_text_as_json_and_as_a_picture() {
    let sandbox = Sandbox::new();
    let text = sandbox.run(&["label", "graph", "--trace"]).ok();
    assert!(text.contains("\nround 2, 2 islands: a bridge to G1 makes P2; "), "{text}");
    assert!(text.contains("\n6A = T4, by 3B\n"), "{text}");
    assert!(text.ends_with(", and no trap can be reached: z = 0\n5B = T0\n5A = T0\n"), "{text}");
    let two = sandbox.run(&["label", "graph", "--trace", "--rounds", "2", "--most", "1"]).ok();
    assert!(two.contains("\n… and 1 more; --most N shows more\n"), "{two}");
    assert!(two.ends_with("\n\n… and 4 rounds more\n"), "{two}");
    let told = sandbox.json(&["label", "graph", "--trace"]);
    let rules: Vec<&str> = told["rounds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|round| round["rule"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["ends", "backwards", "backwards", "backwards", "traps", "untrapped"]);
    let one = serde_json::json!({ "key": "6A", "label": "T4", "because": ["3B"] });
    assert_eq!(told["rounds"][4]["islands"][0], one);
    let densities = sandbox.json(&["label", "graph", "--trace", "--draws", "Z"]);
    assert_eq!(densities["rounds"][4]["rule"], "densities");
    let said = sandbox.run(&["label", "graph", "--trace", "-o", "t.svg", "--quiet"]).ok();
    assert!(said.ends_with("\n6 rounds written to t.svg\n"), "{said}");
    let drawn = fs::read_to_string(sandbox.path("t.svg")).unwrap();
    assert_eq!(drawn.matches("@keyframes r").count(), 6);
    sandbox.run(&["label", "graph", "--trace", "--rounds", "3", "-o", "f.svg", "--quiet"]).ok();
    let frame = fs::read_to_string(sandbox.path("f.svg")).unwrap();
    assert!(
        frame.contains("2B = G3") && !frame.contains("3B = P4") && !frame.contains("@keyframes")
    );
    sandbox.run(&["label", "graph", "--trace", "-o", "t.csv"]).fails(
        2,
        "--trace is told as text, as JSON or as a picture: -o FILE.svg, -o FILE.json or no file",
    );
    sandbox.run(&["label", "tictactoe", "--trace", "-o", "t.svg"]).fails(
        2,
        "5,478 islands are too many for a picture, which takes 400; leave out -o to have text",
    );
    // Ends that the table has no place for are islands here.
    let text = sandbox.run(&["label", "black-hole:3,2", "--trace", "--most", "9999"]).ok();
    let all = text.lines().find_map(|line| line.strip_prefix("islands")).unwrap().trim();
    let is_given = |line: &&str| {
        line.contains(" = ") && !line.starts_with("start") && !line.starts_with("round")
    };
    let given = text.lines().filter(is_given);
    assert_eq!(all.split(':').next().unwrap().replace(',', ""), given.count().to_string());
    let keys = sandbox.run(&["label", "black-hole:3,2", "--format", "keys"]).ok();
    assert!(keys.contains(" : G1  "), "{keys}");
}

#[test]
fn repetitions_and_the_names_of_the_source() {
    let sandbox = Sandbox::new();
    let text = sandbox.run(&["label", "graph", "--repeats"]).ok();
    assert!(text.contains("\nstart         6A = T4, repeats in 3\n"), "{text}");
    assert!(text.contains("\n5B = T0, repeats in 2\n3B = P4\n"), "{text}");
    let told = sandbox.json(&["label", "graph", "--repeats"]);
    assert_eq!(
        (&told["islands"][0]["repeats"], &told["islands"][3]["repeats"]),
        (&3.into(), &().into())
    );
    let csv = sandbox.run(&["label", "graph", "--repeats", "--format", "csv"]).ok();
    assert!(
        csv.starts_with("key,label,kind,index,repeats,bridges,start\n6A,T4,T,4,3,3B 4B 5B,start\n")
    );
    // A tie is even, and yet nothing of it repeats.
    fs::write(sandbox.path("ties.json"), TIES).unwrap();
    assert!(!sandbox.run(&["label", "graph:ties.json", "--repeats"]).ok().contains("repeats"));
    let keys = sandbox.run(&["label", "tokens:2", "--format", "keys"]).ok();
    assert_eq!(keys, "1B : G3  11A\n2N : P2  1B\n3B : G1  A\n");
    // What the start does not lead to comes last, and a key with a letter has one name.
    fs::write(sandbox.path("two.csv"), "1A,2B\n3A,4B\n").unwrap();
    let keys = sandbox.run(&["label", "graph:two.csv", "--format", "keys"]).ok();
    assert_eq!(keys, "1B : P2  1A\n2N : G1  2B\n3B : P2  3A\n4N : G1  4B\n");
}

#[test]
fn other_turn_letters_are_written_too() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("w.csv"), "1W,2B\n2B,1W\n").unwrap();
    sandbox.run(&["label", "graph:w.csv,turns=WB", "-o", "w.dot", "--quiet"]).ok();
    assert_eq!(sandbox.json(&["label", "graph:w.dot"])["counts"]["T0"], 2);
}

/// A hub with many bridges, and a long chain: neither is a reason to take for ever.
#[test]
fn traps_on_odd_graphs() {
    let sandbox = Sandbox::new();
    let spokes = (0..30_000).map(|i| format!("HA,c{i}B\nc{i}B,HA\n")).collect::<String>();
    let hub = spokes + "HA,lastB\nlastB,tA\ntA,lastB\ntA,poB\npoB,endA\n";
    fs::write(sandbox.path("hub.csv"), hub).unwrap();
    let side = |i: usize| ["A", "B"][i % 2];
    let chain = (0..60_000).map(|i| format!("{i}{},{}{}\n", side(i), i + 1, side(i + 1)));
    let chain = chain.collect::<String>() + "60000A,59999B\n60000A,poB\npoB,endA\n";
    fs::write(sandbox.path("chain.csv"), chain).unwrap();
    for (game, label) in [("graph:hub.csv", "T2"), ("graph:chain.csv", "T2")] {
        let told = sandbox.json(&["label", game]);
        assert_eq!(told["start"], label, "{game}");
        assert!(sandbox.run(&["verify", game, "--quiet"]).ok().ends_with(", 0 mismatches\n"));
    }
    fs::remove_file(sandbox.path("tables").join("graph_chain.csv.traps")).unwrap();
    let done = sandbox.run(&["label", "graph:chain.csv", "--memory", "700K", "--quiet"]);
    assert_eq!(done.code, 3, "{}", done.err);
    assert!(done.err.contains("finding traps would take about"), "{}", done.err);
}

const TIES: &str = r#"{"islands": [
    {"key": "1A", "bridges": ["2B", "3B", {"to": "4A", "again": true}]},
    {"key": "2B", "bridges": ["5A", "1A"]},
    {"key": "3B", "outcome": "tie"},
    {"key": "4A", "bridges": ["3B", "2B"]},
    {"key": "5A", "outcome": "win"}
]}"#;

#[test]
fn a_graph_is_a_game_like_any_other() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("ties.json"), TIES).unwrap();
    let game = "graph:ties.json";
    assert!(
        sandbox.run(&["solve", game, "--quiet"]).ok().contains("first player to move: tie in 1")
    );
    assert!(sandbox.run(&["look", game, "2B"]).ok().contains("second player to move: tie in 2"));
    assert!(sandbox.run(&["look", game, "4A"]).ok().contains("first player to move: tie in 1"));
    let played = sandbox.run(&["play", game, "--first", "perfect", "--second", "perfect"]).ok();
    assert!(played.contains("the game is over: a tie"), "{played}");
    assert_eq!(sandbox.json(&["stats", game])["positions"], 5);
    assert_eq!(sandbox.run(&["verify", game]).ok(), "5 checked, 0 mismatches\n");
    let export = sandbox.run(&["export", game, "--format", "csv", "-o", "-"]).ok();
    assert!(export.contains("\n0.0,0,0,1A,tie,1,2B>0.1 3B>0.2 4A>0.3,start\n"), "{export}");
    assert!(!sandbox.run(&["check", game]).ok().contains("BROKEN"));
    // Islands that the start does not lead to count as well.
    fs::write(sandbox.path("two.csv"), "1A,2B\n3A,4B\n3A,2B\n").unwrap();
    assert_eq!(sandbox.json(&["label", "graph:two.csv"])["total"], 4);
    assert_eq!(sandbox.json(&["stats", "graph:two.csv"])["positions"], 4);
}

#[test]
fn a_graph_that_was_edited_is_solved_again() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("g.csv"), "1A,2B\n").unwrap();
    sandbox.run(&["solve", "graph:g.csv", "--quiet"]).ok();
    assert_eq!(sandbox.json(&["label", "graph:g.csv"])["start"], "P2");
    fs::write(sandbox.path("g.csv"), "1A,2B\n2B,3A\n").unwrap();
    for command in ["look", "stats", "verify", "play"] {
        sandbox.run(&[command, "graph:g.csv"]).fails(
            2,
            "the table of 'graph:g.csv' was made from another version of the file, or from another \
             file of that name; make it anew with 'crabwise solve graph:g.csv'",
        );
    }
    assert_eq!(sandbox.json(&["label", "graph:g.csv"])["start"], "G3");
    fs::write(sandbox.path("g.csv"), "1A,2B\n2B,1A\n").unwrap();
    assert_eq!(sandbox.json(&["look", "graph:g.csv", "--solve", "--labels"])["label"], "T0");
    // A table under the same name of another game is still refused.
    fs::write(sandbox.path("h.csv"), "1A,2B\n2B,1A\n").unwrap();
    let tables = sandbox.path("tables");
    fs::rename(tables.join("graph_g.csv.crab"), tables.join("tictactoe.crab")).unwrap();
    assert_eq!(sandbox.run(&["look", "tictactoe"]).code, 2);
}

#[test]
fn bad_graphs_get_one_line() {
    let sandbox = Sandbox::new();
    for (file, text, line) in [
        ("g.csv", "from,to\n1A,2B\n1A\n", "g.csv, line 3: "),
        ("g.csv", "1A,2B\n2B,3C\n", "g.csv, line 2: '3C' ends in the unknown letter 'C'"),
        ("g.csv", "1A,2B\n2B,4B\n", "g.csv, line 2: "),
        ("g.csv", "", "g.csv: no islands in it"),
        (
            "g.json",
            "{\"islands\": [\n{\"key\": \"1A\", \"bridges\": [\n\"2B\"]}]}",
            "g.json, line 3: ",
        ),
        ("g.json", "{\"islands\": [\n{\"key\": ", "g.json, line 2: "),
        ("g.dot", "digraph {\n1A -> 2B\n2B -> 3C }", "g.dot, line 3: '3C' ends in the unknown"),
        ("g.dot", "graph { 1A -- 2B }", "g.dot, line 1: "),
    ] {
        fs::write(sandbox.path(file), text).unwrap();
        for command in ["label", "solve", "look"] {
            let done = sandbox.run(&[command, &format!("graph:{file}")]);
            assert_eq!((done.code, done.out.as_str()), (2, ""), "{text}: {}", done.err);
            let start = format!("crabwise: graph: {line}");
            assert!(done.err.starts_with(&start), "{text}: {}", done.err);
            assert!(done.err.lines().count() == 1 && !done.err.contains("for example"));
        }
    }
    sandbox
        .run(&["label", "graph:none.csv"])
        .fails(2, "graph: cannot read none.csv: No such file or directory (os error 2)");
    fs::create_dir(sandbox.path("folder")).unwrap();
    sandbox.run(&["label", "graph:folder"]).fails(2, "graph: cannot read folder: is a directory");
}

#[test]
fn drawn_moves_are_told_apart() {
    let sandbox = Sandbox::with(&["boxers:3x3", "dodgem:4"]);
    let look = sandbox.json(&["look", "boxers:3x3", "--draws", "Z"]);
    assert_eq!((&look["label"], &look["moves"][0]["label"]), (&"T12".into(), &"T12".into()));
    let look = sandbox.json(&["look", "dodgem:4", "--draws", "z"]);
    let moves: Vec<&str> = (look["moves"].as_array().unwrap().iter())
        .map(|one| one["label"].as_str().unwrap())
        .collect();
    assert_eq!((moves.len(), moves[3]), (4, "P38"));
    let depths: Vec<u32> = moves[..3].iter().map(|label| label[1..].parse().unwrap()).collect();
    assert!(depths.is_sorted_by(|a, b| a > b), "{moves:?}");
    assert!(sandbox.run(&["verify", "dodgem:4", "--quiet"]).ok().ends_with("0 mismatches\n"));
    // The deepest trap is kept beside the table, and found again.
    assert!(sandbox.path("tables").join("dodgem_4.traps").exists());
    let done = sandbox.run(&["look", "boxers:3x3", "--weights", "4,2,1"]);
    assert_eq!(done.code, 0);
    assert_eq!(done.err, "warning: the weights 4,2,1 do not rise; C > B > A is recommended\n");
    assert!(done.out.contains("road of greatest resistance: T"));
    let play = |draws: &[&str]| {
        let words = ["play", "dodgem:4", "--first", "perfect", "--second", "random", "--seed", "3"];
        sandbox.run(&[&words, draws].concat()).ok()
    };
    assert_ne!(play(&[]), play(&["--draws", "z"]));
}

#[test]
fn damaged_traps_are_found() {
    let sandbox = Sandbox::new();
    sandbox.run(&["label", "boxers:3x3", "--quiet"]).ok();
    let path = sandbox.path("tables").join("boxers_3x3.traps");
    let bytes = fs::read(&path).unwrap();
    let right = sandbox.run(&["look", "boxers:3x3", "--labels"]).ok();
    for at in (0..bytes.len()).step_by(3) {
        let mut spoiled = bytes.clone();
        spoiled[at] ^= 1 << (at % 8);
        fs::write(&path, spoiled).unwrap();
        let verify = sandbox.run(&["verify", "boxers:3x3", "--quiet"]);
        let looked = sandbox.run(&["look", "boxers:3x3", "--labels", "--quiet"]);
        // One that has become the traps of something else is made again.
        assert!(looked.code == 2 || looked.out == right, "byte {at}: {}", looked.err);
        assert!(verify.code == 1 || looked.out == right, "byte {at}: {}", verify.err);
    }
    fs::write(&path, &bytes).unwrap();
    assert_eq!(
        sandbox.run(&["verify", "boxers:3x3", "--quiet"]).ok(),
        "162 checked, 0 mismatches\n"
    );
    sandbox.run(&["solve", "boxers:3x3", "--anew", "--quiet"]).ok();
    assert!(!path.exists());
}

#[test]
fn advice_says_what_it_is_worth() {
    let sandbox = Sandbox::new();
    let advise = |words: &[&str]| sandbox.json(&[&["advise", "connect-four:7x6"], words].concat());
    let won = advise(&["4", "1", "3", "1", "--depth", "9"]);
    assert_eq!(
        (&won["advice"], &won["proven"], &won["depth"]),
        (&"5".into(), &true.into(), &3.into())
    );
    assert_eq!((&won["value"]["outcome"], &won["value"]["remoteness"]), (&"win".into(), &3.into()));
    let open = advise(&["4", "--depth", "4"]);
    assert_eq!((&open["proven"], &open["value"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!(open["depth"], 4);
    let over = advise(&["1", "2", "1", "2", "1", "2", "1"]);
    assert_eq!((&over["over"], &over["advice"]), (&true.into(), &serde_json::Value::Null));
    let seeds: std::collections::BTreeSet<String> = (0..20)
        .map(|seed| advise(&["--depth", "2", "--seed", &seed.to_string()])["advice"].to_string())
        .collect();
    assert!(seeds.len() > 3, "{seeds:?}");
    let quick = advise(&["--time", "50ms"]);
    assert!(quick["seconds"].as_f64().unwrap() < 5.0 && quick["depth"].as_u64().unwrap() > 3);
    sandbox
        .run(&["advise", "connect-four:7x6", "9", "--depth", "2"])
        .fails(2, "at the start there is no move '9'; legal: 1 2 3 4 5 6 7");
    assert_eq!(sandbox.run(&["advise", "tictactoe", "--depth", "0"]).code, 2);
    assert_eq!(sandbox.run(&["advise", "tictactoe", "--time", "soon"]).code, 2);
    assert_eq!(sandbox.run(&["look", "tictactoe", "--weights", "1,2"]).code, 2);
    assert!(!sandbox.path("tables").exists());
}

//! What is read, what is refused, and in which words.

use std::io;

use crabwise::{solve, solve_with};

use super::*;

/// A file that is all there.
fn parse(name: &str, text: &str) -> Result<Islands, String> {
    read_from(name, text.as_bytes(), &Wishes::default())
}

fn read_from(name: &str, contents: impl io::Read, wishes: &Wishes) -> Result<Islands, String> {
    read(name, contents, wishes, Limits::NONE).map_err(|bad| bad.in_file(name))
}

/// A graph in a form that does not depend on the order of the islands.
fn told(islands: &Islands) -> Vec<String> {
    let key = |island: u32| islands.key(island);
    let mut lines: Vec<String> = (0..islands.len() as u32)
        .map(|island| {
            let mut to: Vec<&str> = islands.bridges(island).iter().map(|to| key(*to)).collect();
            to.sort_unstable();
            let mark = islands.mark(island);
            let start = if island == islands.start { "start " } else { "" };
            format!("{start}{:?} {:?} {:?} {to:?}", key(island), mark.side(), mark.outcome())
        })
        .collect();
    lines.sort_unstable();
    lines
}

fn wrong(name: &str, text: &str, error: &str) {
    let found = parse(name, text).err().unwrap_or("nothing is wrong".into());
    assert_eq!(found, error, "in\n{text}");
    assert!(!found.contains('\n') && !found.ends_with('.'));
}

const CSV: &str = "11A,1B\n11A,0A,again\n1B,11A\n1B,0A\n";
const JSON: &str = r#"{
    "start": "11A", "turns": "AB",
    "islands": [
        {"key": "11A", "bridges": ["1B", {"to": "0A", "again": true}]},
        {"bridges": ["11A", "0A"], "owner": "B", "key": "1"},
        {"id": "0A", "owner": "A"}
    ]
}"#;
const DOT: &str = r#"digraph boats {
    11A -> 1B -> 11A /* and back */
    11A -> "0A" [color = red, again=true]; 1 [owner=B]
    1 -> "0" + "A":n:w // a port
}"#;

#[test]
fn the_same_islands_in_each_format() {
    let csv = told(&parse("boat.csv", CSV).unwrap());
    assert_eq!(csv.len(), 3);
    assert_eq!(csv, told(&parse("boat.json", JSON).unwrap()));
    assert_eq!(csv, told(&parse("boat.dot", DOT).unwrap()));
    assert_eq!(csv[2], r#"start "11A" Some(0) None ["0A", "1B"]"#);
    // With and without the marks and line ends that other programs add, and under any name.
    for (name, text) in [("boat", CSV), ("boat", JSON), ("boat", DOT), ("boat.CSV", CSV)] {
        let text = text.replace('\n', "\r\n");
        assert_eq!(csv, told(&parse(name, &text).unwrap()));
        assert_eq!(csv, told(&parse(name, &format!("\u{feff}\n \n{text}")).unwrap()));
        assert_eq!(csv, told(&parse(name, text.trim_end()).unwrap()));
    }
}

#[test]
fn csv_may_name_its_columns() {
    let named = " Note ,TO, again,From\nx,1B,,11A\n\"y,\nz\", 0A ,again,11A\n,11A,no,1B\n,0A,,1B";
    assert_eq!(told(&parse("boat.csv", named).unwrap()), told(&parse("boat.csv", CSV).unwrap()));
    let quoted = parse("boat.csv", "\"a \"\"b\"\", A\",B\r\n\r\n  \r\nB,\"two\nlinesA\"").unwrap();
    assert_eq!(quoted.key(0), "a \"b\", A");
    assert_eq!(quoted.key(2), "two\nlinesA");
    let game = Pirates::new(Arc::new(quoted));
    assert_eq!(game.notation(&2), "two_linesA");
    assert_eq!(game.moves(&1).into_iter().next().unwrap().to_string(), "two_linesA");
}

#[test]
fn json_has_many_shapes() {
    let json = told(&parse("boat.json", JSON).unwrap());
    for text in [
        r#"[{"key":"11A","to":["1B",{"again":true,"to":"0A"}]},{"island":"1B","moves":["11A","0A"]},
            {"name":"0","turn":"A","successors":[],"outcome":null}]"#,
        r#"{"bridges":[["11A","1B"],{"to":"0A","again":true,"from":"11A"},["1B","11A",false],
            ["1B","0A"]],"islands":{"11A":{},"1":{"player":"B"},"0A":{"x":[1,{"y":"]"}]}}}"#,
    ] {
        assert_eq!(json, told(&parse("boat.json", text).unwrap()));
    }
    let late = r#"{"islands":[{"key":"xB","bridges":["yW"]},{"key":"yW","end":"draw"},
        {"key":"z","owner":"W","end":"Win"}],"turns":"WB","start":"zW"}"#;
    let late = parse("boat.json", late).unwrap();
    assert_eq!(late.key(late.start), "zW");
    assert_eq!(
        told(&late),
        [
            r#""xB" Some(1) None ["yW"]"#,
            r#""yW" Some(0) Some(Tie) []"#,
            r#"start "zW" Some(0) Some(Win) []"#
        ]
    );
}

#[test]
fn dot_has_groups_and_defaults() {
    let text = r##"
        # made by hand
        strict DiGraph "boats" {
            graph [label=<a <b>b</b>>, start=x turns="AB"; bgcolor="#fff"]
            node [shape=box] edge [again=yes]
            subgraph cluster_one { edge [again=0]; label = "one"; pA -> {qB "rB"} -> sA; }
            pA -> sA
            pA -> qB [again=false]
            { tA } -> subgraph { uA vA } [again]
            "say \"hi\" \\ \
A" -> "w\d" "w\d"[player=A] -7.5 -> -7.5; -7.5 [letter=B, result=] [color=red]
            x [owner=B, outcome=tie]
        }"##;
    wrong("boat.gv", text, "boat.gv, line 11: ']' instead of a name or a value");
    let text = text.replace(", result=", "");
    assert_eq!(
        told(&parse("boat.gv", &text).unwrap()),
        [
            r#""-7.5B" Some(1) None ["-7.5B"]"#,
            r#""pA" Some(0) None ["qB", "rB", "sA"]"#,
            r#""qB" Some(1) None ["sA"]"#,
            r#""rB" Some(1) None ["sA"]"#,
            r#""sA" Some(0) None []"#,
            r#""say \"hi\" \\ A" Some(0) None ["w\\dA"]"#,
            r#""tA" Some(0) None ["uA", "vA"]"#,
            r#""uA" Some(0) None []"#,
            r#""vA" Some(0) None []"#,
            r#""w\\dA" Some(0) None []"#,
            r#"start "xB" Some(1) Some(Tie) []"#,
        ]
    );
    // A name with its letter and one without may be the same island.
    let one = parse("a.dot", "digraph { 1 [turn=A]; 1A -> 2B; 2B -> 1 }").unwrap();
    assert_eq!(told(&one).len(), 2);
}

#[test]
fn what_is_wrong_with_rows() {
    for (text, error) in [
        ("", ": no islands in it"),
        ("\u{feff} \r\n\n", ": no islands in it"),
        ("1A,\u{1b}[31mB\n", ", line 1: the key '\\u{1b}[31mB' has a control character"),
        ("from,to\n", ": no islands in it"),
        ("11A,1B\n\n1B\n", ", line 3: there is no cell 'to'; a row is from,to or from,to,again"),
        ("to,from\n1B\n", ", line 2: there is no cell 'from'; a row is from,to or from,to,again"),
        (
            "11A,1B\r\n1B,\r\n",
            ", line 2: the cell 'to' is empty; it must hold the key of an island",
        ),
        ("\" \",1B", ", line 1: the cell 'from' is empty; it must hold the key of an island"),
        (
            "11A,1B,,x\n",
            ", line 1: 4 cells, more than from, to and again; name the columns in a first row",
        ),
        ("from,to\n11A,1B,\n", ", line 2: 3 cells, but the first row names 2 columns"),
        ("11A,0A,agian\n", ", line 1: the cell 'again' has 'agian'; it must be empty or 'again'"),
        (
            "11A,1B\n1B,\"x\n\ny\nA\"\n1B,0C",
            ", line 6: '0C' ends in the unknown letter 'C'; it must end in A or B, whose turn \
             it is",
        ),
        (
            "source,target\n11A,1B\n",
            ", line 1: 'source' ends in the unknown letter 'e'; it must end in A or B, whose turn \
             it is",
        ),
        (
            "11A,1B\n1B,0B\n0B,xC",
            ", line 2: the bridge from '1B' to '0B' does not change the turn; declare it 'again', \
             or all such bridges by ',again' behind the file's name",
        ),
        (
            "1B,1B",
            ", line 1: the bridge from '1B' to '1B' does not change the turn; declare it 'again', \
             or all such bridges by ',again' behind the file's name",
        ),
        (
            "1B,0A,again\n",
            ", line 1: the bridge from '1B' to '0A' is declared 'again', but changes the turn",
        ),
        (
            "1 2A,3B\n3B,1\t2A\n",
            ", line 2: the moves to '1 2A' and '1\\t2A' would both be '1_2A'; give one another key",
        ),
        ("3B,1A\n\n1A,\"2B\n2B,1A\n", ", line 3: a quotation mark of this row is never closed"),
    ] {
        wrong("boat.csv", text, &format!("boat.csv{error}"));
    }
    let long = format!("1A,{}B", "x".repeat(4096));
    let begin = "x".repeat(40);
    let error = format!("a key of 4097 bytes, more than 4096; it begins '{begin}…'");
    wrong("boat.csv", &long, &format!("boat.csv, line 1: {error}"));
    assert!(parse("boat.csv", &long.replace("xB", "B")).is_ok());
    let many = format!("1A,1B\n1A{}\n", ",x".repeat(300));
    wrong("boat.csv", &many, "boat.csv, line 2: more than 256 cells in a row");
}

#[test]
fn what_is_wrong_with_objects() {
    for (text, error) in [
        ("", ", line 1: this is no JSON: the end of the file instead of a value"),
        ("[]", ": no islands in it"),
        ("{\"isles\": []}", ": there is no list \"islands\" in it"),
        ("7", ", line 1: the number 7 instead of an object with \"islands\", or a list of islands"),
        ("[{\"key\": \"1A\"}\n{", ", line 2: this is no JSON: '{' instead of ',' or ']'"),
        ("[{\"key\": \"1A\"}]\n\n]", ", line 3: this is no JSON: ']' behind the end"),
        ("[{\"key\":\n5}]", ", line 2: the number 5 instead of the key of an island"),
        (
            "[\n\"1A\"]",
            ", line 2: the text '1A' instead of an island such as {\"key\": \"11A\", \
             \"bridges\": [\"1B\"]}",
        ),
        ("[{\"bridges\":\n[]}]", ", line 2: an island without a \"key\""),
        (
            "[{\"key\":\n\"\"}]",
            ", line 2: an island without a key; write the position and whose turn it is, as 11A",
        ),
        (
            "[{\"key\": \"1A\", \"to\": [\"2B\",\n\"3B\"]}, {\"key\": \"2B\"}]",
            ", line 2: a bridge leads from '1A' to '3B', an island nobody defined",
        ),
        (
            "{\"bridges\": [[\"1A\",\n\"2B\"]], \"islands\": [{\"key\": \"2B\"}]}",
            ", line 2: a bridge comes from '1A', an island nobody defined",
        ),
        (
            "[{\"key\": \"1A\"},\n{\"key\": \"1\", \"owner\": \"A\"}]",
            ", line 2: the island '1A' is defined a second time",
        ),
        (
            "[{\"owner\": \"A\",\n\"key\": \"1B\"}]",
            ", line 2: the key '1B' ends in B, but its owner is A",
        ),
        (
            "[{\"key\": \"1A\"},\n{\"key\": \"1\", \"owner\": \"C\"},\n{\"key\": \"1A\"}]",
            ", line 2: '1C' ends in the unknown letter 'C'; it must end in A or B, whose turn \
             it is",
        ),
        ("[\n{\"key\": \"1\", \"owner\": \"AB\"}]", ", line 2: the owner 'AB' must be one letter"),
        (
            "[{\"key\": \"1A\",\n\"outcome\": \"won\"}]",
            ", line 2: the outcome 'won' must be win, loss or tie",
        ),
        (
            "[{\"key\": \"1A\", \"outcome\": \"win\", \"to\":\n[\"2B\"]}, {\"key\": \"2B\"}]",
            ", line 2: '1A' has the outcome win and a bridge to '2B'; it can have one",
        ),
        (
            "{\"start\":\n\"9A\", \"islands\": [{\"key\": \"1A\"}]}",
            ", line 2: the start '9A' is no island of the file",
        ),
        (
            "{\"turns\":\n\"AA\", \"islands\": [{\"key\": \"1A\"}]}",
            ", line 2: turns 'AA' must be two different letters, such as AB",
        ),
        ("{\"bridges\": [[\"1A\"]]}", ", line 1: a bridge is [from, to] or [from, to, again]"),
        ("[{\"key\": \"1A\", \"to\": [{}]}]", ", line 1: a bridge without \"to\""),
        (
            "[\n{\"key\": \"1A\", \"to\": [[\"1A\"]]}\n]",
            ", line 2: a list instead of a bridge such as \"1B\" or {\"to\": \"0A\", \
             \"again\": true}",
        ),
    ] {
        wrong("boat.json", text, &format!("boat.json{error}"));
    }
    let deep = format!("{{\"x\": {}", "[".repeat(1000));
    let error = "boat.json, line 1: lists and objects in each other, more than 100 deep";
    wrong("boat.json", &deep, error);
}

#[test]
fn what_is_wrong_with_a_digraph() {
    for (text, error) in [
        ("", ": no islands in it"),
        ("digraph {}", ": no islands in it"),
        ("\ngraph { a -- b }", ", line 2: bridges have a direction: write digraph and ->"),
        ("digraph {\n1A -- 2B }", ", line 2: bridges have a direction: write digraph and ->"),
        ("1A -> 2B", ", line 1: '1A' instead of digraph"),
        ("digraph {\n1A -> 2B", ", line 2: the end of the file instead of '}'"),
        ("digraph { 1A }\n}", ", line 2: '}' behind the end of the graph"),
        ("digraph {\n1A ->\n}", ", line 3: '}' instead of the name of a node"),
        ("digraph {\n\"1A -> 2B }\n", ", line 2: this quotation mark is never closed"),
        ("digraph {\n/* 1A -> 2B }\n", ", line 2: this comment is never closed"),
        ("digraph {\n1A [label=<b] }\n", ", line 2: this angle bracket is never closed"),
        ("digraph {\n\"1\" +\nA }", ", line 2: after + comes another text in quotation marks"),
        ("digraph {\n1A - 2B }", ", line 2: '-' means nothing here; an edge is written -> or --"),
        ("digraph {\n(1A) }", ", line 2: '(' means nothing here; put names in quotation marks"),
        ("digraph {\nnode 1A }", ", line 2: '1A' instead of '[' after node"),
        (
            "digraph {\nnode [outcome=tie] }",
            ", line 2: 'outcome' belongs to one island, not to all that follow",
        ),
        (
            "digraph { 1A -> 2B\n[again=maybe] }",
            ", line 2: again is 'maybe'; it must be true or false",
        ),
        (
            "digraph { 1A [outcome=win]\n1A [end=tie] }",
            ", line 2: '1A' has the outcome tie here, but win before",
        ),
        ("digraph { 1 [owner=A]\n1 [owner=B] }", ", line 2: '1' has two different owners"),
        ("digraph {\n1 [owner=AB] }", ", line 2: the owner 'AB' must be one letter"),
        ("digraph {\n1B [owner=A] }", ", line 2: the key '1B' ends in B, but its owner is A"),
        (
            "digraph {\n1 -> 2B }",
            ", line 2: '1' ends in the unknown letter '1'; it must end in A or B, whose turn \
             it is",
        ),
        (
            "digraph { turns=WB; 1W -> 2B\n-> 3A }",
            ", line 2: '3A' ends in the unknown letter 'A'; it must end in W or B, whose turn \
             it is",
        ),
        (
            "digraph { 2B [outcome=loss]; 1A -> 2B\n-> 1A }",
            ", line 2: '2B' has the outcome loss and a bridge to '1A'; it can have one",
        ),
        ("digraph { 1A\nstart=2A }", ", line 2: the start '2A' is no island of the file"),
        (
            "digraph { \"\"\n}",
            ", line 1: an island without a key; write the position and whose turn it is, as 11A",
        ),
    ] {
        wrong("boat.dot", text, &format!("boat.dot{error}"));
    }
    let long = format!("digraph {{\n\"{0}\" [owner=A]; \"{0}\" -> 1B }}", "x".repeat(4096));
    let error = format!("a key of 4097 bytes, more than 4096; it begins '{}…'", "x".repeat(40));
    wrong("boat.dot", &long, &format!("boat.dot, line 2: {error}"));
    let deep = format!("digraph {}", "{".repeat(1000));
    wrong("boat.dot", &deep, "boat.dot, line 1: groups in each other, more than 100 deep");
    let names: String = (0..5000).map(|i| format!("{i}A ")).collect();
    let many = format!("digraph {{\n{{{names}}} -> {{{names}}}}}");
    wrong("boat.dot", &many, "boat.dot, line 2: more than 16777216 edges in one arrow");
}

/// However little a file says, what becomes of it keeps to its limits while it is read.
#[test]
fn what_grows_beyond_its_limits_is_refused_while_it_is_read() {
    let within = |name: &str, text: &str, limits| {
        let bad = read(name, text.as_bytes(), &Wishes::default(), limits).err()?;
        Some((bad.line().unwrap(), bad.no_room, bad.text))
    };
    let names = |letter: char| (0..500).map(|i| format!("{i}{letter} ")).collect::<String>();
    let dot = format!("digraph {{\n{{{}}}\n-> {{{}}}\n}}", names('A'), names('B'));
    let csv: String = (0..10_000).map(|i| format!("{i}A,{i}B\n")).collect();
    let quoted: Vec<String> = (0..10_000).map(|i| format!("\"{i}B\"\n")).collect();
    let json = format!("[{{\"key\": \"0A\", \"bridges\": [{}]}}]", quoted.join(","));
    let group = format!("digraph {{ {{\n{} }} }}", "1A\n".repeat(200_000));
    for (name, text) in [("a.dot", &dot), ("a.csv", &csv), ("a.json", &json), ("b.dot", &group)] {
        let (_, no_room, said) = within(name, text, Limits::within(400_000)).unwrap();
        assert!(no_room && said.lines().count() == 1, "{name}: {said}");
        let allowed = said.contains("into the 390.6 KiB of memory that are allowed; a larger");
        assert!(allowed || said.contains("a group that names more than 50000 nodes"), "{said}");
        let unlimited = within(name, text, Limits::within(1 << 30));
        assert!(unlimited.is_none_or(|(_, no_room, _)| !no_room), "{name}");
    }
    let few = |nodes, edges| Limits { nodes, edges, ..Limits::NONE };
    let (line, no_room, said) = within("a.csv", &csv, few(7, 100)).unwrap();
    assert_eq!((line, no_room, said.as_str()), (4, false, "more than 7 islands"));
    let (line, _, said) = within("a.csv", &csv, few(100, 7)).unwrap();
    assert_eq!((line, said.as_str()), (8, "more than 7 bridges"));
    // What is wrong before that is told first.
    let (line, ..) = within("a.csv", &format!("1A,2X\n{csv}"), few(100, 7)).unwrap();
    assert_eq!(line, 1);
}

#[test]
fn a_quotation_mark_too_few_does_not_join_rows() {
    let bad = "boat.csv, line 2: a quotation mark closes a cell in the middle of it; perhaps one is missing";
    wrong("boat.csv", "1A,2B\n2B,\"3A\n3A,\"4B\n4B,5A\n", bad);
    wrong("boat.csv", "1A,2B\n2B,\"3A\" x\n", bad);
    wrong(
        "boat.csv",
        "1A,2B\n2B,\"3A\"\"\n",
        "boat.csv, line 2: a quotation mark of this row is never closed",
    );
    assert!(parse("boat.csv", "1A,\"2B\"\r\n\"2B\",\"a\"\"\n b A\"\n").is_ok());
}

#[test]
fn what_the_game_string_says_goes_first() {
    let wishes = |again, turns, start: Option<&str>| Wishes {
        again,
        turns,
        start: start.map(str::to_string),
    };
    let read = |text: &str, wishes| read_from("boat", text.as_bytes(), &wishes);
    assert!(read("1A,2A\n2A,2A", wishes(true, None, None)).is_ok());
    assert!(read("1W,2B\n", wishes(false, Some(['W', 'B']), None)).is_ok());
    let json = r#"{"turns": "AB", "start": "1W", "islands": [{"key": "1W"}, {"key": "2B"}]}"#;
    let islands = read(json, wishes(false, Some(['B', 'W']), Some("2B"))).unwrap();
    assert_eq!(told(&islands), [r#""1W" Some(1) None []"#, r#"start "2B" Some(0) None []"#]);
    let error = read("1A,2B", wishes(false, None, Some("3B"))).err();
    assert_eq!(error.unwrap(), "boat: the start '3B' is no island of the file");
    assert_eq!(turn_letters("äB"), Ok(['ä', 'B']));
    for text in ["", "A", "AA", "ABC", "A "] {
        assert!(turn_letters(text).is_err());
    }
}

#[test]
fn bytes_that_are_no_text() {
    let latin = b"1A,2B\n2B,\xe9A\n".as_slice();
    let error = read_from("boat.csv", latin, &Wishes::default()).err();
    let no_text = "some bytes here are no UTF-8; save the file as UTF-8";
    assert_eq!(error.unwrap(), format!("boat.csv, line 2: {no_text}"));
    for (name, text) in
        [("a.json", "[{\"key\":\n\""), ("a.dot", "digraph {\n"), ("a.csv", "1A,B\n")]
    {
        for bad in [b"\xff".as_slice(), b"\xe2\x82", b"\xf8\x88\x80\x80"] {
            let bytes = [text.as_bytes(), bad].concat();
            let error = read_from(name, &bytes[..], &Wishes::default()).err();
            assert_eq!(error.unwrap(), format!("{name}, line 2: {no_text}"));
        }
    }
    // What is wrong before them is told before them.
    let error = read_from("boat.csv", b"1A,2A\n\xff".as_slice(), &Wishes::default()).err().unwrap();
    assert!(error.starts_with("boat.csv, line 1: the bridge"), "{error}");
}

/// Gives a byte at a time, so that every character is cut, and fails in the end if told to.
struct Trickle<'a>(&'a [u8], bool);

impl io::Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.split_first() {
            Some((byte, rest)) => {
                (buffer[0], self.0) = (*byte, rest);
                Ok(1)
            }
            None if self.1 => Err(io::Error::other("no ink")),
            None => Ok(0),
        }
    }
}

#[test]
fn files_may_come_in_small_pieces_or_break_off() {
    let rows: String = (0..20_000).map(|i| format!("→{i}A,ü{i}B\n")).collect();
    let whole = told(&parse("a.csv", &rows).unwrap());
    let pieces = read_from("a.csv", Trickle(rows.as_bytes(), false), &Wishes::default()).unwrap();
    assert_eq!(whole, told(&pieces));
    let error = read_from("a.csv", Trickle(rows.as_bytes(), true), &Wishes::default()).err();
    assert_eq!(error.unwrap(), "a.csv: cannot be read: no ink");
}

#[test]
fn an_endless_line_is_refused_at_once() {
    let endless = |name, text: &'static str, byte| {
        let file = text.as_bytes().chain(io::repeat(byte).take(1 << 30));
        let mut file = Measured { inner: file, read: 0 };
        let error = read_from(name, &mut file, &Wishes::default()).err().unwrap();
        assert!(file.read < 4 << 20, "{} bytes were read", file.read);
        error
    };
    let row = "a row of more than 1048576 bytes; perhaps a quotation mark is missing";
    assert_eq!(endless("a.csv", "1A,2B\n", b'x'), format!("a.csv, line 2: {row}"));
    assert_eq!(endless("a.csv", "1A,2B\n\"", b'\n'), format!("a.csv, line 2: {row}"));
    let cells = "a.csv, line 2: more than 256 cells in a row";
    assert_eq!(endless("a.csv", "1A,2B\n", b','), cells);
    let string = "a.json, line 2: a string of more than 1048576 bytes";
    assert_eq!(endless("a.json", "[{\"key\":\n\"", b'x'), string);
    assert_eq!(endless("a.json", "{\"other\":\n\"", b'\\'), string);
    let name = "a name or text of more than 65536 bytes";
    assert_eq!(endless("a.dot", "digraph {\n", b'x'), format!("a.dot, line 2: {name}"));
    assert_eq!(endless("a.dot", "digraph {\n1A [x=\"", b'x'), format!("a.dot, line 2: {name}"));
}

struct Measured<R> {
    inner: R,
    read: usize,
}

impl<R: io::Read> io::Read for Measured<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read += count;
        Ok(count)
    }
}

#[test]
fn repeated_bridges_dead_ends_and_islands_apart() {
    let islands = parse("a.csv", "1A,2B\n1A,3B\n1A,2B\n8B,9A\n9A,8B\n2B,1A\n").unwrap();
    assert_eq!(islands.bridges, [1, 2, 0, 4, 3]);
    let game = Pirates::new(Arc::new(islands));
    assert_eq!(game.over(&2), Some(Outcome::Loss));
    let solution = solve_with(&game, Chart(game.islands.clone())).unwrap();
    let values: Vec<String> = (0..5).map(|at| solution.value(&at).unwrap().to_string()).collect();
    assert_eq!(values, ["win in 1", "loss in 2", "loss in 0", "draw", "draw"]);
}

#[test]
fn an_edited_file_has_another_numbering() {
    let name = |text: &str| Chart(Arc::new(parse("a", text).unwrap())).name();
    let texts = [
        "digraph { 1A -> 2B -> 3A }",
        "digraph { 1A -> 2B -> 4A }",
        "digraph { 1A -> 2B -> 3A; 2B -> 1A }",
        "digraph { 1A -> 2B -> 3A; start=2B }",
        "digraph { 1A -> 2B -> 3A; 3A [outcome=tie] }",
        "digraph { 1A -> 2B -> 3A; turns=BA }",
        "digraph { 1A -> 2B; 3A -> 2B }",
    ];
    let mut names: Vec<String> = texts.iter().map(|text| name(text)).collect();
    assert_eq!(name("1A,2B\n2B,3A\n2B,3A"), names[0]);
    assert!(names[0].starts_with("islands-1-") && names[0].len() == 26);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), texts.len());
}

/// A graph to be written down in every format.
struct Random {
    keys: Vec<String>,
    bridges: Vec<(usize, usize)>,
    outcomes: Vec<(usize, &'static str)>,
}

impl Random {
    /// With outcomes only if they are asked for, since CSV cannot have them.
    fn new(random: &mut fastrand::Rng, outcomes: bool) -> Random {
        let count = random.usize(2..30);
        let texts = ["", "x", "é→", "a b", "\"q\"", "it's", "a,b", "-", "\\", "<i>", "\nnl", "#/*"];
        let key = |i| {
            format!(
                "{i}{}{}",
                texts[random.usize(..texts.len())],
                random.choice(['A', 'B']).unwrap()
            )
        };
        let keys: Vec<String> = (0..count).map(key).collect();
        let mut bridge = || (random.usize(..count), random.usize(..count));
        let mut bridges: Vec<_> = (0..count * 2).map(|_| bridge()).collect();
        // Every island is on some bridge, so that CSV has it.
        bridges.extend((1..count).map(|i| (i - 1, i)));
        let named: Vec<(usize, &str)> = (0..count)
            .filter(|_| outcomes && random.u8(..4) == 0)
            .map(|i| (i, ["win", "loss", "tie"][i % 3]))
            .collect();
        bridges.retain(|(from, _)| named.iter().all(|(island, _)| island != from));
        Random { keys, bridges, outcomes: named }
    }

    fn again(&self, (from, to): (usize, usize)) -> bool {
        self.keys[from].chars().next_back() == self.keys[to].chars().next_back()
    }

    fn csv(&self) -> String {
        let quote = |i: usize| format!("\"{}\"", self.keys[i].replace('"', "\"\""));
        let row = |&(from, to): &(usize, usize)| {
            let again = if self.again((from, to)) { "again" } else { "" };
            format!("{},{},{again}\n", quote(from), quote(to))
        };
        self.bridges.iter().map(row).collect()
    }

    fn json(&self) -> String {
        let quote = |i: usize| serde_json::to_string(&self.keys[i]).unwrap();
        let island = |i: usize| {
            let bridges = self.bridges.iter().filter(|(from, _)| *from == i).map(|&(from, to)| {
                let again = self.again((from, to));
                format!("{{\"to\": {}, \"again\": {again}}}", quote(to))
            });
            let bridges: Vec<String> = bridges.collect();
            let outcome = self.outcomes.iter().find(|(island, _)| *island == i);
            let outcome = outcome.map_or("null".into(), |(_, outcome)| format!("\"{outcome}\""));
            let bridges = bridges.join(",");
            format!("{{\"key\": {}, \"outcome\": {outcome}, \"bridges\": [{bridges}]}}", quote(i))
        };
        let islands: Vec<String> = (0..self.keys.len()).map(island).collect();
        let start = quote(self.bridges.first().map_or(0, |bridge| bridge.0));
        format!("{{\"islands\": [{}],\n\"start\": {start}}}", islands.join(",\n"))
    }

    fn dot(&self) -> String {
        let quote =
            |i: usize| format!("\"{}\"", self.keys[i].replace('\\', "\\\\").replace('"', "\\\""));
        let bridge = |&(from, to): &(usize, usize)| {
            format!("{} -> {} [again={}]\n", quote(from), quote(to), self.again((from, to)))
        };
        let mut text: String = self.bridges.iter().map(bridge).collect();
        for (island, outcome) in &self.outcomes {
            text += &format!("{} [outcome={outcome}]\n", quote(*island));
        }
        let rest: Vec<String> = (0..self.keys.len()).map(quote).collect();
        format!("digraph {{ {text}; {} }}", rest.join("; "))
    }
}

#[test]
fn random_graphs_are_the_same_in_each_format() {
    let seed = 20_261_115;
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for round in 0..300 {
        let graph = Random::new(&mut random, round % 2 == 0);
        let json = parse("a.json", &graph.json()).unwrap();
        assert_eq!(told(&json).len(), graph.keys.len());
        let mut bridges = graph.bridges.clone();
        bridges.sort_unstable();
        bridges.dedup();
        assert_eq!(json.bridges.len(), bridges.len());
        let start = graph.bridges.is_empty();
        if !start {
            assert_eq!(told(&parse("a.dot", &graph.dot()).unwrap()), told(&json));
        }
        if graph.outcomes.is_empty() {
            assert_eq!(told(&parse("a.csv", &graph.csv()).unwrap()), told(&json));
        }
        let game = Pirates::new(Arc::new(json));
        let (walked, numbered) = (solve(&game), solve_with(&game, Chart(game.islands.clone())));
        let (walked, numbered) = (walked.unwrap(), numbered.unwrap());
        for at in (0..walked.index.tiers()).flat_map(|tier| walked.index.positions(tier)) {
            assert_eq!(walked.value(at), numbered.value(at), "seed {seed}, round {round}");
        }
    }
}

#[test]
fn no_damage_makes_it_panic() {
    let seed = 7;
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    for (name, text) in [("a.csv", CSV), ("a.csv", SAMPLE), ("a.json", JSON), ("a.dot", DOT)] {
        let damaged = |bytes: &[u8]| {
            if let Err(error) = read_from(name, bytes, &Wishes::default()) {
                assert!(error.starts_with(name) && !error.contains('\n'), "{error:?}");
            }
        };
        for i in 0..text.len() {
            let bytes = text.as_bytes();
            damaged(&bytes[..i]);
            damaged(&[&bytes[..i], &bytes[i + 1..]].concat());
            for byte in (0..8).map(|bit| bytes[i] ^ 1 << bit).chain(*b"\"{}[]<,;\\\n:") {
                damaged(&[&bytes[..i], &[byte], &bytes[i + 1..]].concat());
                damaged(&[&bytes[..i], &[byte], &bytes[i..]].concat());
            }
        }
        for _ in 0..2000 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..random.usize(1..6) {
                let place = random.usize(..bytes.len());
                bytes[place] = random.u8(..);
            }
            damaged(&bytes);
        }
    }
}

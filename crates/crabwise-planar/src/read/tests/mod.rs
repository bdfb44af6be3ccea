//! What is read, what is refused, and in which words. Nothing here draws anything.

use std::io;

use serde_json::Value;

mod tables;

use super::*;
use crate::FACTS;

type Rows = Vec<Vec<Vec<usize>>>;

/// The solved boards.
fn boards() -> Vec<Value> {
    let facts: Value = serde_json::from_str(FACTS).unwrap();
    facts["boards"].as_array().unwrap().clone()
}

/// What a file says, or what is wrong with it.
fn parse(name: &str, text: &str) -> Result<File, String> {
    let whole = Source::open(text.as_bytes()).and_then(|mut source| source.text(LONGEST));
    let file = whole.and_then(|text| Format::of(name, &text).read(&text));
    file.map_err(|error| error.in_file(name))
}

/// The board of a file that is no drawing, all of whose vertices are at one place.
fn flat(name: &str, text: &str, outer: Option<&str>) -> Result<PlaneGraph, String> {
    let mut file = parse(name, text)?;
    if let Some(outer) = outer {
        file.outer = Some(outer.split('-').map(str::to_string).collect());
    }
    let plane = file.plane().map_err(|error| error.in_file(name))?;
    let places = vec![[0.0; 2]; plane.names.len()];
    plane.board(places).map_err(|error| error.in_file(name))
}

fn wrong(name: &str, text: &str, error: &str) {
    let found = flat(name, text, None).err().unwrap_or("nothing is wrong".into());
    assert_eq!(found, format!("{name}{error}"), "in\n{text}");
    assert!(!found.contains('\n') && !found.ends_with('.'));
}

/// Numbers from 1 as vertices from 0.
fn edges_of(value: &Value) -> Vec<[usize; 2]> {
    let edges: Vec<[usize; 2]> = serde_json::from_value(value.clone()).unwrap();
    edges.into_iter().map(|edge| edge.map(|vertex| vertex - 1)).collect()
}

fn rows_of(board: &Value) -> Rows {
    serde_json::from_value(board["game_table"].clone()).unwrap()
}

/// The table of a board as files have it.
fn table_of(board: &PlaneGraph) -> Rows {
    let entry = |entry: Vec<usize>| match entry.is_empty() {
        true => vec![0],
        false => entry.into_iter().map(|vertex| vertex + 1).collect(),
    };
    board.face_table().into_iter().map(|row| row.into_iter().map(entry).collect()).collect()
}

fn csv_of(rows: &Rows) -> String {
    let cell = |entry: &Vec<usize>| {
        let numbers: Vec<String> = entry.iter().map(usize::to_string).collect();
        format!("\"{}\"", numbers.join(","))
    };
    let line = |row: &Vec<Vec<usize>>| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
    rows.iter().map(line).collect()
}

/// The cells of a table whose vertices are called 1, 2, ….
fn numbered(rows: &Rows) -> cells::Cells {
    let names = (1..=rows.len()).map(|row| row.to_string()).collect();
    cells::Cells { names, rows: rows.clone() }
}

/// The corners of all walks, which tell a plane graph but for its outer face.
fn all_corners(board: &PlaneGraph) -> BTreeSet<[usize; 3]> {
    corners(board.faces.iter().chain([&board.outer]).flatten())
}

#[test]
fn all_tables_of_the_facts() {
    let boards = boards();
    assert!(boards.len() > 80);
    for fact in &boards {
        let rows = rows_of(fact);
        let text = fact["game_table"].to_string();
        let board = flat("facts.table", &text, None).unwrap();
        assert_eq!(board.edges, edges_of(&fact["edge_mapping"]), "{}", fact["name"]);
        assert_eq!(board.faces.len() as u64, fact["bounded_faces"].as_u64().unwrap());
        // As sets: where a list begins is the table's own choice.
        let sorted = |mut rows: Rows| {
            rows.iter_mut().flatten().for_each(|entry| entry.sort_unstable());
            rows
        };
        assert_eq!(sorted(table_of(&board)), sorted(rows.clone()), "{}", fact["name"]);
        let csv = flat("facts.csv", &csv_of(&rows), None).unwrap();
        assert_eq!(csv, board);
        assert_eq!(flat("facts.json", &text, None).unwrap(), board);
        assert_eq!(flat("facts", &format!("# one\nmy_table = {text}"), None).unwrap(), board);
    }
}

#[test]
fn rotations_of_the_facts_have_their_faces() {
    let turned = |fact: &Value| !fact["rotation_cw"].is_null();
    for fact in boards().into_iter().filter(turned) {
        let walks: Vec<Walk> = serde_json::from_value(fact["outer_walks"].clone()).unwrap();
        let outer: Vec<String> = walks.iter().flatten().map(|vertex| vertex.to_string()).collect();
        let text = format!("{{\"rotation_cw\": {}}}", fact["rotation_cw"]);
        let board = flat("facts.json", &text, Some(&outer.join("-"))).unwrap();
        let table = flat("facts.table", &fact["game_table"].to_string(), None).unwrap();
        assert_eq!(board.degrees(), table.degrees());
        // Where a face comes to a vertex several times, a table does not tell in which order.
        if table.face_table().iter().flatten().all(|entry| entry.len() < 2) {
            assert_eq!(all_corners(&board), all_corners(&table), "{}", fact["name"]);
            assert_eq!(corners(&board.outer), corners(&table.outer), "{}", fact["name"]);
        }
        let again = format!("{{\"order\": \"clockwise\", {}", &text[1..]);
        assert_eq!(flat("a.json", &again, Some(&outer.join("-"))).unwrap(), board);
    }
}

#[test]
fn edges_of_the_facts_are_embedded() {
    for fact in boards() {
        let edges = edges_of(&fact["edge_mapping"]);
        let text: String = edges.iter().map(|[u, v]| format!("{} {}\n", u + 1, v + 1)).collect();
        let list = flat("facts.edges", &text, None).unwrap();
        let json = flat("facts.json", &format!("{{\"edges\": {}}}", fact["edge_mapping"]), None);
        let dot = format!("graph {{ {} }}", text.replace(' ', " -- ").replace('\n', ";"));
        assert_eq!(list.faces.len() as u64, fact["bounded_faces"].as_u64().unwrap());
        assert_eq!(json.unwrap(), list);
        assert_eq!(flat("facts", &dot, None).unwrap(), list);
        // The table of what was found is a consistent table.
        let table = format!("{:?}", table_of(&list));
        assert_eq!(all_corners(&flat("a.py", &table, None).unwrap()).len(), 2 * edges.len());
    }
}

#[test]
fn drawings_of_the_facts() {
    let drawn = |fact: &Value| !fact["coords"].is_null();
    for fact in boards().into_iter().filter(drawn) {
        let text = fact.to_string();
        let file = parse("facts.json", &text).unwrap();
        let Shape::Drawing { places, edges, rotation } = file.shape else { panic!("no drawing") };
        assert_eq!(serde_json::to_value(&places).unwrap(), fact["coords"]);
        assert_eq!(edges, edges_of(&fact["edge_mapping"]));
        assert_eq!(rotation.unwrap().concat().len(), 2 * edges.len());
    }
}

const SQUARE: &str = "1 2\n2 3\n3 4\n4 1\n1 3\n";

#[test]
fn the_outer_face_can_be_chosen() {
    let default = flat("a.edges", SQUARE, None).unwrap();
    assert_eq!(default.outer.len(), 1);
    assert_eq!(default.outer[0].len(), 4);
    let inside_out = flat("a.edges", SQUARE, Some("2-3-1")).unwrap();
    assert_eq!(inside_out.outer[0].len(), 3);
    assert_eq!(all_corners(&inside_out), all_corners(&default));
    let from_file = flat("a.edges", &format!("outer: 1 2 3\n{SQUARE}"), None).unwrap();
    assert_eq!(from_file, inside_out);
    // The parameter wins over the file.
    let both = flat("a.edges", &format!("outer: 1 3 4\n{SQUARE}"), Some("1-2-3")).unwrap();
    assert_eq!(both, inside_out);
    // Both faces of a cycle have all its vertices; their order tells which is meant.
    let cycle = |outer| flat("a.edges", "1 2\n2 3\n3 1", Some(outer)).unwrap().outer;
    assert_eq!(cycle("1-2-3"), [vec![0, 1, 2]]);
    assert_eq!(cycle("3-2-1"), [vec![0, 2, 1]]);
    // The parts lie side by side, and each has its own walk on the outer face.
    let two = format!("{SQUARE}5 6\n6 7\n7 5\n8");
    let outer = flat("a.edges", &two, Some("4-3-1-7-6-5")).unwrap().outer;
    assert_eq!(outer.len(), 3);
    assert_eq!(outer[0].len(), 3);
    assert_eq!(outer[1..], [vec![4, 6, 5], vec![7]]);
}

#[test]
fn what_is_wrong_with_the_outer_face() {
    let found = |name, text: &str, outer| flat(name, text, Some(outer)).unwrap_err();
    let rotation = "1: 2 3 4\n2: 3 1\n3: 4 1 2\n4: 1 3";
    assert!(flat("a.rot", rotation, None).is_ok());
    assert_eq!(found("a.rot", rotation, "2-4-9"), "a.rot: outer: no vertex is called '9'");
    assert_eq!(
        found("a.rot", rotation, "1-3"),
        "a.rot: outer=1-3 is on 3 faces, and must be on one; the faces are 1-2-3, 1-3-4, 1-4-3-2"
    );
    assert_eq!(found("a.rot", rotation, ""), "a.rot: outer: no vertex is called ''");
    // K4, vertex 4 in the middle.
    let k4 = "[[2,0,4,3],[4,3,0,1],[0,4,1,2],[1,2,3,0]]";
    assert!(flat("a.table", k4, Some("2-3")).is_ok());
    assert_eq!(
        found("a.table", k4, "1-4"),
        "a.table: outer=1-4 is not on the outer face, which is 1-3-2; a drawing or a \
         table has its own"
    );
}

#[test]
fn graphs_that_are_not_planar() {
    let k5 = "1 2\n1 3\n1 4\n1 5\n2 3\n2 4\n2 5\n3 4\n3 5\n4 5\n";
    wrong("a.edges", k5, ": not planar: its edges cannot be drawn without crossings");
    assert!(flat("a.edges", &k5.replace("4 5", "4 6"), None).is_ok());
}

#[test]
fn lists_of_edges() {
    let board = flat("a.txt", "# names\nB A\n A C # and so on\n\nC B\nD\n", None).unwrap();
    assert_eq!(board.names, ["B", "A", "C", "D"]);
    assert_eq!(board.outer.len(), 2);
    let board = flat("a.txt", "10 9\n9 2\n2 10", None).unwrap();
    assert_eq!(board.names, ["2", "9", "10"]);
    for (text, error) in [
        ("", ": no vertices in it"),
        ("# nothing\n", ": no vertices in it"),
        (
            "1 2\n1 2 3",
            ", line 2: '1 2 3' is no edge: a line has the names of two vertices, such as 1 2",
        ),
        ("1 2\n2 2", ", line 2: an edge joins 2 to itself; a board has no loops"),
        ("1 2\n\n2 1", ", line 3: the edge between 2 and 1 is there twice"),
        ("1 a-b", ", line 1: 'a-b' cannot name a vertex; use letters, digits and _ only"),
        (
            "1 abcdefghijklmnopq",
            ", line 1: the name 'abcdefghijklmnopq' has more than 16 characters",
        ),
        ("outer: 1\n1 2\nouter: 2", ", line 3: the outer face is named twice"),
    ] {
        wrong("a.edges", text, error);
    }
    let path = |edges: usize| (0..edges).map(|v| format!("{v} {}\n", v + 1)).collect::<String>();
    assert!(flat("a.edges", &path(127), None).is_ok());
    wrong("a.edges", &path(128), ", line 128: more than 128 vertices");
    let fan: String = (0..100).map(|v| format!("{v} {}\nhub {v}\n", v + 1)).collect();
    wrong("a.edges", &fan, ", line 129: more than 128 edges");
}

#[test]
fn rotation_systems() {
    let board = flat("a.rot", "2: 3, 1\n10: 1 3\n1: 2 3 10 # all\n3: 10 1 2\n", None).unwrap();
    assert_eq!(board.names, ["1", "2", "3", "10"]);
    assert_eq!(board.outer, [vec![0, 3, 2, 1]]);
    assert_eq!(board.faces, [vec![vec![0, 1, 2]], vec![vec![0, 2, 3]]]);
    let json = r#"{"rotation": {"1": [10, 3, 2], "2": [1, 3], "3": [2, 1, "10"], "10": [3, 1]},
        "order": "counter-clockwise", "outer": "10-2"}"#;
    assert_eq!(flat("a.json", json, None).unwrap(), board);
    let lines = "outer: 2 10\n1: 2, 3, 10\n2: 3, 1\n3: 10, 1, 2\n10: 1, 3";
    assert_eq!(flat("a.txt", lines, None).unwrap(), board);
    let list = r#"{"rotation": [[2, 3], [1, 3], [1, 2], []], "note": "one apart"}"#;
    assert_eq!(flat("a", list, None).unwrap().names.len(), 4);
    for (text, error) in [
        ("1 2", ", line 1: '1 2' has no colon; a line is like 1: 2 3 4"),
        ("1: 2\n\n1: 2", ", line 3: vertex 1 is there twice"),
        ("1: 2\n2: 1 3", ", line 2: 2 has the neighbour 3, which has no neighbours of its own"),
        ("1: 2 2\n2: 1", ", line 1: 1 has the neighbour 2 twice"),
        ("1: 1\n2:", ", line 1: an edge joins 1 to itself; a board has no loops"),
        ("1: 2\n2:\n", ", line 1: 1 has the neighbour 2, but 2 has no 1"),
        (": 1", ", line 1: a vertex without a name"),
    ] {
        wrong("a.rot", text, error);
    }
}

/// The names, places and edges of a drawing.
fn drawing(name: &str, text: &str) -> (Vec<String>, Vec<[f64; 2]>, Vec<[usize; 2]>) {
    let file = parse(name, text).unwrap();
    let Shape::Drawing { places, edges, .. } = file.shape else { panic!("no drawing in {text}") };
    (file.names, places, edges)
}

#[test]
fn drawings_in_many_shapes() {
    let named = r#"{"vertices": {"B": [0, 1.5], "A": [1, 0], "C": [-1, 0]},
        "edges": [["A", "B"], ["B", "C"], ["C", "A"]], "name": "a tent"}"#;
    let expected = drawing("a.json", named);
    assert_eq!(expected.0, ["B", "A", "C"]);
    assert_eq!(expected.1, [[0.0, 1.5], [1.0, 0.0], [-1.0, 0.0]]);
    assert_eq!(expected.2, [[1, 0], [0, 2], [2, 1]]);
    let objects = r#"{"edges": [["A", "B"], ["B", "C"], ["C", "A"]], "vertices": [
        {"name": "B", "x": 0, "y": 1.5}, {"x": 1, "name": "A", "y": 0},
        {"name": "C", "x": -1, "y": 0}]}"#;
    assert_eq!(drawing("a.json", objects), expected);
    let dot = r#"digraph tent { node [shape=circle]; outer="A-B"
        B [pos="0,1.5!"] A [pos="1,0", color=red] C [label="x"] C [pos="-1, 0"]
        A -> B:n -> C -> A [pos="e,1,2 3,4"] }"#;
    assert_eq!(drawing("a.dot", dot), expected);
    assert_eq!(parse("a.dot", dot).unwrap().outer.unwrap(), ["A", "B"]);
    let numbered =
        r#"{"coords": [[0, 1.5], [1, 0], [-1, 0]], "edge_mapping": [[2, 1], [1, 3], [3, 2]]}"#;
    let (names, places, edges) = drawing("a.json", numbered);
    assert_eq!(names, ["1", "2", "3"]);
    assert_eq!((places, edges), (expected.1, expected.2));
    // Names without places are no drawing.
    let names = r#"{"vertices": ["A", "B", "C", "D"], "edges": [["A", "B"]]}"#;
    assert_eq!(flat("a.json", names, None).unwrap().outer.len(), 3);
}

#[test]
fn what_is_wrong_with_json() {
    for (text, error) in [
        ("{\"edges\":\n[[1,2],]}", ", line 2: this is no JSON: ']' instead of a value"),
        ("{\"edges\":[],\n\"edges\":[]}", ", line 2: the key 'edges' is there twice"),
        ("3", ": it must be an object with edges or rotation in it"),
        ("{}", ": no board in it; the keys are vertices, edges, rotation, order, outer"),
        (
            r#"{"edge": []}"#,
            ": unknown key 'edge'; known are vertices, edges, rotation, order, outer",
        ),
        (r#"{"edges": [[1, 2], [1]]}"#, ": edge 2: must have two ends, such as [1, 2]"),
        (r#"{"edges": [[1, 1.5]]}"#, ": edge 1: a vertex is named by a text or a whole number"),
        (r#"{"edges": [[1, 2], [2, 1]]}"#, ": edge 2: the edge between 2 and 1 is there twice"),
        (r#"{"edges": []}"#, ": no vertices in it"),
        (
            r#"{"vertices": {"A": [0]}, "edges": []}"#,
            ": vertex A: a place is two numbers, such as [0, 1.5]",
        ),
        (
            r#"{"vertices": {"A": [0, 1], "B": null}, "edges": []}"#,
            ": vertex B has no place; all must have one, or none",
        ),
        (r#"{"vertices": ["A", "A"]}"#, ": vertex 2: vertex A is there twice"),
        (r#"{"vertices": ["A"], "edges": [["A", "B"]]}"#, ": edge 1: no vertex is called 'B'"),
        (
            r#"{"vertices": [{"name": "A", "z": 1}]}"#,
            ": vertex 1: unknown key 'z'; known are name, x, y",
        ),
        (
            r#"{"rotation": {"1": [2], "2": [1]}, "order": "left"}"#,
            ": 'order' must be \"clockwise\" or \"counter-clockwise\"",
        ),
        (r#"{"rotation": {"1": 2, "2": [1]}}"#, ": vertex 1: its neighbours must be a list"),
        (
            r#"{"rotation": {"1": [2], "2": [1]}, "edges": [[1, 2], [2, 3]]}"#,
            ": 'rotation' and 'edges' are not of the same vertices and edges",
        ),
    ] {
        wrong("a.json", text, error);
    }
}

#[test]
fn groups_of_nodes_are_joined_one_by_one() {
    let wheel = "strict graph { subgraph rim { a -- b -- c -- a [pos=x] } hub -- {a b c} }";
    let edges = "a b\nb c\nc a\nhub a\nhub b\nhub c";
    assert_eq!(flat("a.dot", wheel, None), flat("a.edges", edges, None));
}

#[test]
fn what_is_wrong_with_dot() {
    for (text, error) in [
        ("", ": no vertices in it"),
        ("1 -- 2", ", line 1: '1' instead of graph or digraph"),
        ("graph {\n a -- b", ", line 2: the end of the file instead of '}'"),
        ("graph { a -- b\nb -- a }", ", line 2: the edge between b and a is there twice"),
        ("graph { a [pos=3] }", ", line 1: pos is '3'; it must be two numbers, such as \"0,1.5\""),
        ("graph { a [pos=\"inf,0\"] }", ", line 1: the place of vertex a is too far away"),
        ("graph { a [pos=\"1,0\"]; b }", ": vertex b has no place; all must have one, or none"),
        ("graph { a -- b } }", ", line 1: '}' behind the end of the graph"),
        (
            "graph { \"a b\" }",
            ", line 1: 'a b' cannot name a vertex; use letters, digits and _ only",
        ),
    ] {
        wrong("a.dot", text, error);
    }
}

#[test]
fn rotations_must_be_those_of_the_drawing() {
    let board = flat("a.table", "[[2,3],[3,1],[1,2]]", None).unwrap();
    assert_eq!(same_rotation(&board, None), Ok(()));
    assert_eq!(same_rotation(&board, Some(&[vec![1, 2], vec![0, 2], vec![0, 1]])), Ok(()));
    let star = flat("a.table", "[[[2,3,4]],[1],[1],[1]]", None).unwrap();
    let rotation = |around: [usize; 3]| [around.to_vec(), vec![0], vec![0], vec![0]];
    assert_eq!(same_rotation(&star, Some(&rotation([3, 2, 1]))), Ok(()));
    let bad = same_rotation(&star, Some(&rotation([1, 2, 3]))).unwrap_err();
    assert_eq!(
        bad.text,
        "the neighbours of 1 are drawn in another order than the rotation has them"
    );
}

/// A file that fails after its first bytes.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is gone"))
    }
}

#[test]
fn files_that_are_no_text() {
    let found =
        |contents: &mut dyn Read| read("a.edges", contents, None, &Limits::NONE).unwrap_err();
    assert_eq!(found(&mut Broken), "a.edges: cannot be read: the disk is gone");
    assert_eq!(found(&mut io::repeat(b'#')), "a.edges: longer than 1048576 bytes");
    assert_eq!(
        found(&mut &b"1 2\n\xff"[..]),
        "a.edges, line 2: some bytes here are no UTF-8; save the file as UTF-8"
    );
    assert_eq!(
        found(&mut &b"1 1"[..]),
        "a.edges, line 1: an edge joins 1 to itself; a board has no loops"
    );
}

/// Whatever stands in a file, the reader ends, and what it refuses it refuses in one line.
#[test]
fn files_of_any_bytes() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let samples = [
        "[[[2],[3]],[[3],[1]],[[1],[2]]]",
        "vertex,in,out\nA,B,C\nB,C,A\nC,A,B\n",
        "table = [[2,3,4],(1,),[1],[1],] # star",
        r#"{"vertices": {"A": [0, 1.5], "B": [1, 0]}, "edges": [["A", "B"]], "outer": ["A"]}"#,
        r#"{"rotation": {"1": [2, 3], "2": [1, 3], "3": [1, 2]}, "outer": [1, 3, 2]}"#,
        "1: 2 3 4\n2: 3 1\n3: 4 1 2\n4: 1 3\nouter: 1 2 3 4",
        "1 2\n2 3\n3 4\n4 1\n1 3\nouter: 2 4\n",
        "graph { a -- b -- c [x=y]; a [pos=\"0,1\"] outer=\"a-b\" }",
    ];
    let endings = ["", ".table", ".csv", ".json", ".rot", ".edges", ".dot", ".txt"];
    for _ in 0..20_000 {
        let mut bytes = random.choice(samples).unwrap().as_bytes().to_vec();
        if random.u8(..20) == 0 {
            bytes = (0..random.usize(..60)).map(|_| random.u8(..)).collect();
        }
        for _ in 0..random.usize(..6) {
            mutate(&mut bytes, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes);
        let name = format!("a{}", random.choice(endings).unwrap());
        let outer = random.choice([None, Some("1-2"), Some(""), Some("-x")]).unwrap();
        if let Err(error) = flat(&name, &text, outer) {
            assert!(error.starts_with(&name) && !error.contains(['\n', '\r']), "{error}");
        }
    }
}

fn mutate(bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
    let place = random.usize(..=bytes.len());
    let signs = b"0123456789[](){},:;\"\\#=-> \n\r\tAe.";
    match random.u8(..5) {
        0 => bytes.insert(place, random.u8(..)),
        1 | 2 => bytes.insert(place, *random.choice(signs).unwrap()),
        3 if place < bytes.len() => {
            bytes.remove(place);
        }
        _ if place < bytes.len() => {
            let end = random.usize(place..=bytes.len());
            let copy = bytes[place..end].to_vec();
            let at = random.usize(..=bytes.len());
            bytes.splice(at..at, copy);
        }
        _ => {}
    }
}

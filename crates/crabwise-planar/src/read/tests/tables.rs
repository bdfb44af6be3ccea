//! Tables of faces: which are consistent, and what is wrong with the others.

use super::*;
use crate::plane::darts_of;

/// All that may stand in place of one entry: every number, and short lists.
fn corruptions(entry: &[usize], vertices: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![vec![]];
    for first in 0..=vertices + 1 {
        all.push(vec![first]);
        all.extend((0..=vertices + 1).map(|second| vec![first, second]));
        all.push([&[first], entry].concat());
        all.push([entry, &[first]].concat());
    }
    all.extend((0..entry.len()).map(|i| [&entry[..i], &entry[i + 1..]].concat()));
    let sorted = |entry: &[usize]| {
        let mut entry = entry.to_vec();
        entry.sort_unstable();
        entry
    };
    // The same vertices in another order mean the same.
    all.retain(|other| sorted(other) != sorted(entry));
    all
}

/// For every table, each change of one entry is refused.
#[test]
fn no_corruption_of_one_entry_is_accepted() {
    let mut refused = 0;
    for fact in boards() {
        let rows = rows_of(&fact);
        assert!(table::checked(numbered(&rows)).is_ok());
        for (row, column) in (0..rows.len()).flat_map(|r| (0..rows[r].len()).map(move |c| (r, c))) {
            for entry in corruptions(&rows[row][column], rows.len()) {
                let mut rows = rows.clone();
                rows[row][column] = entry.clone();
                let bad = table::checked(numbered(&rows)).err();
                let bad = bad.unwrap_or_else(|| panic!("{}: {entry:?} in {rows:?}", fact["name"]));
                assert!(bad.place.is_some() && !bad.text.is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > 100_000, "{refused}");
}

/// The entry that was changed is named, and what it was, among the few that would do.
#[test]
fn the_entry_that_would_fit_is_told() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut told = 0;
    for fact in boards().iter().filter(|fact| rows_of(fact).len() < 8) {
        let rows = rows_of(fact);
        let (row, column) = (random.usize(0..rows.len()), random.usize(0..rows[0].len()));
        let [entry] = rows[row][column][..] else { continue };
        let mut wrong = rows.clone();
        wrong[row][column] = vec![(entry + random.usize(1..=rows.len())) % (rows.len() + 1)];
        let said =
            read("a.py", &mut format!("{wrong:?}").as_bytes(), None, &Limits::NONE).unwrap_err();
        if said.ends_with(" would fit") {
            let mend = format!("{entry} in row {}, column {}", row + 1, column + 1);
            assert!(said.contains(&mend), "{said}, not {mend}");
            told += 1;
        }
    }
    assert!(told > 10, "{told}");
}

/// A table in which one character is another, or is not there, is refused or means the same.
#[test]
fn no_slip_of_one_character_is_accepted() {
    let slips = ["", " ", "\n", "0", "1", "3", "7", ",", "[", "]", "(", ")", "\"", "#", "x"];
    let small = |fact: &Value| rows_of(fact).len() < 8;
    for fact in boards().iter().filter(|fact| small(fact)) {
        let rows = rows_of(fact);
        for (name, text) in [("a.py", format!("t={rows:?}")), ("a.csv", csv_of(&rows))] {
            let board = flat(name, &text, None).unwrap();
            for (i, slip) in (0..text.len()).flat_map(|i| slips.map(|slip| (i, slip))) {
                let slipped = [&text[..i], slip, &text[i + 1..]].concat();
                if let Ok(other) = flat(name, &slipped, None) {
                    assert_eq!(other, board, "{slipped:?}");
                }
            }
        }
    }
}

/// Whether some rotation system has the faces of the table, all of them tried. Parts of the graph
/// that are not connected are left to other tests.
fn some_rotation_has(rows: &Rows) -> bool {
    let links: Vec<Vec<usize>> = rows
        .iter()
        .map(|row| row.concat().into_iter().filter(|&v| v > 0).map(|v| v - 1).collect())
        .collect();
    let column = |u: usize, v: usize| rows[u].iter().position(|entry| entry.contains(&(v + 1)));
    let fits = |rotation: &Vec<Vec<usize>>| {
        let walks = face_walks(rotation);
        let columns = walks.iter().map(|walk| {
            let face = vec![walk.clone()];
            let columns: BTreeSet<_> = darts_of(&face).map(|[u, v]| column(u, v)).collect();
            (columns.len() == 1).then(|| columns.into_iter().next())
        });
        let columns: Option<BTreeSet<_>> = columns.collect();
        let plane = links.len() + walks.len() == links.concat().len() / 2 + 2;
        plane && walks.len() == rows[0].len() && columns.is_some_and(|all| all.len() == walks.len())
    };
    all_rotations(&links).iter().any(fits)
}

/// All orders of the neighbours of all vertices.
fn all_rotations(links: &[Vec<usize>]) -> Vec<Vec<Vec<usize>>> {
    let Some((links, rest)) = links.split_first() else { return vec![vec![]] };
    let rest = all_rotations(rest);
    let mut orders = vec![vec![]];
    for &link in links {
        let longer = |order: Vec<usize>| {
            // The first neighbour stays the first, since the orders are circles.
            let places = order.len().min(1)..=order.len();
            places.map(move |place| {
                let mut order = order.clone();
                order.insert(place, link);
                order
            })
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    let with = |order: &Vec<usize>| {
        let order = order.clone();
        rest.iter().map(move |rest| [vec![order.clone()], rest.clone()].concat())
    };
    orders.iter().flat_map(with).collect()
}

/// Darts moved to other columns: a table is accepted exactly if some rotation system has its faces.
#[test]
fn darts_in_other_columns() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let small = |fact: &Value| {
        let links = rows_of(fact);
        let degree = |row: &Vec<Vec<usize>>| row.concat().iter().filter(|&&v| v > 0).count();
        let orders: usize = links.iter().map(|row| (1..degree(row)).product::<usize>()).product();
        fact["components"] == 1 && orders < 200
    };
    let (mut accepted, mut refused) = (0, 0);
    for fact in boards().iter().filter(|fact| small(fact)) {
        for _ in 0..300 {
            let mut rows = rows_of(fact);
            for _ in 0..random.usize(1..4) {
                shift(&mut rows, &mut random);
            }
            let expected = some_rotation_has(&rows);
            let found = table::checked(numbered(&rows));
            assert_eq!(found.is_ok(), expected, "{}: {rows:?}: {found:?}", fact["name"]);
            accepted += usize::from(expected);
            refused += usize::from(!expected);
        }
    }
    assert!(accepted > 20 && refused > 1000, "{accepted} {refused}");
}

/// Exchanges two columns of one row or of all, or moves one vertex of a row to another column.
fn shift(rows: &mut Rows, random: &mut fastrand::Rng) {
    let columns = rows[0].len();
    let (row, a, b) =
        (random.usize(..rows.len()), random.usize(..columns), random.usize(..columns));
    match random.usize(..3) {
        0 => rows[row].swap(a, b),
        1 => rows.iter_mut().for_each(|row| row.swap(a, b)),
        _ if rows[row][a] == [0] => {}
        _ => {
            let vertex = rows[row][a].remove(0);
            rows[row][b].retain(|&vertex| vertex != 0);
            rows[row][b].push(vertex);
            if rows[row][a].is_empty() {
                rows[row][a].push(0);
            }
        }
    }
}

#[test]
fn tables_may_be_written_in_many_ways() {
    let triangle = flat("a.table", "[[[2],[3]],[[3],[1]],[[1],[2]]]", None).unwrap();
    assert_eq!(triangle.edges, [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(triangle.faces, [vec![vec![0, 1, 2]]]);
    for (name, text) in [
        ("a.py", "# three\ntable = [[2,3],[3,1],[1,2]]"),
        ("a.txt", "\u{feff}[\r\n  [2, 3,], # one\r\n  (3, [1]),\r\n  [(1,), 2],\r\n]\r\n"),
        ("a", "((2,3),(3,1),(1,2))"),
        ("a.csv", "2,3\n3,1\n\n1,2"),
        ("a", "2, 3\r\n3, 1\r\n1, 2\r\n"),
        ("a.csv", "face 1,outer\n2,3\n3,1\n[1],\"2\"\n"),
        ("a.csv", "vertex,face 1,outer\n1,2,3\n2,3,1\n3,1,2\n"),
    ] {
        assert_eq!(flat(name, text, None).unwrap(), triangle, "{text}");
    }
    let named = flat("a.csv", ",in,out\nA,B,C\nB,3,1\nC,1,B\n", None).unwrap();
    assert_eq!(named.names, ["A", "B", "C"]);
    assert_eq!(named.edges, triangle.edges);
    let lone = flat("a.table", "[[2,3],[3,1],[1,2],[0,0]]", None).unwrap();
    assert_eq!(lone.names.len(), 4);
    assert_eq!(lone.outer, [vec![0, 2, 1], vec![3]]);
    assert!(flat("a.table", "[[0]]", None).unwrap().edges.is_empty());
    // A list that begins elsewhere than the walk: the edges are in the order of the list.
    let star = flat("a.table", "[[2],[[5,4,1,3]],[2],[2],[2]]", None).unwrap();
    assert_eq!(star.edges, [[0, 1], [1, 4], [1, 3], [1, 2]]);
    assert_eq!(star.outer, [vec![0, 1, 2, 1, 4, 1, 3, 1]]);
}

#[test]
fn what_is_wrong_with_tables() {
    for (text, error) in [
        ("", ", line 1: the end of the file instead of '['"),
        ("[]", ": no entries in it; a row is a vertex and a column a face"),
        ("[[],[]]", ": no entries in it; a row is a vertex and a column a face"),
        ("[[2,3],\n[3 1]]", ", line 2: '1' instead of ',' or ']'"),
        ("[[2,3],\n[3,1)]", ", line 2: ')' instead of ',' or ']'"),
        ("[[2,3],\n[3,x]]", ", line 2: 'x' instead of a number"),
        ("[[2,3],\n\n[3,-1]]", ", line 3: '-' instead of a number"),
        ("[[2,3],[3,1],[1,2]]\nb = 3", ", line 2: 'b' behind the end of the table"),
        ("[[2,99999999999999999999]]", ", line 1: 99999999999999999999 is no vertex"),
        ("[[2,3],[3,1],[1]]", ", row 3: its length is 1, and that of row 1 is 2"),
        ("[[2,3],[3,1],[1,4]]", ", row 3, column 2: 4 is no vertex; vertices are 1 to 3"),
        ("[[2,3],[3,1],[3,2]]", ", row 3, column 1: goes from 3 to itself; a board has no loops"),
        ("[[2,3],[[3,3],1],[1,2]]", ", row 2, column 1: 3 is in this entry twice"),
        (
            "[[2,3],[[0,3],1],[1,2]]",
            ", row 2, column 1: 0 and vertices in one entry; 0 stands alone",
        ),
        (
            "[[2,3],[[],1],[1,2]]",
            ", row 2, column 1: the entry is empty; 0 says that the vertex is not on the face",
        ),
        (
            "[[2,2],[3,1],[1,2]]",
            ", row 1, column 2: goes from 1 to 2, as column 1 does; the edge has one face on that \
             side",
        ),
        (
            "[[2,3],[3,0],[1,2]]",
            ", row 1, column 1: goes from 1 to 2, but row 2 has no 1: a face on the other side of \
             the edge goes back from 2 to 1",
        ),
        (
            "[[2,3],[1,3],[1,2]]",
            ", row 1, column 1: the face comes to 1 twice (from 2, 3) and leaves it once; it must \
             leave it as often",
        ),
        ("[[2,0,3],[3,0,1],[1,0,2]]", ", column 2: all entries are 0, so it is no face"),
    ] {
        wrong("a.table", text, error);
    }
}

#[test]
fn tables_of_no_plane_graph() {
    // Two triangles that share vertex 1, in three columns as if it were two vertices.
    wrong(
        "pinched.table",
        "[[2,4,3,5],[3,0,1,0],[1,0,2,0],[0,5,0,1],[0,1,0,4]]",
        ", row 1: the faces around 1 join its neighbours 2, 3 in a circle without 4, 5; all \
         neighbours must make one circle",
    );
    // K4 on a torus, with two faces.
    let torus = flat("torus.rot", "1: 2 3 4\n2: 1 3 4\n3: 1 2 4\n4: 1 2 3", None).unwrap_err();
    assert_eq!(
        torus,
        "torus.rot: no drawing in the plane has these orders around the vertices: with vertex 1 \
         are connected 4 vertices and 6 edges, which have 2 faces in these orders and 4 in the \
         plane"
    );
    // Triangles side by side, each with an outer face of its own, and with both faces in common.
    wrong(
        "apart.table",
        "[[2,3,0,0],[3,1,0,0],[1,2,0,0],[0,0,5,6],[0,0,6,4],[0,0,4,5]]",
        ": nothing says where the part of vertex 1 lies: it shares no face with the others; parts \
         side by side share the outer face, the last column",
    );
    wrong(
        "ring.table",
        "[[2,3],[3,1],[1,2],[5,6],[6,4],[4,5]]",
        ": the part of vertex 4 lies in column 2 and in another column with the same parts; two \
         connected parts share one face at most",
    );
    // But one may lie within the other.
    let nested = "[[2,3,0],[3,1,0],[1,2,0],[0,5,6],[0,6,4],[0,4,5]]";
    assert_eq!(flat("nested.table", nested, None).unwrap().outer, [vec![3, 5, 4]]);
    wrong(
        "one.table",
        "[[[2,3]],[[3,1]],[[1,2]]]",
        ", column 1: two closed walks, 1, 2, 3 and 1, 3, 2, of one connected part; they \
         are two faces",
    );
}

/// The table with a column for each walk.
fn table_of_walks(vertices: usize, walks: &[Walk]) -> Rows {
    let mut rows = vec![vec![vec![]; walks.len()]; vertices];
    for (column, walk) in walks.iter().enumerate() {
        for [u, v] in darts_of(&vec![walk.clone()]) {
            rows[u][column].push(v + 1);
        }
    }
    rows.iter_mut().flatten().filter(|entry| entry.is_empty()).for_each(|entry| entry.push(0));
    rows
}

/// Of the faces of all rotation systems of a graph those are consistent which satisfy Euler's
/// formula.
#[test]
fn tables_of_all_surfaces() {
    let k4 = vec![vec![1, 2, 3], vec![0, 2, 3], vec![0, 1, 3], vec![0, 1, 2]];
    let bowtie = vec![vec![1, 2, 3, 4], vec![0, 2], vec![0, 1], vec![0, 4], vec![0, 3]];
    let k33 = [vec![vec![3, 4, 5]; 3], vec![vec![0, 1, 2]; 3]].concat();
    for (links, expected) in [(k4, 2), (bowtie, 4), (k33, 0)] {
        let mut accepted = 0;
        for rotation in all_rotations(&links) {
            let walks = face_walks(&rotation);
            let rows = table_of_walks(links.len(), &walks);
            let plane = links.len() + walks.len() == links.concat().len() / 2 + 2;
            let found = table::checked(numbered(&rows));
            assert_eq!(found.is_ok(), plane, "{rows:?}: {found:?}");
            accepted += usize::from(plane);
        }
        assert_eq!(accepted, expected);
    }
}

#[test]
fn what_is_wrong_with_csv() {
    for (text, error) in [
        ("", ": no entries in it; a row is a vertex and a column a face"),
        ("in,out\n", ": no entries in it; a row is a vertex and a column a face"),
        ("2,3\n3,1\n1\n", ", row 3: its length is 1, and that of row 1 is 2"),
        ("2,3\n3x,1\n1,2", ", row 2, column 1: '3x' is no vertex; vertices are 1 to 3"),
        ("2x,3\n3,1\n1,2", ", row 1, column 1: '2x' is no vertex; vertices are 1 to 3"),
        ("2,3\n\"3,\",1\n1,2", ", row 2, column 1: '' is no vertex; vertices are 1 to 3"),
        (
            "2,3\n3,\n1,2",
            ", row 2, column 2: the entry is empty; 0 says that the vertex is not on the face",
        ),
        (
            ",3\n3,1\n1,2",
            ", row 1, column 1: the entry is empty; 0 says that the vertex is not on the face",
        ),
        ("vertex,in,out\nA,B,C\nA,C,A\n", ", line 3: vertex A is there twice"),
        (
            "vertex,in,out\nA,B,C\n\nB!,C,A\n",
            ", line 4: 'B!' cannot name a vertex; use letters, digits and _ only",
        ),
    ] {
        wrong("a.csv", text, error);
    }
}

//! Families against the literature and solved boards.

use serde_json::Value;

use super::*;
use crate::{
    FACTS,
    plane::{Face, Walk, side_by_side},
};

fn board(text: &str) -> PlaneGraph {
    named(text).unwrap_or_else(|| panic!("{text}: no family")).unwrap().1
}

fn facts() -> Vec<Value> {
    let facts: Value = serde_json::from_str(FACTS).unwrap();
    let lists = [&facts["boards"], &facts["large_boards_outcome_only"]];
    lists.into_iter().flat_map(|list| list.as_array().unwrap().clone()).collect()
}

/// What a board of the facts is called here, if it is of a family.
fn family(name: &str) -> Option<String> {
    let known = [
        ("C4", "cycle=4"),
        ("K4", "k4"),
        ("Bowtie", "bowtie"),
        ("BowtieNested", "nested=3,3"),
        ("TwoTriangles", "diamond"),
        ("ThreeHexagons", "hexagons=3"),
    ];
    if let Some((_, text)) = known.iter().find(|(known, _)| *known == name) {
        return Some(text.to_string());
    }
    let starts = [
        ("Cactus_star_", "cactus"),
        ("Cactus_chain_", "chain"),
        ("Path", "path"),
        ("Grid", "grid"),
        ("Wheel", "wheel"),
        ("Antiprism", "antiprism"),
        ("Theta", "theta"),
        ("Lollipop", "lollipop"),
        ("Fan", "fan"),
        ("TriStrip", "strip"),
        ("Spider", "spider"),
        ("Dumbbell", "dumbbell"),
        ("C", "cycle"),
    ];
    let (start, family) = starts.iter().find(|(start, _)| name.starts_with(start))?;
    let numbers = name[start.len()..].trim_end_matches('e').replace('_', ",");
    Some(format!("{family}={numbers}"))
}

/// The board with this name in the facts, made of families.
fn made(name: &str) -> Option<PlaneGraph> {
    let parts = name.split(" + ").map(|part| family(part).map(|text| board(&text)));
    let parts: Vec<PlaneGraph> = parts.collect::<Option<_>>()?;
    Some(if let [board] = &parts[..] { board.clone() } else { side_by_side(parts) })
}

fn numbers(list: &Value) -> Vec<usize> {
    list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

#[test]
fn edges_and_tables_are_those_of_the_facts() {
    let mut others = vec![];
    for fact in facts() {
        let name = fact["name"].as_str().unwrap();
        let Some(board) = made(name) else {
            others.push(name.to_string());
            continue;
        };
        let edges: Vec<Vec<usize>> = board.edges.iter().map(|e| vec![e[0] + 1, e[1] + 1]).collect();
        let mapping = fact["edge_mapping"].as_array().unwrap();
        assert_eq!(edges, mapping.iter().map(numbers).collect::<Vec<_>>(), "{name}");
        let entry = |entry: &Vec<usize>| match &entry[..] {
            [] => vec![0],
            after => after.iter().map(|v| v + 1).collect(),
        };
        for (row, fact) in board.face_table().iter().zip(fact["game_table"].as_array().unwrap()) {
            let row: Vec<Vec<usize>> = row.iter().map(entry).collect();
            let fact: Vec<Vec<usize>> = fact.as_array().unwrap().iter().map(numbers).collect();
            assert_eq!(row, fact, "{name}");
        }
    }
    assert!(others.iter().all(|name| name.starts_with("Pa")), "{others:?}");
}

/// The figures of the papers order their faces as they like.
#[test]
fn faces_are_those_of_the_papers() {
    let papers = [
        ("Theorem 3", "cycle=5"),
        ("Theorem 4 (Alvarado et. al.) (2)", "chord=8,4"),
        ("Theorem 4", "chord=7,4"),
        ("Theorem 5 (Alvarado et. al.) (2)", "ear=8"),
        ("Theorem 5", "ear=7"),
        ("Figure 6", "k4"),
        ("Figure 11", "wheel=4"),
    ];
    let facts = facts();
    for (part, text) in papers {
        let named = |fact: &&Value| fact["name"].as_str().unwrap().contains(part);
        let fact = facts.iter().find(named).unwrap();
        let walks = |of: &str| -> Vec<Walk> {
            let walk = |walk: &Value| numbers(walk).iter().map(|v| v - 1).collect();
            fact[of].as_array().unwrap().iter().map(walk).collect()
        };
        let made = board(text);
        let mut faces: Vec<Face> = walks("faces_cw").into_iter().map(|walk| vec![walk]).collect();
        faces.sort();
        assert_eq!((made.faces, made.outer), (faces, walks("outer_walks")), "{part}");
    }
}

#[test]
fn every_family_has_an_example_and_its_canonical_spelling() {
    for (name, _, example) in FAMILIES {
        let (spelling, board) = named(example).unwrap().unwrap();
        assert_eq!((spelling.as_str(), example.starts_with(name)), (*example, true));
        assert!(!board.edges.is_empty());
    }
    let spelling = |text: &str| named(text).unwrap().unwrap().0;
    assert_eq!(spelling("ladder=4"), "ladder=2x4");
    assert_eq!(spelling(" theta = 3, 02 ,5"), "theta=3,2,5");
    assert_eq!(board("ladder=4"), board("grid=2x4"));
    assert_eq!(board("path=4"), board("grid=1x5"));
    assert_eq!(board("cube").edges.len(), 12);
    assert_eq!([1, 2].map(|n| board(&format!("hexagons={n}")).edges.len()), [6, 11]);
    assert!(["wheels=3", "", "=3", "Cycle=3"].iter().all(|text| named(text).is_none()));
}

#[test]
fn the_largest_boards_can_be_drawn() {
    let many = |number: &str, count: usize| vec![number; count].join(",");
    let counted = "cycle=128 path=128 wheel=64 fan=63 prism=42 antiprism=32 strip=63 star=128 \
                   ear=126 ladder=43 grid=8x8 chord=127,3 chord=127,60 cactus=64,64 \
                   nested=125,3 nested=3,125 dumbbell=3,124 lollipop=3,125 theta=1,125,2 \
                   theta=2,125,1 theta=63,1,64 theta=1,2 theta=2,2,60,2,62 theta=120,1,3,4";
    let mut texts: Vec<String> = counted.split(' ').map(String::from).collect();
    texts
        .extend(["cactus=", "chain=", "nested="].map(|family| family.to_string() + &many("3", 42)));
    texts.extend(["theta=", "spider="].map(|family| family.to_string() + &many("2", 64)));
    for text in texts.iter().filter(|text| !text.is_empty()) {
        let (spelling, board) = named(text).unwrap().unwrap();
        assert!(board.edges.len() <= MOST_EDGES, "{spelling}");
    }
}

#[test]
fn what_is_wrong_with_a_number_is_said_in_one_line() {
    let cases = [
        ("wheel=2", "'wheel=2': a wheel has 3 to 64 spokes"),
        ("cycle", "'cycle': numbers are missing or wrong; right is, say, 'cycle=7'"),
        ("cycle=3,4", "'cycle=3,4': numbers are missing or wrong; right is, say, 'cycle=7'"),
        ("cycle=x", "'cycle=x': numbers are missing or wrong; right is, say, 'cycle=7'"),
        ("chain=3x4", "'chain=3x4': numbers are missing or wrong; right is, say, 'chain=3,5,4'"),
        ("k4=4", "'k4=4': k4 has no numbers"),
        (
            "theta=1,1,3",
            "'theta=1,1,3': a theta has two or more paths, one single edge at most, and 128 edges at most",
        ),
        ("chain=3,2", "'chain=3,2': a chain has two or more cycles, each of 3 or more edges"),
        ("grid=1x1", "'grid=1x1': a grid has at least 2 vertices"),
        ("grid=9x9", "'grid=9x9': it has 144 edges; a board has at most 128"),
        ("path=999", "'path=999': a path has 1 to 128 edges"),
        ("grid=2x999", "'grid=2x999': no number is above 128, the most edges of a board"),
        ("cactus=99,99", "'cactus=99,99': it has 198 edges; a board has at most 128"),
    ];
    for (text, error) in cases {
        assert_eq!(named(text).unwrap().unwrap_err(), error);
    }
}

#[test]
fn names_stay_unique_side_by_side() {
    let mut first = board("path=1");
    first.names = vec!["a".into(), "1".into()];
    let both = side_by_side(vec![first.clone(), board("path=1"), first]);
    assert_eq!(both.names, ["a", "1", "1'", "2", "a'", "1''"]);
    assert_eq!(both.outer, [[0, 1], [2, 3], [4, 5]]);
    assert!(both.places.windows(2).all(|pair| pair[0][0] < pair[1][0]));
}

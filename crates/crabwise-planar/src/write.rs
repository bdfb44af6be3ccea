//! Plane graphs as files that [`read`](crate::read()) reads back.

use std::fmt::Write as _;

use crate::PlaneGraph;

/// The table of faces as a Python list: a row a vertex, an entry a face, the outer one last; the vertices are numbered
/// from 1, and 0 stands for none.
pub fn table(graph: &PlaneGraph) -> String {
    let entry = |next: &Vec<usize>| match &next[..] {
        [] => "0".to_string(),
        [one] => (one + 1).to_string(),
        several => {
            let numbers: Vec<String> = several.iter().map(|one| (one + 1).to_string()).collect();
            format!("[{}]", numbers.join(", "))
        }
    };
    let row = |row: &Vec<Vec<usize>>| {
        format!("[{}]", row.iter().map(entry).collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<String> = graph.face_table().iter().map(row).collect();
    format!("[{}]\n", rows.join(",\n "))
}

/// The drawing as JSON: vertices with their places, and edges.
pub fn json(graph: &PlaneGraph) -> String {
    let vertex = |(name, [x, y]): (&String, &[f64; 2])| format!("{}: [{x}, {y}]", quoted(name));
    let vertices: Vec<String> = graph.names.iter().zip(&graph.places).map(vertex).collect();
    let edge = |ends: &[usize; 2]| {
        let [a, b] = ends.map(|end| quoted(&graph.names[end]));
        format!("[{a}, {b}]")
    };
    let edges: Vec<String> = graph.edges.iter().map(edge).collect();
    format!("{{\"vertices\": {{{}}},\n \"edges\": [{}]}}\n", vertices.join(", "), edges.join(", "))
}

/// The drawing in the language of Graphviz, every vertex in its place.
pub fn dot(graph: &PlaneGraph) -> String {
    let mut text = "graph {\n".to_string();
    for (name, [x, y]) in graph.names.iter().zip(&graph.places) {
        // Writing to memory does not fail.
        let _ = writeln!(text, "  {} [pos=\"{x},{y}!\"];", quoted(name));
    }
    for ends in &graph.edges {
        let [a, b] = ends.map(|end| quoted(&graph.names[end]));
        let _ = writeln!(text, "  {a} -- {b};");
    }
    text + "}\n"
}

/// A name in quotation marks, as both languages take it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{families::FAMILIES, families::named, read};
    use crabwise_graphfile::Limits;

    #[test]
    fn what_is_written_is_read_back() {
        for (_, _, example) in FAMILIES {
            let (_, graph) = named(example).unwrap().unwrap();
            let back = |name: &str, text: String| {
                let graph = read(name, &mut text.as_bytes(), None, &Limits::NONE);
                graph.unwrap_or_else(|error| panic!("{example}: {error}\n{text}"))
            };
            let same = back("a.table", table(&graph));
            assert_eq!((&same.edges, same.face_table()), (&graph.edges, graph.face_table()));
            for (name, text) in [("a.json", json(&graph)), ("a.dot", dot(&graph))] {
                let drawn = back(name, text);
                assert_eq!(
                    (&drawn.names, &drawn.places),
                    (&graph.names, &graph.places),
                    "{example}"
                );
                let sorted = |graph: &PlaneGraph| {
                    let mut all = graph.edges.clone();
                    all.iter_mut().for_each(|ends| ends.sort_unstable());
                    all.sort_unstable();
                    (all, graph.faces.len())
                };
                assert_eq!(sorted(&drawn), sorted(&graph), "{example}");
            }
        }
    }
}

//! Boards in JSON: a drawing, a rotation system, or edges alone.
//!
//! ```json
//! {"vertices": {"A": [0, 1.5], "B": [1, 0]}, "edges": [["A", "B"]]}
//! {"rotation": {"1": [2, 3], "2": [1, 3], "3": [1, 2]}, "outer": [1, 3, 2]}
//! {"edges": [[1, 2], [2, 3], [3, 1]], "vertices": [1, 2, 3, 4]}
//! ```
//!
//! Vertices with places make a drawing; they are an object as above, a list of objects with `name`,
//! `x` and `y`, or a list of places, and then their names are 1, 2, …. Without places they are only
//! named. A rotation system is clockwise unless `"order"` is `"counter-clockwise"`. A list of rows
//! is a game table. `coords`, `edge_mapping` and `rotation_cw` are other words for `vertices`,
//! `edges` and `rotation`.

use std::{collections::HashSet, io::Read};

use crabwise_graphfile::{
    ReadError, Source,
    json::{self, Value},
    quotable,
};

use super::{
    File, Shape, cells, list,
    net::Net,
    rotation::{self, Around},
    table,
};

const KNOWN: &str = "vertices, edges, rotation, order, outer";
/// Keys that say which faces there are. Places and a rotation with its outer face say that already.
const FACES: [&str; 3] = ["faces_cw", "outer_walks", "game_table"];
/// Keys that say nothing about the board, or nothing new.
const PASSED_OVER: [&str; 14] = [
    "name",
    "note",
    "notes",
    "title",
    "family",
    "description",
    "source",
    "comment",
    "V",
    "E",
    "components",
    "bounded_faces",
    "result",
    "result_leaf_exempt",
];

pub(super) fn read(text: &str) -> Result<File, ReadError> {
    if text.trim_start().starts_with('[') {
        return table::checked(cells::literal(text)?);
    }
    let mut source = Source::open(text.as_bytes())?;
    let mut values = json::Json::new(&mut source);
    let json = tree(&mut values)?;
    values.end()?;
    let Json::Object(keys) = json else {
        return Err(ReadError::anywhere("it must be an object with edges or rotation in it"));
    };
    Parts::of(keys).and_then(Parts::file)
}

/// A value, the keys of objects in the order of the file.
#[derive(Clone, Debug)]
enum Json {
    Nothing,
    Truth,
    Number(f64),
    Whole(u64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

fn tree<R: Read>(values: &mut json::Json<R>) -> Result<Json, ReadError> {
    Ok(match values.value()? {
        Value::Null => Json::Nothing,
        Value::Bool(_) => Json::Truth,
        Value::Number => match values.text().parse() {
            Ok(whole) => Json::Whole(whole),
            Err(_) => Json::Number(values.text().parse().unwrap_or(f64::INFINITY)),
        },
        Value::Text => Json::Text(values.text().into()),
        Value::List => {
            let mut list = vec![];
            while values.item()? {
                list.push(tree(values)?);
            }
            Json::List(list)
        }
        Value::Object => {
            let mut object: Vec<(String, Json)> = vec![];
            let mut known = HashSet::new();
            while values.key()? {
                let key = values.text().to_string();
                if !known.insert(key.clone()) {
                    let text = format!("the key '{}' is there twice", quotable(&key));
                    return Err(ReadError::on_line(values.line(), text));
                }
                object.push((key, tree(values)?));
            }
            Json::Object(object)
        }
    })
}

/// The keys that count.
#[derive(Default)]
struct Parts {
    vertices: Option<Json>,
    edges: Option<Json>,
    rotation: Option<Json>,
    outer: Option<Vec<String>>,
    counter_clockwise: bool,
    /// A key that says which faces there are.
    faces: Option<String>,
}

impl Parts {
    fn of(keys: Vec<(String, Json)>) -> Result<Parts, ReadError> {
        let mut parts = Parts::default();
        for (key, value) in keys {
            if matches!(value, Json::Nothing) {
                continue;
            }
            let slot = match key.as_str() {
                "vertices" | "coords" => &mut parts.vertices,
                "edges" | "edge_mapping" => &mut parts.edges,
                "rotation" | "rotation_cw" => &mut parts.rotation,
                "outer" => {
                    parts.outer = Some(outer(&value)?);
                    continue;
                }
                "order" => {
                    parts.counter_clockwise = counter_clockwise(&value)?;
                    continue;
                }
                key if PASSED_OVER.contains(&key) => continue,
                key if FACES.contains(&key) => {
                    parts.faces = Some(key.into());
                    continue;
                }
                _ => {
                    let key = quotable(&key);
                    return Err(ReadError::anywhere(format!(
                        "unknown key '{key}'; known are {KNOWN}"
                    )));
                }
            };
            if slot.replace(value).is_some() {
                let key = quotable(&key);
                return Err(ReadError::anywhere(format!(
                    "'{key}' is there twice, under two names"
                )));
            }
        }
        Ok(parts)
    }

    fn file(self) -> Result<File, ReadError> {
        let Parts { vertices, edges, rotation, outer, counter_clockwise, faces } = self;
        if vertices.is_none() && edges.is_none() && rotation.is_none() {
            return Err(ReadError::anywhere(format!("no board in it; the keys are {KNOWN}")));
        }
        if let Some(key) = faces
            && vertices.is_none()
            && (rotation.is_none() || outer.is_none())
        {
            return Err(ReadError::anywhere(format!(
                "'{key}' is passed over, and nothing else says which faces there are; give \
                 coordinates, or a rotation and 'outer', or the game table as a file of its own"
            )));
        }
        let rotation = match rotation {
            Some(json) => Some(rotation_of(json, counter_clockwise, outer.clone())?),
            None => None,
        };
        if vertices.is_none() && edges.is_none() {
            return rotation.ok_or_else(|| ReadError::anywhere("no board in it"));
        }
        let file = net(vertices, edges).map_err(ReadError::anywhere)?.file(outer)?;
        match rotation {
            Some(rotation) => both(file, rotation),
            None => Ok(file),
        }
    }
}

/// Vertices and edges together.
fn net(vertices: Option<Json>, edges: Option<Json>) -> Result<Net, String> {
    let mut net = Net::default();
    // Edges may name vertices that are not listed only if none are.
    let listed = vertices.is_some();
    add_vertices(vertices.unwrap_or(Json::List(vec![])), &mut net)?;
    let Json::List(edges) = edges.unwrap_or(Json::List(vec![])) else {
        return Err("'edges' must be a list of pairs, such as [[1, 2], [2, 3]]".into());
    };
    for (i, edge) in edges.iter().enumerate() {
        add_edge(edge, listed, &mut net).map_err(|text| format!("edge {}: {text}", i + 1))?;
    }
    Ok(net)
}

fn add_edge(edge: &Json, listed: bool, net: &mut Net) -> Result<(), String> {
    let Json::List(ends) = edge else { return Err("must be a pair such as [1, 2]".into()) };
    let [from, to] = &ends[..] else { return Err("must have two ends, such as [1, 2]".into()) };
    let mut vertex = |end: &Json| {
        let name = name(end)?;
        match net.find(&name) {
            None if listed => Err(format!("no vertex is called '{}'", quotable(&name))),
            _ => net.vertex(&name),
        }
    };
    let (from, to) = (vertex(from)?, vertex(to)?);
    net.edge(from, to)
}

fn add_vertices(vertices: Json, net: &mut Net) -> Result<(), String> {
    match vertices {
        Json::Object(vertices) => {
            for (name, value) in &vertices {
                let vertex = net.new_vertex(name)?;
                if !matches!(value, Json::Nothing) {
                    let place = place(value).map_err(|text| format!("vertex {name}: {text}"))?;
                    net.place(vertex, place)?;
                }
            }
            Ok(())
        }
        Json::List(vertices) => {
            let mut listed = vertices.iter().enumerate();
            listed.try_for_each(|(i, vertex)| {
                add_vertex(i, vertex, net).map_err(|text| format!("vertex {}: {text}", i + 1))
            })
        }
        _ => Err("'vertices' must be an object such as {\"A\": [0, 1.5]}, or a list".into()),
    }
}

/// A vertex of a list: a name, a place, or both in an object.
fn add_vertex(index: usize, vertex: &Json, net: &mut Net) -> Result<(), String> {
    match vertex {
        Json::List(_) => {
            let added = net.new_vertex(&(index + 1).to_string())?;
            net.place(added, place(vertex)?)
        }
        Json::Object(keys) => {
            let mut called = (index + 1).to_string();
            let mut place = [None; 2];
            for (key, value) in keys {
                match (key.as_str(), value) {
                    ("name" | "id", value) => called = name(value)?,
                    ("x", value) => place[0] = Some(number(value)?),
                    ("y", value) => place[1] = Some(number(value)?),
                    _ => {
                        return Err(format!(
                            "unknown key '{}'; known are name, x, y",
                            quotable(key)
                        ));
                    }
                }
            }
            let added = net.new_vertex(&called)?;
            match place {
                [Some(x), Some(y)] => net.place(added, [x, y]),
                [None, None] => Ok(()),
                _ => Err("it needs both x and y".into()),
            }
        }
        _ => net.new_vertex(&name(vertex)?).map(|_| ()),
    }
}

/// The name that a text or a whole number is.
fn name(value: &Json) -> Result<String, String> {
    match value {
        Json::Text(text) => Ok(text.clone()),
        Json::Whole(number) => Ok(number.to_string()),
        _ => Err("a vertex is named by a text or a whole number".into()),
    }
}

fn number(value: &Json) -> Result<f64, String> {
    match value {
        Json::Number(number) => Ok(*number),
        Json::Whole(number) => Ok(*number as f64),
        _ => Err("a place is two numbers".into()),
    }
}

fn place(value: &Json) -> Result<[f64; 2], String> {
    match value {
        Json::List(numbers) => match &numbers[..] {
            [x, y] => Ok([number(x)?, number(y)?]),
            _ => Err("a place is two numbers, such as [0, 1.5]".into()),
        },
        _ => Err("a place is a list of two numbers, such as [0, 1.5]".into()),
    }
}

fn outer(value: &Json) -> Result<Vec<String>, ReadError> {
    let names = match value {
        Json::Text(text) => Ok(list::vertices(text)),
        Json::List(vertices) => vertices.iter().map(name).collect(),
        _ => Err("must be a list of vertices, such as [1, 2, 3]".into()),
    };
    names.map_err(|text| ReadError::anywhere(format!("'outer': {text}")))
}

fn counter_clockwise(value: &Json) -> Result<bool, ReadError> {
    match value {
        Json::Text(order) if order == "clockwise" => Ok(false),
        Json::Text(order) if order == "counter-clockwise" => Ok(true),
        _ => Err(ReadError::anywhere("'order' must be \"clockwise\" or \"counter-clockwise\"")),
    }
}

/// The rotation system in an object, or in a list for vertices 1, 2, ….
fn rotation_of(json: Json, counter: bool, outer: Option<Vec<String>>) -> Result<File, ReadError> {
    let rows = match json {
        Json::Object(rows) => rows,
        Json::List(rows) => (1..).map(|row: usize| row.to_string()).zip(rows).collect(),
        _ => {
            return Err(ReadError::anywhere(
                "'rotation' must be an object such as {\"1\": [2, 3]}",
            ));
        }
    };
    let around = |(vertex, neighbours): (String, Json)| {
        let Json::List(neighbours) = neighbours else {
            let text = format!("vertex {}: its neighbours must be a list", quotable(&vertex));
            return Err(ReadError::anywhere(text));
        };
        let names: Result<Vec<String>, String> = neighbours.iter().map(name).collect();
        let told = |text| ReadError::anywhere(format!("vertex {}: {text}", quotable(&vertex)));
        let mut neighbours = names.map_err(told)?;
        if counter {
            neighbours.reverse();
        }
        Ok(Around { name: vertex, neighbours, line: None })
    };
    let rows: Result<Vec<Around>, ReadError> = rows.into_iter().map(around).collect();
    rotation::file(rows?, outer)
}

/// A drawing or edges together with the rotation system of the same edges.
fn both(file: File, rotation: File) -> Result<File, ReadError> {
    let Shape::Rotation(around) = rotation.shape else { return Ok(file) };
    let number = |vertex: usize| file.names.iter().position(|name| *name == rotation.names[vertex]);
    let mut same = vec![None; file.names.len()];
    for (vertex, neighbours) in around.iter().enumerate() {
        let neighbours: Option<Vec<usize>> = neighbours.iter().map(|&to| number(to)).collect();
        if let Some(number) = number(vertex) {
            same[number] = neighbours;
        }
    }
    let same: Option<Vec<Vec<usize>>> = same.into_iter().collect();
    let differ =
        || ReadError::anywhere("'rotation' and 'edges' are not of the same vertices and edges");
    let same = same.filter(|_| around.len() == file.names.len()).ok_or_else(differ)?;
    let (Shape::Drawing { edges, .. } | Shape::Edges(edges)) = &file.shape else { return Ok(file) };
    let darts: usize = same.iter().map(Vec::len).sum();
    if darts != 2 * edges.len() || !edges.iter().all(|&[u, v]| same[u].contains(&v)) {
        return Err(differ());
    }
    let shape = match file.shape {
        Shape::Drawing { places, edges, .. } => {
            Shape::Drawing { places, edges, rotation: Some(same) }
        }
        _ => Shape::Rotation(same),
    };
    Ok(File { shape, ..file })
}

//! Vertices with names, perhaps with places, and edges between them, none twice.

use crabwise_graphfile::{ReadError, quotable};

use super::{File, Shape};
use crate::MOST_EDGES as MOST;

const LONGEST_NAME: usize = 16;

/// A graph in the making.
#[derive(Default)]
pub(super) struct Net {
    names: Vec<String>,
    places: Vec<Option<[f64; 2]>>,
    edges: Vec<[usize; 2]>,
}

impl Net {
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The vertex of this name, new or not.
    pub(super) fn vertex(&mut self, name: &str) -> Result<usize, String> {
        if let Some(known) = self.find(name) {
            return Ok(known);
        }
        fit_name(name)?;
        if self.names.len() == MOST {
            return Err(format!("more than {MOST} vertices"));
        }
        self.names.push(name.into());
        self.places.push(None);
        Ok(self.names.len() - 1)
    }

    /// A vertex that must be new.
    pub(super) fn new_vertex(&mut self, name: &str) -> Result<usize, String> {
        match self.find(name) {
            Some(_) => Err(format!("vertex {name} is there twice")),
            None => self.vertex(name),
        }
    }

    /// Places a vertex.
    pub(super) fn place(&mut self, vertex: usize, place: [f64; 2]) -> Result<(), String> {
        let name = &self.names[vertex];
        if !place.iter().all(|number| number.is_finite()) {
            return Err(format!("the place of vertex {name} is too far away"));
        }
        match self.places[vertex].replace(place) {
            Some(old) if old != place => Err(format!("vertex {name} has two places")),
            _ => Ok(()),
        }
    }

    pub(super) fn edge(&mut self, u: usize, v: usize) -> Result<(), String> {
        let [from, to] = [u, v].map(|vertex| &self.names[vertex]);
        if u == v {
            return Err(format!("an edge joins {from} to itself; a board has no loops"));
        }
        if self.edges.contains(&[u, v]) || self.edges.contains(&[v, u]) {
            return Err(format!("the edge between {from} and {to} is there twice"));
        }
        if self.edges.len() == MOST {
            return Err(format!("more than {MOST} edges"));
        }
        self.edges.push([u, v]);
        Ok(())
    }

    /// What the file says, vertices in order: by number if all are numbers, otherwise as they came.
    pub(super) fn file(self, outer: Option<Vec<String>>) -> Result<File, ReadError> {
        let Net { names, places, edges } = self;
        if names.is_empty() {
            return Err(ReadError::anywhere("no vertices in it"));
        }
        let order = order(&names);
        let mut numbers = vec![0; names.len()];
        order.iter().enumerate().for_each(|(new, &old)| numbers[old] = new);
        let edges = edges.iter().map(|edge| edge.map(|vertex| numbers[vertex])).collect();
        let known = order.iter().filter_map(|&old| places[old]).collect::<Vec<_>>();
        let shape = match places.iter().position(Option::is_none) {
            None => Shape::Drawing { places: known, edges, rotation: None },
            Some(_) if known.is_empty() => Shape::Edges(edges),
            Some(without) => {
                let name = &names[without];
                let text = format!("vertex {name} has no place; all must have one, or none");
                return Err(ReadError::anywhere(text));
            }
        };
        Ok(File { names: order.iter().map(|&old| names[old].clone()).collect(), shape, outer })
    }
}

/// The order of vertices with these names: by number if all are numbers, otherwise as they stand.
pub(super) fn order(names: &[String]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    let numbers: Option<Vec<u64>> = names.iter().map(|name| name.parse().ok()).collect();
    if let Some(numbers) = numbers {
        order.sort_by_key(|&vertex| numbers[vertex]);
    }
    order
}

/// Refuses a name that a vertex may not have.
pub(super) fn fit_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    let quoted = quotable(name);
    if name.is_empty() {
        return Err("a vertex without a name".into());
    }
    if !name.chars().all(plain) {
        return Err(format!("'{quoted}' cannot name a vertex; use letters, digits and _ only"));
    }
    if name.chars().count() > LONGEST_NAME {
        return Err(format!("the name '{quoted}' has more than {LONGEST_NAME} characters"));
    }
    Ok(())
}

//! All positions that the start leads to and the moves between them, in layers.
//!
//! Where play cannot go in circles, a position is in the layer of the most moves that lead to it,
//! so that every move leads down; otherwise in that of the fewest.

use std::{collections::HashMap, slice};

use crate::{
    TableError, Value,
    explore::{Explorer, LookError, PlaceInfo},
    watch::{Meter, Watch},
};

/// The positions of a game in layers.
pub struct Digraph {
    /// The positions, the start first.
    pub nodes: Vec<Node>,
    /// Nodes by how many moves lead to them; they are numbered in this order.
    pub layers: Vec<Vec<usize>>,
}

/// A position.
pub struct Node {
    /// The position, by moves that lead there from the start.
    pub place: PlaceInfo,
    /// What it is worth to the player to move.
    pub value: Value,
    /// Where its moves lead.
    pub edges: Vec<Edge>,
}

/// The moves from one position to another.
pub struct Edge {
    /// The moves, by name.
    pub names: Vec<String>,
    /// The node they lead to.
    pub to: usize,
    /// Whether it is perfect play.
    pub best: bool,
}

/// With a longer notation than this, positions are shown by their numbers.
const LONGEST: usize = 12;

impl Digraph {
    /// The positions of a game, by following all moves; `None` if there are more than `most`.
    pub fn of(
        explorer: &dyn Explorer,
        most: usize,
        watch: &dyn Watch,
    ) -> Result<Option<Digraph>, LookError> {
        let meter = Meter::new(watch, "walking", None, None).map_err(TableError::from)?;
        let start = explorer.glance(&[])?;
        let mut places = HashMap::from([(start.place.key, 0)]);
        let mut found = vec![start];
        let mut nodes: Vec<Node> = vec![];
        while nodes.len() < found.len() {
            meter.add(1).map_err(TableError::from)?;
            let at = explorer.look(&found[nodes.len()].place.line)?;
            let mut edges: Vec<Edge> = vec![];
            for one in &at.moves {
                let to =
                    explorer.glance(&[&at.place.line[..], slice::from_ref(&one.name)].concat())?;
                let place = *places.entry(to.place.key).or_insert(found.len());
                if place == found.len() {
                    found.push(to);
                }
                match edges.iter_mut().find(|edge| edge.to == place) {
                    Some(edge) => edge.names.push(one.name.clone()),
                    None => edges.push(Edge {
                        names: vec![one.name.clone()],
                        to: place,
                        best: one.equals(&at.moves[0]),
                    }),
                }
            }
            if found.len() > most {
                return Ok(None);
            }
            nodes.push(Node { place: at.place, value: at.value, edges });
        }
        Ok(Some(Digraph::new(nodes)))
    }

    /// What is written on each node: the position, or its number if some would be too long.
    pub fn labels(&self) -> Vec<String> {
        let long = self.nodes.iter().any(|node| node.place.notation.chars().count() > LONGEST);
        let label = |(i, node): (usize, &Node)| match long {
            true => (i + 1).to_string(),
            false => node.place.notation.clone(),
        };
        self.nodes.iter().enumerate().map(label).collect()
    }

    /// The graph with its nodes in layers; the start comes first.
    fn new(mut nodes: Vec<Node>) -> Digraph {
        // A position was found along a shortest line.
        let shortest = || nodes.iter().map(|node| node.place.line.len()).collect();
        let depth = longest(&nodes).unwrap_or_else(shortest);
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&i| depth[i]);
        let mut number = vec![0; nodes.len()];
        let mut layers = vec![vec![]; depth.iter().max().map_or(0, |most| most + 1)];
        for (n, &i) in order.iter().enumerate() {
            number[i] = n;
            layers[depth[i]].push(n);
        }
        let edges = nodes.iter_mut().flat_map(|node| &mut node.edges);
        edges.for_each(|edge| edge.to = number[edge.to]);
        let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
        let nodes = order.into_iter().filter_map(|i| nodes[i].take()).collect();
        Digraph { nodes, layers }
    }
}

/// The most moves that lead to each position; `None` if play can go in circles.
fn longest(nodes: &[Node]) -> Option<Vec<usize>> {
    let mut waiting = vec![0; nodes.len()];
    nodes.iter().flat_map(|node| &node.edges).for_each(|edge| waiting[edge.to] += 1);
    let mut depth = vec![0; nodes.len()];
    let mut open: Vec<usize> = (0..nodes.len()).filter(|&i| waiting[i] == 0).collect();
    let mut done = 0;
    while let Some(i) = open.pop() {
        done += 1;
        for edge in &nodes[i].edges {
            depth[edge.to] = depth[edge.to].max(depth[i] + 1);
            waiting[edge.to] -= 1;
            if waiting[edge.to] == 0 {
                open.push(edge.to);
            }
        }
    }
    (done == nodes.len()).then_some(depth)
}

//! All positions that the start leads to and the moves between them, in layers.
//!
//! Where play cannot go in circles, a position is in the layer of the most moves that lead to it,
//! so that every move leads down; otherwise in that of the fewest.

use std::{
    collections::{HashMap, VecDeque},
    slice,
};

use crabwise::{
    TableError, Value,
    explore::{Explorer, LookError},
    watch::{Stage, Watch},
};

pub struct Digraph {
    pub nodes: Vec<Node>,
    /// Nodes by how many moves lead to them; they are numbered in this order.
    pub layers: Vec<Vec<usize>>,
}

/// A position.
pub struct Node {
    pub position: String,
    pub value: Value,
    pub edges: Vec<Edge>,
}

/// The moves from one position to another.
pub struct Edge {
    pub names: Vec<String>,
    pub to: usize,
    /// Whether it is perfect play.
    pub best: bool,
}

/// With a longer notation than this, positions are shown by their numbers.
const LONGEST: usize = 12;

/// What a position is to the player to move, in the words of impartial games where they fit.
pub fn meaning(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "N: the next player wins",
        Value::Loss(_) => "P: the previous player wins",
        Value::Tie(_) => "tie",
        Value::Draw => "draw: endless",
    }
}

impl Digraph {
    /// The positions of a game, by following all moves; `None` if there are more than `most`.
    pub fn of(
        explorer: &dyn Explorer,
        most: usize,
        watch: &dyn Watch,
    ) -> Result<Option<Digraph>, LookError> {
        let start = explorer.glance(&[])?;
        let mut places = HashMap::from([(start.key, 0)]);
        let mut found = vec![start];
        let mut nodes: Vec<Node> = vec![];
        while nodes.len() < found.len() {
            let done = nodes.len() as u64;
            watch
                .tell(&Stage { what: "walking", tier: None, done, total: None })
                .map_err(TableError::from)?;
            let at = explorer.look(&found[nodes.len()].line)?;
            let mut edges: Vec<Edge> = vec![];
            for one in &at.moves {
                let to = explorer.glance(&[&at.line[..], slice::from_ref(&one.name)].concat())?;
                let place = *places.entry(to.key).or_insert(found.len());
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
            nodes.push(Node { position: at.notation, value: at.value, edges });
        }
        Ok(Some(Digraph::new(nodes)))
    }

    /// What is written on each node: the position, or its number if some would be too long.
    pub fn labels(&self) -> Vec<String> {
        let long = self.nodes.iter().any(|node| node.position.chars().count() > LONGEST);
        let label = |(i, node): (usize, &Node)| match long {
            true => (i + 1).to_string(),
            false => node.position.clone(),
        };
        self.nodes.iter().enumerate().map(label).collect()
    }

    /// The same with the nodes in layers; the start comes first.
    fn new(mut nodes: Vec<Node>) -> Digraph {
        let depth = longest(&nodes).unwrap_or_else(|| shortest(&nodes));
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&i| depth[i]);
        let mut number = vec![0; nodes.len()];
        order.iter().enumerate().for_each(|(n, &i)| number[i] = n);
        nodes
            .iter_mut()
            .flat_map(|node| &mut node.edges)
            .for_each(|edge| edge.to = number[edge.to]);
        let mut layers = vec![vec![]; depth.iter().max().map_or(0, |most| most + 1)];
        order.iter().enumerate().for_each(|(n, &i)| layers[depth[i]].push(n));
        let mut numbered: Vec<(usize, Node)> = number.into_iter().zip(nodes).collect();
        numbered.sort_by_key(|(n, _)| *n);
        let nodes = numbered.into_iter().map(|(_, node)| node).collect();
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

/// The fewest moves that lead to each position.
fn shortest(nodes: &[Node]) -> Vec<usize> {
    let mut depth: Vec<Option<usize>> = vec![None; nodes.len()];
    depth[0] = Some(0);
    let mut queue = VecDeque::from([0]);
    while let Some(i) = queue.pop_front() {
        for edge in &nodes[i].edges {
            if depth[edge.to].is_none() {
                depth[edge.to] = depth[i].map(|depth| depth + 1);
                queue.push_back(edge.to);
            }
        }
    }
    depth.into_iter().map(|depth| depth.expect("all were found from the start")).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::{source::Source, toys};
    use crabwise::watch::Unwatched;

    /// All positions of a toy game.
    pub fn toy(game: &str, most: usize) -> Option<Digraph> {
        let folder = tempfile::tempdir().unwrap();
        let registry = toys::registry();
        let setting = toys::setting(&registry, folder.path());
        let chosen = setting.ready(setting.game(game).unwrap(), true).unwrap();
        let explorer = setting.explorer(&chosen, &Source::Table, None).unwrap();
        Digraph::of(&*explorer, most, &Unwatched).unwrap()
    }

    #[test]
    fn layers_are_by_the_number_of_moves() {
        let graph = toy("rows:1-2", 6).unwrap();
        let names = |layer: &Vec<usize>| {
            let mut names: Vec<&str> =
                layer.iter().map(|&i| graph.nodes[i].position.as_str()).collect();
            names.sort();
            names.join(" ")
        };
        let layers: Vec<String> = graph.layers.iter().map(names).collect();
        assert_eq!(layers, ["1,2", "0,2 1,1", "0,1 1,0", "0,0"]);
        assert_eq!(graph.layers.concat(), [0, 1, 2, 3, 4, 5]);
        let start = &graph.nodes[graph.layers[0][0]];
        let best: Vec<&str> = (start.edges.iter().filter(|edge| edge.best))
            .map(|edge| graph.nodes[edge.to].position.as_str())
            .collect();
        assert_eq!(best, ["1,1"]);
        assert!(toy("rows:1-2", 5).is_none());
        assert_eq!(graph.labels()[0], "1,2");
    }

    #[test]
    fn endless_play_has_layers_too() {
        assert_eq!(toy("circle", 10).unwrap().layers.len(), 4);
    }

    #[test]
    fn long_names_are_numbers() {
        assert_eq!(toy("rows:40", 300).unwrap().labels()[0], "40");
        assert_eq!(toy("heaps", 300).unwrap().labels()[0], "A: 2/B: 3");
    }
}

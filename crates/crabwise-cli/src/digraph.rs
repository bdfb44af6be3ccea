//! What a graph of positions says of each of them.

use crabwise::Value;

/// What a position is to the player to move, in the words of impartial games where they fit.
pub fn meaning(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "N: the next player wins",
        Value::Loss(_) => "P: the previous player wins",
        Value::Tie(_) => "tie",
        Value::Draw => "draw: endless",
    }
}

#[cfg(test)]
pub mod tests {
    use crate::{source::Source, toys};
    use crabwise::explore::digraph::Digraph;
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

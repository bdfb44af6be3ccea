//! The boards of the paper that introduced the Game of Cycles, by the numbers of its figures.
//!
//! R. Alvarado, M. Averett, B. Gaines, C. Jackson, M. L. Karker, M. A. Marciniak, F. Su and S. Walker, "The Game of
//! Cycles", The American Mathematical Monthly 128 (2021). They are given as tables of faces, as readers of the paper type
//! them; figure 15 is mended, where one entry of the table in circulation stands in the wrong row.

use crabwise_graphfile::Limits;

use crate::{PlaneGraph, read};

/// What figures are called: `figure=13`.
const NAME: &str = "figure";

/// The number of a figure, and its table of faces.
const FIGURES: &[(&str, &str)] = &[
    (
        "1",
        "[[2, 0, 0, 0, 0, 0, 4], [5, 3, 0, 0, 0, 0, 1], [0, 5, 6, 0, 0, 0, 2], \
         [1, 0, 0, 5, 0, 0, 7], [4, 2, 3, 7, 8, 6, 0], [0, 0, 5, 0, 0, 9, 3], \
         [0, 0, 0, 4, 5, 0, 8], [0, 0, 0, 0, 7, 5, 9], [0, 0, 0, 0, 0, 8, 6]]",
    ),
    ("4", "[[4, 2, 0, 3], [0, 4, 3, 1], [1, 0, 4, 2], [3, 1, 2, 0]]"),
    (
        "5",
        "[[5, 0, 2, 4], [0, 0, 3, 1], [0, 0, 4, 2], [1, 0, 5, 3], [4, 6, [1, 7], 0], \
         [0, 7, 5, 0], [0, 5, 6, 0]]",
    ),
    (
        "11",
        "[[2, 0, 0, 5, 4], [5, 3, 0, 0, 1], [0, 5, 4, 0, 2], [0, 0, 5, 1, 3], \
         [1, 2, 3, 4, 0]]",
    ),
    ("12", "[[2, 5, 4], [3, 0, 1], [5, 4, 2], [0, 1, 3], [1, 3, 0]]"),
    (
        "13",
        "[[4, 2, 5, 0, 0, 0, 7], [0, 5, 0, 3, 0, 8, 1], [0, 0, 0, 6, 4, 2, 8], \
         [7, 0, 1, 0, 6, 0, 3], [0, 1, 6, 2, 0, 0, 0], [0, 0, 4, 5, 3, 0, 0], \
         [1, 0, 0, 0, 0, 0, 4], [0, 0, 0, 0, 0, 3, 2]]",
    ),
    (
        "14",
        "[[2, 0, 0, 5], [6, 3, 0, 1], [0, 6, 0, 2], [0, 0, 5, 6], [1, 0, 6, 4], \
         [5, 2, 4, 3]]",
    ),
    (
        "15",
        "[[2, 0, 0, 0, 5], [5, 6, 0, 3, 1], [0, 0, 0, 6, 2], [0, 0, 5, 0, 6], \
         [1, 2, 6, 0, 4], [0, 5, 4, 2, 3]]",
    ),
    ("16", "[[4, 2, 3], [0, 4, 1], [1, 0, 4], [3, 1, 2]]"),
    (
        "22",
        "[[2, 0, 0, 7], [7, 3, 0, 1], [0, 6, 4, 2], [0, 0, 5, 3], [0, 0, 6, 4], \
         [0, 7, 3, 5], [1, 2, 0, 6]]",
    ),
];

/// The game strings of all figures, and what each shows.
pub fn all() -> impl Iterator<Item = (String, String)> {
    FIGURES.iter().map(|(number, _)| {
        (format!("{NAME}={number}"), format!("figure {number} of Alvarado et al. (2021)"))
    })
}

/// The plane graph of a figure such as `figure=13`, with its canonical spelling; `None` if the text names none.
pub fn named(text: &str) -> Option<Result<(String, PlaneGraph), String>> {
    let number = match text.trim().split_once('=') {
        Some((name, number)) if name.trim() == NAME => number.trim(),
        None if text.trim() == NAME => "",
        _ => return None,
    };
    let Some((number, table)) = FIGURES.iter().find(|figure| figure.0 == number) else {
        let known: Vec<&str> = FIGURES.iter().map(|figure| figure.0).collect();
        return Some(Err(format!(
            "'{}': figures with a board are {}",
            text.trim(),
            known.join(", ")
        )));
    };
    let spelling = format!("{NAME}={number}");
    let graph = read("figure.table", &mut table.as_bytes(), None, &Limits::NONE);
    Some(graph.map(|graph| (spelling, graph)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The edges come in the order and the directions of the program that went with the paper.
    #[test]
    fn figures_are_those_of_the_facts() {
        for (game, _) in all() {
            let (spelling, graph) = named(&game).unwrap().unwrap();
            assert_eq!(spelling, game);
            let number = game.split_once('=').unwrap().1;
            let name = match number {
                "5" => "Notebook default (Figure 5, Example 5)".to_string(),
                "4" => "Figure 4 (Alvarado et. al.)".into(),
                "15" => "Figure 15 (Alvarado et. al.) CORRECTED".into(),
                _ => format!("Figure {number} (Alvarado et. al.)"),
            };
            let line = crate::FACTS.lines().find(|line| line.contains(&name));
            let line = line.unwrap_or_else(|| panic!("{name} is not among the facts"));
            let edges = graph.edges.iter().map(|[a, b]| format!("[{},{}]", a + 1, b + 1));
            let mapping = format!("\"edge_mapping\":[{}]", edges.collect::<Vec<_>>().join(","));
            assert!(line.contains(&mapping), "{name}: {mapping}");
        }
        assert!(named("figure=2").unwrap().unwrap_err().contains("1, 4, 5, 11"));
        assert!(named("figures").is_none() && named("k4").is_none());
    }
}

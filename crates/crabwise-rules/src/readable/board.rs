//! Boards: their cells, and the facts of their geometry that rules can use.
//!
//! On a grid row 1 is the lowest, as in chess; on a board of hexagons it is the highest, as in Hex, and each row
//! begins half a cell to the right of the one above. Columns have letters. Cells are kept row by row from the top.

use std::f64::consts::TAU;

use super::{tree::Word, words::WAYS};
use crate::{
    report::Mistake,
    syntax::{BoardHint, BoardShape, CellHint, Name},
};

/// Columns have letters, so there are not more.
pub(super) const MOST_ACROSS: u32 = 26;
/// Facts about pairs of cells grow with the square of this.
pub(super) const MOST_CELLS: u32 = 400;
/// Steps to the right and to the north, by [`WAYS`].
const STEPS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// The ways out of a hexagon, whose rows lean to the right on their way down.
const HEXAGON_WAYS: [usize; 6] = [0, 1, 2, 4, 5, 6];
/// The four ways of eight that do not lead back on another.
const FORWARD: [usize; 4] = [0, 1, 2, 3];

pub(super) struct Board {
    pub shape: BoardShape,
    pub cells: Vec<Name>,
    /// Pairs that a line joins, for graphs only.
    edges: Vec<(usize, usize)>,
}

impl Board {
    pub fn grid(columns: u32, rows: u32) -> Board {
        let names = (1..=rows).rev().flat_map(|row| (1..=columns).map(move |x| name(x, row)));
        Board { shape: BoardShape::Grid { columns, rows }, cells: names.collect(), edges: vec![] }
    }

    pub fn hexagons(columns: u32, rows: u32) -> Board {
        let names = (1..=rows).flat_map(|row| (1..=columns).map(move |x| name(x, row)));
        let shape = BoardShape::Hexagons { columns, rows };
        Board { shape, cells: names.collect(), edges: vec![] }
    }

    /// The points of some chains, in the order in which they come first.
    pub fn graph(chains: &[Vec<Word>]) -> Result<Board, Mistake> {
        let mut cells: Vec<Name> = vec![];
        let mut edges = vec![];
        for chain in chains {
            let mut before: Option<usize> = None;
            for word in chain {
                let place = cells.iter().position(|cell| *cell == word.name);
                let place = place.unwrap_or_else(|| {
                    cells.push(word.name.clone());
                    cells.len() - 1
                });
                if before == Some(place) {
                    let what = format!("a line joins '{}' with itself", word.name);
                    return Err(Mistake::new(word.span, what, "name two different points"));
                }
                if let Some(before) = before {
                    let edge = (before.min(place), before.max(place));
                    if !edges.contains(&edge) {
                        edges.push(edge);
                    }
                }
                before = Some(place);
                if cells.len() > MOST_CELLS as usize {
                    let what = format!("this board has more than {MOST_CELLS} points");
                    return Err(Mistake::new(word.span, what, ""));
                }
            }
        }
        Ok(Board { shape: BoardShape::Graph, cells, edges })
    }

    /// Columns and rows; a graph has none.
    pub fn size(&self) -> Option<(u32, u32)> {
        match self.shape {
            BoardShape::Grid { columns, rows } | BoardShape::Hexagons { columns, rows } => {
                Some((columns, rows))
            }
            BoardShape::Graph => None,
        }
    }

    pub fn has(&self, cell: &str) -> bool {
        self.cells.iter().any(|name| &**name == cell)
    }

    /// What the board is called in messages.
    pub fn words(&self) -> String {
        match self.shape {
            BoardShape::Grid { columns, rows } => format!("a grid of {columns}x{rows}"),
            BoardShape::Hexagons { columns, rows } => {
                format!("a board of {columns}x{rows} hexagons")
            }
            BoardShape::Graph => "a graph".into(),
        }
    }

    /// The ways that lead on from a cell, by their places in [`WAYS`].
    fn ways(&self) -> Vec<usize> {
        match self.shape {
            BoardShape::Grid { .. } => (0..8).collect(),
            BoardShape::Hexagons { .. } => HEXAGON_WAYS.to_vec(),
            BoardShape::Graph => vec![],
        }
    }

    pub fn has_way(&self, way: &str) -> bool {
        self.ways().iter().any(|&known| WAYS[known] == way)
    }

    fn is_straight(&self, way: usize) -> bool {
        matches!(self.shape, BoardShape::Hexagons { .. }) || way.is_multiple_of(2)
    }

    /// Column from the left and row by its number, both from 1.
    fn place(&self, cell: usize) -> (u32, u32) {
        let (columns, rows) = self.size().unwrap_or((1, 1));
        let (column, down) = (cell as u32 % columns + 1, cell as u32 / columns);
        match self.shape {
            BoardShape::Grid { .. } => (column, rows - down),
            _ => (column, down + 1),
        }
    }

    /// The cell next to one in this way.
    fn step(&self, cell: usize, way: usize) -> Option<usize> {
        let (columns, rows) = self.size()?;
        let (x, down) = (cell as i32 % columns as i32, cell as i32 / columns as i32);
        let (right, north) = STEPS[way];
        let (x, down) = (x + right, down - north);
        let on = (0..columns as i32).contains(&x) && (0..rows as i32).contains(&down);
        on.then_some((down * columns as i32 + x) as usize)
    }

    /// The arguments for which one of the board's relations holds; `None` if such a board does not have it.
    pub fn facts(&self, relation: &str) -> Option<Vec<Vec<Name>>> {
        let all = 0..self.cells.len();
        let alone = |holds: &dyn Fn(usize) -> bool| -> Option<Vec<Vec<Name>>> {
            let cells = all.clone().filter(|cell| holds(*cell));
            Some(cells.map(|cell| vec![self.cells[cell].clone()]).collect())
        };
        match relation {
            "cell" => return alone(&|_| true),
            "touches" | "beside" => return Some(self.neighbours(relation == "beside")),
            "next_cell" => {
                return Some(self.cells.windows(2).map(<[Name]>::to_vec).collect());
            }
            _ => {}
        }
        let (columns, rows) = self.size()?;
        let place = |cell: usize| self.place(cell);
        let top = if matches!(self.shape, BoardShape::Grid { .. }) { rows } else { 1 };
        let bottom = rows + 1 - top;
        let (at_side, at_end) = (|x: u32| x == 1 || x == columns, |y: u32| y == 1 || y == rows);
        match relation {
            "top" => alone(&|cell| place(cell).1 == top),
            "bottom" => alone(&|cell| place(cell).1 == bottom),
            "left" => alone(&|cell| place(cell).0 == 1),
            "right" => alone(&|cell| place(cell).0 == columns),
            "edge" => alone(&|cell| at_side(place(cell).0) || at_end(place(cell).1)),
            "corner" => alone(&|cell| at_side(place(cell).0) && at_end(place(cell).1)),
            "row" => Some(all.map(|cell| self.numbered(cell, place(cell).1)).collect()),
            "column" => Some(all.map(|cell| self.numbered(cell, place(cell).0)).collect()),
            "straight" => Some(self.named_ways(|way| self.is_straight(way))),
            "diagonal" => Some(self.named_ways(|way| !self.is_straight(way))),
            "line_way" => Some(self.named_ways(|way| FORWARD.contains(&way))),
            "diagonal_way" => {
                Some(self.named_ways(|way| FORWARD.contains(&way) && !self.is_straight(way)))
            }
            "step" => Some(self.rays(1)),
            "lies" => Some(self.rays(MOST_ACROSS)),
            _ => None,
        }
    }

    fn numbered(&self, cell: usize, number: u32) -> Vec<Name> {
        vec![self.cells[cell].clone(), number.to_string().into()]
    }

    fn named_ways(&self, of: impl Fn(usize) -> bool) -> Vec<Vec<Name>> {
        self.ways().into_iter().filter(|way| of(*way)).map(|way| vec![WAYS[way].into()]).collect()
    }

    fn neighbours(&self, straight: bool) -> Vec<Vec<Name>> {
        let pair =
            |one: usize, other: usize| vec![self.cells[one].clone(), self.cells[other].clone()];
        if self.shape == BoardShape::Graph {
            let both = |&(one, other): &(usize, usize)| [pair(one, other), pair(other, one)];
            return self.edges.iter().flat_map(both).collect();
        }
        let cells = 0..self.cells.len();
        let ways = self.ways().into_iter().filter(|way| !straight || self.is_straight(*way));
        let ways: Vec<usize> = ways.collect();
        cells
            .flat_map(|cell| {
                ways.iter().filter_map(move |way| Some((cell, self.step(cell, *way)?)))
            })
            .map(|(cell, next)| pair(cell, next))
            .collect()
    }

    /// From where, which way, and where to, as far as so many steps.
    fn rays(&self, most: u32) -> Vec<Vec<Name>> {
        let mut rays = vec![];
        for cell in 0..self.cells.len() {
            for way in self.ways() {
                let mut at = cell;
                for _ in 0..most {
                    let Some(next) = self.step(at, way) else { break };
                    at = next;
                    rays.push(vec![
                        self.cells[cell].clone(),
                        WAYS[way].into(),
                        self.cells[at].clone(),
                    ]);
                }
            }
        }
        rays
    }

    pub fn hint(&self, content: Name) -> BoardHint {
        let cells = self.cells.iter().enumerate().map(|(cell, name)| {
            let (right, down) = self.middle(cell);
            CellHint { name: name.clone(), right, down }
        });
        BoardHint { shape: self.shape, cells: cells.collect(), edges: self.edges.clone(), content }
    }

    /// The middle of a cell as it is drawn, in hundredths of a cell.
    fn middle(&self, cell: usize) -> (i32, i32) {
        let Some((columns, _)) = self.size() else { return self.on_a_circle(cell) };
        let (x, down) = (cell as i32 % columns as i32, cell as i32 / columns as i32);
        match self.shape {
            BoardShape::Hexagons { .. } => (100 * x + 50 * down + 50, 87 * down + 50),
            _ => (100 * x + 50, 100 * down + 50),
        }
    }

    /// Points lie on a circle in their order, from above clockwise; one that is joined with all others, in the middle.
    fn on_a_circle(&self, cell: usize) -> (i32, i32) {
        let degree = |point: usize| {
            self.edges.iter().filter(|(one, other)| *one == point || *other == point).count()
        };
        let many = self.cells.len();
        let middle = (0..many).find(|point| many > 3 && degree(*point) == many - 1);
        let around = many - usize::from(middle.is_some());
        let radius = (150.0 * around as f64 / TAU).max(100.0);
        let (mut right, mut down) = (0.0, 0.0);
        if middle != Some(cell) {
            let place = cell - usize::from(middle.is_some_and(|middle| middle < cell));
            let angle = TAU * place as f64 / around as f64;
            (right, down) = (radius * angle.sin(), -radius * angle.cos());
        }
        ((radius + right + 50.0).round() as i32, (radius + down + 50.0).round() as i32)
    }
}

/// A letter for the column and a number for the row.
fn name(column: u32, row: u32) -> Name {
    format!("{}{row}", char::from(b'a' + (column - 1) as u8)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(board: &Board, relation: &str, arguments: &str) -> bool {
        let facts = board.facts(relation).unwrap();
        facts.iter().any(|fact| fact.join(" ") == arguments)
    }

    #[test]
    fn rows_of_grids_go_up_and_those_of_hexagons_down() {
        let (grid, hex) = (Board::grid(3, 4), Board::hexagons(3, 4));
        assert_eq!((&*grid.cells[0], &*hex.cells[0]), ("a4", "a1"));
        for (relation, arguments) in
            [("row", "b2 2"), ("column", "b2 2"), ("top", "c4"), ("step", "a1 north a2")]
        {
            assert!(holds(&grid, relation, arguments), "{relation} {arguments}");
        }
        for (relation, arguments) in [
            ("row", "b2 2"),
            ("top", "c1"),
            ("step", "a2 north a1"),
            ("step", "a2 northeast b1"),
            ("step", "b1 southwest a2"),
        ] {
            assert!(holds(&hex, relation, arguments), "{relation} {arguments}");
        }
        assert!(!holds(&hex, "touches", "a1 b2") && holds(&grid, "touches", "a1 b2"));
        assert!(!holds(&grid, "beside", "a1 b2") && holds(&grid, "lies", "a1 northeast c3"));
    }

    #[test]
    fn relations_have_as_many_facts_as_the_geometry_says() {
        let many = |board: &Board, relation: &str| board.facts(relation).unwrap().len();
        let (grid, hex) = (Board::grid(4, 3), Board::hexagons(3, 3));
        assert_eq!(many(&grid, "beside"), 2 * (3 * 3 + 4 * 2));
        assert_eq!(many(&grid, "touches"), 2 * (3 * 3 + 4 * 2 + 2 * 3 * 2));
        assert_eq!(many(&grid, "step"), many(&grid, "touches"));
        assert_eq!((many(&grid, "edge"), many(&grid, "corner")), (10, 4));
        assert_eq!(many(&hex, "touches"), 2 * (3 * 2 + 3 * 2 + 2 * 2));
        assert_eq!((many(&hex, "line_way"), many(&hex, "diagonal")), (3, 0));
    }

    #[test]
    fn a_point_that_touches_all_others_lies_in_the_middle() {
        let word = |name: &str| Word { name: name.into(), span: Default::default() };
        let chain = |names: &str| names.split('-').map(word).collect::<Vec<_>>();
        let board = Board::graph(&[chain("1-2-3-4-1-2"), chain("1-c-2"), chain("3-c-4")]).unwrap();
        assert_eq!((board.cells.len(), board.edges.len()), (5, 8));
        let hint = board.hint("at".into());
        let [one, .., centre] = &hint.cells[..] else { panic!() };
        assert_eq!((&*centre.name, one.right), ("c", centre.right));
        assert!(one.down < centre.down);
        assert!(board.facts("row").is_none());
        assert!(Board::graph(&[chain("1-1")]).is_err());
    }
}

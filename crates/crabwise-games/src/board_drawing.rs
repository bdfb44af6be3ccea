//! Boards as shapes: squares or hexagons with their names around them, pieces, and ways to move.
//!
//! A cell is a shape of its name, so that it can be pointed at wherever that is a decision. Pieces have no
//! names, so that pointing at one points at the cell below it.

use crabwise::game::picture::{Form, Picture, Shape, Tone};

use crate::grid::{Cell, Grid, letter};

/// How wide a cell is.
pub const CELL: f64 = 4.0;
/// How far a piece goes.
pub const PIECE: f64 = 1.25;
/// What is left free beside a board for its names.
const NAMES: f64 = 2.2;
/// What is left free elsewhere.
const FREE: f64 = 0.6;

/// How the cells of a board are laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Squares, row 1 at the bottom.
    Up,
    /// Squares, row 1 on top.
    Down,
    /// Hexagons, row 1 on top, each row half a cell further to the right than the one above it.
    Hexagons,
}

/// The shapes of a board, back to front.
pub struct BoardDrawing {
    grid: Grid,
    layout: Layout,
    /// What is left free to the right and above, if more than usual.
    beyond: f64,
    shapes: Vec<Shape>,
}

impl BoardDrawing {
    /// No shapes yet.
    pub fn new(grid: Grid, layout: Layout) -> BoardDrawing {
        BoardDrawing { grid, layout, beyond: FREE, shapes: vec![] }
    }

    /// All cells of a board, each in a tone.
    pub fn with_cells(grid: Grid, layout: Layout, tone: impl Fn(Cell) -> Tone) -> BoardDrawing {
        BoardDrawing::new(grid, layout).cells(tone)
    }

    /// Adds all cells of the board, each in a tone.
    pub fn cells(mut self, tone: impl Fn(Cell) -> Tone) -> BoardDrawing {
        let (grid, Grid { columns, rows }) = (self.grid, self.grid);
        for cell in (0..columns * rows).map(|number| grid.cell(number)) {
            self.cell(cell, tone(cell));
        }
        self
    }

    /// Leaves this much free to the right of the board and above it; to be called before anything is added.
    pub fn beyond(self, beyond: f64) -> BoardDrawing {
        BoardDrawing { beyond, ..self }
    }

    /// The middle of a cell.
    pub fn middle(&self, cell: Cell) -> [f64; 2] {
        let (x, y) = (f64::from(cell.column()), f64::from(cell.row()));
        let last = f64::from(self.grid.rows - 1);
        let (left, high) = (NAMES + CELL / 2.0, CELL / 2.0);
        match self.layout {
            Layout::Up => [left + CELL * x, self.beyond + high + CELL * (last - y)],
            Layout::Down => [left + CELL * x, NAMES + high + CELL * y],
            Layout::Hexagons => {
                [left + CELL * (x + y / 2.0), NAMES + hexagon_radius() * (1.0 + 1.5 * y)]
            }
        }
    }

    /// The corners of a cell; those of a hexagon from the top clockwise.
    pub fn corners(&self, cell: Cell) -> Vec<[f64; 2]> {
        let [x, y] = self.middle(cell);
        let (half, radius) = (CELL / 2.0, hexagon_radius());
        match self.layout {
            Layout::Up | Layout::Down => square([x, y], half),
            Layout::Hexagons => [
                [0.0, -radius],
                [half, -radius / 2.0],
                [half, radius / 2.0],
                [0.0, radius],
                [-half, radius / 2.0],
                [-half, -radius / 2.0],
            ]
            .map(|[right, down]| [x + right, y + down])
            .to_vec(),
        }
    }

    /// Adds a cell.
    pub fn cell(&mut self, cell: Cell, tone: Tone) {
        let area = Form::Area(self.corners(cell));
        self.push(Shape::new(area, tone).named(cell.to_string()));
    }

    /// Adds a piece on a cell, with a letter on it.
    pub fn piece(&mut self, cell: Cell, tone: Tone, text: &str) {
        let at = self.middle(cell);
        self.shapes.extend(piece(at, tone, text));
    }

    /// Adds the stones of two sides, the first player's first.
    pub fn stones(&mut self, sides: [u64; 2]) {
        for (set, (tone, text)) in sides.into_iter().zip(SIDES) {
            self.grid.cells(set).for_each(|cell| self.piece(cell, tone, text));
        }
    }

    /// Adds a way from one cell to another.
    pub fn way(&mut self, from: Cell, to: Cell, name: String) {
        let (from, to) = (self.middle(from), self.middle(to));
        self.push(way(from, to, name));
    }

    /// Adds any shape in front of the others.
    pub fn push(&mut self, shape: Shape) {
        self.shapes.push(shape);
    }

    /// Adds a line along the edge of a board of hexagons for each side: those of the first player above and
    /// below, those of the second left and right.
    pub fn sides(&mut self) {
        let (grid, Grid { columns, rows }) = (self.grid, self.grid);
        for cell in (0..columns * rows).map(|number| grid.cell(number)) {
            let [top, bottom] = [cell.row() == 0, cell.row() + 1 == rows];
            let [left, right] = [cell.column() == 0, cell.column() + 1 == columns];
            let edges = [
                (top, Tone::First, [5, 0, 1]),
                (bottom, Tone::First, [4, 3, 2]),
                (left, Tone::Second, [5, 4, if bottom { 4 } else { 3 }]),
                (right, Tone::Second, [2, 1, if top { 1 } else { 0 }]),
            ];
            let corners = self.corners(cell);
            for (_, tone, [a, b, c]) in edges.into_iter().filter(|(edge, ..)| *edge) {
                for (from, to) in [(a, b), (b, c)].into_iter().filter(|(from, to)| from != to) {
                    let form = Form::Line { from: corners[from], to: corners[to], arrow: false };
                    self.push(Shape::new(form, tone));
                }
            }
        }
    }

    /// The whole, with the names of columns and rows beside the board.
    pub fn picture(mut self) -> Picture {
        for row in 0..self.grid.rows {
            let [x, y] = self.middle(self.grid.at(0, row));
            self.push(label([x - CELL / 2.0 - NAMES / 2.0, y], row + 1));
        }
        self.with_columns(letter)
    }

    /// The whole, with these names for columns, and no others.
    pub fn with_columns<T: ToString>(mut self, name: impl Fn(u32) -> T) -> Picture {
        let Grid { columns, rows } = self.grid;
        let away = CELL / 2.0 + NAMES / 2.0;
        let above =
            if self.layout == Layout::Hexagons { hexagon_radius() + NAMES / 2.0 } else { away };
        for column in 0..columns {
            let [x, y] = self.middle(self.grid.at(column, 0));
            let y = if self.layout == Layout::Up { y + away } else { y - above };
            self.push(label([x, y], name(column)));
        }
        let far = self.middle(self.grid.at(columns - 1, rows - 1));
        let near = self.middle(self.grid.at(0, 0));
        let (width, height) = match self.layout {
            Layout::Up => (far[0] + CELL / 2.0, near[1] + CELL / 2.0 + NAMES - FREE),
            Layout::Down => (far[0] + CELL / 2.0, far[1] + CELL / 2.0),
            Layout::Hexagons => (far[0] + CELL / 2.0, far[1] + hexagon_radius()),
        };
        let width = width + self.beyond;
        Picture { width, height: height + FREE, shapes: self.shapes }
    }
}

/// The two players' tones and letters.
pub const SIDES: [(Tone, &str); 2] = [(Tone::First, "X"), (Tone::Second, "O")];

/// From the middle of a hexagon to its corners.
fn hexagon_radius() -> f64 {
    CELL / 3.0_f64.sqrt()
}

/// The corners of a square around a point.
pub fn square([x, y]: [f64; 2], half: f64) -> Vec<[f64; 2]> {
    [[-half, -half], [half, -half], [half, half], [-half, half]]
        .map(|[right, down]| [x + right, y + down])
        .to_vec()
}

/// A disc with a letter on it, or without one.
pub fn piece(at: [f64; 2], tone: Tone, text: &str) -> impl Iterator<Item = Shape> {
    let disc = Shape::new(Form::Disc { at, radius: PIECE }, tone);
    [disc].into_iter().chain((!text.is_empty()).then(|| label(at, text)))
}

/// A word or a number.
pub fn label(at: [f64; 2], text: impl ToString) -> Shape {
    Shape::new(Form::Text { at, text: text.to_string() }, Tone::Label)
}

/// A lozenge between two neighbouring points for a move that takes both.
pub fn lozenge(a: [f64; 2], b: [f64; 2], name: String) -> Shape {
    let middle = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let (from, to) = trimmed(a, b, [f64::INFINITY; 2], 0.0);
    let along = [(to[0] - from[0]) * 0.75, (to[1] - from[1]) * 0.75];
    let across = [-along[1] * 0.6, along[0] * 0.6];
    let corner = |[x, y]: [f64; 2], sign: f64| [middle[0] + sign * x, middle[1] + sign * y];
    let area = [corner(along, 1.0), corner(across, 1.0), corner(along, -1.0), corner(across, -1.0)];
    Shape::new(Form::Area(area.to_vec()), Tone::Move).named(name)
}

/// A way to move from the piece at one point to another point.
pub fn way(from: [f64; 2], to: [f64; 2], name: String) -> Shape {
    let (from, to) = trimmed(from, to, [PIECE + 0.15, 0.6], 0.35);
    Shape::new(Form::Line { from, to, arrow: true }, Tone::Move).named(name)
}

/// A line shortened at both ends and moved to its right, so that there is room for the way back.
pub fn trimmed(from: [f64; 2], to: [f64; 2], by: [f64; 2], aside: f64) -> ([f64; 2], [f64; 2]) {
    let [x, y] = [to[0] - from[0], to[1] - from[1]];
    let length = x.hypot(y).max(1e-9);
    let [x, y] = [x / length, y / length];
    // y goes downwards, so the right of a line to the right is below it.
    let right = [-y * aside, x * aside];
    let [begin, end] = by.map(|by| by.min(length / 3.0));
    (
        [from[0] + x * begin + right[0], from[1] + y * begin + right[1]],
        [to[0] - x * end + right[0], to[1] - y * end + right[1]],
    )
}

/// How high a heap is drawn at most; a larger one is wider.
const HIGH: u32 = 12;
/// From one piece of a heap to the next.
const PITCH: f64 = 3.2;

/// Heaps side by side, each with its number of pieces and how many it had. A piece is called what `name`
/// says of its heap and of how many would be taken with it, if anything.
pub fn heaps(
    heaps: &[(u32, u32)],
    name: impl Fn(usize, u32) -> Option<String>,
    below: impl Fn(usize) -> String,
) -> Picture {
    let (mut shapes, mut left) = (vec![], FREE);
    let wide = |first: u32| first.div_ceil(HIGH).max(1);
    let most = heaps.iter().map(|&(_, first)| first.div_ceil(wide(first))).max().unwrap_or(0);
    let floor = FREE + PITCH * f64::from(most.max(1));
    for (heap, &(count, first)) in heaps.iter().enumerate() {
        let wide = wide(first);
        for piece in 0..count {
            let (column, row) = (f64::from(piece % wide), f64::from(piece / wide));
            let at = [left + PITCH * (column + 0.5), floor - PITCH * (row + 0.5)];
            let disc = Shape::new(Form::Disc { at, radius: PIECE }, Tone::Piece);
            shapes.push(match name(heap, count - piece) {
                Some(name) => disc.named(name),
                None => disc,
            });
        }
        let width = PITCH * f64::from(wide);
        let ground =
            Form::Line { from: [left + 0.2, floor], to: [left + width - 0.2, floor], arrow: false };
        shapes.push(Shape::new(ground, Tone::Board));
        shapes.push(label([left + width / 2.0, floor + NAMES / 2.0], below(heap)));
        left += width + PITCH / 2.0;
    }
    Picture { width: (left - PITCH / 2.0 + FREE).max(12.0), height: floor + NAMES, shapes }
}

//! The L-game: put your L elsewhere, then move a neutral piece if you like.
//!
//! Rules: E. de Bono, "The Five-Day Course in Thinking" (1967). On 4×4 each player has one L of four cells, and there
//! are two neutral pieces of one cell. A turn takes up one's own L and puts it down on free cells in any other
//! place, turned or turned over as one likes; then one neutral piece may be moved to any free cell. Whoever cannot
//! put their L elsewhere has lost. At first the Ls lie side by side in the middle columns, b1 c1 c2 c3 and b2 b3 b4 c4,
//! with the neutral pieces on the corners a1 and d4.
//!
//! A position is the two Ls, the neutral pieces and whose turn it is, cell = 4 · row + column from the lower
//! left. All 2,296 arrangements (mirror images apart there are 18,368) come about, with either player to move.
//!
//! An L is named by its ends, that of its long arm first: d2b1 lies on d2 c2 b2 b1.

use std::fmt;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, PositionEditor, Setup,
    game::picture::{Form, Picture, Shape, Tone},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, CELL, Layout, label},
    faced::Faced,
    grid::{Cell, Grid, stone},
    notation::{Arrangement, BoardNotation, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "l-game",
    about: "put your L elsewhere, then move a neutral piece or not; who cannot has lost",
    parameters: "",
    example: "l-game",
    build,
};

fn build(_: &mut Params) -> Result<ErasedGame, String> {
    Ok(Setup::of(LGame::new()).drawn().editable().erased())
}

const GRID: Grid = Grid { columns: 4, rows: 4 };
/// What is said instead of moving a neutral piece.
const STAY: &str = "stay";

/// The rules.
struct LGame {
    /// All places of an L, 48.
    places: Vec<Place>,
}

/// A place of an L: its cells, and the ends of its long and of its short arm.
#[derive(Clone, Copy, Debug)]
struct Place {
    cells: u16,
    ends: [Cell; 2],
}

/// The Ls and the neutral pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pieces {
    ls: Faced<u16>,
    neutral: u16,
}

impl LGame {
    fn new() -> LGame {
        let on_board = |x: i32, y: i32| {
            let on = (0..4).contains(&x) && (0..4).contains(&y);
            on.then(|| GRID.at(x as u32, y as u32))
        };
        let place = |corner: Cell, [x, y]: [i32; 2], side: i32| {
            let (column, row) = (corner.column() as i32, corner.row() as i32);
            let next = on_board(column + x, row + y)?;
            let long = on_board(column + 2 * x, row + 2 * y)?;
            let short = on_board(column - side * y, row + side * x)?;
            let cells = [corner, next, long, short].iter().fold(0, |set, cell| set | cell.bit());
            Some(Place { cells: cells as u16, ends: [long, short] })
        };
        let ways = [[1, 0], [0, 1], [-1, 0], [0, -1]];
        let turned = ways.iter().flat_map(|&way| [(way, 1), (way, -1)]);
        let turned: Vec<_> = turned.collect();
        let at = |corner| turned.iter().filter_map(move |&(way, side)| place(corner, way, side));
        LGame { places: GRID.cells(GRID.all()).flat_map(at).collect() }
    }

    fn is_l(&self, set: u64) -> bool {
        self.places.iter().any(|place| u64::from(place.cells) == set)
    }

    /// The position of a word.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(Pieces, u32), String> {
        let (players, neutral) = (arrangement.stones(), arrangement.set('N'));
        if let Some(player) = players.iter().position(|&set| !self.is_l(set)) {
            let letter = ['X', 'O'][player];
            return Err(format!(
                "the cells of {letter} are no L: three in a row, one beside an end"
            ));
        }
        if neutral.count_ones() != 2 {
            return Err(format!("there are {} neutral pieces, not two", neutral.count_ones()));
        }
        let ls = Faced::of_players(players, arrangement.turn);
        Ok((Pieces { ls, neutral: neutral as u16 }, arrangement.turn as u32))
    }
}

fn mark(at: &Pieces, cell: Cell) -> char {
    if u64::from(at.neutral) & cell.bit() != 0 { 'N' } else { stone(at.ls.players(), cell) }
}

fn board_notation() -> BoardNotation {
    const LETTERS: &[(char, &str)] =
        &[('.', "free"), ('X', "first player"), ('O', "second player"), ('N', "neutral")];
    BoardNotation::of(GRID, Layout::Up, LETTERS, |_| ".XON").with_turn(['X', 'O'])
}

impl Game for LGame {
    type Position = Pieces;
    type Move = Put;

    fn start(&self) -> Pieces {
        let ls = Faced { mine: 0x0446, theirs: 0x6220, second: false };
        Pieces { ls, neutral: 0x8001 }
    }

    fn moves(&self, at: &Pieces) -> impl IntoIterator<Item = Put> {
        let Pieces { ls, neutral } = *at;
        let others = ls.theirs | neutral;
        let elsewhere = move |place: &Place| place.cells != ls.mine && place.cells & others == 0;
        self.places.iter().copied().filter(elsewhere).flat_map(move |place| {
            let free = GRID.all() & !u64::from(place.cells | others);
            let moved = GRID
                .cells(neutral.into())
                .flat_map(move |from| GRID.cells(free).map(move |to| Some([from, to])));
            [None].into_iter().chain(moved).map(move |neutral| Put { place, neutral })
        })
    }

    fn play(&self, at: &Pieces, Put { place, neutral }: Put) -> Pieces {
        let ls = Faced { mine: at.ls.theirs, theirs: place.cells, second: !at.ls.second };
        let moved = neutral.map_or(0, |[from, to]| from.bit() | to.bit());
        Pieces { ls, neutral: at.neutral ^ moved as u16 }
    }

    /// The ends of the L, then a neutral piece and where it goes, or that both stay.
    fn decisions(&self, put: &Put) -> Vec<String> {
        let ends = put.place.ends.map(|cell| cell.to_string());
        match put.neutral {
            None => [&ends[..], &[STAY.into()]].concat(),
            Some(way) => [ends, way.map(|cell| cell.to_string())].concat(),
        }
    }

    fn show(&self, at: &Pieces) -> String {
        format!("{}\n{} to move", GRID.picture(|cell| mark(at, cell)), at.ls.to_move())
    }

    fn notation(&self, at: &Pieces) -> String {
        format!("{}-{}", rows(GRID, Layout::Up, |cell| mark(at, cell)), at.ls.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Pieces, u32), String>> {
        let arrangement = board_notation().read(word)?;
        Some(arrangement.and_then(|arrangement| self.position_of(&arrangement)))
    }
}

impl PositionEditor for LGame {
    fn editor(&self) -> EditorBoard {
        board_notation().editor()
    }
}

impl Drawn for LGame {
    /// Once an end is chosen the mover's L is taken up, and it lies in its new place once both are; a
    /// neutral piece that was chosen is taken up until it is put down.
    fn picture(&self, at: &Pieces, made: &[String]) -> Picture {
        let named = |name: &String| GRID.cells(GRID.all()).find(|cell| cell.to_string() == *name);
        let chosen: Vec<Cell> = made.iter().filter_map(named).collect();
        let lies = |place: &&Place| chosen.len() > 1 && place.ends == chosen[..2];
        let mine = match chosen.first() {
            None => at.ls.mine,
            Some(end) => {
                (self.places.iter().find(lies)).map_or(end.bit() as u16, |place| place.cells)
            }
        };
        let taken = chosen.get(2).map_or(0, |cell| cell.bit());
        let mut drawing = BoardDrawing::new(GRID, Layout::Up)
            .beyond(CELL / 2.0)
            .cells(|cell| if cell.bit() == taken { Tone::Gone } else { Tone::Board });
        drawing.stones(Faced { mine, ..at.ls }.players());
        for cell in GRID.cells(u64::from(at.neutral) & !taken) {
            drawing.piece(cell, Tone::Piece, "N");
        }
        if chosen.len() == 2 {
            let [left, right] = [0, 3].map(|column| drawing.middle(GRID.at(column, 3)));
            let (top, bottom) = (left[1] - CELL * 0.95, left[1] - CELL * 0.55);
            let band = [[left[0], top], [right[0], top], [right[0], bottom], [left[0], bottom]];
            drawing.push(Shape::new(Form::Area(band.to_vec()), Tone::Move).named(STAY));
            drawing.push(label([(left[0] + right[0]) / 2.0, (top + bottom) / 2.0], STAY));
        }
        drawing.picture()
    }
}

/// Where the L goes, and from where to where a neutral piece does: d2b1, or d2b1-a1c3.
#[derive(Clone, Copy)]
struct Put {
    place: Place,
    neutral: Option<[Cell; 2]>,
}

impl fmt::Display for Put {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [long, short] = self.place.ends;
        match self.neutral {
            None => write!(f, "{long}{short}"),
            Some([from, to]) => write!(f, "{long}{short}-{from}{to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crabwise::Outcome;

    use super::*;

    #[test]
    fn an_l_has_48_places_and_each_its_name() {
        let places = LGame::new().places;
        let sets: HashSet<u16> = places.iter().map(|one| one.cells).collect();
        let names: HashSet<[Cell; 2]> = places.iter().map(|one| one.ends).collect();
        assert_eq!((places.len(), sets.len(), names.len()), (48, 48, 48));
        assert!(places.iter().all(|one| one.cells.count_ones() == 4));
    }

    #[test]
    fn the_l_must_go_elsewhere_and_a_neutral_piece_need_not() {
        let game = LGame::new();
        let names: Vec<String> =
            game.moves(&game.start()).into_iter().map(|put| put.to_string()).collect();
        // Five places, and thirteen ways to go on from each: two pieces to six free cells, or none.
        assert_eq!(names.len(), 5 * 13);
        assert!(names.contains(&"d3c1".into()) && names.contains(&"d3c1-a1a4".into()));
        assert!(!names.iter().any(|name| name.starts_with("c3b1")));
    }

    #[test]
    fn whoever_cannot_put_the_l_elsewhere_has_lost() {
        let game = LGame::new();
        let (at, _) = game.read(".N.X/NXXX/.OOO/.O..-X").unwrap().unwrap();
        assert_eq!(game.over(&at), Some(Outcome::Loss));
        let (free, _) = game.read("N..X/NXXX/.OOO/.O..-X").unwrap().unwrap();
        assert_eq!(game.over(&free), None);
    }
}

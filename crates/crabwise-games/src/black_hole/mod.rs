//! Black Hole: Escape: slide your pawns into the hole in the middle.
//!
//! Rules: "Black Hole: Escape - strongly solved?" and its public code, for 5×5 and four pawns a
//! side. A turn slides one own pawn straight, at least one cell, until the next cell is off the
//! board or occupied. The hole is crossed like an empty cell; a pawn whose slide ends on it is
//! removed. Whoever has K pawns of their own removed has won, and a player without a move has
//! lost. Nothing is said of repetitions, so what nobody can force is a draw. With `falls` a pawn
//! that meets the hole falls in, as other implementations have it; with `stuck=draw` a player
//! without a move has drawn.
//!
//! Other sizes are an extension. The pawns of the first player stand in the upper half, in the
//! cells of the two diagonals, then of the top row from the outside in; an odd pawn is in the
//! middle of the top row. The second player's are their mirror image below.
//!
//! Both sides have the same rules, so a position is the two sets of pawns, turned around after
//! every move; cell = size · row + column, row 0 on top. Cells are written as in chess, a1 at the
//! lower left.

mod numbering;
mod published;

use std::fmt;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Outcome, PositionEditor, Setup, Unplay,
    game::picture::{Picture, Tone},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout},
    grid::{Cell, Grid, bits, stone},
    notation::{Arrangement, BoardNotation, rows},
};

pub(crate) use numbering::Numbering;

pub(crate) const ENTRY: Entry = Entry {
    name: "black-hole",
    about: "slide your pawns into the hole in the middle; the first to lose two wins",
    parameters: "SIZE,PAWNS: an odd size from 3 to 7, 1 to 6 pawns a side (default 5,4); \
                 falls: whatever meets the hole falls in; remove=K: pawns to lose (default 2, or 1 of 1); \
                 stuck=draw: no move, no loss; unfolded: for comparison, mirror images apart",
    example: "black-hole:5,2",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let [falls, unfolded] = ["falls", "unfolded"].map(|name| params.flag(name));
    let size = params.number("size", 5, 3..=7)?;
    if size.is_multiple_of(2) {
        return Err(format!("size {size} is even; it must be 3, 5 or 7"));
    }
    let pawns = params.number("number of pawns", 4, 1..=6)?;
    let most = most_pawns(size);
    if pawns > most {
        return Err(format!(
            "{pawns} pawns do not fit above the middle row of a {size}x{size} board, where there \
             are {most} places"
        ));
    }
    let remove =
        params.named_number("remove", "number of pawns to remove", pawns.min(2), 1..=pawns)?;
    let stuck = match params.named("stuck").as_deref() {
        None => Outcome::Loss,
        Some("draw") => Outcome::Tie,
        Some(other) => return Err(format!("'stuck={other}': only stuck=draw is known")),
    };
    let game = BlackHole::new(Rules { size, pawns, remove, falls, stuck });
    Ok(match Numbering::new(&game, !unfolded) {
        // With mirror images apart the published rows would be repeated.
        Some(index) if unfolded => {
            Setup::of(game).numbered(index).reversible().drawn().editable().erased()
        }
        Some(index) => {
            Setup::of(game).numbered(index).reversible().published().drawn().editable().erased()
        }
        None => Setup::of(game).drawn().editable().erased(),
    })
}

/// A board, its pawns, and what ends the game.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub size: u32,
    /// The pawns of a side at the start.
    pub pawns: u32,
    /// How many of them a side must get rid of.
    pub remove: u32,
    /// Whether a pawn cannot cross the hole.
    pub falls: bool,
    /// How a player without a move has fared.
    pub stuck: Outcome,
}

impl Rules {
    /// The pawns that are left to a side that has won.
    pub(crate) fn goal(&self) -> u32 {
        self.pawns - self.remove
    }

    pub(crate) fn cells(&self) -> u32 {
        self.size * self.size
    }

    /// The number of the hole.
    pub(crate) fn hole(&self) -> u32 {
        self.cells() / 2
    }
}

/// The diagonals and the top row, each corner once, above the middle row.
fn most_pawns(size: u32) -> u32 {
    let above = size / 2;
    2 * above + (size - 2)
}

/// The game for one board and one set of rules.
pub(crate) struct BlackHole {
    pub(crate) rules: Rules,
    rays: [[Ray; 4]; MOST_CELLS],
    board: u64,
    left: u64,
    right: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pawns {
    pub mine: u64,
    pub theirs: u64,
}

const MOST_CELLS: usize = 49;
const MOST_SLIDES: usize = 24;

/// Right, down, left, up. The first two lead to higher cells.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// What lies in one direction from a cell.
#[derive(Clone, Copy, Default)]
struct Ray {
    /// The cells on the way, to the edge of the board or to where a pawn must fall.
    cells: u64,
    /// The last of them, or the cell itself if there are none.
    last: u64,
    /// The first of them, if there is one.
    next: u64,
}

impl Ray {
    fn new(rules: &Rules, cell: u32, (dx, dy): (i32, i32)) -> Ray {
        let (size, hole) = (rules.size, rules.hole());
        let mut ray = Ray { cells: 0, last: 1 << cell, next: 0 };
        let (mut x, mut y) = (cell % size, cell / size);
        loop {
            let (Some(to_x), Some(to_y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy))
            else {
                return ray;
            };
            // A ray that begins at the hole goes on: pawns come from there.
            let fallen = rules.falls && cell != hole && ray.last == 1 << hole;
            if to_x >= size || to_y >= size || fallen {
                return ray;
            }
            (x, y) = (to_x, to_y);
            ray.last = 1 << (y * size + x);
            ray.cells |= ray.last;
            ray.next = if ray.next == 0 { ray.last } else { ray.next };
        }
    }
}

impl BlackHole {
    pub(crate) fn new(rules: Rules) -> BlackHole {
        let grid = Grid { columns: rules.size, rows: rules.size };
        let mut rays = [[Ray::default(); 4]; MOST_CELLS];
        for (cell, rays) in (0..rules.cells()).zip(&mut rays) {
            *rays = DIRECTIONS.map(|direction| Ray::new(&rules, cell, direction));
        }
        let (left, right) = (grid.column(0), grid.column(rules.size - 1));
        BlackHole { rules, rays, board: grid.all(), left, right }
    }

    fn hole(&self) -> u64 {
        1 << self.rules.hole()
    }

    /// The cells where the pawn of a cell may slide to, one for each direction; where it is, if it
    /// cannot. A blocker, moved a step towards the pawn, is where the slide ends.
    #[inline]
    fn ends(&self, from: u32, occupied: u64) -> [u32; 4] {
        let [right, down, left, up] = &self.rays[from as usize];
        let size = self.rules.size;
        let before = |ray: &Ray, step: u32| (ray.cells & occupied) >> step | ray.last;
        let after = |ray: &Ray, step: u32| (ray.cells & occupied) << step | ray.last;
        [
            before(right, 1).trailing_zeros(),
            before(down, size).trailing_zeros(),
            63 - after(left, 1).leading_zeros(),
            63 - after(up, size).leading_zeros(),
        ]
    }

    /// The cells from which a slide may have ended on a cell: behind it, as far as one can see, if
    /// there is something to stop at before it.
    #[inline]
    fn starts(&self, end: u32, occupied: u64) -> u64 {
        let rays = &self.rays[end as usize];
        // Into the hole, with `falls`, nothing needs to stop a pawn.
        let pass = if self.rules.falls && end == self.rules.hole() { 0 } else { !occupied };
        let mut starts = 0;
        for (direction, ray) in rays.iter().enumerate() {
            let ahead = rays[(direction + 2) % 4].next;
            let stopped = u64::from(ahead & pass == 0);
            // A product where an `if` would often be foreseen wrongly.
            starts |= stopped * seen(ray.cells, occupied, direction < 2);
        }
        starts & !self.hole()
    }

    /// Whether a pawn of `mine` has an empty cell beside it.
    #[inline]
    fn can_move(&self, at: &Pawns) -> bool {
        let Pawns { mine, theirs } = *at;
        let beside = (mine & !self.right) << 1
            | (mine & !self.left) >> 1
            | mine << self.rules.size
            | mine >> self.rules.size;
        beside & self.board & !(mine | theirs) != 0
    }

    /// The cell as players name it: rows are counted from below.
    fn named(&self, cell: Cell) -> Cell {
        let Rules { size, .. } = self.rules;
        Grid { columns: size, rows: size }.at(cell.column(), size - 1 - cell.row())
    }
}

/// The cells of a ray before the first that is occupied.
#[inline]
fn seen(ray: u64, occupied: u64, upwards: bool) -> u64 {
    let blockers = ray & occupied;
    if upwards {
        ray & (blockers & blockers.wrapping_neg()).wrapping_sub(1)
    } else {
        ray & !u64::MAX.checked_shr(blockers.leading_zeros()).unwrap_or(0)
    }
}

impl Game for BlackHole {
    type Position = Pawns;
    type Move = Slide;

    fn start(&self) -> Pawns {
        let Rules { size, pawns, .. } = self.rules;
        let diagonals = (0..size / 2).map(|i| (i, i));
        let places = diagonals.chain((1..size / 2).map(|column| (column, 0)));
        let pairs = places.take(pawns as usize / 2);
        let cells = pairs.flat_map(|(x, y)| [(x, y), (size - 1 - x, y)]);
        let odd = (!pawns.is_multiple_of(2)).then_some((size / 2, 0));
        let mut start = Pawns { mine: 0, theirs: 0 };
        for (x, y) in cells.chain(odd) {
            start.mine |= 1 << (size * y + x);
            start.theirs |= 1 << (size * (size - 1 - y) + x);
        }
        start
    }

    #[inline]
    fn moves(&self, at: &Pawns) -> impl IntoIterator<Item = Slide> {
        let mut slides = Slides::none(self.rules.size);
        for from in bits(at.mine) {
            for to in self.ends(from, at.mine | at.theirs) {
                // Written in any case, and kept if it is a move: no branch to foresee.
                slides.list[slides.count] = [from as u8, to as u8];
                slides.count += usize::from(to != from);
            }
        }
        slides
    }

    #[inline]
    fn play(&self, at: &Pawns, Slide { from, to, .. }: Slide) -> Pawns {
        let moved = at.mine & !(1 << from) | 1 << to;
        Pawns { mine: at.theirs, theirs: moved & !self.hole() }
    }

    #[inline]
    fn over(&self, at: &Pawns) -> Option<Outcome> {
        if at.theirs.count_ones() == self.rules.goal() {
            Some(Outcome::Loss)
        } else if at.mine.count_ones() == self.rules.goal() {
            // Never in play.
            Some(Outcome::Win)
        } else if self.can_move(at) {
            None
        } else {
            Some(self.rules.stuck)
        }
    }

    fn show(&self, at: &Pawns) -> String {
        let Rules { size, .. } = self.rules;
        Grid { columns: size, rows: size }.picture(|cell| self.mark(at, self.named(cell)))
    }

    /// The rows from the top, parted by slashes; X is to move.
    fn notation(&self, at: &Pawns) -> String {
        rows(self.grid(), Layout::Down, |cell| self.mark(at, cell))
    }

    fn read(&self, word: &str) -> Option<Result<(Pawns, u32), String>> {
        if word.starts_with('(') {
            return Some(self.read_state(word));
        }
        Some(
            self.board_notation()
                .read(word)?
                .and_then(|arrangement| self.position_of(&arrangement)),
        )
    }
}

impl BlackHole {
    /// The board, row 1 on top as positions have it.
    fn grid(&self) -> Grid {
        Grid { columns: self.rules.size, rows: self.rules.size }
    }

    /// Places have the names that players give them, row 1 at the bottom.
    fn board_notation(&self) -> BoardNotation {
        const LETTERS: &[(char, &str)] =
            &[('.', "free"), ('X', "player to move"), ('O', "other player"), ('#', "hole")];
        BoardNotation::of(self.grid(), Layout::Up, LETTERS, |cell| {
            if self.named(cell).bit() == self.hole() { "#" } else { ".XO" }
        })
    }

    /// The position of a word. Who is to move is then taken for the player who began.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(Pawns, u32), String> {
        let named = |cell: Cell| self.named(cell).bit();
        let cells = |set: u64| self.grid().cells(set).fold(0, |set, cell| set | named(cell));
        let [mine, theirs] = arrangement.stones().map(cells);
        Ok((self.sound(Pawns { mine, theirs }, ["X", "O"])?, 0))
    }

    /// The position, if there may be such a one; `names` are those of the player to move and of the other.
    fn sound(&self, at: Pawns, names: [&str; 2]) -> Result<Pawns, String> {
        let (goal, pawns) = (self.rules.goal(), self.rules.pawns);
        for (name, set) in names.into_iter().zip([at.mine, at.theirs]) {
            let found = set.count_ones();
            if !(goal..=pawns).contains(&found) {
                return Err(format!("the number of {name} is {found}, not {goal} to {pawns}"));
            }
            if set & self.hole() != 0 {
                return Err(format!("a pawn of {name} stands on the hole"));
            }
        }
        if at.mine & at.theirs != 0 {
            return Err(format!("pawns of {} and {} stand on one another", names[0], names[1]));
        }
        let [mover, _] = names;
        if at.mine.count_ones() == goal {
            return Err(format!("{mover} is to move, but {mover} had escaped before"));
        }
        Ok(at)
    }

    fn mark(&self, at: &Pawns, cell: Cell) -> char {
        if cell.bit() == self.hole() { '#' } else { stone([at.mine, at.theirs], cell) }
    }
}

impl PositionEditor for BlackHole {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}

impl Drawn for BlackHole {
    const TURNED: bool = true;

    fn picture(&self, at: &Pawns, _made: &[String]) -> Picture {
        let Rules { size, .. } = self.rules;
        let grid = Grid { columns: size, rows: size };
        let mut drawing = BoardDrawing::with_cells(grid, Layout::Up, |cell| {
            if self.named(cell).bit() == self.hole() { Tone::Shade } else { Tone::Board }
        });
        for (set, tone) in [(at.mine, Tone::First), (at.theirs, Tone::Second)] {
            grid.cells(set).for_each(|cell| drawing.piece(self.named(cell), tone, ""));
        }
        let open = self.over(at).is_none();
        for slide in self.moves(at).into_iter().filter(|_| open) {
            let [from, to] = [slide.from, slide.to].map(|cell| self.named(grid.cell(cell.into())));
            drawing.way(from, to, slide.to_string());
        }
        drawing.picture()
    }
}

impl Unplay for BlackHole {
    /// A pawn that is there has slid to its cell, and one that is missing into the hole. Neither
    /// side had escaped before.
    #[inline]
    fn unplay(&self, at: &Pawns) -> impl IntoIterator<Item = Pawns> {
        let &Pawns { mine, theirs } = at;
        let (goal, left) = (self.rules.goal(), theirs.count_ones());
        let missing = if left < self.rules.pawns { self.hole() } else { 0 };
        let slid = if left > goal { theirs } else { 0 };
        let moved = if mine.count_ones() > goal { slid | missing } else { 0 };
        bits(moved).flat_map(move |end| {
            let before = theirs & !(1 << end);
            bits(self.starts(end, mine | theirs))
                .map(move |start| Pawns { mine: before | 1 << start, theirs: mine })
        })
    }
}

/// The slides of a position, on the stack: from where to where.
struct Slides {
    list: [[u8; 2]; MOST_SLIDES + 1],
    next: usize,
    count: usize,
    size: u8,
}

impl Slides {
    #[inline]
    fn none(size: u32) -> Slides {
        Slides { list: [[0; 2]; MOST_SLIDES + 1], next: 0, count: 0, size: size as u8 }
    }
}

impl Iterator for Slides {
    type Item = Slide;

    #[inline]
    fn next(&mut self) -> Option<Slide> {
        let &[from, to] = self.list[..self.count].get(self.next)?;
        self.next += 1;
        Some(Slide { from, to, size: self.size })
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count - self.next;
        (left, Some(left))
    }

    #[inline]
    fn count(self) -> usize {
        self.count - self.next
    }
}

/// A pawn's way, as a5-a2, or c5-hole where it falls in.
#[derive(Clone, Copy)]
pub(crate) struct Slide {
    from: u8,
    to: u8,
    size: u8,
}

impl fmt::Display for Slide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = u32::from(self.size);
        let grid = Grid { columns: size, rows: size };
        let named = |cell: u8| {
            let cell = grid.cell(cell.into());
            grid.at(cell.column(), size - 1 - cell.row())
        };
        if u32::from(self.to) == size * size / 2 {
            write!(f, "{}-hole", named(self.from))
        } else {
            write!(f, "{}-{}", named(self.from), named(self.to))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn game(size: u32, pawns: u32, falls: bool) -> BlackHole {
        let stuck = Outcome::Loss;
        BlackHole::new(Rules { size, pawns, remove: pawns.min(2), falls, stuck })
    }

    /// The position of a notation.
    fn read(notation: &str) -> Pawns {
        let (mut at, mut cell) = (Pawns { mine: 0, theirs: 0 }, 1);
        for mark in notation.chars().filter(|mark| *mark != '/') {
            at.mine |= if mark == 'X' { cell } else { 0 };
            at.theirs |= if mark == 'O' { cell } else { 0 };
            cell <<= 1;
        }
        at
    }

    fn names(game: &BlackHole, at: &Pawns) -> Vec<String> {
        let mut names: Vec<_> = game.moves(at).into_iter().map(|slide| slide.to_string()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_start_is_the_published_one() {
        let cells =
            |places: [(u32, u32); 4]| places.iter().map(|(x, y)| 1_u64 << (5 * y + x)).sum::<u64>();
        let start = game(5, 4, false).start();
        assert_eq!(start.mine, cells([(0, 0), (1, 1), (3, 1), (4, 0)]));
        assert_eq!(start.theirs, cells([(0, 4), (1, 3), (3, 3), (4, 4)]));
    }

    #[test]
    fn other_starts_fill_the_diagonals_and_then_the_top_row() {
        for (size, pawns, start) in [
            (3, 1, ".X./.#./.O."),
            (3, 3, "XXX/.#./OOO"),
            (5, 1, "..X../...../..#../...../..O.."),
            (5, 3, "X.X.X/...../..#../...../O.O.O"),
            (5, 5, "X.X.X/.X.X./..#../.O.O./O.O.O"),
            (5, 6, "XX.XX/.X.X./..#../.O.O./OO.OO"),
            (7, 6, "X.....X/.X...X./..X.X../...#.../..O.O../.O...O./O.....O"),
        ] {
            let game = game(size, pawns, false);
            assert_eq!(game.notation(&game.start()), start);
            assert_eq!(read(start), game.start());
        }
    }

    #[test]
    fn pawns_slide_as_far_as_they_can() {
        let game = game(5, 4, false);
        let start = game.start();
        assert_eq!(
            game.show(&start),
            " 5 X . . . X\n 4 . X . X .\n 3 . . # . .\n 2 . O . O .\n 1 O . . . O\n   a b c d e"
        );
        let known = [
            "a5-a2", "a5-d5", "b4-a4", "b4-b3", "b4-b5", "b4-c4", "d4-c4", "d4-d3", "d4-d5",
            "d4-e4", "e5-b5", "e5-e2",
        ];
        assert_eq!(names(&game, &start), known);
        let slide =
            game.moves(&start).into_iter().find(|slide| slide.to_string() == "a5-a2").unwrap();
        let after = game.play(&start, slide);
        assert_eq!(game.notation(&after), "....O/.O.O./..#../OX.X./X...X");
    }

    #[test]
    fn the_hole_is_crossed_or_not() {
        let at = read("...../...../.X#.O/..X../.....");
        let crossing = game(5, 2, false);
        let falling = game(5, 2, true);
        let along = |game| names(game, &at).into_iter().filter(|name| name.starts_with("b3-"));
        assert_eq!(along(&crossing).collect::<Vec<_>>(), ["b3-a3", "b3-b1", "b3-b5", "b3-d3"]);
        assert_eq!(along(&falling).collect::<Vec<_>>(), ["b3-a3", "b3-b1", "b3-b5", "b3-hole"]);
        let stopped = read("...../...../.X#O./..X../....O");
        assert!(names(&crossing, &stopped).contains(&"b3-hole".into()));
        let slide = |slide: &Slide| slide.to_string() == "b3-hole";
        let fall = crossing.moves(&stopped).into_iter().find(slide).unwrap();
        assert_eq!(
            crossing.notation(&crossing.play(&stopped, fall)),
            "...../...../..#X./..O../....X"
        );
    }

    #[test]
    fn the_end_is_an_escape_or_to_be_stuck() {
        let rules = Rules { size: 3, pawns: 3, remove: 2, falls: false, stuck: Outcome::Tie };
        let (draw, loss) = (BlackHole::new(rules), game(3, 3, false));
        for (at, over) in [
            ("XXX/.#./..O", Some(Outcome::Loss)),
            ("XOO/O#./...", Some(Outcome::Win)),
            ("XOX/O#./..O", None),
        ] {
            assert_eq!([&loss, &draw].map(|game| game.over(&read(at))), [over; 2], "{at}");
        }
        let stuck = read("XOX/O#O/...");
        let outcomes = [&loss, &draw].map(|game| game.over(&stuck));
        assert_eq!(outcomes, [Some(Outcome::Loss), Some(Outcome::Tie)]);
    }

    /// All positions with these numbers of pawns, in play or not.
    fn placements(game: &BlackHole) -> Vec<Pawns> {
        let sets = 0..1_u64 << game.rules.cells();
        let sets = sets.filter(|set| set & game.hole() == 0);
        let sets: Vec<_> = sets.filter(|set| set.count_ones() <= game.rules.pawns).collect();
        let pairs = sets.iter().flat_map(|&mine| sets.iter().map(move |&theirs| (mine, theirs)));
        let apart = pairs.filter(|(mine, theirs)| mine & theirs == 0);
        apart.map(|(mine, theirs)| Pawns { mine, theirs }).collect()
    }

    #[test]
    fn there_is_one_unmove_for_each_move() {
        for pawns in 1..=3 {
            for (falls, stuck) in [(false, Outcome::Loss), (true, Outcome::Tie)] {
                for remove in 1..=pawns {
                    let game = BlackHole::new(Rules { size: 3, pawns, remove, falls, stuck });
                    let goal = game.rules.goal();
                    let fits =
                        |at: &Pawns| [at.mine, at.theirs].iter().all(|s| s.count_ones() >= goal);
                    let mut edges: HashMap<[Pawns; 2], i32> = HashMap::new();
                    for at in placements(&game).into_iter().filter(fits) {
                        if game.over(&at).is_none() {
                            for slide in game.moves(&at) {
                                *edges.entry([at, game.play(&at, slide)]).or_default() += 1;
                            }
                        }
                        for from in game.unplay(&at) {
                            *edges.entry([from, at]).or_default() -= 1;
                        }
                    }
                    let wrong = edges.iter().find(|(_, count)| **count != 0);
                    assert!(wrong.is_none(), "{wrong:?}");
                }
            }
        }
    }
}

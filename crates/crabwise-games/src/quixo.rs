//! Quixo: take a cube from the edge and push it in elsewhere; a full line wins.
//!
//! Rules: T. Chaoulli, "Quixo" (1995), on n×n. All cubes are blank at first. A turn takes a cube from the edge
//! that is blank or one's own, marks it as one's own (X or O), and pushes it in from another end of its row or
//! column, so that the cubes between move up by one. A full line of one's own, a row, a column or a diagonal, wins;
//! whoever completes a line of the other's has lost, even with one of their own.
//!
//! A position is the two sets of marks and whose turn it is, cell = n · row + column from the lower
//! left. A move that takes a blank cube cannot be undone, one that takes one's own can.

use std::{fmt, sync::Arc};

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Index, Outcome, PositionEditor, Setup, Slot, Unplay,
    game::picture::{Picture, Tone},
    index::symmetry::{FoldedPair, Group},
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout},
    faced::Faced,
    grid::{Grid, stone},
    notation::{Arrangement, BoardNotation, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "quixo",
    about: "take a cube from the edge, push it in elsewhere; a full line wins",
    parameters: "SIZE, 3 to 5 (default 3), up to 4 with a table; \
                 plain: for comparison, the rules alone, without a numbering",
    example: "quixo:3",
    build,
};

const UNTABLED: &str = "5x5 cubes have no table: there are 3^25 boards, 847 billion; play, draw and advise do \
                        without";

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let plain = params.flag("plain");
    let size = params.number("size", 3, 3..=5)?;
    let setup = Setup::of(Quixo::new(size));
    if size == 5 {
        return Ok(setup.untabled(UNTABLED).drawn().editable().erased());
    }
    if plain {
        return Ok(setup.packed().drawn().editable().erased());
    }
    Ok(setup.numbered(Boards::new(size)).reversible().drawn().editable().erased())
}

/// Sets of marks.
type Marks = Faced<u32>;

crabwise::packed!(Marks { mine, theirs, second });

/// The rules for one size of board.
pub(crate) struct Quixo {
    grid: Grid,
    lines: Vec<u32>,
    pushes: Vec<Push>,
}

/// Taking a cube and pushing it in, as a1-a3.
#[derive(Clone, Copy)]
pub(crate) struct Push {
    size: u8,
    from: u8,
    to: u8,
    /// How far neighbouring cells on the way are apart.
    step: u8,
    /// The cells from the one to the other.
    way: u32,
}

impl fmt::Display for Push {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = self.ends();
        write!(f, "{from}-{to}")
    }
}

impl Push {
    fn new(size: u8, from: u8, to: u8) -> Push {
        let step = if from / size == to / size { 1 } else { size };
        let cells = (from.min(to)..=from.max(to)).step_by(step.into());
        Push { size, from, to, step, way: cells.fold(0, |way, cell| way | 1 << cell) }
    }

    /// The names of the cells where the cube is taken and where it comes in.
    fn ends(self) -> [String; 2] {
        let grid = square_grid(self.size.into());
        [self.from, self.to].map(|cell| grid.cell(cell.into()).to_string())
    }

    /// The set once the cubes on the way have moved up by one; none has come in yet.
    #[inline]
    fn shift(self, set: u32) -> u32 {
        let moved = set & self.way & !(1 << self.from);
        let moved = if self.from < self.to { moved >> self.step } else { moved << self.step };
        set & !self.way | moved
    }

    /// Undoes [`shift`](Push::shift), without the cube that came in.
    #[inline]
    fn unshift(self, set: u32) -> u32 {
        Push { from: self.to, to: self.from, ..self }.shift(set)
    }
}

fn square_grid(size: u32) -> Grid {
    Grid { columns: size, rows: size }
}

impl Quixo {
    pub(crate) fn new(size: u32) -> Quixo {
        let grid = square_grid(size);
        let line = |cell: &dyn Fn(u32) -> u32| (0..size).fold(0, |set, i| set | 1 << cell(i));
        let mut lines = vec![line(&|i| i * size + i), line(&|i| i * size + size - 1 - i)];
        for i in 0..size {
            lines.extend([line(&|j| i * size + j), line(&|j| j * size + i)]);
        }
        let (last, mut pushes) = (size - 1, vec![]);
        for cell in grid.cells(grid.all()) {
            let (column, row) = (cell.column(), cell.row());
            if [column, row].iter().any(|&at| at == 0 || at == last) {
                let ends = [(0, row), (last, row), (column, 0), (column, last)];
                let ends = ends.map(|(column, row)| grid.at(column, row)).into_iter();
                let push = |to: u16| Push::new(size as u8, cell.number() as u8, to as u8);
                pushes.extend(ends.filter(|&to| to != cell).map(|to| push(to.number())));
            }
        }
        Quixo { grid, lines, pushes }
    }

    #[inline]
    fn lined_up(&self, set: u32) -> bool {
        self.lines.iter().any(|line| line & !set == 0)
    }

    fn board_notation(&self) -> BoardNotation {
        BoardNotation::stones(self.grid, Layout::Up).with_turn(['X', 'O'])
    }

    /// The position of a word. At the first move of either player there is no mark of theirs.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(Marks, u32), String> {
        let (players, turn) = (arrangement.stones(), arrangement.turn);
        match players.map(|set| set == 0) {
            [true, true] if turn == 1 => return Err("X begins".into()),
            [true, false] => return Err("X begins, so there cannot be marks of O alone".into()),
            [false, true] if turn == 0 => {
                return Err("X is to move, but O has no mark, who moved last".into());
            }
            _ => {}
        }
        Ok((Marks::of_players(players, turn), turn as u32))
    }
}

impl Game for Quixo {
    type Position = Marks;
    type Move = Push;

    fn start(&self) -> Marks {
        Faced { mine: 0, theirs: 0, second: false }
    }

    fn moves(&self, at: &Marks) -> impl IntoIterator<Item = Push> {
        self.pushes.iter().copied().filter(|push| at.theirs >> push.from & 1 == 0)
    }

    fn play(&self, at: &Marks, push: Push) -> Marks {
        let (mine, theirs) = (push.shift(at.mine) | 1 << push.to, push.shift(at.theirs));
        Faced { mine: theirs, theirs: mine, second: !at.second }
    }

    fn over(&self, at: &Marks) -> Option<Outcome> {
        if self.lined_up(at.mine) {
            return Some(Outcome::Win);
        }
        self.lined_up(at.theirs).then_some(Outcome::Loss)
    }

    /// Where the cube is taken, and where it comes in.
    fn decisions(&self, push: &Push) -> Vec<String> {
        push.ends().to_vec()
    }

    fn show(&self, at: &Marks) -> String {
        let board = self.grid.picture(|cell| stone(at.players(), cell));
        format!("{board}\n{} to move", at.to_move())
    }

    fn notation(&self, at: &Marks) -> String {
        let board = rows(self.grid, Layout::Up, |cell| stone(at.players(), cell));
        format!("{board}-{}", at.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Marks, u32), String>> {
        let arrangement = self.board_notation().read(word)?;
        Some(arrangement.and_then(|arrangement| self.position_of(&arrangement)))
    }
}

impl PositionEditor for Quixo {
    fn editor(&self) -> EditorBoard {
        self.board_notation().editor()
    }
}

impl Drawn for Quixo {
    /// A cube that was taken leaves its cell empty until it comes in.
    fn picture(&self, at: &Marks, made: &[String]) -> Picture {
        let grid = self.grid;
        let taken = made
            .first()
            .and_then(|name| grid.cells(grid.all()).find(|cell| cell.to_string() == *name));
        let mut drawing = BoardDrawing::with_cells(grid, Layout::Up, |cell| {
            if Some(cell) == taken { Tone::Gone } else { Tone::Board }
        });
        drawing.stones(at.players().map(|set| set & !taken.map_or(0, |cell| cell.bit())));
        drawing.picture()
    }
}

impl Unplay for Quixo {
    /// The cube that came in goes back to where it was taken, where it was blank or the mover's own.
    fn unplay(&self, at: &Marks) -> impl IntoIterator<Item = Marks> {
        let at = *at;
        let pushes = self.pushes.iter().filter(move |push| at.theirs >> push.to & 1 == 1);
        pushes
            .flat_map(move |push| {
                let (mine, theirs) = (push.unshift(at.theirs), push.unshift(at.mine));
                [mine, mine | 1 << push.from].map(|mine| Faced { mine, theirs, second: !at.second })
            })
            .filter(|from| self.over(from).is_none())
    }
}

/// Boards up to the symmetries of the square. A tier has the boards with so many marks of the one player and
/// so many of the other: a blank cube that is taken leads to a later tier, and one of one's own stays
/// inside. Whose turn it is is kept: the start comes with one player to move only, so what can be reached is not
/// the same with the turn exchanged, and would have to be followed position by position.
pub(crate) struct Boards {
    group: Arc<Group>,
    /// By how many marks are mine and how many are theirs.
    pairs: Vec<Vec<FoldedPair>>,
    /// How many marks there are of the one and of the other, the lesser number first.
    tiers: Vec<[usize; 2]>,
}

impl Boards {
    pub(crate) fn new(size: u32) -> Boards {
        let group = Arc::new(Group::square(size));
        let cells = group.cells();
        let row = |mine| {
            let first = FoldedPair::new(group.clone(), mine, 0).expect("few cells");
            let others = (1..=cells - mine).map(|theirs| first.with_second(theirs));
            let others: Vec<_> = others.map(|pair| pair.expect("few cells")).collect();
            [first].into_iter().chain(others).collect()
        };
        let pairs = (0..=cells).map(row).collect();
        let sums = (0..=cells as usize)
            .flat_map(|sum| (0..=sum / 2).map(move |low| [low, sum - low]))
            .collect();
        Boards { group, pairs, tiers: sums }
    }

    /// The tier of boards with so many marks of each.
    #[inline]
    fn tier_of(mine: usize, theirs: usize) -> u32 {
        let sum = mine + theirs;
        // Before it are 1, 1, 2, 2, 3, 3, … tiers of lesser sums.
        (sum.div_ceil(2) * (sum / 2 + 1) + mine.min(theirs)) as u32
    }

    /// How many slots of a tier are the first player's to move, which come first; as many are the second's. Of both,
    /// the boards come first on which the player to move has the fewer marks.
    #[inline]
    fn half(&self, tier: u32) -> u64 {
        let [low, high] = self.tiers[tier as usize];
        let other = if low == high { 0 } else { self.pairs[high][low].len() };
        self.pairs[low][high].len() + other
    }

    /// The pair of a slot, the place in it, and whether the second player is to move.
    #[inline]
    fn find(&self, slot: Slot) -> (&FoldedPair, u64, bool) {
        let ([low, high], half) = (self.tiers[slot.tier as usize], self.half(slot.tier));
        let (first, second) = (&self.pairs[low][high], slot.index >= half);
        let place = if second { slot.index - half } else { slot.index };
        match place.checked_sub(first.len()) {
            None => (first, place, second),
            Some(place) => (&self.pairs[high][low], place, second),
        }
    }
}

impl Index<Marks> for Boards {
    fn tiers(&self) -> u32 {
        self.tiers.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        2 * self.half(tier)
    }

    fn slot(&self, at: &Marks) -> Slot {
        let [mine, theirs] = [at.mine, at.theirs].map(|set| set.count_ones() as usize);
        let tier = Boards::tier_of(mine, theirs);
        let before = if mine > theirs { self.pairs[theirs][mine].len() } else { 0 };
        let turn = if at.second { self.half(tier) } else { 0 };
        let place = self.pairs[mine][theirs].slot(at.mine.into(), at.theirs.into());
        Slot { tier, index: turn + before + place }
    }

    fn tier(&self, at: &Marks) -> u32 {
        Boards::tier_of(at.mine.count_ones() as usize, at.theirs.count_ones() as usize)
    }

    fn position(&self, slot: Slot) -> Option<Marks> {
        let (pair, place, second) = self.find(slot);
        pair.position(place).map(|sets| Faced::new(sets, second))
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        let [low, high] = self.tiers[tier as usize];
        Boards::tier_of(low + 1, high).max(Boards::tier_of(low, high + 1))
    }

    fn orbit(&self, at: &Marks) -> Vec<Marks> {
        let orbit = self.group.orbit(at.sets()).into_iter();
        orbit.map(|sets| Faced::new(sets, at.second)).collect()
    }

    fn images(&self, at: &Marks) -> Vec<Marks> {
        let image = |element| at.sets().map(|set| self.group.apply(element, set));
        (0..self.group.order()).map(|element| Faced::new(image(element), at.second)).collect()
    }

    fn max_orbit(&self) -> u32 {
        self.group.order() as u32
    }

    fn orbit_size(&self, slot: Slot) -> u64 {
        let (pair, place, _) = self.find(slot);
        pair.orbit(place)
    }

    fn bytes(&self) -> u64 {
        self.pairs.iter().flatten().map(FoldedPair::bytes).sum()
    }

    fn name(&self) -> String {
        "quixo-folded-2".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(word: &str, push: &str) -> String {
        let game = Quixo::new(3);
        let at = game.read(word).unwrap().unwrap().0;
        let mv = game.moves(&at).into_iter().find(|mv| mv.to_string() == push).unwrap();
        game.notation(&game.play(&at, mv))
    }

    #[test]
    fn the_cubes_between_move_up() {
        assert_eq!(after(".../.../XO.-X", "a1-c1"), ".../.../O.X-O");
        assert_eq!(after(".../.../XO.-X", "a1-a3"), "X../.../.O.-O");
        assert_eq!(after("X../O../.O.-X", "b3-b1"), "X../OO./.X.-O");
    }

    #[test]
    fn whoever_completes_a_line_of_the_others_loses() {
        let game = Quixo::new(3);
        let both = game.read("XXX/OOO/...-X").unwrap().unwrap().0;
        assert_eq!(game.over(&both), Some(Outcome::Win));
        let one = game.read("XXX/OO./...-O").unwrap().unwrap().0;
        assert_eq!(game.over(&one), Some(Outcome::Loss));
    }

    #[test]
    fn a_corner_can_be_pushed_in_at_two_ends_and_an_edge_at_three() {
        let pushes = [3, 4, 5].map(|size| Quixo::new(size).pushes.len());
        assert_eq!(pushes, [20, 32, 44]);
    }

    #[test]
    fn tiers_are_numbered_in_their_order() {
        let boards = Boards::new(4);
        for (tier, &[low, high]) in (0..).zip(&boards.tiers) {
            assert_eq!([Boards::tier_of(low, high), Boards::tier_of(high, low)], [tier, tier]);
        }
    }
}

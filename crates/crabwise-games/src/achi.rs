//! Achi, tic-tac-toe with men that run out.
//!
//! Rules: D. Walker, "Traditional Board Games: Achi" (cyningstan.com), after R. C. Bell, with four
//! men a side; with three the game is also known as tapatan. Players in turn place a man on any
//! empty point of a 3×3 board until both have placed all theirs; from then on they slide a man
//! along a line to a neighbouring empty point. Lines are the rows, the columns and, unless
//! switched off, the two diagonals. Three men in line win at once, in either phase. Whoever cannot
//! slide has lost; others let that player skip the turn. With three men and diagonals it makes no
//! difference: only three men in line can block three.
//!
//! A position is the two sets of men, point = 3 · row + column from the lower left, and the turn,
//! which the men do not tell once all are placed.

use std::fmt;

use crabwise::{
    Drawn, EditorBoard, ErasedGame, Game, Index, Outcome, PositionEditor, Setup, Slot, Unplay,
    game::picture::{Form, Picture, Shape, Tone},
    index::combinadic::Colours,
};

use crate::{
    Entry, Params,
    board_drawing::{BoardDrawing, Layout, PIECE},
    grid::{Cell, Grid, bits, stone},
    notation::{Arrangement, BoardNotation, ended, in_turn, rows},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "achi",
    about: "place men, then slide them along the lines; three in line win",
    parameters: "MEN a side, 3 or 4 (default 3), and no-diagonals for the board without them",
    example: "achi:3",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let diagonals = !params.flag("no-diagonals");
    let men = params.number("number of men", 3, 3..=4)?;
    let game = Achi::new(men, diagonals);
    Ok(Setup::of(game).numbered(Placements::new(men)).reversible().drawn().editable().erased())
}

const GRID: Grid = Grid { columns: 3, rows: 3 };
const BOARD: u64 = 0o777;
const LINES: [u64; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The rules for one number of men.
pub(crate) struct Achi {
    men: u32,
    lines: &'static [u64],
    /// For each point, its neighbours along the lines.
    near: [u64; 9],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Men {
    sides: [u64; 2],
    turn: u8,
}

impl Achi {
    pub(crate) fn new(men: u32, diagonals: bool) -> Achi {
        let lines = if diagonals { &LINES } else { &LINES[..6] };
        let mut near = [0; 9];
        for &line in lines {
            // The middle of a line is next to both ends, and they to it alone.
            let Some(middle) = bits(line).nth(1) else { continue };
            near[middle as usize] |= line ^ 1 << middle;
            bits(line ^ 1 << middle).for_each(|end| near[end as usize] |= 1 << middle);
        }
        Achi { men, lines, near }
    }

    fn lined_up(&self, men: u64) -> bool {
        self.lines.iter().any(|line| men & line == *line)
    }

    fn all_placed(&self, at: &Men) -> bool {
        at.placed() == 2 * self.men
    }
}

impl Men {
    fn placed(&self) -> u32 {
        (self.sides[0] | self.sides[1]).count_ones()
    }

    fn to_move(self) -> char {
        if self.turn == 0 { 'X' } else { 'O' }
    }

    fn empty(&self) -> u64 {
        BOARD & !(self.sides[0] | self.sides[1])
    }
}

impl Game for Achi {
    type Position = Men;
    type Move = Step;

    fn start(&self) -> Men {
        Men { sides: [0, 0], turn: 0 }
    }

    fn moves(&self, at: &Men) -> impl IntoIterator<Item = Step> {
        let (mine, empty, slides) = (at.sides[at.turn as usize], at.empty(), self.all_placed(at));
        bits(empty).flat_map(move |to| {
            let sliders = if slides { mine & self.near[to as usize] } else { 0 };
            let to = GRID.cell(to);
            let placing = (!slides).then_some(Step { from: None, to });
            let slide = move |from| Step { from: Some(from), to };
            placing.into_iter().chain(GRID.cells(sliders).map(slide))
        })
    }

    fn play(&self, at: &Men, Step { from, to }: Step) -> Men {
        let mut next = Men { turn: 1 - at.turn, ..*at };
        next.sides[at.turn as usize] ^= to.bit() | from.map_or(0, Cell::bit);
        next
    }

    fn over(&self, at: &Men) -> Option<Outcome> {
        let lost = self.lined_up(at.sides[1 - at.turn as usize])
            || self.moves(at).into_iter().next().is_none();
        lost.then_some(Outcome::Loss)
    }

    fn show(&self, at: &Men) -> String {
        format!("{}\n{} to move", GRID.picture(|cell| stone(at.sides, cell)), at.to_move())
    }

    fn notation(&self, at: &Men) -> String {
        format!("{}-{}", rows(GRID, Layout::Up, |cell| stone(at.sides, cell)), at.to_move())
    }

    fn read(&self, word: &str) -> Option<Result<(Men, u32), String>> {
        Some(board_notation().read(word)?.and_then(|arrangement| self.position_of(&arrangement)))
    }
}

fn board_notation() -> BoardNotation {
    BoardNotation::stones(GRID, Layout::Up).with_turn(['X', 'O'])
}

impl Achi {
    /// The position of a word.
    fn position_of(&self, arrangement: &Arrangement) -> Result<(Men, u32), String> {
        let at = Men { sides: arrangement.stones(), turn: arrangement.turn as u8 };
        let placing = in_turn(at.sides)?;
        let most = at.sides.map(u64::count_ones).into_iter().max().unwrap_or(0);
        if most > self.men {
            return Err(format!("there are {most} men of a side, which has {}", self.men));
        }
        if !self.all_placed(&at) && placing != arrangement.turn {
            let mover = ['X', 'O'][placing];
            return Err(format!("until all men are placed, {mover} is to move here"));
        }
        ended(at.sides.map(|men| self.lined_up(men)), arrangement.turn)?;
        let placed = at.placed();
        Ok((at, placed + (placed + arrangement.turn as u32) % 2))
    }
}

impl PositionEditor for Achi {
    fn editor(&self) -> EditorBoard {
        board_notation().editor()
    }
}

impl Drawn for Achi {
    fn picture(&self, at: &Men, _made: &[String]) -> Picture {
        let mut drawing = BoardDrawing::new(GRID, Layout::Up);
        for cell in GRID.cells(BOARD) {
            for other in GRID.cells(self.near[usize::from(cell.number())] & !(cell.bit() - 1)) {
                let (from, to) = (drawing.middle(cell), drawing.middle(other));
                drawing.push(Shape::new(Form::Line { from, to, arrow: false }, Tone::Board));
            }
        }
        for cell in GRID.cells(BOARD) {
            let point = Form::Disc { at: drawing.middle(cell), radius: PIECE };
            drawing.push(Shape::new(point, Tone::Board).named(cell.to_string()));
        }
        drawing.stones(at.sides);
        let open = self.over(at).is_none();
        for step in self.moves(at).into_iter().filter(|_| open) {
            if let Some(from) = step.from {
                drawing.way(from, step.to, step.to_string());
            }
        }
        drawing.picture()
    }
}

impl Unplay for Achi {
    /// Takes back a slide while all men are on the board, and a placing where it was the turn to
    /// place: after the last placing that is the first player's turn.
    fn unplay(&self, at: &Men) -> impl IntoIterator<Item = Men> {
        let (at, mover) = (*at, 1 - at.turn);
        // Had the side to move been in line already, the game would have ended before.
        let open = !self.lined_up(at.sides[at.turn as usize]);
        let slides = open && self.all_placed(&at);
        let places = open && u32::from(at.turn) == at.placed() % 2;
        let moved = if open { at.sides[mover as usize] } else { 0 };
        bits(moved).flat_map(move |to| {
            let without = at.sides[mover as usize] ^ 1 << to;
            let from = if slides { at.empty() & self.near[to as usize] } else { 0 };
            let slid = bits(from).map(move |from| without | 1 << from);
            slid.chain(places.then_some(without)).map(move |set| {
                let mut sides = at.sides;
                sides[mover as usize] = set;
                Men { sides, turn: mover }
            })
        })
    }
}

/// Placing a man, as b2, or sliding one, as a1-b2.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    from: Option<Cell>,
    to: Cell,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from {
            Some(from) => write!(f, "{from}-{}", self.to),
            None => self.to.fmt(f),
        }
    }
}

/// A tier for each number of men placed. Only the last is loopy, and only there the turn is kept.
pub(crate) struct Placements(Vec<Colours>);

impl Placements {
    pub(crate) fn new(men: u32) -> Placements {
        let tier = |placed: u32| Colours::new(9, [placed.div_ceil(2), placed / 2]);
        let tiers = (0..=2 * men).map(|placed| tier(placed).expect("nine points are few"));
        Placements(tiers.collect())
    }

    fn turns(&self, tier: u32) -> u64 {
        1 + u64::from(self.loopy(tier))
    }
}

impl Index<Men> for Placements {
    fn tiers(&self) -> u32 {
        self.0.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        self.turns(tier) * self.0[tier as usize].len()
    }

    fn slot(&self, at: &Men) -> Slot {
        let tier = at.placed();
        let place = self.0[tier as usize].rank(at.sides);
        let index = if self.loopy(tier) { 2 * place + u64::from(at.turn) } else { place };
        Slot { tier, index }
    }

    fn position(&self, Slot { tier, index }: Slot) -> Option<Men> {
        let sides = self.0[tier as usize].unrank(index / self.turns(tier));
        let turn = if self.loopy(tier) { index % 2 } else { u64::from(tier % 2) };
        Some(Men { sides, turn: turn as u8 })
    }

    fn loopy(&self, tier: u32) -> bool {
        tier + 1 == self.tiers()
    }

    fn last_child_tier(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn name(&self) -> String {
        "achi-placements-1".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_has_three_neighbours_and_an_edge_too() {
        assert_eq!(Achi::new(3, true).near.map(u64::count_ones), [3, 3, 3, 3, 8, 3, 3, 3, 3]);
        assert_eq!(Achi::new(3, false).near.map(u64::count_ones), [2, 3, 2, 3, 4, 3, 2, 3, 2]);
    }

    #[test]
    fn with_four_men_a_player_can_be_stuck() {
        let game = Achi::new(4, true);
        let stuck = Men { sides: [0o344, 0o432], turn: 0 };
        assert!(game.all_placed(&stuck) && !game.lined_up(stuck.sides[1]));
        assert_eq!(game.over(&stuck), Some(Outcome::Loss));
    }
}

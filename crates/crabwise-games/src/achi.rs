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

use crabwise::{AnyGame, Game, Index, Outcome, Setup, Slot, Unplay};

use crate::{
    Entry, Params,
    squares::{choose, rank, squares},
};

pub(crate) const ENTRY: Entry = Entry {
    name: "achi",
    about: "place three men, then slide them; three in line win",
    parameters: "MEN a side, 3 or 4 (default 3), and no-diagonals for the board without them",
    example: "achi:3",
    build,
};

fn build(params: &mut Params) -> Result<Box<dyn AnyGame>, String> {
    let men = params.number("number of men", 3, 3..=4)?;
    let game = Achi::new(men, !params.flag("no-diagonals"));
    Ok(Setup::of(game).numbered(Placements::new(men)).reversible().boxed())
}

const BOARD: u32 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The rules for one number of men.
pub(crate) struct Achi {
    men: u32,
    lines: &'static [u16],
    /// For each point, its neighbours along the lines.
    near: [u16; 9],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Men {
    sides: [u16; 2],
    turn: u8,
}

impl Achi {
    pub(crate) fn new(men: u32, diagonals: bool) -> Achi {
        let lines = if diagonals { &LINES } else { &LINES[..6] };
        let beside = |a: u8, b: u8| {
            let middle = |line: u16| squares(line.into()).nth(1);
            let joins = |line: u16| line >> a & line >> b & 1 == 1;
            let ends = |line: u16| middle(line) == Some(a) || middle(line) == Some(b);
            a != b && lines.iter().any(|&line| joins(line) && ends(line))
        };
        let near = std::array::from_fn(|a| {
            (0..9).filter(|&b| beside(a as u8, b)).fold(0, |set, b| set | 1 << b)
        });
        Achi { men, lines, near }
    }

    fn lined_up(&self, men: u16) -> bool {
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

    fn empty(&self) -> u16 {
        BOARD as u16 & !(self.sides[0] | self.sides[1])
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
        squares(empty.into()).flat_map(move |to| {
            let sliders = if slides { mine & self.near[to as usize] } else { 0 };
            let placing = (!slides).then_some(Step { from: None, to });
            let slide = move |from| Step { from: Some(from), to };
            placing.into_iter().chain(squares(sliders.into()).map(slide))
        })
    }

    fn play(&self, at: &Men, Step { from, to }: Step) -> Men {
        let mut next = Men { turn: 1 - at.turn, ..*at };
        next.sides[at.turn as usize] ^= 1 << to | from.map_or(0, |from| 1 << from);
        next
    }

    fn over(&self, at: &Men) -> Option<Outcome> {
        let lost = self.lined_up(at.sides[1 - at.turn as usize])
            || self.moves(at).into_iter().next().is_none();
        lost.then_some(Outcome::Loss)
    }

    fn show(&self, at: &Men) -> String {
        let point = |bit: u8| match at.sides.map(|side| side >> bit & 1) {
            [0, 0] => '.',
            [1, _] => 'X',
            _ => 'O',
        };
        let row = |row: u8| (0..3).map(|column| point(3 * row + column)).collect::<String>();
        let turn = if at.turn == 0 { 'X' } else { 'O' };
        format!("{}\n{}\n{}\n{turn} to move", row(2), row(1), row(0))
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
        squares(moved.into()).flat_map(move |to| {
            let without = at.sides[mover as usize] ^ 1 << to;
            let from = if slides { at.empty() & self.near[to as usize] } else { 0 };
            let slid = squares(from.into()).map(move |from| without | 1 << from);
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
    from: Option<u8>,
    to: u8,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |point: u8| format!("{}{}", char::from(b'a' + point % 3), point / 3 + 1);
        match self.from {
            Some(from) => write!(f, "{}-{}", name(from), name(self.to)),
            None => f.write_str(&name(self.to)),
        }
    }
}

/// A tier for each number of men placed. Only the last is loopy, and only there the turn is kept.
pub(crate) struct Placements(Vec<Vec<[u16; 2]>>);

impl Placements {
    fn new(men: u32) -> Placements {
        let tier = |placed: u32| {
            let others = |first: u32| {
                let second = choose(BOARD & !first, placed / 2);
                second.into_iter().map(move |second| [first as u16, second as u16])
            };
            choose(BOARD, placed.div_ceil(2)).into_iter().flat_map(others).collect()
        };
        Placements((0..=2 * men).map(tier).collect())
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
        self.turns(tier) * self.0[tier as usize].len() as u64
    }

    fn slot(&self, at: &Men) -> Slot {
        let tier = at.placed();
        let place = rank(&self.0[tier as usize], &at.sides);
        let index = if self.loopy(tier) { 2 * place + u64::from(at.turn) } else { place };
        Slot { tier, index }
    }

    fn position(&self, Slot { tier, index }: Slot) -> Option<Men> {
        let sides = *self.0[tier as usize].get((index / self.turns(tier)) as usize)?;
        let turn = if self.loopy(tier) { index % 2 } else { u64::from(tier % 2) };
        Some(Men { sides, turn: turn as u8 })
    }

    fn loopy(&self, tier: u32) -> bool {
        tier + 1 == self.tiers()
    }

    fn reach(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn name(&self) -> String {
        "placements".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{census, check_numbering, check_unplay, row};
    use crabwise::{Value, solve::reference::rounds};

    #[test]
    fn three_men_win_in_nine() {
        let game = Achi::new(3, true);
        let values = rounds(&game);
        assert_eq!(values[&game.start()], Value::Win(9));
        assert_eq!(census(&values), (5390, [2997, 1185, 0, 1208], 10));
        let rows = [(10, 0, 16), (9, 57, 0), (8, 0, 109), (5, 300, 0), (1, 1860, 0), (0, 0, 416)];
        for (n, win, loss) in rows {
            assert_eq!(row(&values, n), [win, loss, 0], "in {n}");
        }
    }

    #[test]
    fn a_corner_has_three_neighbours_and_an_edge_too() {
        assert_eq!(Achi::new(3, true).near.map(u16::count_ones), [3, 3, 3, 3, 8, 3, 3, 3, 3]);
        assert_eq!(Achi::new(3, false).near.map(u16::count_ones), [2, 3, 2, 3, 4, 3, 2, 3, 2]);
    }

    #[test]
    fn with_four_men_a_player_can_be_stuck() {
        let game = Achi::new(4, true);
        let stuck = Men { sides: [0o344, 0o432], turn: 0 };
        assert!(game.all_placed(&stuck) && !game.lined_up(stuck.sides[1]));
        assert_eq!(game.over(&stuck), Some(Outcome::Loss));
    }

    #[test]
    fn numbering_and_unmoves_hold() {
        for (men, diagonals) in [(3, true), (3, false), (4, true), (4, false)] {
            let game = Achi::new(men, diagonals);
            let values = rounds(&game);
            check_numbering(&game, &Placements::new(men), &values);
            check_unplay(&game, &values);
        }
    }
}

//! Tic-tac-toe, and its generalisation to any board and any length of line.
//!
//! Rules: E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", chapter 22. Players take a
//! free cell in turn; whoever first has k cells in a row, across, up or diagonally, wins; a full
//! board is a tie. Positions are two bit sets, cell = row · columns + column, turned around after
//! every move. A cell is written as in chess: column a on the left, row 1 at the bottom.
//!
//! Boards of up to 20 cells are numbered by the count of stones, mirror images sharing a slot. All
//! placements have one, also those that play cannot reach because it ended before.

use std::sync::Arc;

use crabwise::{
    AnyGame, Game, Index, Outcome, Setup, Slot,
    index::symmetry::{FoldedPair, Group},
};

use crate::{
    Entry, Params,
    cell::{Cell, letters},
};

pub(crate) const TICTACTOE: Entry = Entry {
    name: "tictactoe",
    about: "three in a row on a board of nine cells",
    parameters: "",
    example: "tictactoe",
    build: |_| set_up(Mnk::new(3, 3, 3)),
};

pub(crate) const MNK: Entry = Entry {
    name: "mnk",
    about: "take cells in turn; K in a row win",
    parameters: "COLUMNSxROWS,K: sides 1 to 26, at most 64 cells; \
                 K from 1 to the longer side (default 4x4,4)",
    example: "mnk:4x3,3",
    build,
};

/// The largest board whose numbering is kept in memory: 8 MB, made in a tenth of a second.
const MOST_NUMBERED: u32 = 20;

fn build(params: &mut Params) -> Result<Box<dyn AnyGame>, String> {
    let (columns, rows) = params.size(["columns", "rows"], (4, 4), [1..=26, 1..=26])?;
    if columns * rows > 64 {
        return Err(format!("{columns}x{rows} has more than 64 cells"));
    }
    let longest = columns.max(rows);
    let k = params.number("length of a line", longest.min(4), 1..=longest)?;
    set_up(Mnk::new(columns, rows, k))
}

fn set_up(game: Mnk) -> Result<Box<dyn AnyGame>, String> {
    if game.columns * game.rows > MOST_NUMBERED {
        return Ok(Setup::of(game).boxed());
    }
    let index = Folded::new(&game)?;
    Ok(Setup::of(game).numbered(index).boxed())
}

/// The rules for one size of board and length of line.
pub(crate) struct Mnk {
    columns: u32,
    rows: u32,
    full: u64,
    lines: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Stones {
    mine: u64,
    theirs: u64,
}

impl Mnk {
    pub(crate) fn new(columns: u32, rows: u32, k: u32) -> Mnk {
        let full = u64::MAX >> (64 - columns * rows);
        Mnk { columns, rows, full, lines: lines(columns, rows, k) }
    }

    fn line(&self, stones: u64) -> bool {
        self.lines.iter().any(|line| stones & line == *line)
    }
}

/// Every set of k cells in a row, once.
fn lines(columns: u32, rows: u32, k: u32) -> Vec<u64> {
    let mut lines = vec![];
    for cell in 0..columns * rows {
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1)] {
            let cells = (0..k).map(|i| {
                let x = (cell % columns).checked_add_signed(dx * i as i32)?;
                let y = cell / columns + dy * i;
                (x < columns && y < rows).then(|| 1 << (y * columns + x))
            });
            lines.extend(cells.sum::<Option<u64>>());
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

impl Game for Mnk {
    type Position = Stones;
    type Move = Cell;

    fn start(&self) -> Stones {
        Stones { mine: 0, theirs: 0 }
    }

    fn moves(&self, at: &Stones) -> impl IntoIterator<Item = Cell> {
        Cell::all(self.full & !(at.mine | at.theirs), self.columns)
    }

    fn play(&self, at: &Stones, mv: Cell) -> Stones {
        Stones { mine: at.theirs, theirs: at.mine | mv.bit() }
    }

    fn over(&self, at: &Stones) -> Option<Outcome> {
        if self.line(at.theirs) {
            Some(Outcome::Loss)
        } else if self.line(at.mine) {
            // Never in play, but numbered.
            Some(Outcome::Win)
        } else if at.mine | at.theirs == self.full {
            Some(Outcome::Tie)
        } else {
            None
        }
    }

    fn show(&self, at: &Stones) -> String {
        let taken = (at.mine | at.theirs).count_ones();
        let (x, o) =
            if taken.is_multiple_of(2) { (at.mine, at.theirs) } else { (at.theirs, at.mine) };
        let stone = |cell: u32| match (x >> cell & 1, o >> cell & 1) {
            (1, _) => " X",
            (_, 1) => " O",
            _ => " .",
        };
        let row = |row: u32| {
            let cells: String = (0..self.columns).map(|x| stone(row * self.columns + x)).collect();
            format!("{:2}{cells}\n", row + 1)
        };
        (0..self.rows).rev().map(row).collect::<String>() + "  " + &letters(self.columns)
    }
}

/// Placements by the number of stones, mirror images sharing a slot.
struct Folded {
    group: Arc<Group>,
    tiers: Vec<FoldedPair>,
}

impl Folded {
    fn new(game: &Mnk) -> Result<Folded, String> {
        let (columns, rows) = (game.columns, game.rows);
        let group =
            if columns == rows { Group::square(rows) } else { Group::rectangle(columns, rows) };
        let group = Arc::new(group);
        // The opponent moved last and never has fewer stones, and a larger set is seldomer
        // symmetric, so theirs is the set to fold by.
        let tier = |stones: u32| FoldedPair::new(group.clone(), stones.div_ceil(2), stones / 2);
        let tiers = (0..=columns * rows).map(tier).collect::<Result<_, _>>();
        Ok(Folded { tiers: tiers.map_err(|unfoldable| unfoldable.to_string())?, group })
    }
}

impl Index<Stones> for Folded {
    fn tiers(&self) -> u32 {
        self.tiers.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        self.tiers[tier as usize].len()
    }

    fn slot(&self, at: &Stones) -> Slot {
        let tier = (at.mine | at.theirs).count_ones();
        Slot { tier, index: self.tiers[tier as usize].slot(at.theirs, at.mine) }
    }

    fn position(&self, slot: Slot) -> Option<Stones> {
        let [theirs, mine] = self.tiers[slot.tier as usize].position(slot.index)?;
        Some(Stones { mine, theirs })
    }

    fn loopy(&self, _tier: u32) -> bool {
        false
    }

    fn reach(&self, tier: u32) -> u32 {
        (tier + 1).min(self.tiers() - 1)
    }

    fn child(&self, from: Slot, to: &Stones) -> Slot {
        let tier = from.tier + 1;
        Slot { tier, index: self.tiers[tier as usize].slot(to.theirs, to.mine) }
    }

    fn alike(&self, at: &Stones) -> Vec<Stones> {
        let images = self.group.orbit([at.mine, at.theirs]);
        images.into_iter().map(|[mine, theirs]| Stones { mine, theirs }).collect()
    }

    fn folds(&self) -> u32 {
        self.group.order() as u32
    }

    fn name(&self) -> String {
        "mnk-folded-1".into()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use crabwise::{Value, solve::reference::reference};

    use super::*;

    /// The values of all slots, the last tier first: the numbering's own way through the game.
    fn sweep(game: &Mnk, index: &Folded) -> Vec<Vec<Option<Value>>> {
        let mut tables = vec![vec![]; index.tiers() as usize + 1];
        for tier in (0..index.tiers()).rev() {
            let value = |at: Stones, from: Slot| match game.over(&at) {
                Some(outcome) => outcome.into(),
                None => (game.moves(&at).into_iter())
                    .map(|mv| index.child(from, &game.play(&at, mv)))
                    .map(|to| tables[to.tier as usize][to.index as usize])
                    .map(|value: Option<Value>| value.expect("a child is no hole").back(false))
                    .max()
                    .expect("a move"),
            };
            let slots = (0..index.len(tier)).map(|index| Slot { tier, index });
            tables[tier as usize] =
                slots.map(|slot| Some(value(index.position(slot)?, slot))).collect();
        }
        tables
    }

    fn count(values: &HashMap<Stones, Value>) -> [usize; 3] {
        ["win", "loss", "tie"]
            .map(|outcome| values.values().filter(|value| value.outcome() == outcome).count())
    }

    #[test]
    fn tictactoe_is_as_everyone_knows() {
        let game = Mnk::new(3, 3, 3);
        let values = reference(&game);
        assert_eq!(values[&game.start()], Value::Tie(9));
        assert_eq!((values.len(), count(&values)), (5_478, [2_836, 1_574, 1_068]));
        let over = values.keys().filter(|at| game.over(at).is_some()).count();
        assert_eq!(over, 958);
        let index = Folded::new(&game).unwrap();
        let slots: HashSet<Slot> = values.keys().map(|at| index.slot(at)).collect();
        assert_eq!(slots.len(), 765);
    }

    #[test]
    fn the_numbering_agrees_with_the_reference() {
        for (columns, rows, k) in [(3, 3, 3), (4, 3, 3), (2, 5, 2), (1, 4, 3), (3, 3, 2), (1, 1, 1)]
        {
            let game = Mnk::new(columns, rows, k);
            let index = Folded::new(&game).unwrap();
            let tables = sweep(&game, &index);
            for (at, value) in reference(&game) {
                let slot = index.slot(&at);
                assert_eq!(tables[slot.tier as usize][slot.index as usize], Some(value), "{at:?}");
                let alike = index.alike(&at);
                assert!(alike.contains(&at) && alike.len() as u32 <= index.folds());
                assert!(alike.iter().all(|image| index.slot(image) == slot));
            }
        }
    }

    #[test]
    fn four_by_three() {
        let game = Mnk::new(4, 3, 3);
        let values = reference(&game);
        assert_eq!(values[&game.start()], Value::Win(7));
        assert_eq!((values.len(), count(&values)), (111_973, [64_738, 44_175, 3_060]));
    }

    #[test]
    fn lines_are_counted() {
        for ((columns, rows, k), count) in
            [((3, 3, 3), 8), ((4, 4, 4), 10), ((4, 3, 1), 12), ((8, 8, 8), 18), ((2, 26, 26), 2)]
        {
            assert_eq!(lines(columns, rows, k).len(), count);
        }
    }

    #[test]
    fn sizes_have_limits() {
        let build = |text| build(&mut Params::parse(text)).err();
        let canonical = |string| crate::Registry::standard().build(string).unwrap().string;
        assert_eq!(canonical("mnk"), "mnk:4x4,4");
        assert_eq!(canonical("mnk:3x2"), "mnk:3x2,3");
        assert_eq!(canonical("mnk:8x8"), "mnk:8x8,4");
        assert_eq!(canonical("tictactoe"), "tictactoe");
        assert_eq!(build("9x8,5").as_deref(), Some("9x8 has more than 64 cells"));
        let line = "'5': the length of a line must be a number from 1 to 4";
        assert_eq!(build("4x3,5").as_deref(), Some(line));
    }

    #[test]
    fn cells_are_named_as_in_chess() {
        let game = Mnk::new(4, 3, 3);
        let moves: Vec<_> = game.moves(&game.start()).into_iter().collect();
        assert_eq!(moves[6].to_string(), "c2");
        let at = game.play(&game.start(), moves[6]);
        assert_eq!(game.show(&at), " 3 . . . .\n 2 . . X .\n 1 . . . .\n   a b c d");
    }
}

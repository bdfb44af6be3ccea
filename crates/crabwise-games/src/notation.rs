//! Positions as words: a letter for each place, row by row as the picture has them from the top, the rows
//! parted by slashes; then, where the letters do not tell it, a dash and whose turn it is: `X../.O.-X`.
//!
//! No move is written with a slash or a dot, nor with nothing but such letters.

use crabwise::{EditorBoard, EditorPlace};

use crate::{
    board_drawing::Layout,
    grid::{Cell, Grid},
};

/// How the positions of a game are written.
pub struct BoardNotation {
    /// The letters, and what each means.
    letters: &'static [(char, &'static str)],
    rows: Vec<Vec<Spot>>,
    /// The letters of the players, if it is written whose turn it is.
    turns: Option<[char; 2]>,
}

/// A place, and the letters that it can have.
pub struct Spot {
    /// The number of the place, by which an [`Arrangement`] tells it.
    pub number: u32,
    /// What people call it.
    pub name: String,
    /// What it can have.
    pub letters: &'static str,
}

/// The letters of stones, and of places without one.
pub const STONES: &[(char, &str)] = &[('.', "free"), ('X', "first player"), ('O', "second player")];

impl BoardNotation {
    /// Places in rows, without a turn.
    pub fn new(rows: Vec<Vec<Spot>>, letters: &'static [(char, &'static str)]) -> BoardNotation {
        BoardNotation { letters, rows, turns: None }
    }

    /// The cells of a board, each with the letters that it can have.
    pub fn of(
        grid: Grid,
        layout: Layout,
        letters: &'static [(char, &'static str)],
        on: impl Fn(Cell) -> &'static str,
    ) -> BoardNotation {
        let spot = |cell: Cell| Spot {
            number: cell.number().into(),
            name: cell.to_string(),
            letters: on(cell),
        };
        let row = |y| (0..grid.columns).map(|x| spot(grid.at(x, y))).collect();
        BoardNotation::new(from_the_top(grid, layout).map(row).collect(), letters)
    }

    /// The cells of a board for stones.
    pub fn stones(grid: Grid, layout: Layout) -> BoardNotation {
        BoardNotation::of(grid, layout, STONES, |_| ".XO")
    }

    /// Adds whose turn it is, by the letters of the players.
    pub fn with_turn(self, letters: [char; 2]) -> BoardNotation {
        BoardNotation { turns: Some(letters), ..self }
    }

    /// What can stand where.
    pub fn editor(&self) -> EditorBoard {
        let (mut places, mut at) = (vec![], 0);
        for row in &self.rows {
            for Spot { name, letters, .. } in row {
                places.push(EditorPlace { name: name.clone(), at, letters: letters.to_string() });
                at += 1;
            }
            at += 1;
        }
        if let Some(letters) = self.turns {
            places.push(EditorPlace { name: "turn".into(), at, letters: letters.iter().collect() });
        }
        EditorBoard { letters: self.letters.to_vec(), places }
    }

    /// The letters of a word, or what is wrong with it; `None` if it is no position at all.
    pub fn read(&self, word: &str) -> Option<Result<Arrangement, String>> {
        let known = |letter: char| self.letters.iter().any(|(known, _)| *known == letter);
        let written = |letter: char| known(letter) || letter == '-' && self.turns.is_some();
        let like = word.contains(['/', '.']) || !word.is_empty() && word.chars().all(written);
        like.then(|| self.letters_of(word))
    }

    fn letters_of(&self, word: &str) -> Result<Arrangement, String> {
        let (board, turn) = self.turn_of(word)?;
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != self.rows.len() {
            let (found, rows) = (many(rows.len(), "row"), self.rows.len());
            return Err(format!("it has {found}, and the board {rows}"));
        }
        let mut marks = vec![];
        for (n, (row, spots)) in rows.iter().zip(&self.rows).enumerate() {
            if row.chars().count() != spots.len() {
                let (found, wanted) = (many(row.chars().count(), "letter"), spots.len());
                return Err(format!("row {} from the top has {found}, not {wanted}", n + 1));
            }
            for (mark, Spot { number, name, letters }) in row.chars().zip(spots) {
                if !letters.contains(mark) {
                    let letters: Vec<String> = letters.chars().map(String::from).collect();
                    return Err(format!(
                        "{name} cannot be '{mark}', only {}",
                        letters.join(" or ")
                    ));
                }
                marks.push((*number, mark));
            }
        }
        Ok(Arrangement { marks, turn })
    }

    /// The word without whose turn it is, and that: 0 for the first player.
    fn turn_of<'a>(&self, word: &'a str) -> Result<(&'a str, usize), String> {
        let Some(letters) = self.turns else { return Ok((word, 0)) };
        let how = format!("whose turn it is comes last, -{} or -{}", letters[0], letters[1]);
        let (board, turn) = word.rsplit_once('-').ok_or(how.clone())?;
        let player = letters.iter().position(|letter| letter.to_string() == turn);
        Ok((board, player.ok_or(how)?))
    }
}

/// What stands where, and whose turn it is if that was written.
pub struct Arrangement {
    marks: Vec<(u32, char)>,
    /// 0 for the first player.
    pub turn: usize,
}

impl Arrangement {
    /// The places with a letter.
    pub fn all(&self, letter: char) -> Vec<u32> {
        let marked = self.marks.iter().filter(|(_, mark)| *mark == letter);
        marked.map(|(number, _)| *number).collect()
    }

    /// The places below 64 with a letter.
    pub fn set(&self, letter: char) -> u64 {
        self.all(letter).iter().fold(0, |set, number| set | 1 << number)
    }

    /// The stones of the first and of the second player.
    pub fn stones(&self) -> [u64; 2] {
        ['X', 'O'].map(|letter| self.set(letter))
    }

    /// The one place with a letter.
    pub fn one(&self, letter: char) -> Result<u32, String> {
        match self.all(letter)[..] {
            [one] => Ok(one),
            [] => Err(format!("there is no {letter}")),
            ref more => Err(format!("there are {} {letter}, not one", more.len())),
        }
    }
}

/// The board of a word: its rows from the top, parted by slashes.
pub fn rows(grid: Grid, layout: Layout, mark: impl Fn(Cell) -> char) -> String {
    let mut word = String::new();
    for (n, y) in from_the_top(grid, layout).enumerate() {
        word.extend((n > 0).then_some('/'));
        word.extend((0..grid.columns).map(|x| mark(grid.at(x, y))));
    }
    word
}

fn from_the_top(grid: Grid, layout: Layout) -> impl Iterator<Item = u32> {
    let last = grid.rows - 1;
    (0..grid.rows).map(move |y| if layout == Layout::Up { last - y } else { y })
}

/// Whose turn it is where players in turn put a stone on the board and X begins.
pub fn in_turn([x, o]: [u64; 2]) -> Result<usize, String> {
    match (x.count_ones(), o.count_ones()) {
        (x, o) if x == o => Ok(0),
        (x, o) if x == o + 1 => Ok(1),
        (x, o) => Err(format!("X begins, so there cannot be {x} X and {o} O")),
    }
}

/// An error if a player has won who was not the last to move; `won` says which of the two have.
pub fn ended(won: [bool; 2], turn: usize) -> Result<(), String> {
    let letters = ['X', 'O'];
    match won {
        [true, true] => Err("both X and O have won".into()),
        _ if won[turn] => Err(format!("{0} is to move, but {0} had won before", letters[turn])),
        _ => Ok(()),
    }
}

fn many(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said() {
        let notation = BoardNotation::stones(Grid { columns: 2, rows: 2 }, Layout::Up);
        let turned =
            BoardNotation::stones(Grid { columns: 2, rows: 1 }, Layout::Up).with_turn(['X', 'O']);
        let wrong = |notation: &BoardNotation, word| notation.read(word).unwrap().err().unwrap();
        assert_eq!(wrong(&notation, "X.O."), "it has 1 row, and the board 2");
        assert_eq!(wrong(&notation, "X./O"), "row 2 from the top has 1 letter, not 2");
        assert_eq!(wrong(&notation, "X./OQ"), "b1 cannot be 'Q', only . or X or O");
        assert_eq!(wrong(&turned, "X."), "whose turn it is comes last, -X or -O");
        assert!(["a1", "pass", "1", ""].iter().all(|word| notation.read(word).is_none()));
        assert!(["a1-b1", "b1-off"].iter().all(|word| turned.read(word).is_none()));
    }

    #[test]
    fn rows_come_from_the_top() {
        let grid = Grid { columns: 2, rows: 2 };
        let arrangement = BoardNotation::stones(grid, Layout::Up).read("X./OO").unwrap().unwrap();
        assert_eq!(arrangement.stones(), [0b0100, 0b0011]);
        assert_eq!((arrangement.one('X'), arrangement.one('O').is_err()), (Ok(2), true));
        let stone = |cell| crate::grid::stone(arrangement.stones(), cell);
        assert_eq!(
            [Layout::Up, Layout::Down].map(|layout| rows(grid, layout, stone)),
            ["X./OO", "OO/X."]
        );
    }

    #[test]
    fn each_place_is_one_letter() {
        let desk = BoardNotation::stones(Grid { columns: 2, rows: 2 }, Layout::Down)
            .with_turn(['X', 'O'])
            .editor();
        let places: Vec<(&str, usize)> =
            desk.places.iter().map(|one| (&*one.name, one.at)).collect();
        assert_eq!(places, [("a1", 0), ("b1", 1), ("a2", 3), ("b2", 4), ("turn", 6)]);
    }
}

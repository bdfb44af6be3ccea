//! The rows of a survey in a file that it can go on with: one whose games are those of the survey.

use std::path::Path;

use super::Row;
use crate::{error::Failure, ledger};

pub struct Ledger {
    file: ledger::Ledger,
    rows: Vec<Row>,
}

impl Ledger {
    /// Opens a file, or begins it; `game` says what the game of a number is.
    pub fn open(
        path: &Path,
        header: &[String],
        game: impl Fn(u64) -> Result<String, Failure>,
    ) -> Result<Ledger, Failure> {
        let (mut file, begun) = ledger::Ledger::open(path, header, "survey")?;
        let sized = super::header(None).len() + 1 == header.len();
        let known = |cells: &Vec<String>| {
            let row = read(cells, sized)?;
            (game(row.n).ok().as_ref() == Some(&row.game)).then_some(row)
        };
        let rows = begun.iter().map(known).collect::<Option<Vec<Row>>>();
        let rows = rows.ok_or_else(|| ledger::other(path, "survey"))?;
        file.begin()?;
        Ok(Ledger { file, rows })
    }

    /// Whether some row has no distance, because it was found by search.
    pub fn searched(&self) -> bool {
        self.rows.iter().any(|row| row.distance.is_none())
    }

    pub fn row(&self, n: u64) -> Option<&Row> {
        self.rows.iter().find(|row| row.n == n)
    }

    pub fn add(&mut self, row: &Row, sized: bool) -> Result<(), Failure> {
        self.file.add(&row.cells(sized))
    }
}

fn read(cells: &[String], sized: bool) -> Option<Row> {
    let told = |cell: &str| match cell {
        "-" => Some(None),
        cell => cell.parse().ok().map(Some),
    };
    let (size, rest) = if sized { (told(cells.get(2)?)?, 3) } else { (None, 2) };
    let [outcome, distance, nimber, winning, kinds, seconds, notes] = cells.get(rest..)? else {
        return None;
    };
    Some(Row {
        n: cells[0].parse().ok()?,
        game: cells[1].clone(),
        size,
        outcome: outcome.clone(),
        distance: told(distance)?,
        nimber: told(nimber)?,
        winning: winning.parse().ok()?,
        kinds: told(kinds)?,
        seconds: seconds.parse().ok()?,
        notes: notes.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_written_can_be_read() {
        let mut row = Row {
            n: 3,
            game: "cycles:theta=3,\"4\",5".into(),
            size: Some(12),
            outcome: "N".into(),
            distance: None,
            nimber: Some(2),
            winning: 4,
            kinds: Some(1),
            seconds: 0.25,
            notes: "parity disagrees; more".into(),
        };
        assert_eq!(read(&row.cells(true), true), Some(row.clone()));
        assert_eq!(read(&row.cells(true), false), None);
        row.size = None;
        assert_eq!(read(&row.cells(false), false), Some(row));
    }
}

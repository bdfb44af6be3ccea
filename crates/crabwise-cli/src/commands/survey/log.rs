//! The rows of a survey in a file that it can go on with: one whose games are those of the survey.

use std::path::Path;

use crabwise_api::studies::Surveyed;

use crate::{
    error::Failure,
    results_log::{self, ResultsLog},
};

pub struct SurveyLog {
    file: ResultsLog,
    rows: Vec<Surveyed>,
}

impl SurveyLog {
    /// Opens a file, or begins it; `game` says what the game of a number is.
    pub fn open(
        path: &Path,
        header: &[String],
        game: impl Fn(u64) -> Result<String, Failure>,
    ) -> Result<SurveyLog, Failure> {
        let (mut file, begun) = ResultsLog::open(path, header, "survey")?;
        let sized = super::header(None).len() + 1 == header.len();
        let known = |cells: &Vec<String>| {
            let row = read(cells, sized)?;
            (game(row.n).ok().as_ref() == Some(&row.game)).then_some(row)
        };
        let rows = begun.iter().map(known).collect::<Option<Vec<Surveyed>>>();
        let rows = rows.ok_or_else(|| results_log::other(path, "survey"))?;
        file.begin()?;
        Ok(SurveyLog { file, rows })
    }

    /// Whether some row has no distance, because it was found by search.
    pub fn searched(&self) -> bool {
        self.rows.iter().any(|row| row.remoteness.is_none())
    }

    pub fn row(&self, n: u64) -> Option<&Surveyed> {
        self.rows.iter().find(|row| row.n == n)
    }

    pub fn add(&mut self, row: &Surveyed, sized: bool) -> Result<(), Failure> {
        self.file.add(&super::cells(row, sized))
    }
}

fn read(cells: &[String], sized: bool) -> Option<Surveyed> {
    let told = |cell: &str| match cell {
        "-" => Some(None),
        cell => cell.parse().ok().map(Some),
    };
    let (size, rest) = if sized { (told(cells.get(2)?)?, 3) } else { (None, 2) };
    let [outcome, distance, nimber, winning, kinds, seconds, notes] = cells.get(rest..)? else {
        return None;
    };
    Some(Surveyed {
        n: cells[0].parse().ok()?,
        game: cells[1].clone(),
        size,
        outcome: outcome.clone(),
        remoteness: told(distance)?,
        nimber: told(nimber)?,
        winning_moves: winning.parse().ok()?,
        winning_kinds: told(kinds)?,
        seconds: seconds.parse().ok()?,
        notes: notes.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_written_can_be_read() {
        let mut row = Surveyed {
            n: 3,
            game: "cycles:theta=3,\"4\",5".into(),
            size: Some(12),
            outcome: "N".into(),
            remoteness: None,
            nimber: Some(2),
            winning_moves: 4,
            winning_kinds: Some(1),
            seconds: 0.25,
            notes: "parity disagrees; more".into(),
        };
        assert_eq!(read(&super::super::cells(&row, true), true), Some(row.clone()));
        assert_eq!(read(&super::super::cells(&row, true), false), None);
        row.size = None;
        assert_eq!(read(&super::super::cells(&row, false), false), Some(row));
    }
}

//! The game table of a position: "A Computational Solution to the Game of Cycles" updates the table of the board as
//! arrows are drawn.
//!
//! The entry `v` in row `u`, in the column of a face, is the edge from `u` to `v` along that face. It has a sign once
//! the edge is marked: `+v` if the arrow runs from `u` to `v`, `-v` if it runs from `v` to `u`. An edge has two
//! entries, one for the face on either side, which run against each other and so have opposite signs. A column all
//! of one sign is a closed cell, a row all of one sign a source or a sink.

use crabwise::watch::Shown;

use super::rules::{Cycles, Marks, bit};

/// What an entry says of its edge.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Signed {
    /// The vertex, from 1.
    to: usize,
    /// Whether the arrow runs along the entry, if there is one.
    along: Option<bool>,
}

impl Cycles {
    /// The table of a position, as `[[2,-3],[…]]`: a row a vertex, a column a face, the outer one last.
    pub(crate) fn signed_table(&self, at: &Marks) -> String {
        let entry = |from: usize, to: usize| {
            let sign = match self.along(from, to, at) {
                None => "",
                Some(true) => "+",
                Some(false) => "-",
            };
            format!("{sign}{}", to + 1)
        };
        let cell = |from: usize, entries: &Vec<usize>| {
            let told: Vec<String> = entries.iter().map(|&to| entry(from, to)).collect();
            match &told[..] {
                [] => "0".into(),
                [one] => one.clone(),
                several => format!("[{}]", several.join(",")),
            }
        };
        let row = |(from, row): (usize, &Vec<Vec<usize>>)| {
            let cells: Vec<String> = row.iter().map(|entries| cell(from, entries)).collect();
            format!("[{}]", cells.join(","))
        };
        let rows: Vec<String> = self.board.face_table().iter().enumerate().map(row).collect();
        format!("[{}]", rows.join(","))
    }

    /// The edge between two vertices, and whether it is listed in this direction.
    fn edge(&self, from: usize, to: usize) -> Option<(usize, bool)> {
        let edges = || self.board.edges.iter();
        let forward = edges().position(|edge| *edge == [from, to]).map(|edge| (edge, true));
        forward.or_else(|| edges().position(|edge| *edge == [to, from]).map(|edge| (edge, false)))
    }

    /// Whether the arrow between two vertices runs from the first to the second, if there is one.
    fn along(&self, from: usize, to: usize, at: &Marks) -> Option<bool> {
        let (edge, listed) = self.edge(from, to)?;
        (at.marked & bit(edge) != 0).then(|| (at.forward & bit(edge) != 0) == listed)
    }

    /// The position of such a table, or what is wrong with it.
    pub(crate) fn read_signed_table(&self, text: &str) -> Result<Marks, String> {
        let rows = rows(text)?;
        let board = self.board.face_table();
        let columns = board.first().map_or(0, Vec::len);
        if rows.len() != board.len() || rows.iter().any(|row| row.len() != columns) {
            let shape = format!("{} rows of {columns} entries", board.len());
            return Err(format!("it has not the {shape} of the board's table"));
        }
        let mut at = Marks::default();
        let mut told = vec![None; self.board.edges.len()];
        for (from, (row, known)) in rows.iter().zip(&board).enumerate() {
            for (column, (cell, known)) in row.iter().zip(known).enumerate() {
                let place = format!("row {}, column {}", from + 1, column + 1);
                let vertices: Vec<usize> = known.iter().map(|to| to + 1).collect();
                if cell.iter().map(|entry| entry.to).ne(vertices.iter().copied()) {
                    let named = |vertices: Vec<usize>| match &vertices[..] {
                        [] => "0".to_string(),
                        all => all.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
                    };
                    let found = named(cell.iter().map(|entry| entry.to).collect());
                    let wanted = named(vertices);
                    return Err(format!("{place}: {found}, and the board's table has {wanted}"));
                }
                for (entry, &to) in cell.iter().zip(known) {
                    let Some((edge, listed)) = self.edge(from, to) else { continue };
                    let forward = entry.along.map(|along| along == listed);
                    match told[edge] {
                        None => told[edge] = Some(forward),
                        Some(other) if other == forward => {}
                        Some(_) => {
                            let edge = self.unmarked(edge);
                            return Err(format!(
                                "{place}: the two entries of the edge {edge} disagree; a marked one has + where its \
                                 arrow runs along the entry and - at the other"
                            ));
                        }
                    }
                    if let Some(forward) = forward {
                        at = Cycles::after(&at, edge, forward);
                    }
                }
            }
        }
        Ok(at)
    }
}

/// The entries of a table in brackets, zeros left out.
fn rows(text: &str) -> Result<Vec<Vec<Vec<Signed>>>, String> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = text.strip_prefix("[[").and_then(|text| text.strip_suffix("]]"));
    let inner = inner.ok_or("a table is written [[2,-3],[…]], with a row for each vertex")?;
    // Lists within rows end rows as little as commas within them end entries.
    let mut rows = vec![vec![]];
    let mut several: Option<Vec<Signed>> = None;
    let mut rest = inner;
    while !rest.is_empty() {
        let end = rest.find(['[', ']', ',']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let row = rows.last_mut().ok_or("a bracket too many")?;
        if !word.is_empty() {
            let entry = entry(word)?;
            match &mut several {
                Some(list) => list.extend(entry),
                None => row.push(entry.into_iter().collect()),
            }
        }
        rest = match (after.as_bytes().first(), &mut several) {
            (Some(b']'), Some(list)) => {
                row.push(std::mem::take(list));
                several = None;
                &after[1..]
            }
            (Some(b']'), None) => {
                let next = after.strip_prefix("],[").ok_or("a bracket is missing between rows")?;
                rows.push(vec![]);
                next
            }
            (Some(b'['), None) => {
                several = Some(vec![]);
                &after[1..]
            }
            (Some(b'['), Some(_)) => return Err("a list within a list within a row".into()),
            (Some(_), _) => &after[1..],
            (None, _) => "",
        };
    }
    if several.is_some() { Err("a list that is not closed".into()) } else { Ok(rows) }
}

/// One entry; nothing for 0.
fn entry(word: &str) -> Result<Option<Signed>, String> {
    let (along, number) = match word.chars().next() {
        Some('+') => (Some(true), &word[1..]),
        Some('-') => (Some(false), &word[1..]),
        Some('−') => (Some(false), &word['−'.len_utf8()..]),
        _ => (None, word),
    };
    let plain = number.bytes().all(|byte| byte.is_ascii_digit());
    let to = number.parse().ok().filter(|_| plain);
    let to: usize = to.ok_or_else(|| format!("'{}' is no entry of a table", Shown(word)))?;
    match (to, along) {
        (0, None) => Ok(None),
        (0, Some(_)) => Err("0 stands for no vertex and has no sign".into()),
        (to, along) => Ok(Some(Signed { to, along })),
    }
}

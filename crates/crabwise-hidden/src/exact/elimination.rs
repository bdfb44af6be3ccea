//! Elimination of sparse systems of equations modulo a prime.
//!
//! Whether a system of whole numbers has one solution, and which equations tell it, is the same modulo a large prime,
//! but for primes that nobody meets by chance. Modulo a prime no number grows, so this is where the work is done; what
//! is found is lifted to fractions afterwards.
//!
//! Each pivot is the one that fills in least, of those in the shortest column and in the shortest row (Markowitz 1957).
//! A strategy's equations are nearly triangular, and little fills in.

use std::collections::BTreeSet;

use crabwise::watch::{Meter, Stop};

/// The prime, 2^61 − 1.
pub(super) const PRIME: u64 = (1 << 61) - 1;

/// More entries than this are not kept.
const MOST_ENTRIES: usize = 1 << 24;

/// A row: columns in ascending order, with what stands there.
type SparseRow<T> = Vec<(u32, T)>;

/// Equations of whole numbers, without their right sides.
pub(super) struct SparseMatrix {
    pub rows: Vec<SparseRow<i64>>,
    pub width: usize,
}

/// What elimination did, so that it can be done to any right side.
pub(super) struct Factors {
    pivots: Vec<Pivot>,
    /// Whether each column is told by the equations.
    pub told: Vec<bool>,
}

struct Pivot {
    row: u32,
    column: u32,
    inverse: u64,
    /// The rows that a multiple of this one was taken from.
    below: SparseRow<u64>,
    /// The rest of this row.
    right: SparseRow<u64>,
}

pub(super) fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let folded = (product as u64 & PRIME) + (product >> 61) as u64;
    if folded >= PRIME { folded - PRIME } else { folded }
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// By Fermat's little theorem.
fn inverse(a: u64) -> u64 {
    let (mut power, mut base, mut left) = (1, a, PRIME - 2);
    while left > 0 {
        if left & 1 == 1 {
            power = times(power, base);
        }
        base = times(base, base);
        left >>= 1;
    }
    power
}

/// A whole number modulo the prime.
pub(super) fn residue(number: i128) -> u64 {
    number.rem_euclid(i128::from(PRIME)) as u64
}

impl Factors {
    /// Eliminates; `None` if too much fills in.
    pub fn new(matrix: &SparseMatrix, meter: &Meter) -> Result<Option<Factors>, Stop> {
        let mut active = Active::new(matrix);
        let mut factors = Factors { pivots: vec![], told: vec![false; matrix.width] };
        while let Some((row, column)) = active.choose() {
            meter.add(1)?;
            factors.told[column as usize] = true;
            factors.pivots.push(active.eliminate(row, column));
            if active.entries > MOST_ENTRIES {
                return Ok(None);
            }
        }
        Ok(Some(factors))
    }

    /// The solution for right sides, which it uses up; columns that are not told are nothing.
    pub fn solve(&self, right: &mut [u64]) -> Vec<u64> {
        for pivot in &self.pivots {
            let by = right[pivot.row as usize];
            if by != 0 {
                for &(row, factor) in &pivot.below {
                    let place = &mut right[row as usize];
                    *place = minus(*place, times(factor, by));
                }
            }
        }
        let mut found = vec![0; self.told.len()];
        for pivot in self.pivots.iter().rev() {
            let known = |sum, &(column, factor): &(u32, u64)| {
                minus(sum, times(factor, found[column as usize]))
            };
            let rest = pivot.right.iter().fold(right[pivot.row as usize], known);
            found[pivot.column as usize] = times(rest, pivot.inverse);
        }
        found
    }

    /// The equations that tell the solution.
    pub fn telling(&self) -> impl Iterator<Item = usize> + '_ {
        self.pivots.iter().map(|pivot| pivot.row as usize)
    }
}

/// What is left to eliminate.
struct Active {
    rows: Vec<SparseRow<u64>>,
    /// The rows that have an entry in a column.
    columns: Vec<BTreeSet<u32>>,
    row_lengths: BTreeSet<(usize, u32)>,
    column_lengths: BTreeSet<(usize, u32)>,
    /// All entries, those of pivots included.
    entries: usize,
}

impl Active {
    fn new(matrix: &SparseMatrix) -> Active {
        let mut columns = vec![BTreeSet::new(); matrix.width];
        let mut rows = vec![];
        for (i, row) in matrix.rows.iter().enumerate() {
            let reduced = row.iter().map(|&(column, entry)| (column, residue(entry.into())));
            let row: SparseRow<u64> = reduced.filter(|&(_, entry)| entry != 0).collect();
            row.iter().for_each(|&(column, _)| {
                columns[column as usize].insert(i as u32);
            });
            rows.push(row);
        }
        let lengths = |lengths: &mut dyn Iterator<Item = usize>| {
            let all = lengths.zip(0_u32..);
            all.filter(|&(length, _)| length > 0).collect::<BTreeSet<_>>()
        };
        Active {
            row_lengths: lengths(&mut rows.iter().map(Vec::len)),
            column_lengths: lengths(&mut columns.iter().map(BTreeSet::len)),
            entries: rows.iter().map(Vec::len).sum(),
            rows,
            columns,
        }
    }

    /// The row and the column of the next pivot.
    fn choose(&self) -> Option<(u32, u32)> {
        let &(height, column) = self.column_lengths.first()?;
        let &(length, row) = self.row_lengths.first()?;
        let shortest = |&row: &u32| self.rows[row as usize].len();
        let in_column = *self.columns[column as usize].iter().min_by_key(|row| shortest(row))?;
        let lowest = |&column: &u32| self.columns[column as usize].len();
        let in_row =
            self.rows[row as usize].iter().map(|(column, _)| *column).min_by_key(lowest)?;
        let by_column = (height - 1) * (shortest(&in_column) - 1);
        let by_row = (length - 1) * (lowest(&in_row) - 1);
        Some(if by_column <= by_row { (in_column, column) } else { (row, in_row) })
    }

    /// Takes the pivot's row out, and its column from all other rows.
    fn eliminate(&mut self, row: u32, column: u32) -> Pivot {
        let pivot = std::mem::take(&mut self.rows[row as usize]);
        self.row_lengths.remove(&(pivot.len(), row));
        pivot.iter().for_each(|&(column, _)| self.drop_entry(row, column));
        let (mut right, mut here) = (pivot, 0);
        right.retain(|&(at, entry)| {
            here = if at == column { entry } else { here };
            at != column
        });
        let inverse = inverse(here);
        let rows = std::mem::take(&mut self.columns[column as usize]);
        self.column_lengths.remove(&(rows.len(), column));
        let below = rows.iter().map(|&other| (other, self.reduce(other, column, inverse, &right)));
        let below: SparseRow<u64> = below.collect();
        self.entries += below.len();
        Pivot { row, column, inverse, below, right }
    }

    fn drop_entry(&mut self, row: u32, column: u32) {
        let rows = &mut self.columns[column as usize];
        self.column_lengths.remove(&(rows.len(), column));
        rows.remove(&row);
        if !rows.is_empty() {
            self.column_lengths.insert((rows.len(), column));
        }
    }

    fn add_entry(&mut self, row: u32, column: u32) {
        let rows = &mut self.columns[column as usize];
        self.column_lengths.remove(&(rows.len(), column));
        rows.insert(row);
        self.column_lengths.insert((rows.len(), column));
    }

    /// Takes so much of the pivot's row from a row that nothing is left in the column: the factor.
    fn reduce(&mut self, row: u32, column: u32, inverse: u64, pivot: &[(u32, u64)]) -> u64 {
        let old = std::mem::take(&mut self.rows[row as usize]);
        self.row_lengths.remove(&(old.len(), row));
        let here = old.binary_search_by_key(&column, |&(column, _)| column);
        let factor = here.map_or(0, |at| times(old[at].1, inverse));
        let mut new = Vec::with_capacity(old.len() + pivot.len());
        let (mut mine, mut theirs) = (old.iter().peekable(), pivot.iter().peekable());
        loop {
            let ends =
                [mine.peek(), theirs.peek()].map(|next| next.map_or(u32::MAX, |next| next.0));
            let [own, other] = ends;
            let at = own.min(other);
            if at == u32::MAX {
                break;
            }
            let before = if own == at { mine.next().map_or(0, |next| next.1) } else { 0 };
            let taken = if other == at { theirs.next().map_or(0, |next| next.1) } else { 0 };
            if at == column {
                continue;
            }
            let after = minus(before, times(factor, taken));
            match (before, after) {
                (0, 0) => continue,
                (0, _) => self.add_entry(row, at),
                (_, 0) => self.drop_entry(row, at),
                _ => {}
            }
            if after != 0 {
                new.push((at, after));
            }
        }
        self.entries = self.entries + new.len() - old.len();
        if !new.is_empty() {
            self.row_lengths.insert((new.len(), row));
        }
        self.rows[row as usize] = new;
        factor
    }
}

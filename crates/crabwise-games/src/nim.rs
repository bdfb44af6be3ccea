//! Nim: take any number of counters from one heap; whoever takes the last counter wins.
//!
//! Rules: C. L. Bouton, "Nim, a game with a complete mathematical theory" (1901), normal play. A
//! position is the size of each heap in its place, unused places being 0. Heaps are not sorted, so
//! that a move's heap number means the same heap throughout a game.

use std::fmt;

use crabwise::{Drawn, ErasedGame, Game, Impartial, Picture, Setup};

use crate::{Entry, Params, board_drawing::heaps};

pub(crate) const ENTRY: Entry = Entry {
    name: "nim",
    about: "take any number from one heap; the last to take wins",
    parameters: "HEAP-HEAP-..., 1 to 8 heaps of 1 to 255 each (default 3-5-7)",
    example: "nim:3-5-7",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let heaps = params.list("heap", &[3, 5, 7], 1..=MOST_HEAPS, 1..=255)?;
    Ok(Setup::of(Nim::new(&heaps)).impartial().drawn().erased())
}

const MOST_HEAPS: usize = 8;

type Heaps = [u8; MOST_HEAPS];

/// The rules for one start.
pub(crate) struct Nim {
    start: Heaps,
    count: usize,
}

impl Nim {
    /// At most 8 heaps of at most 255.
    pub(crate) fn new(heaps: &[u32]) -> Nim {
        let mut start = [0; MOST_HEAPS];
        for (place, &heap) in start.iter_mut().zip(heaps) {
            *place = heap as u8;
        }
        Nim { start, count: heaps.len() }
    }
}

impl Game for Nim {
    type Position = Heaps;
    type Move = Take;

    fn start(&self) -> Heaps {
        self.start
    }

    fn moves(&self, at: &Heaps) -> impl IntoIterator<Item = Take> {
        (at.iter().enumerate())
            .flat_map(|(heap, &size)| (1..=size).map(move |count| Take { heap, count }))
    }

    fn play(&self, at: &Heaps, take: Take) -> Heaps {
        let mut to = *at;
        to[take.heap] -= take.count;
        to
    }

    fn show(&self, at: &Heaps) -> String {
        let line = |(i, &heap): (usize, &u8)| {
            let counters = "|".repeat(heap.into());
            format!("{}: {heap:3} {counters}", i + 1).trim_end().to_string()
        };
        at[..self.count].iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl Drawn for Nim {
    /// Pointing at a counter takes it and those above it.
    fn picture(&self, at: &Heaps, _made: &[String]) -> Picture {
        let sizes: Vec<(u32, u32)> = (at.iter().zip(&self.start).take(self.count))
            .map(|(&heap, &first)| (heap.into(), first.into()))
            .collect();
        let take = |heap, count| Some(Take { heap, count: count as u8 }.to_string());
        heaps(&sizes, take, |heap| format!("{}: {}", heap + 1, at[heap]))
    }
}

impl Impartial for Nim {
    /// Each heap alone, in the first place.
    fn parts(&self, at: &Heaps) -> Vec<Heaps> {
        let alone = |&heap: &u8| {
            let mut part = [0; MOST_HEAPS];
            part[0] = heap;
            part
        };
        at.iter().filter(|&&heap| heap > 0).map(alone).collect()
    }
}

/// `2:3` takes three counters from the second heap.
#[derive(Clone, Copy)]
pub(crate) struct Take {
    heap: usize,
    count: u8,
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.heap + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{Index, Value, solve};

    #[test]
    fn lost_when_the_heaps_cancel_out() {
        let solution = solve(&Nim::new(&[2, 4, 3, 5])).unwrap();
        for heaps in (0..solution.index.tiers()).flat_map(|tier| solution.index.positions(tier)) {
            let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
            let lost = matches!(solution.value(heaps), Some(Value::Loss(_)));
            assert_eq!(sum == 0, lost, "{heaps:?}");
        }
    }

    #[test]
    fn equal_heaps_are_equal_parts() {
        let parts = Nim::new(&[3, 5, 3]).parts(&[3, 0, 3, 0, 0, 0, 0, 0]);
        assert_eq!(parts, [[3, 0, 0, 0, 0, 0, 0, 0]; 2]);
    }
}

//! How soon a drawn position can come up again.
//!
//! **The number of an island of value draw is the least n such that n moves, all from drawn islands to drawn islands,
//! can be made from it after which some island stands on the board for the second time.** Both sides keep the draw,
//! and neither is forced to go round just there; but whoever keeps the draw has such a way before the other. Every
//! drawn island has a bridge to another, and there are finitely many, so each has a number. Ties have none: they end.
//!
//! The way goes to some island u and once around a shortest circle through u. So the number is the least of
//! (moves to u) + (length of the shortest circle through u), over all u.
//!
//! Circles are sought no longer than a bound, which is doubled until every island has its number. An island whose
//! number is within a bound needs no longer circle, and neither does any other that would come through it.

use std::collections::VecDeque;

use crabwise::{
    SolveError, Value,
    watch::{Stage, Watch},
};

use crate::{Error, Islands};

/// The number of each island, in the order of the chart; `None` for what is not drawn.
pub fn repetitions(islands: &Islands, watch: &dyn Watch) -> Result<Vec<Option<u32>>, Error> {
    let drawn: Vec<bool> = islands.all.iter().map(|island| island.value == Value::Draw).collect();
    let mut bridges = islands.bridges();
    for (from, ends) in bridges.iter_mut().enumerate() {
        ends.retain(|&(to, _)| drawn[from] && drawn[to]);
    }
    let bridges = bridges.into_iter().map(|ends| ends.into_iter().map(|end| end.0).collect());
    let search = Search::new(bridges.collect());
    let found = search.run(&drawn, watch).map_err(SolveError::from)?;
    Ok(found.into_iter().map(|n| (n != FAR).then_some(n)).collect())
}

const FAR: u32 = u32::MAX;

struct Search {
    bridges: Vec<Vec<usize>>,
    parents: Vec<Vec<usize>>,
    /// The shortest circle through each island that is known.
    circles: Vec<u32>,
}

impl Search {
    fn new(bridges: Vec<Vec<usize>>) -> Search {
        let mut parents = vec![vec![]; bridges.len()];
        for (from, ends) in bridges.iter().enumerate() {
            ends.iter().for_each(|&to| parents[to].push(from));
        }
        let circles = vec![FAR; bridges.len()];
        Search { bridges, parents, circles }
    }

    fn run(mut self, drawn: &[bool], watch: &dyn Watch) -> Result<Vec<u32>, crabwise::watch::Stop> {
        let mut numbers = vec![FAR; drawn.len()];
        let wanted = drawn.iter().filter(|drawn| **drawn).count() as u64;
        let mut visited = vec![usize::MAX; drawn.len()];
        let mut bound = 2;
        loop {
            let open: Vec<usize> =
                (0..drawn.len()).filter(|&i| drawn[i] && numbers[i] == FAR).collect();
            if open.is_empty() || bound > 2 * drawn.len().max(2) as u32 {
                return Ok(numbers);
            }
            let done = wanted - open.len() as u64;
            for (n, &from) in open.iter().enumerate() {
                if n % 256 == 0 {
                    let stage = Stage::new("finding repetitions", None, Some(wanted));
                    watch.tell(&Stage { done, ..stage })?;
                }
                self.circles[from] = self.circle(from, bound, &mut visited);
            }
            visited.fill(usize::MAX);
            self.spread(&mut numbers, bound);
            bound = bound.saturating_mul(2);
        }
    }

    /// The shortest circle through an island, if it is no longer than this.
    fn circle(&self, from: usize, bound: u32, visited: &mut [usize]) -> u32 {
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((at, moves)) = queue.pop_front() {
            if moves == bound {
                break;
            }
            for &to in &self.bridges[at] {
                if to == from {
                    return moves + 1;
                }
                if std::mem::replace(&mut visited[to], from) != from {
                    queue.push_back((to, moves + 1));
                }
            }
        }
        FAR
    }

    /// The numbers up to a bound, by going backwards from the circles: those with the smallest number first.
    fn spread(&self, numbers: &mut [u32], bound: u32) {
        let mut waiting: Vec<Vec<usize>> = vec![vec![]; bound as usize + 1];
        for (island, &circle) in self.circles.iter().enumerate().filter(|one| *one.1 <= bound) {
            waiting[circle as usize].push(island);
        }
        for number in 1..=bound {
            for island in std::mem::take(&mut waiting[number as usize]) {
                if numbers[island] < number {
                    continue;
                }
                numbers[island] = number;
                if number < bound {
                    waiting[number as usize + 1].extend(&self.parents[island]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::watch::Unwatched;

    /// By the definition: all ways of so many moves, until one comes back to where it has been.
    fn by_definition(bridges: &[Vec<usize>], from: usize) -> u32 {
        let mut ways = vec![vec![from]];
        for moves in 1.. {
            let mut longer = vec![];
            for way in &ways {
                for &to in &bridges[way[way.len() - 1]] {
                    if way.contains(&to) {
                        return moves;
                    }
                    longer.push([&way[..], &[to]].concat());
                }
            }
            ways = longer;
        }
        unreachable!("there are finitely many islands")
    }

    #[test]
    fn numbers_are_what_their_definition_says_on_random_graphs() {
        let seed = 20_261_119;
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for round in 0..400 {
            let islands = random.usize(1..14);
            let most = if round % 2 == 0 { 2 } else { 4 };
            let bridges: Vec<Vec<usize>> = (0..islands)
                .map(|_| (0..random.usize(1..most)).map(|_| random.usize(..islands)).collect())
                .collect();
            let drawn = vec![true; islands];
            let found = Search::new(bridges.clone()).run(&drawn, &Unwatched).unwrap();
            let wanted: Vec<u32> = (0..islands).map(|from| by_definition(&bridges, from)).collect();
            assert_eq!(found, wanted, "seed {seed}, round {round}: {bridges:?}");
        }
    }

    #[test]
    fn a_long_ring_has_its_length() {
        let ring: Vec<Vec<usize>> = (0..1000).map(|i| vec![(i + 1) % 1000]).collect();
        let found = Search::new(ring).run(&[true; 1000], &Unwatched).unwrap();
        assert!(found.iter().all(|n| *n == 1000));
    }
}

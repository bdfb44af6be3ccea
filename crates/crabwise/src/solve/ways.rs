//! How the workers of a walk hand positions to each other.
//!
//! To another worker a position cannot be sent, because nothing is known of its type; but the way to it can: the numbers
//! of the moves from the start. So for each move the key of where it leads, a second key and the way go to the worker
//! that has the first one, and that plays the way if the keys are new to it. Two keys of 64 bits each must agree before
//! a position is taken for known.

use super::{
    Fault, SolveError,
    walk::{Run, Walk},
};
use crate::{
    game::{Game, batched::Expansion},
    graph::partition::owner_of_key,
    index::key,
    table::codec::{self, Bytes},
};

/// The salt of the second key.
const CHECK: u64 = 0x6372_6162_7769_7365;

impl<G: Game> Walk<'_, G> {
    /// Sends the keys of all children of some runs, and the ways to them as far as they differ from the one before.
    pub(super) fn send(&self, runs: &[Run], messages: &mut [Vec<u8>]) -> Result<u64, SolveError> {
        let (mut last, mut moves) = (vec![vec![]; self.workers], 0);
        self.expand(runs, |nth, expansion| {
            let Expansion { counts, children, .. } = expansion;
            let mut children = children.drain(..);
            for (nth, &count) in (nth..).zip(&*counts) {
                if count > 1 << 16 {
                    return Err(Fault::too_many_moves(count.into()).into());
                }
                let way = &self.ways[nth * self.depth..(nth + 1) * self.depth];
                for (nth, to) in (0..).zip(children.by_ref().take(count as usize)) {
                    let owner = owner_of_key(key(&to, 0), self.workers);
                    let (out, last) = (&mut messages[owner], &mut last[owner]);
                    out.extend([key(&to, 0), key(&to, CHECK)].map(u64::to_le_bytes).as_flattened());
                    let common = way.iter().zip(&*last).take_while(|(a, b)| a == b).count();
                    codec::put(out, common as u64);
                    way[common..].iter().for_each(|mv| codec::put(out, (*mv).into()));
                    codec::put(out, nth);
                    last.clear();
                    last.extend(way);
                }
                moves += u64::from(count);
            }
            Ok(())
        })?;
        Ok(moves)
    }

    /// Plays the ways to those children that are new. Neighbours have most of their ways in common, and that part is not
    /// played again.
    pub(super) fn receive(&mut self, message: &[u8]) -> Result<(), SolveError> {
        let (game, depth) = (self.game, self.depth + 1);
        let (mut bytes, mut way) = (Bytes(message), vec![]);
        // The positions on the way that was played last, and the moves to them.
        let (mut line, mut played) = (vec![game.start()], vec![]);
        let mut play = |way: &[u16]| {
            let common = way.iter().zip(&played).take_while(|(a, b)| a == b).count();
            line.truncate(common + 1);
            for (at, nth) in (common..).zip(&way[common..]) {
                let mv = game.moves(&line[at]).into_iter().nth((*nth).into());
                let mv = mv.ok_or_else(|| Fault::stuck(&game.show(&line[at])))?;
                line.push(game.play(&line[at], mv));
            }
            played = way.to_vec();
            Ok(line[way.len()].clone())
        };
        while let Some((first, second)) = bytes.take().zip(bytes.take()) {
            way.truncate(bytes.number().unwrap_or(0) as usize);
            (way.len()..depth).for_each(|_| way.push(bytes.number().unwrap_or(0) as u16));
            let [wanted, check] = [first, second].map(u64::from_le_bytes);
            let same = |at: &_, check: &u64| key(at, CHECK) == *check;
            let shard = self.shard(wanted);
            let shard = &mut self.shards[shard];
            if shard.meet(wanted, check, same, |_| play(&way))?.1 {
                shard.ways.extend(&way);
            }
        }
        Ok(())
    }
}

//! How a worker alone walks: threads play moves, sort the children by shard, and hand them over.

use std::mem;

use super::{
    SolveError,
    shard::{Outbox, Piece, SHARDS, each},
    walk::{Run, Walk},
};
use crate::{
    game::{Game, batched::Expansion},
    graph::partition::owner_of_key,
    index::key,
};

impl<G: Game> Walk<'_, G> {
    /// Hands all children of some runs to their shards; how many they are.
    pub(super) fn hand_over(&mut self, runs: &[Run]) -> Result<u64, SolveError> {
        // One run does not wake the other threads: deep games have many thin layers.
        let alone = runs.len() < 2;
        // Each piece has a list for each shard, so that fewer pieces are fewer, longer lists.
        let some = runs.len().div_ceil(rayon::current_num_threads()).max(1);
        let mut pieces = mem::take(&mut self.pieces);
        let count = runs.len().div_ceil(some);
        pieces.resize_with(count.max(pieces.len()), Piece::new);
        let before = if self.merged { self.seen_before_layer(runs) } else { 0 };
        let recording = self.recording.as_ref().is_some_and(|recording| recording.on);
        each(alone, &mut pieces[..count], &|i, piece| {
            let runs = &runs[i * some..runs.len().min((i + 1) * some)];
            self.fill(piece, before, runs, recording)
        })?;
        let mut inboxes: Vec<_> = self.shards.iter_mut().map(|shard| (shard, vec![])).collect();
        for piece in &mut pieces[..count] {
            let outboxes = piece.by_shard.drain(..).map(|outbox| (piece.first, outbox));
            inboxes.iter_mut().zip(outboxes).for_each(|((_, inbox), outbox)| inbox.push(outbox));
        }
        each(alone, &mut inboxes, &|_, (shard, inbox)| {
            for (first, Outbox { children, origins }) in inbox {
                if recording {
                    shard.arcs.append(*first, origins);
                }
                shard.meet_all(children, recording)?;
                children.clear();
            }
            Ok(())
        })?;
        for (_, inbox) in inboxes {
            let outboxes = inbox.into_iter().map(|(_, outbox)| outbox);
            pieces.iter_mut().zip(outboxes).for_each(|(piece, one)| piece.by_shard.push(one));
        }
        if let Some(recording) = self.recording.as_mut().filter(|_| recording) {
            pieces[..count].iter_mut().for_each(|piece| recording.nodes.append(&mut piece.nodes));
        }
        let moves = pieces[..count].iter().map(|piece| piece.moves).sum();
        self.pieces = pieces;
        Ok(moves)
    }

    /// Sorts the children of some runs by shard.
    fn fill(
        &self,
        piece: &mut Piece<G::Position>,
        before: u64,
        runs: &[Run],
        recording: bool,
    ) -> Result<(), SolveError> {
        let Piece { by_shard, nodes, moves, first } = piece;
        *first = before + runs[0].nth as u64;
        *moves = 0;
        by_shard.iter_mut().for_each(|outbox| outbox.origins.begin(*first));
        self.expand(runs, |nth, expansion| {
            let Expansion { outcomes, counts, children, again } = expansion;
            *moves += children.len() as u64;
            let mut all = children.drain(..).enumerate();
            for ((from, outcome), &count) in (before + nth as u64..).zip(outcomes).zip(&*counts) {
                if recording {
                    nodes.push(*outcome, count);
                }
                for (child, to) in all.by_ref().take(count as usize) {
                    let key = key(&to, 0);
                    let outbox = &mut by_shard[owner_of_key(key, SHARDS)];
                    if recording {
                        let again = again.get(child).copied().unwrap_or(false);
                        outbox.origins.push(from, again);
                    }
                    outbox.children.push((key, to));
                }
            }
            Ok(())
        })
    }

    /// Positions that were looked at before the layer of some runs, since layers were merged.
    fn seen_before_layer(&self, runs: &[Run]) -> u64 {
        runs.first().map_or(0, |run| self.seen - run.nth as u64)
    }
}

//! A worker's share of a tier without inner moves, from the finished later tiers.

use std::sync::RwLock;

use super::{Say, Shares, Team, look::Later, room::EDGES};
use crate::{
    Kernel, Slot, TierError, Tiers, Value, Word,
    graph::{Ask, Graph, Node, Page},
    solve::{Fault, SolveError},
};

/// Slots that a kernel does in a round.
const KERNEL_STEP: u64 = 1 << 20;

/// Solves the share, with all others, by the game's kernel, which needs the later tiers whole; `None` where a
/// distance does not fit.
pub(crate) fn sweep_by_kernel(
    team: &mut Team,
    kernel: &dyn Kernel<u8>,
    tier: u32,
    shares: &Shares,
    later: &RwLock<Tiers>,
) -> Result<Option<Vec<u8>>, SolveError> {
    let slots = shares.of(team.me());
    let mut words = vec![u8::HOLE; (slots.end - slots.start) as usize];
    let run = kernel.run(tier).max(1);
    let step = run * (KERNEL_STEP / run).max(1);
    team.begin("sweeping", Some(tier), Some(shares.len));
    let mut far = false;
    for round in 0..shares.size.div_ceil(step) {
        let from = (round * step).min(words.len() as u64) as usize;
        let to = (from + step as usize).min(words.len());
        let tiers = later.read().expect("no worker panics while it holds it");
        for (i, out) in words[from..to].chunks_mut(run as usize).enumerate() {
            let at = slots.start + from as u64 + i as u64 * run;
            match kernel.sweep(tier, at, &tiers, out) {
                Ok(()) => {}
                Err(TierError::TooFar) => far = true,
                Err(TierError::Fault(fault)) => return Err(fault.into()),
                Err(TierError::Stopped(stop)) => return Err(stop.into()),
            }
        }
        drop(tiers);
        let say = Say { done: (to - from) as u64, far: far.into(), ..Say::default() };
        if team.agree(say)?.far > 0 {
            return Ok(None);
        }
    }
    Ok(Some(words))
}

/// Solves the share, with all others, one position, one move at a time; `None` where a distance does not
/// fit.
pub(crate) fn sweep<W: Word>(
    team: &mut Team,
    graph: &dyn Graph,
    tier: u32,
    shares: &Shares,
    later: &Later,
    pack: fn(Value) -> Option<W>,
) -> Result<Option<Vec<W>>, SolveError> {
    let slots = shares.of(team.me());
    let mut words = Vec::with_capacity((slots.end - slots.start) as usize);
    team.begin("sweeping", Some(tier), Some(shares.len));
    let (mut page, mut far) = (Page::default(), false);
    let mut from = slots.start;
    loop {
        let some = from..page.fill(graph, tier, from..slots.end, Ask::All, EDGES);
        let leaving = page.edges.iter().filter(|edge| edge.to.tier > tier);
        let wanted: Vec<Slot> = leaving.map(|edge| edge.to).collect();
        let mut values = later.look(team, graph, &wanted)?.into_iter();
        for (index, (node, edges)) in some.clone().zip(page.iter()) {
            let slot = Slot { tier, index };
            let value = match node {
                Node::Hole => {
                    words.push(W::HOLE);
                    continue;
                }
                Node::Over(outcome) => outcome.into(),
                Node::Open(_) => {
                    let mut best = None;
                    for (nth, edge) in edges.iter().enumerate() {
                        let known =
                            if edge.to.tier > tier { values.next().flatten() } else { None };
                        let astray = || Fault::astray(graph, slot, nth, edge.to);
                        best = best.max(Some(known.ok_or_else(astray)?.back(edge.again)));
                    }
                    best.ok_or_else(|| Fault::Stuck { position: graph.show(slot) })?
                }
            };
            let word = pack(value);
            far |= word.is_none();
            words.push(word.unwrap_or(W::HOLE));
        }
        from = some.end;
        let (done, more) = (some.end - some.start, (from < slots.end).into());
        let told = team.agree(Say { done, more, far: far.into(), ..Say::default() })?;
        if told.far > 0 {
            return Ok(None);
        }
        if told.more == 0 {
            return Ok(Some(words));
        }
    }
}

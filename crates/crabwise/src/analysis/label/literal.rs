//! The table as the source prints it: "P if ALL successors are G". It misses every win that has an
//! alternative.
//!
//! Here G and P wait for all of their successors, so an island is settled exactly when the last of
//! them is, and settled islands can be taken in any order. What it calls G or P is so, with the
//! right index; its mistakes are the islands that it leaves as T.

use crate::{
    Slot, SolveError, TierValues, Tiers, Value,
    graph::{Ask, Graph, Node, Origins, in_runs},
    solve::{
        Fault, need_memory,
        reverse::{Parents, ThreadRecorders},
    },
    watch::{Meter, Watch},
};

/// The values that the literal table amounts to: losses for G, wins for P, draws for T.
pub(crate) fn literal(
    graph: &dyn Graph,
    memory: u64,
    watch: &dyn Watch,
) -> Result<Tiers, SolveError> {
    // At least: how many bridges there are to be recorded is not known yet.
    let bytes = graph.total() + graph.largest() * size_of::<Island>() as u64;
    need_memory("reading the table literally", bytes, memory)?;
    let mut tiers = Tiers::new(graph.tiers());
    let meter = Meter::new(watch, "reading literally", None, Some(graph.total()))?;
    for tier in (0..graph.tiers()).rev() {
        let islands = settle(graph, tier, &tiers, &meter)?;
        let value = |index| islands[index as usize].value();
        let words = TierValues::narrowest(graph.len(tier), value);
        tiers.put(tier, words.ok_or(SolveError::TooFar)?);
    }
    Ok(tiers)
}

/// An island while its successors come in.
#[derive(Clone, Copy)]
struct Island {
    /// Successors that are still to come.
    waiting: u32,
    found: Found,
}

/// What the successors so far are to the player who moves there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    Hole,
    Nothing,
    /// All are won, or all lost; or the island is an end.
    Alike(Value),
    /// Some are won and some are lost.
    Mixed,
}

impl Island {
    /// A successor that is worth so much has come in.
    fn hear(&mut self, worth: Value) {
        self.found = match (self.found, worth) {
            (Found::Nothing, Value::Win(_) | Value::Loss(_)) => Found::Alike(worth),
            (Found::Alike(Value::Win(n)), Value::Win(m)) => Found::Alike(Value::Win(n.min(m))),
            (Found::Alike(Value::Loss(n)), Value::Loss(m)) => Found::Alike(Value::Loss(n.max(m))),
            _ => Found::Mixed,
        };
    }

    /// Its value, once that is settled as a win or a loss.
    fn settled(&self) -> Option<Value> {
        match self.found {
            Found::Alike(value @ (Value::Win(_) | Value::Loss(_))) if self.waiting == 0 => {
                Some(value)
            }
            _ => None,
        }
    }

    /// What the table says of it; `None` for a hole.
    fn value(&self) -> Option<Value> {
        match (self.found, self.settled()) {
            (Found::Hole, _) => None,
            (_, Some(value)) => Some(value),
            (Found::Alike(Value::Tie(0)), _) => Some(Value::Tie(0)),
            _ => Some(Value::Draw),
        }
    }
}

fn settle(
    graph: &dyn Graph,
    tier: u32,
    later: &Tiers,
    meter: &Meter,
) -> Result<Vec<Island>, SolveError> {
    let recorders = ThreadRecorders::new(graph.len(tier));
    let islands = in_runs(graph.len(tier), |page, run| {
        graph.scan(tier, &run.clone().collect::<Vec<u64>>(), Ask::All, page);
        let (mut islands, mut recorder) = (vec![], recorders.mine());
        meter.add(run.end - run.start)?;
        for (index, (node, out)) in run.zip(page.iter()) {
            let mut island = Island { waiting: 0, found: Found::Nothing };
            match node {
                Node::Hole => island.found = Found::Hole,
                Node::Over(outcome) => island.found = Found::Alike(outcome.into()),
                Node::Open(_) => {}
            }
            for (nth, edge) in out.iter().enumerate() {
                if edge.to.tier == tier {
                    island.waiting += 1;
                    let parent = index << 1 | u64::from(edge.again);
                    recorder.add(edge.to.index, parent);
                    continue;
                }
                let astray = || Fault::astray(graph, Slot { tier, index }, nth, edge.to);
                island.hear(later.get(edge.to).ok_or_else(astray)?.back(edge.again));
            }
            islands.push(island);
        }
        Ok::<_, SolveError>(islands)
    })?;
    let mut islands = islands.concat();
    let parents = Parents::Recorded(recorders.finish());
    let mut stack: Vec<usize> =
        (0..islands.len()).filter(|&i| islands[i].settled().is_some()).collect();
    let mut scratch = Origins::default();
    while let Some(i) = stack.pop() {
        let Some(value) = islands[i].settled() else { continue };
        parents.each(&[i as u64], &mut scratch, |_, parent, again| {
            let island = &mut islands[parent as usize];
            island.waiting -= 1;
            island.hear(value.back(again));
            if island.settled().is_some() {
                stack.push(parent as usize);
            }
        });
    }
    Ok(islands)
}

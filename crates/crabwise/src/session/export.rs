//! All positions of a solved game, one after the other.

use crate::{
    erased::{ErasedGame, Job, fetch_all},
    game::{
        Game, Value,
        dynamic::{DynMove, DynPosition},
    },
    graph::slots,
    index::{Index, Slot},
    solve::SolveError,
    table::{TableError, Tiers},
    watch::Meter,
};

/// One position as it is exported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Where it is kept.
    pub slot: Slot,
    /// Its picture, on one line.
    pub position: String,
    /// Its value.
    pub value: Value,
    /// The moves: name, where they lead, what they are worth to the player who makes them.
    pub moves: Vec<(String, Slot, Value)>,
}

impl ErasedGame {
    /// Calls `each` for every position that can be reached from the start; an error it returns
    /// ends the export.
    pub fn export(
        &self,
        job: &Job,
        each: &mut dyn FnMut(Row) -> Result<(), TableError>,
    ) -> Result<(), SolveError> {
        let table = self.open_table(job)?;
        let numbered = &*self.number(job)?;
        let (graph, index) = (&*numbered.graph(), numbered.index());
        let reached = self.reached(numbered, false, job.watch)?;
        let tiers = fetch_all(job, &table, "exporting")?;
        let meter = Meter::new(job.watch, "exporting", None, Some(graph.total()))?;
        for slot in slots(graph) {
            meter.add(1)?;
            let Some(kept) = index.position(slot) else { continue };
            if reached.members(graph, slot) > 0 {
                // A position that is reached, so that its moves lead to what is written too.
                let member = reached.first(slot).map(|member| member as usize);
                let at = member.and_then(|nth| index.orbit(&kept).into_iter().nth(nth));
                let at = at.unwrap_or(kept);
                let moves = self.children(index, &tiers, slot, &at)?.into_iter();
                let moves = moves.map(|child| (child.mv.to_string(), child.slot, child.worth()));
                let value = tiers.get(slot).ok_or_else(|| self.absent(&at))?;
                let (position, moves) = (self.game().notation(&at), moves.collect());
                each(Row { slot, position, value, moves })?;
            }
        }
        Ok(())
    }

    /// Where the moves of a position lead, and what that is worth to the player who moves next.
    pub(super) fn children(
        &self,
        index: &dyn Index<DynPosition>,
        tiers: &Tiers,
        slot: Slot,
        at: &DynPosition,
    ) -> Result<Vec<Child>, TableError> {
        let game = self.game();
        if game.over(at).is_some() {
            return Ok(vec![]);
        }
        let moves: Vec<DynMove> = game.moves(at).into_iter().collect();
        let to: Vec<DynPosition> = moves.iter().map(|mv| game.play(at, mv.clone())).collect();
        let mut slots = vec![];
        index.children(slot.tier, &to, &mut slots);
        let child = |((mv, to), slot)| match tiers.get(slot) {
            Some(value) => Ok(Child { again: game.again(at, &to), mv, to, slot, value }),
            None => Err(self.absent(&to)),
        };
        moves.into_iter().zip(to).zip(slots).map(child).collect()
    }
}

/// A move, and the value of where it leads.
pub(super) struct Child {
    pub(super) mv: DynMove,
    pub(super) to: DynPosition,
    pub(super) slot: Slot,
    pub(super) value: Value,
    pub(super) again: bool,
}

impl Child {
    /// What the move is worth to the player who makes it.
    pub(super) fn worth(&self) -> Value {
        self.value.back(self.again)
    }
}

//! All positions of a solved game, one after the other.

use crate::{
    erased::{ErasedGame, Job, NumberedGame, fetch_all},
    game::{Game, Value, dynamic::DynPosition},
    index::Slot,
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
        let (graph, index) = (&*numbered.graph(), &*numbered.index());
        let reached = self.reached(numbered, false, job.watch)?;
        let tiers = fetch_all(job, &table, "exporting")?;
        let meter = Meter::new(job.watch, "exporting", None, Some(graph.total()))?;
        for tier in 0..graph.tiers() {
            for i in 0..graph.len(tier) {
                let slot = Slot { tier, index: i };
                meter.add(1)?;
                let Some(kept) = index.position(slot) else { continue };
                if reached.members(graph, slot) > 0 {
                    // A position that is reached, so that its moves lead to what is written too.
                    let member = reached.first(slot).map(|member| member as usize);
                    let at = member.and_then(|nth| index.orbit(&kept).into_iter().nth(nth));
                    each(self.row(numbered, &tiers, slot, &at.unwrap_or(kept))?)?;
                }
            }
        }
        Ok(())
    }

    fn row(
        &self,
        numbered: &dyn NumberedGame,
        tiers: &Tiers,
        slot: Slot,
        at: &DynPosition,
    ) -> Result<Row, TableError> {
        let game = self.game();
        let value = |slot, at: &DynPosition| {
            let absent = || TableError::Absent { position: game.notation(at) };
            tiers.get(slot).ok_or_else(absent)
        };
        let (mut names, mut children, mut slots, mut moves) = (vec![], vec![], vec![], vec![]);
        if game.over(at).is_none() {
            for mv in game.moves(at) {
                names.push(mv.to_string());
                children.push(game.play(at, mv));
            }
            numbered.index().children(slot.tier, &children, &mut slots);
            for ((name, to), child) in names.into_iter().zip(&children).zip(slots) {
                let worth = value(child, to)?.back(game.again(at, to));
                moves.push((name, child, worth));
            }
        }
        Ok(Row { slot, position: game.notation(at), value: value(slot, at)?, moves })
    }
}

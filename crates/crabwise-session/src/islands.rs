//! All islands of a game with their bridges, in memory, for what looks at them as one graph.

use std::collections::{BTreeMap, HashMap};

use crabwise::{
    SolveError, TableError, Value,
    analysis::label::{Chart, Island, Label, LabelCounts, Wanted},
    watch::{Stop, Watch},
};

use crate::{Error, Session, Target};

/// The islands of a game, as they are labelled.
pub struct Islands {
    /// How many there are of which label.
    pub counts: LabelCounts,
    /// The islands, each with its bridges.
    pub all: Vec<Island>,
}

/// Bytes that an island takes with its bridges, at least.
const ISLAND: u64 = 256;

impl Islands {
    /// Hands the islands on, as if they came one by one.
    pub fn replay(self, chart: &mut dyn Chart) -> Result<(), TableError> {
        chart.begin(&self.counts)?;
        for island in self.all {
            if chart.full() {
                break;
            }
            chart.island(island)?;
        }
        Ok(())
    }

    /// With an island for each end that the table has no place for, behind the others: whatever bridges lead to has
    /// one then.
    pub fn with_ends(mut self) -> Islands {
        let bridges = self.all.iter().flat_map(|island| &island.bridges);
        let ends: BTreeMap<String, Label> =
            bridges.filter_map(|bridge| Some((bridge.to.clone(), bridge.end?))).collect();
        for (key, label) in ends {
            self.counts.islands += 1;
            *self.counts.counts.entry(label).or_default() += 1;
            let value = match label {
                Label::G(_) => Value::Loss(0),
                Label::P(_) => Value::Win(0),
                Label::T(_) => Value::Tie(0),
            };
            self.all.push(Island { key, label, value, literal: None, bridges: vec![] });
        }
        self
    }

    /// Where the bridges of each island lead, with whether they keep the turn.
    pub(crate) fn bridges(&self) -> Vec<Vec<(usize, bool)>> {
        let named: HashMap<&str, usize> =
            self.all.iter().enumerate().map(|(i, island)| (island.key.as_str(), i)).collect();
        let to = |island: &Island| {
            let ends = island.bridges.iter().map(|bridge| (&bridge.to, bridge.again));
            ends.filter_map(|(to, again)| Some((*named.get(to.as_str())?, again))).collect()
        };
        self.all.iter().map(to).collect()
    }
}

/// Keeps what comes, as far as there is room.
struct Kept {
    counts: Option<LabelCounts>,
    all: Vec<Island>,
    limit: u64,
}

impl Chart for Kept {
    fn begin(&mut self, counts: &LabelCounts) -> Result<(), TableError> {
        self.counts = Some(counts.clone());
        Ok(())
    }

    fn island(&mut self, island: Island) -> Result<(), TableError> {
        self.all.push(island);
        Ok(())
    }

    fn full(&self) -> bool {
        self.counts.as_ref().is_some_and(|counts| counts.islands * ISLAND > self.limit)
    }
}

impl Session {
    /// All islands, labelled, with their bridges. Those of a game that is too large for that are refused.
    pub fn islands(
        &self,
        target: &Target,
        wanted: &Wanted,
        watch: &dyn Watch,
    ) -> Result<Islands, Error> {
        let limit = self.memory();
        let mut kept = Kept { counts: None, all: vec![], limit };
        self.label(target, &Wanted { bridges: true, ..*wanted }, &mut kept, watch)?;
        let full = kept.full();
        match kept.counts {
            Some(counts) if full => {
                let bytes = counts.islands.saturating_mul(ISLAND);
                let doing = "looking at all islands at once";
                Err(SolveError::no_memory(doing, bytes, limit).into())
            }
            Some(counts) => Ok(Islands { counts, all: kept.all }),
            None => Err(SolveError::Table(TableError::Stopped(Stop::Cancelled)).into()),
        }
    }
}

/// The islands under the names of the source's solution table, `1B : G3`: a number, in the order in which the start's
/// bridges are followed, each to its end before the next, and a letter for whose turn it is: B for White, who begins,
/// and N for Black. Whoever may be to move on an island has a name for it. Then what the start does not lead to.
pub fn numbered(islands: &Islands) -> Vec<(String, Label, usize)> {
    let bridges = islands.bridges();
    let start = islands.all.iter().position(|island| island.key == islands.counts.start);
    let letter = |key: &str| key.chars().next_back();
    let mut seen = vec![[false; 2]; bridges.len()];
    let (mut names, mut stack) = (vec![], vec![]);
    let mut visit = |from: (usize, usize), stack: &mut Vec<(usize, usize)>| {
        stack.push(from);
        while let Some((island, side)) = stack.pop() {
            if std::mem::replace(&mut seen[island][side], true) {
                continue;
            }
            let name = format!("{}{}", names.len() + 1, ['B', 'N'][side]);
            names.push((name, islands.all[island].label, island));
            let ends = bridges[island].iter().rev();
            stack.extend(ends.map(|&(to, again)| (to, if again { side } else { 1 - side })));
        }
        seen.iter().position(|seen| *seen == [false; 2])
    };
    let mut next = start.or((!islands.all.is_empty()).then_some(0)).map(|start| (start, 0));
    while let Some(from) = next {
        next = visit(from, &mut stack).map(|left| {
            // Keys end in whose turn it is, where anything is left.
            let alike = letter(&islands.all[left].key) == letter(&islands.counts.start);
            (left, usize::from(!alike))
        });
    }
    names
}

//! Crab Analysis as its document does it: labels go from island to island along the bridges, round by round.
//!
//! Nothing is taken from the table but how games end. In round n every island gets its label whose index is n: the
//! ends are G1, an island with a bridge to G(n-1) is P(n), one whose bridges all lead to P, the last of them to
//! P(n-1), is G(n). When that stops, all others are T. Of these the traps have a z of their own, the largest P index
//! among their bridges. It goes on backwards to the islands with bridges to T only, the smallest z first, so that
//! each is labelled once; and where none arrives, z is 0.
//!
//! A bridge that keeps the turn leads to an island that is good for whoever comes to it if it is P.

use std::collections::BTreeMap;

use crabwise::{
    Value,
    analysis::label::{Draws, Label, Weights},
};

use crate::Islands;

/// All rounds.
pub struct Propagation {
    /// One after the other; none is empty.
    pub rounds: Vec<Round>,
}

/// The labels that are given at a time.
pub struct Round {
    /// Why.
    pub rule: Rule,
    /// The islands, in the order of the chart.
    pub steps: Vec<Step>,
}

/// What gives islands their labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// They have no bridges.
    Ends,
    /// The labels of their bridges' ends settle them.
    Backwards,
    /// They are T, with bridges to P islands.
    Traps,
    /// They are T, and a trap of this depth can be reached in so many moves.
    Carried {
        /// The depth.
        z: u64,
        /// How many moves it is away.
        moves: u32,
    },
    /// They are T, and no trap can be reached.
    Untrapped,
    /// They are T, and Z is told by their own bridges.
    Densities,
}

/// A label is given.
pub struct Step {
    /// The island's place in the chart.
    pub island: usize,
    /// Its label.
    pub label: Label,
    /// The islands that its bridges lead to and that are the reason.
    pub because: Vec<usize>,
}

/// The state of the work.
struct Work<'a> {
    islands: &'a Islands,
    bridges: Vec<Vec<(usize, bool)>>,
    /// Where each island is led to from.
    parents: Vec<Vec<usize>>,
    labels: Vec<Option<Label>>,
    rounds: Vec<Round>,
}

impl Propagation {
    /// Labels the islands.
    pub fn of(islands: &Islands, draws: Draws) -> Propagation {
        let bridges = islands.bridges();
        let mut parents = vec![vec![]; bridges.len()];
        for (from, ends) in bridges.iter().enumerate() {
            ends.iter().for_each(|&(to, _)| parents[to].push(from));
        }
        let labels = vec![None; bridges.len()];
        let mut work = Work { islands, bridges, parents, labels, rounds: vec![] };
        work.settle();
        match draws {
            Draws::Deepest => {
                work.traps();
                work.carry();
            }
            Draws::Densest(weights) => work.densities(weights),
        }
        Propagation { rounds: work.rounds }
    }
}

impl Work<'_> {
    /// Gives labels, all at once.
    fn round(&mut self, rule: Rule, mut steps: Vec<Step>) {
        if steps.is_empty() {
            return;
        }
        steps.sort_by_key(|step| step.island);
        steps.iter().for_each(|step| self.labels[step.island] = Some(step.label));
        self.rounds.push(Round { rule, steps });
    }

    /// The index of a bridge that ruins whoever crosses it, once that is known.
    fn bad(&self, &(to, again): &(usize, bool)) -> Option<u32> {
        match (self.labels[to]?, again) {
            (Label::P(x), false) => Some(x),
            (Label::G(n), true) => Some(n),
            _ => None,
        }
    }

    /// The index of a bridge that wins, once that is known.
    fn good(&self, &(to, again): &(usize, bool)) -> Option<u32> {
        match (self.labels[to]?, again) {
            (Label::G(n), false) => Some(n),
            (Label::P(x), true) => Some(x),
            _ => None,
        }
    }

    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.labels.len()).filter(|&i| self.labels[i].is_none())
    }

    /// The ends, and what follows from them.
    fn settle(&mut self) {
        let ends = self.open().filter(|&i| self.bridges[i].is_empty());
        let end = |island: usize| {
            let label = match self.islands.all[island].value {
                Value::Loss(_) => Label::G(1),
                Value::Win(_) => Label::P(1),
                Value::Tie(_) | Value::Draw => Label::T(0),
            };
            Step { island, label, because: vec![] }
        };
        let mut steps: Vec<Step> = ends.map(end).collect();
        let mut rule = Rule::Ends;
        while !steps.is_empty() {
            let mut touched: Vec<usize> =
                steps.iter().flat_map(|step| self.parents[step.island].iter().copied()).collect();
            self.round(rule, steps);
            rule = Rule::Backwards;
            touched.sort_unstable();
            touched.dedup();
            touched.retain(|&island| self.labels[island].is_none());
            steps = touched.into_iter().filter_map(|island| self.settled(island)).collect();
        }
    }

    /// The label of an island, if its bridges settle it now.
    fn settled(&self, island: usize) -> Option<Step> {
        let bridges = &self.bridges[island];
        if let Some(least) = bridges.iter().filter_map(|bridge| self.good(bridge)).min() {
            let because = self.those(island, |bridge| self.good(bridge) == Some(least));
            return Some(Step { island, label: Label::P(least + 1), because });
        }
        let bad: Option<Vec<u32>> = bridges.iter().map(|bridge| self.bad(bridge)).collect();
        let most = bad?.into_iter().max()?;
        let because = self.those(island, |bridge| self.bad(bridge) == Some(most));
        Some(Step { island, label: Label::G(most + 1), because })
    }

    fn those(&self, island: usize, which: impl Fn(&(usize, bool)) -> bool) -> Vec<usize> {
        self.bridges[island].iter().filter(|bridge| which(bridge)).map(|bridge| bridge.0).collect()
    }

    /// The T islands with a bridge to ruin.
    fn traps(&mut self) {
        let trap = |island: usize| {
            let most = self.bridges[island].iter().filter_map(|bridge| self.bad(bridge)).max()?;
            let because = self.those(island, |bridge| self.bad(bridge) == Some(most));
            Some(Step { island, label: Label::T(most.into()), because })
        };
        let steps = self.open().filter_map(trap).collect();
        self.round(Rule::Traps, steps);
    }

    /// The other T islands: the smallest depths go first, each as far as it goes.
    fn carry(&mut self) {
        let traps = self.rounds.last().filter(|round| round.rule == Rule::Traps);
        let mut by_depth: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for step in traps.into_iter().flat_map(|round| &round.steps) {
            by_depth.entry(step.label.index()).or_default().push(step.island);
        }
        for (z, mut front) in by_depth {
            for moves in 1.. {
                let mut next: Vec<usize> =
                    front.iter().flat_map(|&i| self.parents[i].iter().copied()).collect();
                next.sort_unstable();
                next.dedup();
                next.retain(|&island| self.labels[island].is_none());
                let step = |&island: &usize| {
                    let label = Some(Label::T(z));
                    let because = self.those(island, |bridge| self.labels[bridge.0] == label);
                    Step { island, label: Label::T(z), because }
                };
                let steps = next.iter().map(step).collect();
                self.round(Rule::Carried { z, moves }, steps);
                if next.is_empty() {
                    break;
                }
                front = next;
            }
        }
        let none = |island| Step { island, label: Label::T(0), because: vec![] };
        let steps = self.open().map(none).collect();
        self.round(Rule::Untrapped, steps);
    }

    /// All T islands, by their own bridges alone.
    fn densities(&mut self, Weights { a, b, c }: Weights) {
        let dense = |island: usize| {
            let weight = |bridge| match self.bad(bridge) {
                Some(x) => u64::from(b) + u64::from(c) * u64::from(x),
                None => a.into(),
            };
            let z = self.bridges[island].iter().map(weight).sum();
            Step { island, label: Label::T(z), because: self.those(island, |_| true) }
        };
        let steps = self.open().map(dense).collect();
        self.round(Rule::Densities, steps);
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use crabwise::{analysis::label::Wanted, watch::Unwatched};
    use crabwise_games::Registry;
    use crabwise_store::Place;

    use super::*;
    use crate::Session;

    /// The islands of a game, which may be the graph of this text.
    fn islands(game: &str, text: &str, draws: Draws) -> Islands {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::directory(folder.path().into());
        let session = Session::new(Registry::standard(), place, 1 << 30);
        let open = |_: &str| Ok(Box::new(io::Cursor::new(text.as_bytes().to_vec())) as _);
        let target = session.target(game, &open).unwrap();
        session.ready(&target, true, &Unwatched).unwrap();
        let wanted = Wanted { all: false, draws, literal: false, bridges: true };
        session.islands(&target, &wanted, &Unwatched).unwrap()
    }

    /// Each island gets the label of the table, once, and in the round of its index.
    fn agrees(game: &str, text: &str) {
        for draws in [Draws::Deepest, Draws::Densest(Weights::default())] {
            let islands = islands(game, text, draws).with_ends();
            let led_to: Vec<usize> = islands.bridges().iter().map(Vec::len).collect();
            let bridges: Vec<usize> = islands.all.iter().map(|one| one.bridges.len()).collect();
            assert_eq!(led_to, bridges, "{game}: each leads to an island");
            let propagation = Propagation::of(&islands, draws);
            let mut labels = vec![None; islands.all.len()];
            for (n, round) in (1..).zip(&propagation.rounds) {
                for step in &round.steps {
                    assert_eq!(labels[step.island].replace(step.label), None, "{game}");
                    if let Rule::Ends | Rule::Backwards = round.rule {
                        let even = matches!(step.label, Label::T(0));
                        assert!(even || step.label.index() == n, "{game}: {}", step.label);
                    }
                }
            }
            for (island, label) in islands.all.iter().zip(labels) {
                assert_eq!(label, Some(island.label), "{game}: {}", island.key);
            }
        }
    }

    #[test]
    fn labels_are_those_of_the_table() {
        // Here ends have no place in the table.
        for game in ["black-hole:3,1", "black-hole:3,2"] {
            let all = islands(game, "", Draws::Deepest);
            let (before, with_ends) = (all.all.len(), all.with_ends());
            assert!(with_ends.all.len() > before, "{game}");
            assert_eq!(with_ends.counts.islands, with_ends.all.len() as u64);
            agrees(game, "");
        }
        for game in ["tokens:5,take=2", "boxers:3x3", "cruzados", "graph", "pong-hau-ki"] {
            agrees(game, "");
        }
        for game in ["tictactoe", "achi:3", "dots-and-boxes:1x2"] {
            agrees(game, "");
        }
    }

    #[test]
    fn labels_are_those_of_the_table_on_random_graphs() {
        let seed = 20_261_119;
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..60 {
            let islands = random.usize(2..30);
            let key = |i: usize| format!("{i}{}", ['A', 'B'][i % 2]);
            let mut text = String::new();
            for _ in 0..random.usize(1..3 * islands) {
                let (from, to) = (random.usize(..islands), random.usize(..islands));
                let again = if from % 2 == to % 2 { "again" } else { "" };
                text += &format!("{},{},{again}\n", key(from), key(to));
            }
            agrees("graph:random.csv", &text);
        }
    }
}

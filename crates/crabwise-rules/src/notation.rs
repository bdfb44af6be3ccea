//! Positions as text: a picture for people, and one word for files.
//!
//! In a word stand the facts that hold, as `cell(1,2,x)+control(o)`. Left out is what follows: facts that always hold,
//! and of each place what is there when nothing else is said.

use std::collections::BTreeMap;

use crate::{
    game::{kind, with_values},
    machine::{BROKEN, Kind, Machine, Why},
    pack::Layout,
    words::{names, natural},
};

impl Machine {
    /// The facts that are written down.
    pub(crate) fn written(&self, words: &[u64]) -> Vec<u32> {
        let Layout { facts, groups, .. } = &self.layout;
        // A function of one group, such as whose turn it is, is written down whatever it says.
        let mut many: BTreeMap<u32, usize> = BTreeMap::new();
        for group in groups.iter().filter(|group| facts[group[0] as usize].mask != 0) {
            *many.entry(self.function(group[0])).or_default() += 1;
        }
        let is_written = |fact: &u32| {
            let place = facts[*fact as usize];
            let alone = many.get(&self.function(*fact)) == Some(&1);
            place.mask != 0 && self.layout.holds(words, *fact) && (place.code != 0 || alone)
        };
        let mut written: Vec<u32> = (0..facts.len() as u32).filter(is_written).collect();
        written.sort_by_cached_key(|fact| natural(&self.fact(*fact)));
        written
    }

    fn function(&self, fact: u32) -> u32 {
        self.terms.head(self.roots.facts[fact as usize])
    }

    /// A fact as one word.
    pub(crate) fn fact(&self, fact: u32) -> String {
        self.terms.word(self.roots.facts[fact as usize])
    }

    /// The position as one word.
    pub(crate) fn notation(&self, words: &[u64]) -> String {
        let facts: Vec<String> =
            self.written(words).into_iter().map(|fact| self.fact(fact)).collect();
        if facts.is_empty() { "+".into() } else { facts.join("+") }
    }

    /// The position that a word means, if it is one; it must be one that the rules settle.
    pub(crate) fn read(&self, word: &str) -> Option<Result<Vec<u64>, String>> {
        let mut given = vec![];
        let parts: Vec<&str> = word.split('+').filter(|part| !part.is_empty()).collect();
        let spelt: Vec<Vec<String>> = (0..self.roots.facts.len() as u32)
            .map(|fact| names(&self.fact(fact)).collect())
            .collect();
        for part in &parts {
            let wanted: Vec<String> = names(part).collect();
            match spelt.iter().position(|spelt| *spelt == wanted) {
                Some(fact) => given.push(fact as u32),
                // One word that is no fact is a move, or nothing.
                None if parts.len() == 1 && !word.contains('+') => return None,
                None => return Some(Err(format!("'{part}' is no fact of this game"))),
            }
        }
        if word.is_empty() || (given.is_empty() && word != "+") {
            return None;
        }
        Some(self.put_together(&given))
    }

    fn put_together(&self, given: &[u32]) -> Result<Vec<u64>, String> {
        for group in &self.layout.groups {
            let mut there = group.iter().filter(|fact| given.contains(fact));
            if let (Some(one), Some(other)) = (there.next(), there.next()) {
                let [one, other] = [one, other].map(|fact| self.fact(*fact));
                return Err(format!("{one} and {other} exclude each other"));
            }
        }
        let mut words = self.layout.pack(|fact| given.contains(&fact));
        match kind(self, &words) {
            Kind::Broken(why) => Err(self.why(why)),
            _ => {
                with_values(|values| self.settle(&mut words, 0, values));
                Ok(words)
            }
        }
    }

    /// Why the rules break off at a position, if they do.
    pub(crate) fn broken_why(&self, words: &[u64]) -> Option<String> {
        match kind(self, words) {
            Kind::Broken(why) => Some(self.why(why)),
            _ => (self.layout.turn(words) == BROKEN).then(|| self.why(Why::Endless)),
        }
    }

    /// Why the rules break off, in words.
    pub(crate) fn why(&self, why: Why) -> String {
        let role = |role: u8| self.terms.word(self.roots.roles[usize::from(role)].role);
        match why {
            Why::NoMove(of) => {
                format!("{} has no legal move, and the game is not over", role(of))
            }
            Why::AtOnce => format!(
                "{} and {} choose at once, as in a game with hidden information",
                role(0),
                role(1)
            ),
            Why::Goals(of, 0) => format!("the game is over and {} has no goal", role(of)),
            Why::Goals(of, many) => {
                format!("the game is over and {} has {many} goals at once", role(of))
            }
            Why::Sum([one, other]) => format!(
                "the goals are {one} and {other}, which do not add up to {}, as they do elsewhere",
                self.stakes.sum.unwrap_or(100)
            ),
            Why::Margin([one, other]) => format!(
                "the goals are {one} and {other}; elsewhere wins differ by {}, and only win, tie and loss are told apart",
                self.stakes.margin.unwrap_or(100)
            ),
            Why::Endless => "nobody ever has a move again, and the game is not over".into(),
        }
    }
}

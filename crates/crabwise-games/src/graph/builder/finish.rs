//! The end of the file: names and owners are joined, bridges are judged, and all is put in order.

use std::mem::take;

use crabwise_graphfile::{Place, ReadError, quotable};

use super::{
    super::islands::{Islands, Mark},
    Builder,
    names::{as_word, tag, tag_hash},
    words::outcome_name,
};

impl Builder {
    /// The whole graph, or what is wrong on the earliest line. `done` says whether the file could
    /// be read to its end; if not, what was read is still looked at.
    pub(in crate::graph) fn finish(
        mut self,
        done: Result<(), ReadError>,
    ) -> Result<Islands, ReadError> {
        let whole = done.is_ok();
        if let Err(bad) = done {
            self.note(bad);
        }
        // Before the end, a file may still name the letters, the owners and the missing islands.
        if whole {
            self.complete_names();
            if self.exported {
                self.turns = self.turns.or_else(|| self.letters_of_keys());
            }
            for island in 0..self.marks.len() as u32 {
                self.check_completed(island);
                self.check_letter(island);
            }
        }
        self.check_bridges(whole);
        let start = self.find_start(whole);
        match (self.bad.take(), start) {
            (Some(bad), _) => Err(bad),
            (None, Some(start)) => Ok(self.sorted(start)),
            (None, None) => Err(ReadError::anywhere("no islands in it")),
        }
    }

    /// Joins names and owners, where a file gives these apart. What was two names may become one.
    fn complete_names(&mut self) {
        if self.owners.is_empty() && self.keyed.is_empty() {
            return;
        }
        let (keys, letters) = (self.take_keys(), self.take_owners());
        // Until it is done all is there twice.
        let line = self.lines.last().map_or(1, |&line| line.into());
        if let Err(bad) = self.room_beside(self.bytes, line) {
            return self.note(bad);
        }
        let mut whole = Builder::new(&self.wishes, self.limits);
        (whole.turns, whole.start, whole.exported) = (self.turns, self.start.take(), self.exported);
        let moved: Vec<u32> = (0..)
            .zip(keys.into_iter().zip(letters))
            .map_while(|(island, (key, letter))| self.move_island(&mut whole, island, key, letter))
            .collect();
        self.move_bridges(&mut whole, &moved);
        if let Some(bad) = self.bad.take() {
            whole.note(bad);
        }
        *self = whole;
    }

    /// The key of each island that has another name.
    fn take_keys(&mut self) -> Vec<Option<String>> {
        let mut keys = vec![None; self.marks.len()];
        for (island, key, _) in take(&mut self.keyed) {
            keys[island as usize] = Some(key);
        }
        keys
    }

    /// The letter of each island that has it apart.
    fn take_owners(&mut self) -> Vec<Option<char>> {
        let mut letters = vec![None; self.marks.len()];
        for (island, letter, line) in take(&mut self.owners) {
            let before = letters[island as usize].replace(letter);
            if before.is_some_and(|before| before != letter) {
                let name = quotable(self.key(island));
                self.note(ReadError::on_line(line, format!("'{name}' has two different owners")));
            }
        }
        letters
    }

    /// Takes an island over under its whole name; gives its number there, if it can be one.
    fn move_island(
        &self,
        whole: &mut Builder,
        island: u32,
        key: Option<String>,
        letter: Option<char>,
    ) -> Option<u32> {
        let line = self.lines[island as usize].into();
        let (name, known) = (self.key(island), whole.marks.len());
        let missing = letter.filter(|letter| !name.ends_with(*letter));
        let completed = || format!("{name}{}", missing.map_or(String::new(), String::from));
        let full = key.unwrap_or_else(completed);
        let to = whole.island(&full, line)?;
        if self.exported && whole.marks.len() == known {
            let full = quotable(&full);
            whole.note(ReadError::on_line(line, format!("'{full}' is the key of two nodes")));
        }
        if let Some(outcome) = self.marks[island as usize].outcome() {
            whole.outcome(to, outcome_name(outcome), line);
        }
        if missing.is_some() {
            let mark = &mut whole.marks[to as usize];
            *mark = mark.with(Mark::COMPLETED);
        }
        if let Some((start, _)) = whole.start.as_mut().filter(|(start, _)| start == name) {
            *start = full;
        }
        Some(to)
    }

    /// Takes all bridges over. Where a name could not be completed, its bridges mean nothing.
    fn move_bridges(&self, whole: &mut Builder, moved: &[u32]) {
        if moved.len() < self.marks.len() {
            return;
        }
        let to = |ends: &[u32]| ends.iter().map(|&end| moved[end as usize]).collect();
        (whole.from, whole.to) = (to(&self.from), to(&self.to));
        whole.notes.clone_from(&self.notes);
    }

    /// The letters that the keys end in, if these are two at most and not A and B.
    fn letters_of_keys(&self) -> Option<[char; 2]> {
        let mut letters: Vec<char> = vec![];
        for island in 0..self.marks.len() as u32 {
            let last = self.key(island).chars().next_back()?;
            if !letters.contains(&last) {
                letters.push(last);
            }
        }
        match letters[..] {
            ['A' | 'B'] | ['A', 'B'] | ['B', 'A'] => None,
            [one] => Some([one, 'A']),
            [one, two] => Some([one, two]),
            _ => None,
        }
    }

    /// A key that was completed must not have had the other letter already.
    fn check_completed(&mut self, island: u32) {
        if !self.marks[island as usize].has(Mark::COMPLETED) {
            return;
        }
        let letters = self.letters();
        let mut name = self.key(island).chars();
        let (owner, last) = (name.next_back(), name.next_back());
        let (Some(owner), Some(last)) = (owner, last) else { return };
        if letters.contains(&last) && letters.contains(&owner) {
            let name = quotable(name.as_str());
            let text = format!("the key '{name}{last}' ends in {last}, but its owner is {owner}");
            self.note(ReadError::on_line(self.lines[island as usize].into(), text));
        }
    }

    fn check_bridges(&mut self, whole: bool) {
        for i in 0..self.notes.len() {
            let (from, to) = (self.from[i], self.to[i]);
            let marks = [from, to].map(|island| self.marks[island as usize]);
            let [Some(one), Some(two)] = marks.map(Mark::side) else { continue };
            let declared = self.notes[i] & 1 == 1;
            let undefined = self.defining && marks.iter().any(|mark| !mark.has(Mark::DEFINED));
            let allowed = self.wishes.again || self.exported;
            let turn_kept = one == two && !declared && !allowed;
            let turn_lost = one != two && declared;
            if turn_kept || turn_lost || marks[0].outcome().is_some() || whole && undefined {
                self.note(self.wrong_bridge(i));
            }
        }
    }

    fn wrong_bridge(&self, i: usize) -> ReadError {
        let ends = [self.from[i], self.to[i]];
        let [from, to] = ends.map(|island| quotable(self.key(island)));
        let marks = ends.map(|island| self.marks[island as usize]);
        let defined = marks.map(|mark| !self.defining || mark.has(Mark::DEFINED));
        let text = if let Some(outcome) = marks[0].outcome() {
            let outcome = outcome_name(outcome);
            format!("'{from}' has the outcome {outcome} and a bridge to '{to}'; it can have one")
        } else if !defined[0] {
            format!("a bridge comes from '{from}', an island nobody defined")
        } else if !defined[1] {
            format!("a bridge leads from '{from}' to '{to}', an island nobody defined")
        } else if marks[0].side() == marks[1].side() {
            format!(
                "the bridge from '{from}' to '{to}' does not change the turn; declare it 'again', \
                 or all such bridges by ',again' behind the file's name"
            )
        } else {
            format!("the bridge from '{from}' to '{to}' is declared 'again', but changes the turn")
        };
        ReadError::on_line((self.notes[i] >> 1).into(), text)
    }

    /// Where play begins: as the game string says, as the file says, or on its first island.
    fn find_start(&mut self, whole: bool) -> Option<u32> {
        let (name, line) = match (&self.wishes.start, &self.start) {
            (Some(name), _) => (name, None),
            (None, Some((name, line))) => (name, Some(*line)),
            (None, None) => return (!self.marks.is_empty()).then_some(0),
        };
        let tag = tag(&as_word(name));
        let found = self.find(name, &tag, tag_hash(&tag));
        let defined =
            |island: &u32| !self.defining || self.marks[*island as usize].has(Mark::DEFINED);
        let found = found.filter(defined);
        if found.is_none() && whole && !self.marks.is_empty() {
            let text = format!("the start '{}' is no island of the file", quotable(name));
            self.note(ReadError { place: line.map(Place::Line), ..ReadError::anywhere(text) });
        }
        found
    }

    /// Puts the bridges in order, island by island, by counting; drops repetitions.
    fn sorted(self, start: u32) -> Islands {
        let Builder { mut keys, mut key_ends, mut marks, from, to, notes, names, lines, .. } = self;
        drop((notes, names, lines));
        let mut bridge_ends = vec![0; marks.len()];
        from.iter().for_each(|&from| bridge_ends[from as usize] += 1);
        // From the number of bridges to where they begin; filling them in moves that to the end.
        let mut begin = 0;
        for count in &mut bridge_ends {
            begin += std::mem::replace(count, begin);
        }
        let mut bridges = vec![0; to.len()];
        for (&from, &to) in from.iter().zip(&to) {
            let place = &mut bridge_ends[from as usize];
            bridges[*place] = to;
            *place += 1;
        }
        drop((from, to));
        let (mut begin, mut kept) = (0, 0);
        for end in &mut bridge_ends {
            bridges[begin..*end].sort_unstable();
            let first = kept;
            for i in begin..*end {
                if kept == first || bridges[kept - 1] != bridges[i] {
                    bridges[kept] = bridges[i];
                    kept += 1;
                }
            }
            (begin, *end) = (*end, kept);
        }
        bridges.truncate(kept);
        marks.iter_mut().for_each(|mark| *mark = mark.settled());
        keys.shrink_to_fit();
        key_ends.shrink_to_fit();
        marks.shrink_to_fit();
        bridges.shrink_to_fit();
        Islands { keys, key_ends, bridges, bridge_ends, marks, start }
    }
}

//! Rules ready to be played: positions are packed words, and each move says what it changes.
//!
//! Where one role has a choice and the others have none, its move decides everything: what the others do is what is
//! legal for them. So `next` is worked out for each move by itself, with what follows from the move being legal put in.
//! Most of it stays as it is, some is set once and for all, and the rest is a short line of gates.
//!
//! A position is *settled* when somebody has a real move, or nobody ever will: rounds in which everybody waits are gone
//! through at once. Its turn says who is to move, or that it is broken: then the rules say neither what can be done nor
//! how the game ended.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{
    board::Board,
    bounds::{Exceeded, Spent},
    groups::{certain, making},
    net::{
        FALSE, Lit, Net, Node, Roots, TRUE,
        simplify::{Groups, Under},
    },
    pack::{Layout, Place},
    program::{Line, Lines},
    quick::Quick,
    report::Mistake,
    syntax::Span,
    terms::{TermId, Terms},
    turns,
    words::natural,
};

/// The turn of a position whose rules break off.
pub(crate) const BROKEN: u8 = 2;
/// So many rounds of mere waiting are gone through before they are taken for endless.
const MOST_ROUNDS: usize = 10_000;

/// A move of a role.
#[derive(Clone, Debug)]
pub(crate) struct Deed {
    pub(crate) role: u8,
    /// Its number among those of the role.
    pub(crate) mv: u32,
    pub(crate) word: &'static str,
    pub(crate) waits: bool,
    /// What stays, by word.
    keep: Vec<u64>,
    /// What is set whatever was there, by word.
    set: Vec<u64>,
    /// What is set if the outputs of the line hold, in turn.
    rest: Quick,
    places: Vec<Place>,
}

/// Rules ready to be played.
pub(crate) struct Machine {
    pub(crate) layout: Layout,
    pub(crate) terms: Terms,
    pub(crate) roots: Roots,
    pub(crate) deeds: Vec<Deed>,
    pub(crate) start: Vec<u64>,
    /// Whether it is over, then the goals.
    end: Quick,
    /// The values of the goals, by role, in the order of the outputs of `end`.
    pub(crate) goals: Vec<(u8, i32)>,
    /// When each deed is legal.
    legal: Quick,
    /// What the goals of the two add up to, and by how much a winner's are higher, as far as that is known.
    pub(crate) stakes: Stakes,
    pub(crate) board: Option<Board>,
    /// The fact that says that the first role is to move, if turns are known to go by one.
    turn_fact: Option<u32>,
    /// What works positions out 64 at a time, if turns go by a fact.
    pub(crate) lines: Option<Lines>,
    /// Whether goals were met that are none; from then on no position is trusted unseen.
    bad: AtomicBool,
}

/// What goals must be for an end to be a win, a tie or a loss.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Stakes {
    pub(crate) sum: Option<i32>,
    pub(crate) margin: Option<i32>,
}

/// What a position is, before anybody moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Over, with the goals of the two.
    Over([i32; 2]),
    /// This role is to move.
    Of(u8),
    /// Everybody waits, by these deeds.
    Idle(u32),
    Broken(Why),
}

/// Why the rules break off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// A role has no move.
    NoMove(u8),
    /// Both have a choice.
    AtOnce,
    /// A role has no goal, or several.
    Goals(u8, usize),
    /// The goals of the two do not add up to what they do elsewhere.
    Sum([i32; 2]),
    /// A win by another margin than elsewhere.
    Margin([i32; 2]),
    /// Nobody ever has a move again.
    Endless,
}

impl Machine {
    pub(crate) fn new(
        mut net: Net,
        mut roots: Roots,
        groups: &Groups,
        terms: Terms,
        spent: &mut Spent,
    ) -> Result<Machine, Mistake> {
        let layout = Layout::of(groups);
        let stopped = |exceeded: Exceeded| exceeded.at(Span::default(), "to work the moves out");
        let assumed = certain(groups, &mut net);
        let mut under = Under::new(&mut net, groups, &assumed);
        under.thorough = true;
        roots.terminal = under.simplify(roots.terminal);
        for role in &mut roots.roles {
            role.moves.iter_mut().for_each(|(_, lit)| *lit = under.simplify(*lit));
            role.goals.iter_mut().for_each(|(_, lit)| *lit = under.simplify(*lit));
        }
        roots.next = roots.next.iter().map(|lit| under.simplify(*lit)).collect();
        spent.step(under.done()).map_err(stopped)?;
        let mut goals = vec![];
        let mut asked = vec![roots.terminal];
        for (role, of_role) in roots.roles.iter().enumerate() {
            for &(value, lit) in of_role.goals.iter().filter(|(_, lit)| *lit != FALSE) {
                let number = terms.head_name(value).parse().ok();
                let number = number.filter(|_| terms.arguments(value).is_empty());
                let number: i32 = number.ok_or_else(|| {
                    let what = format!("the goal {} is no number", terms.kif(value));
                    Mistake::new(Span::default(), what, "goals go from 0 to 100")
                })?;
                goals.push((role as u8, number));
                asked.push(lit);
            }
        }
        let end_line = Line::of(&net, &asked);
        let end = Quick::of(&end_line, &layout);
        let (mut deeds, mut when, mut lines) = (vec![], vec![], vec![]);
        for role in 0..roots.roles.len() {
            let mut order: Vec<usize> = (0..roots.roles[role].moves.len()).collect();
            order.sort_by_cached_key(|mv| natural(&terms.word(roots.roles[role].moves[*mv].0)));
            for mv in order {
                let (term, lit) = roots.roles[role].moves[mv];
                let mut deed = Deed::named([role, mv], term, roots.roles[role].waits[mv], &terms)?;
                let line = match lit {
                    FALSE => None,
                    _ => {
                        deed.work_out(&mut net, &roots, groups, &layout, spent).map_err(stopped)?
                    }
                };
                if let Some(line) = line {
                    deeds.push(deed);
                    when.push(lit);
                    lines.push(line);
                }
            }
        }
        let legal_line = Line::of(&net, &when);
        let legal = Quick::of(&legal_line, &layout);
        let start = layout.pack(|fact| roots.init[fact as usize]);
        let turn_fact = turns::by_fact(&mut net, &roots, groups, spent).map_err(stopped)?;
        let by_moves = deeds.iter().any(|deed: &Deed| !deed.rest.moves.is_empty());
        let lines = (turn_fact.is_some() && !by_moves).then_some(Lines {
            end: end_line,
            legal: legal_line,
            rest: lines,
        });
        let stakes = Stakes::default();
        let mut machine = Machine {
            layout,
            terms,
            roots,
            deeds,
            start,
            end,
            goals,
            legal,
            stakes,
            board: None,
            turn_fact,
            lines,
            bad: AtomicBool::new(false),
        };
        machine.board = Board::of(&machine.terms, &machine.roots.facts);
        Ok(machine)
    }

    /// The goals, if the game is over; or why the rules do not say what they are.
    pub(crate) fn end(
        &self,
        words: &[u64],
        values: &mut Vec<bool>,
    ) -> Option<Result<[i32; 2], Why>> {
        self.end.fit(values);
        self.end.run(words, values);
        let values = &*values;
        let holds = |nth: usize| self.end.output(values, nth + 1);
        self.end.output(values, 0).then(|| self.outcome(holds))
    }

    /// The goals of the two, if `holds` says which hold.
    pub(crate) fn outcome(&self, holds: impl Fn(usize) -> bool) -> Result<[i32; 2], Why> {
        let mut found = [0; 2];
        for role in 0..2_u8 {
            let all = self.goals.iter().enumerate();
            let mut reached = all.filter(|(nth, (of, _))| *of == role && holds(*nth));
            let (first, more) = (reached.next(), reached.count());
            match (first, more) {
                (Some((_, (_, value))), 0) => found[usize::from(role)] = *value,
                (None, _) => return Err(Why::Goals(role, 0)),
                (Some(_), more) => return Err(Why::Goals(role, more + 1)),
            }
        }
        match self.stakes {
            Stakes { sum: Some(sum), .. } if found[0] + found[1] != sum => Err(Why::Sum(found)),
            Stakes { margin: Some(margin), .. }
                if found[0] != found[1] && (found[0] - found[1]).abs() != margin =>
            {
                Err(Why::Margin(found))
            }
            _ => Ok(found),
        }
    }

    /// The deeds that are legal.
    pub(crate) fn legal(&self, words: &[u64], values: &mut Vec<bool>) -> impl Iterator<Item = u32> {
        self.legal.fit(values);
        self.legal.run(words, values);
        (0..self.deeds.len()).filter(|nth| self.legal.output(values, *nth)).map(|nth| nth as u32)
    }

    /// How the game ended for these goals; takes note if it is not said.
    pub(crate) fn ended(&self, words: &[u64], values: &mut Vec<bool>) -> Option<[i32; 2]> {
        let end = self.end(words, values)?;
        if end.is_err() {
            self.bad.store(true, Ordering::Relaxed);
        }
        end.ok()
    }

    /// Whether a position that is not over by its goals has moves: it does unless the rules break off.
    pub(crate) fn goes_on(&self, words: &[u64], values: &mut Vec<bool>) -> bool {
        !self.bad.load(Ordering::Relaxed) || self.end(words, values).is_none()
    }

    /// The deeds of a role that are legal.
    pub(crate) fn legal_of(&self, words: &[u64], role: u8, values: &mut Vec<bool>) -> Vec<u32> {
        self.legal(words, values).filter(|deed| self.deeds[*deed as usize].role == role).collect()
    }

    /// What a position is, before anybody moves.
    pub(crate) fn kind(&self, words: &[u64], values: &mut Vec<bool>) -> Kind {
        match self.end(words, values) {
            Some(Ok(goals)) => return Kind::Over(goals),
            Some(Err(why)) => return Kind::Broken(why),
            None => {}
        }
        let (mut all, mut real, mut any) = ([0; 2], [0; 2], 0);
        for deed in self.legal(words, values) {
            let role = usize::from(self.deeds[deed as usize].role);
            all[role] += 1;
            real[role] += usize::from(!self.deeds[deed as usize].waits);
            any = deed;
        }
        match (all, real) {
            ([0, _], _) => Kind::Broken(Why::NoMove(0)),
            ([_, 0], _) => Kind::Broken(Why::NoMove(1)),
            ([1, 1], [0, 0]) => Kind::Idle(any),
            ([1, 1], [0, _]) => Kind::Of(1),
            ([1, 1], _) => Kind::Of(0),
            ([_, 1], _) => Kind::Of(0),
            ([1, _], _) => Kind::Of(1),
            _ => Kind::Broken(Why::AtOnce),
        }
    }

    /// Goes through rounds of mere waiting, and says whose turn it is; after the end, and where it cannot be said, that
    /// of this role.
    pub(crate) fn settle(&self, words: &mut [u64], otherwise: u8, values: &mut Vec<bool>) {
        if !self.turn_by_fact(words) {
            self.settle_by_rounds(words, otherwise, values);
        }
    }

    /// Says whose turn it is, if a fact does.
    pub(crate) fn turn_by_fact(&self, words: &mut [u64]) -> bool {
        let Some(fact) = self.turn_fact else { return false };
        let turn = u8::from(!self.layout.holds(words, fact));
        self.layout.set_turn(words, turn);
        true
    }

    /// Settles a position whatever is known of turns.
    fn settle_by_rounds(&self, words: &mut [u64], otherwise: u8, values: &mut Vec<bool>) {
        for _ in 0..MOST_ROUNDS {
            match self.kind(words, values) {
                Kind::Of(role) => return self.layout.set_turn(words, role),
                Kind::Over(_) => return self.layout.set_turn(words, otherwise),
                Kind::Broken(_) => return self.layout.set_turn(words, BROKEN),
                Kind::Idle(deed) => {
                    let before = words.to_vec();
                    self.perform(&before, deed, words, values);
                }
            }
        }
        self.layout.set_turn(words, BROKEN);
    }

    /// The position after a deed, which is not settled.
    pub(crate) fn perform(&self, from: &[u64], deed: u32, to: &mut [u64], values: &mut Vec<bool>) {
        let deed = &self.deeds[deed as usize];
        if deed.places.is_empty() {
            return deed.change(from, to, |_| false);
        }
        let done = match deed.rest.moves.is_empty() {
            true => vec![],
            false => self.done(from, deed, values),
        };
        deed.rest.fit(values);
        for &(place, role, mv) in &deed.rest.moves {
            values[place as usize] = done.contains(&(role, mv));
        }
        deed.rest.run(from, values);
        let values = &*values;
        deed.change(from, to, |nth| deed.rest.output(values, nth));
    }

    /// What everybody does where somebody does this, and nobody else has a choice.
    fn done(&self, from: &[u64], deed: &Deed, values: &mut Vec<bool>) -> Vec<(u8, u32)> {
        let others: Vec<u32> = self.legal(from, values).collect();
        let others = others.into_iter().map(|other| &self.deeds[other as usize]);
        let others = others.filter(|other| other.role != deed.role);
        [deed].into_iter().chain(others).map(|one| (one.role, one.mv)).collect()
    }

    /// How many gates ends, moves and deeds take.
    pub(crate) fn gates(&self) -> [usize; 3] {
        let deeds = self.deeds.iter().map(|deed| deed.rest.gates()).sum();
        [self.end.gates(), self.legal.gates(), deeds]
    }
}

impl Deed {
    /// Changes a position by the deed; `output` says what the outputs of its line are.
    #[inline]
    pub(crate) fn change(&self, from: &[u64], to: &mut [u64], output: impl Fn(usize) -> bool) {
        for (nth, word) in to.iter_mut().enumerate() {
            *word = from[nth] & self.keep[nth] | self.set[nth];
        }
        for (nth, place) in self.places.iter().enumerate() {
            if output(nth) {
                to[place.word as usize] |= place.code;
            }
        }
    }

    fn named(
        [role, mv]: [usize; 2],
        term: TermId,
        waits: bool,
        terms: &Terms,
    ) -> Result<Deed, Mistake> {
        let word = crate::words::keep(&terms.word(term)).ok_or_else(|| {
            let what = "there is no room for the names of more moves";
            Mistake::new(Span::default(), what, "start the program anew")
        })?;
        let (keep, set, rest, places) = (vec![], vec![], Quick::default(), vec![]);
        let (role, mv) = (role as u8, mv as u32);
        Ok(Deed { role, mv, word, waits, keep, set, rest, places })
    }

    /// What the move changes, with a line for what depends on more; `None` if it is never made.
    fn work_out(
        &mut self,
        net: &mut Net,
        roots: &Roots,
        groups: &Groups,
        layout: &Layout,
        spent: &mut Spent,
    ) -> Result<Option<Line>, Exceeded> {
        let certain = certain(groups, net);
        let role = usize::from(self.role);
        let assumed = making(net, roots, groups, &certain, (role, self.mv), spent)?;
        if assumed.impossible {
            return Ok(None);
        }
        (self.keep, self.set) = (vec![0; layout.words], vec![0; layout.words]);
        let mut under = Under::new(net, groups, &assumed);
        let next: Vec<Lit> = roots.next.iter().map(|lit| under.simplify(*lit)).collect();
        spent.step(under.done())?;
        let mut asked = vec![];
        for facts in &layout.groups {
            let place = layout.facts[facts[0] as usize];
            let mut same = true;
            for &fact in facts.iter().filter(|fact| layout.facts[**fact as usize].code != 0) {
                let now = net.fact(fact);
                let now = assumed.fact(fact).map_or(now, |holds| if holds { TRUE } else { FALSE });
                same &= next[fact as usize] == now;
            }
            if same {
                self.keep[place.word as usize] |= place.mask;
                continue;
            }
            for &fact in facts {
                let place = layout.facts[fact as usize];
                match next[fact as usize] {
                    FALSE => {}
                    TRUE => self.set[place.word as usize] |= place.code,
                    _ if place.code == 0 => {}
                    lit => {
                        asked.push(lit);
                        self.places.push(place);
                    }
                }
            }
        }
        let asked = others_as_legal(net, roots, groups, asked, spent)?;
        let line = Line::of(net, &asked);
        self.rest = Quick::of(&line, layout);
        Ok(Some(line))
    }
}

/// Literals with what is legal in place of what is done: whoever has no choice does what is legal.
fn others_as_legal(
    net: &mut Net,
    roots: &Roots,
    groups: &Groups,
    lits: Vec<Lit>,
    spent: &mut Spent,
) -> Result<Vec<Lit>, Exceeded> {
    if lits.is_empty() {
        return Ok(lits);
    }
    let assumed = certain(groups, net);
    let mut under = Under::new(net, groups, &assumed);
    for (role, of_role) in roots.roles.iter().enumerate() {
        for (mv, (_, legal)) in of_role.moves.iter().enumerate() {
            under.replace(Node::Does(role as u8, mv as u32), *legal);
        }
    }
    let lits = lits.into_iter().map(|lit| under.simplify(lit)).collect();
    spent.step(under.done())?;
    Ok(lits)
}

//! From a text to a game.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    fmt,
    sync::Arc,
};

use crabwise::{ErasedGame, Setup, index::key};
use crabwise_hidden::ErasedHidden;

use crate::{
    bounds::{Bounds, Exceeded, Spent},
    check::check,
    counter::without,
    game::{Packed, Rules, with_lanes, with_values},
    ground::ground,
    groups, hidden,
    machine::{Kind, Machine, Stakes, Why},
    net::{self, Net, Roots, simplify::Groups},
    report::Mistake,
    rounds::{Rounds, Stuck},
    syntax::{Program, Span, Term},
    terms::Terms,
};

/// Positions that are looked at before a game is handed over.
const TRIAL: usize = 2_000;

/// A text whose form is right.
pub struct Text {
    program: Program,
    bounds: Bounds,
}

/// What somebody wants of a text beside what it says.
#[derive(Clone, Default, Debug)]
pub struct Wishes {
    /// The counter of rounds that is to be left out.
    pub without: Option<String>,
    /// Values for the parameters of the text.
    pub parameters: Vec<(String, String)>,
}

impl Text {
    /// Reads a text and checks what can be checked without playing.
    pub fn read(text: &str, wishes: Wishes, bounds: Bounds) -> Result<Text, Vec<Mistake>> {
        if text.len() as u64 > bounds.text {
            let what = format!("the text is longer than {} bytes", bounds.text);
            return Err(vec![Mistake::new(Span::default(), what, "")]);
        }
        let mut program = crate::read(text, &wishes.parameters)?;
        let mistakes = check(&program);
        if let (Some(counter), true) = (wishes.without, mistakes.is_empty()) {
            program = without(&program, &counter).map_err(|mistake| vec![mistake])?;
        }
        if mistakes.is_empty() { Ok(Text { program, bounds }) } else { Err(mistakes) }
    }

    /// The rules as they were read.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Whether somebody may not see everything, or chance moves.
    pub fn is_hidden(&self) -> bool {
        self.program.rules.iter().any(|rule| match (&*rule.head.relation, &rule.head.terms[..]) {
            ("sees", _) => true,
            ("role", [Term::Function(name, ..)]) => &**name == "random",
            _ => false,
        })
    }

    /// A key of the rules, whatever they look like.
    pub fn key(&self) -> u64 {
        key(&self.program.to_string(), 0)
    }

    /// The game of two players who see everything and move in turn.
    pub fn open_game(&self) -> Result<ErasedGame, Vec<Mistake>> {
        let machine = Arc::new(self.machine().map_err(|mistake| vec![mistake])?);
        let version = self.key() as u32;
        Ok(match machine.layout.words {
            1 => erased::<[u64; 1]>(machine, version),
            2 => erased::<[u64; 2]>(machine, version),
            3..=4 => erased::<[u64; 4]>(machine, version),
            5..=8 => erased::<[u64; 8]>(machine, version),
            _ => erased::<Box<[u64]>>(machine, version),
        })
    }

    /// What became of the text.
    pub fn anatomy(&self) -> Result<Anatomy, Mistake> {
        let machine = self.machine()?;
        Ok(Anatomy {
            facts: machine.layout.facts.len(),
            groups: machine.layout.groups.len(),
            words: machine.layout.words,
            moves: machine.deeds.len(),
            gates: machine.gates(),
        })
    }

    /// The rules, ready to be played.
    pub(crate) fn machine(&self) -> Result<Machine, Mistake> {
        let mut spent = Spent::new(self.bounds);
        let Worked { net, roots, groups, terms } = self.worked_out(&mut spent)?;
        let names: Vec<String> = roots.roles.iter().map(|role| terms.kif(role.role)).collect();
        if names.len() != 2 {
            let what = format!("{} roles: {}", names.len(), names.join(", "));
            return Err(Mistake::new(self.span_of("role"), what, "games for two can be solved"));
        }
        let mut machine = Machine::new(net, roots, &groups, terms, &mut spent)?;
        self.try_out(&mut machine)?;
        Ok(machine)
    }

    /// The game of two players who do not see everything.
    pub fn hidden_game(&self) -> Result<ErasedHidden, Vec<Mistake>> {
        let rounds = self.rounds().map_err(|mistake| vec![mistake])?;
        let [least, most] = rounds.0.widest().map(|by| f64::from(by) / 100.0);
        let stakes = rounds.1.unwrap_or([least, most]);
        Ok(hidden::erased(Arc::new(rounds.0), stakes))
    }

    /// The rules round by round, and the stakes if all positions were seen.
    fn rounds(&self) -> Result<(Rounds, Option<[f64; 2]>), Mistake> {
        let mut spent = Spent::new(self.bounds);
        let Worked { net, roots, groups, terms } = self.worked_out(&mut spent)?;
        let is_chance = |role: &usize| &**terms.head_name(roots.roles[*role].role) == "random";
        let (chance, mut seats): (Vec<usize>, Vec<usize>) =
            (0..roots.roles.len()).partition(is_chance);
        if seats.len() != 2 {
            let what = format!("{} roles beside 'random'", seats.len());
            return Err(Mistake::new(self.span_of("role"), what, "games for two can be solved"));
        }
        seats.extend(chance);
        let mut rounds = Rounds::new(net, roots, &groups, terms, seats, &mut spent)?;
        let stakes = self.try_rounds(&mut rounds)?;
        Ok((rounds, stakes))
    }

    /// Plays from the start, not far; the stakes, if all positions were seen.
    fn try_rounds(&self, rounds: &mut Rounds) -> Result<Option<[f64; 2]>, Mistake> {
        let start = with_lanes(|values| rounds.start(values));
        let (mut known, mut queue) = (HashSet::from([start.clone()]), VecDeque::from([start]));
        let mut stakes: Option<[f64; 2]> = None;
        while let Some(at) = queue.pop_front() {
            if let Some(why) = with_lanes(|values| rounds.stuck(&at, values)) {
                let (span, remedy) = match why {
                    Stuck::NoMove(_) => (self.span_of("legal"), "give it a move there, or an end"),
                    Stuck::Goals(..) => {
                        (self.span_of("goal"), "let exactly one goal of each player hold there")
                    }
                    Stuck::Sum(_) => {
                        (self.span_of("goal"), "one player must win what the other loses")
                    }
                    Stuck::Endless => (self.span_of("terminal"), "let the game end there"),
                };
                return Err(Mistake::new(span, rounds.why(&why), remedy));
            }
            if let Some(Ok(goals)) = with_lanes(|values| rounds.end(&at, values)) {
                rounds.sum.get_or_insert(goals[0] + goals[1]);
                let payoff = hidden::payoff(goals);
                let [least, most] = stakes.unwrap_or([payoff; 2]);
                stakes = Some([least.min(payoff), most.max(payoff)]);
                continue;
            }
            let seat = usize::from(rounds.layout.turn(&at));
            for mv in with_lanes(|values| rounds.legal(&at, values)).swap_remove(seat) {
                let mut to = at.clone();
                with_lanes(|values| rounds.choose(&mut to, mv, values));
                if known.len() < TRIAL && known.insert(to.clone()) {
                    queue.push_back(to);
                }
            }
        }
        Ok(stakes.filter(|_| known.len() < TRIAL))
    }

    /// The net of the rules, and which facts exclude each other.
    fn worked_out(&self, spent: &mut Spent) -> Result<Worked, Mistake> {
        let mut ground = ground(&self.program, spent)?;
        ground.terms.hints = self.program.hints.clone();
        let (mut net, roots) = net::build(&ground, spent)?;
        let stopped = |exceeded: Exceeded| {
            exceeded.at(self.span_of("next"), "to find out which facts exclude each other")
        };
        let groups = groups::find(&mut net, &roots, &ground.terms, spent).map_err(stopped)?;
        Ok(Worked { net, roots, groups, terms: ground.terms })
    }

    /// Plays from the start, breadth first and not far, to find what is wrong before anybody waits for a solution, and
    /// what goals add up to.
    fn try_out(&self, machine: &mut Machine) -> Result<(), Mistake> {
        let mut start = machine.start.clone();
        with_values(|values| machine.settle(&mut start, 0, values));
        let mut from: HashMap<Vec<u64>, Option<(Vec<u64>, u32)>> = HashMap::new();
        from.insert(start.clone(), None);
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            let now = with_values(|values| machine.kind(&at, values));
            match now {
                Kind::Over(goals) => {
                    let Stakes { sum, margin } = &mut machine.stakes;
                    sum.get_or_insert(goals[0] + goals[1]);
                    if goals[0] != goals[1] {
                        margin.get_or_insert((goals[0] - goals[1]).abs());
                    }
                }
                Kind::Broken(why) => return Err(self.broken(machine, why, &way(&from, &at))),
                Kind::Idle(_) => {
                    return Err(self.broken(machine, Why::Endless, &way(&from, &at)));
                }
                Kind::Of(role) => {
                    let deeds = with_values(|values| machine.legal_of(&at, role, values));
                    for deed in deeds {
                        let mut to = at.clone();
                        with_values(|values| {
                            machine.perform(&at, deed, &mut to, values);
                            machine.settle(&mut to, 1 - role, values);
                        });
                        if from.len() < TRIAL && !from.contains_key(&to) {
                            from.insert(to.clone(), Some((at.clone(), deed)));
                            queue.push_back(to);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn broken(&self, machine: &Machine, why: Why, way: &[u32]) -> Mistake {
        let moves: Vec<&str> = way.iter().map(|deed| machine.deeds[*deed as usize].word).collect();
        let place = match moves.len() {
            0 => "at the start".to_string(),
            _ => format!("after {}", moves.join(" ")),
        };
        let (span, remedy) = match why {
            Why::NoMove(_) => {
                (self.span_of("legal"), "give it a move there, such as noop, or an end")
            }
            Why::AtOnce => (self.span_of("legal"), "give whoever waits one move, such as noop"),
            Why::Goals(..) => {
                (self.span_of("goal"), "let exactly one goal of each role hold there")
            }
            Why::Sum(_) => (
                self.span_of("goal"),
                "only games in which one wins what the other loses are solved",
            ),
            Why::Margin(_) => (self.span_of("goal"), "let all wins be worth the same"),
            Why::Endless => (self.span_of("terminal"), "let the game end there"),
        };
        Mistake::new(span, format!("{place}, {}", machine.why(why)), remedy)
    }

    /// The first rule that concludes this.
    fn span_of(&self, relation: &str) -> Span {
        let rule = self.program.rules.iter().find(|rule| &*rule.head.relation == relation);
        rule.map_or(Span::default(), |rule| rule.span)
    }
}

/// What is worked out for every game.
struct Worked {
    net: Net,
    roots: Roots,
    groups: Groups,
    terms: Terms,
}

/// What became of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Anatomy {
    /// Facts that may hold or not.
    pub facts: usize,
    /// Groups of facts that exclude each other.
    pub groups: usize,
    /// Words of 64 bits that a position takes.
    pub words: usize,
    /// Moves of both players.
    pub moves: usize,
    /// Gates that say how it ended, what is legal, and what comes next.
    pub gates: [usize; 3],
}

impl fmt::Display for Anatomy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Anatomy { facts, groups, words, moves, gates: [end, legal, next] } = self;
        write!(
            f,
            "{facts} facts in {groups} groups, {words} words; {moves} moves; gates: {end} for ends, \
             {legal} for moves, {next} for what comes next"
        )
    }
}

/// The deeds that lead to a position.
fn way(from: &HashMap<Vec<u64>, Option<(Vec<u64>, u32)>>, at: &[u64]) -> Vec<u32> {
    let (mut way, mut at) = (vec![], at);
    while let Some(Some((before, deed))) = from.get(at) {
        way.push(*deed);
        at = before;
    }
    way.reverse();
    way
}

fn erased<P: Packed>(machine: Arc<Machine>, version: u32) -> ErasedGame {
    Setup::of(Rules::<P>::new(machine)).edited().rules(version).drawn().batched().erased()
}

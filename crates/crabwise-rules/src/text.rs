//! From a text to a game.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::Arc,
};

use crabwise::{ErasedGame, Setup, index::key};

use crate::{
    bounds::{Bounds, Exceeded, Spent},
    check::check,
    game::{Packed, Rules, with_values},
    ground::ground,
    groups,
    machine::{Kind, Machine, Stakes, Why},
    net,
    report::Mistake,
    syntax::{Program, Span, Term},
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
        let program = crate::read(text, &wishes.parameters)?;
        let mistakes = check(&program);
        if let Some(counter) = wishes.without {
            // TODO
            let _ = counter;
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
        let ground = ground(&self.program, &mut spent)?;
        if ground.roles.len() != 2 {
            let names: Vec<String> =
                ground.roles.iter().map(|role| ground.terms.kif(*role)).collect();
            let what = format!("{} roles: {}", names.len(), names.join(", "));
            let remedy = "games for two can be solved";
            return Err(Mistake::new(self.span_of("role"), what, remedy));
        }
        let (mut net, roots) = net::build(&ground, &mut spent)?;
        let stopped = |exceeded: Exceeded| {
            exceeded.at(self.span_of("next"), "to find out which facts exclude each other")
        };
        let groups = groups::find(&mut net, &roots, &ground.terms, &mut spent).map_err(stopped)?;
        let mut machine = Machine::new(net, roots, &groups, ground.terms, &mut spent)?;
        self.try_out(&mut machine)?;
        Ok(machine)
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
    Setup::of(Rules::<P>::new(machine)).edited().rules(version).erased()
}

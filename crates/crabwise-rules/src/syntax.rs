//! Rules as they are written: terms, literals, rules, each with the piece of text that it came from.
//!
//! Spans take no part in comparisons. Names are compared as they are spelled here; KIF's readers lower them first,
//! since names differ in case in some files.

use std::{fmt, hash, sync::Arc};

/// A piece of the text, in bytes from its beginning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// Where it begins.
    pub start: u32,
    /// Where it ends; this byte is no part of it.
    pub end: u32,
}

impl Span {
    /// From the beginning of this one to the end of that one.
    pub fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end }
    }
}

// Two terms are equal if they say the same thing, wherever they stand.
impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl hash::Hash for Span {
    fn hash<H: hash::Hasher>(&self, _: &mut H) {}
}

/// A name, of a relation, a function, a constant or a variable; a number is a constant like any other.
pub type Name = Arc<str>;

/// What an argument can be.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// `?x`: its name comes without the question mark.
    Variable(Name, Span),
    /// `white`, `3` or `(cell 1 ?x b)`: a constant is a function without arguments.
    Function(Name, Vec<Term>, Span),
}

/// A relation with its arguments, such as `(legal ?r (mark ?x ?y))`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: Name,
    /// Its arguments.
    pub terms: Vec<Term>,
    /// Where it stands.
    pub span: Span,
}

/// A condition in the body of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// It holds.
    Holds(Atom),
    /// It does not hold.
    Not(Atom),
    /// The two terms differ.
    Distinct(Term, Term, Span),
    /// One of these holds: each alternative is a list of conditions that hold together.
    Or(Vec<Vec<Literal>>, Span),
}

/// The head holds if the whole body does. A fact has no body.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what.
    pub body: Vec<Literal>,
    /// The whole rule.
    pub span: Span,
}

/// The rules of a game, in the order in which they stand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// All facts and rules.
    pub rules: Vec<Rule>,
    /// What the readable form says beside the rules; nothing for KIF.
    pub hints: Hints,
}

/// What a text says of a game that its rules do not: how to call it and how to show it. No rule depends on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hints {
    /// What the game is called, such as "Connect four"; empty if the text does not say.
    pub title: String,
    /// The game in a line; empty if the text does not say.
    pub about: String,
    /// The board, if there is one.
    pub board: Option<BoardHint>,
    /// Moves of this function have no name of their own: they are shown as their arguments, joined by dashes,
    /// `(move a1 b2)` as `a1-b2` and `(move b2)` as `b2`.
    pub joined: Option<Name>,
    /// Relations that the writer has not named, and what each stands for, in words.
    pub made: Vec<(Name, String)>,
    /// The parameters, with the values that they have in this program, in the order of the text.
    pub parameters: Vec<(Name, String)>,
}

/// A board as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardHint {
    /// How its cells lie.
    pub shape: BoardShape,
    /// Its cells, for grids row by row from the top as they are drawn.
    pub cells: Vec<CellHint>,
    /// Pairs of cells, by their places in the list, that a line joins; for graphs only.
    pub edges: Vec<(usize, usize)>,
    /// `(at b2 x)` is true if x is on b2: this is the name of that relation. No fact says that a cell is empty.
    pub content: Name,
}

/// How the cells of a board lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardShape {
    /// Squares in rows.
    Grid {
        /// How many there are in a row.
        columns: u32,
        /// How many rows there are.
        rows: u32,
    },
    /// Hexagons in rows, each row half a cell to the right of the one above.
    Hexagons {
        /// How many there are in a row.
        columns: u32,
        /// How many rows there are.
        rows: u32,
    },
    /// Points joined by lines.
    Graph,
}

/// A cell and the middle of its place, in hundredths of a cell's width from the upper left, to the right and down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellHint {
    /// Its name, as in moves and in the relation that holds its content.
    pub name: Name,
    /// How far to the right.
    pub right: i32,
    /// How far down.
    pub down: i32,
}

impl Term {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Term::Variable(_, span) | Term::Function(_, _, span) => *span,
        }
    }
}

/// As KIF.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Variable(name, _) => write!(f, "?{name}"),
            Term::Function(name, terms, _) => applied(f, name, terms),
        }
    }
}

/// As KIF.
impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        applied(f, &self.relation, &self.terms)
    }
}

fn applied(f: &mut fmt::Formatter<'_>, name: &str, terms: &[Term]) -> fmt::Result {
    if terms.is_empty() {
        return f.write_str(name);
    }
    write!(f, "({name}")?;
    terms.iter().try_for_each(|term| write!(f, " {term}"))?;
    f.write_str(")")
}

/// As KIF.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Holds(atom) => write!(f, "{atom}"),
            Literal::Not(atom) => write!(f, "(not {atom})"),
            Literal::Distinct(one, other, _) => write!(f, "(distinct {one} {other})"),
            Literal::Or(alternatives, _) => {
                f.write_str("(or")?;
                for alternative in alternatives {
                    match &alternative[..] {
                        [one] => write!(f, " {one}")?,
                        several => {
                            f.write_str(" (and")?;
                            several.iter().try_for_each(|literal| write!(f, " {literal}"))?;
                            f.write_str(")")?;
                        }
                    }
                }
                f.write_str(")")
            }
        }
    }
}

/// As KIF, on one line.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.body.is_empty() {
            return write!(f, "{}", self.head);
        }
        write!(f, "(<= {}", self.head)?;
        self.body.iter().try_for_each(|literal| write!(f, " {literal}"))?;
        f.write_str(")")
    }
}

/// As KIF, a rule a line.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules.iter().try_for_each(|rule| writeln!(f, "{rule}"))
    }
}

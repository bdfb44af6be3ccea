//! Statements as they are written, before any name has a meaning.

use crate::syntax::{Name, Span};

/// A word with its place.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub name: Name,
    pub span: Span,
}

/// Something that stands for a thing: a cell, a player, a number.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Variable(Word),
    Number(u32, Span),
    Word(Word),
    /// `me`, `mine`.
    Me(Span),
    /// `opponent`, `theirs`.
    Opponent(Span),
    /// `name(…)`.
    Call(Word, Vec<Expr>, Span),
    /// `row of C`: the name may be a variable too, as in `Way of C`.
    Of(Box<Expr>, Box<Expr>),
    /// `content of C`.
    Content(Box<Expr>, Span),
    /// `number of cells that are mine`.
    Count(Box<Group>, Span),
    /// An operation: one of `+ - * /`.
    Sum(Box<Expr>, char, Box<Expr>),
}

/// What a quantifier speaks of: `corner C that …`.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub nouns: Vec<Word>,
    /// Its letter; the parser gives one to what has none.
    pub variable: Word,
    /// What is said of it after `that`.
    pub that: Vec<Phrase>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Equal,
    Different,
    Less,
    AtMost,
    More,
    AtLeast,
}

#[derive(Clone, Debug)]
pub(super) enum Quantity {
    Some,
    No,
    Every,
    AtLeast(Expr),
    AtMost(Expr),
    Exactly(Expr),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Direction {
    Line,
    Row,
    Column,
    Diagonal,
}

#[derive(Clone, Debug)]
pub(super) enum Phrase {
    All(Vec<Phrase>),
    Any(Vec<Phrase>, Span),
    Not(Box<Phrase>, Span),
    /// `C is empty`.
    Empty(Expr, Span),
    /// `C is mine`, `C is corner`, `size of H is 0`.
    Is(Expr, Expr, Span),
    /// `D is Way of C`.
    IsOf(Expr, Expr, Expr, Span),
    /// `D lies Way of C`.
    Lies(Expr, Expr, Expr, Span),
    Touches(Expr, Expr, Span),
    Compare(Expr, Order, Expr, Span),
    Range(Expr, Expr, Expr, Span),
    /// A relation alone, `path(A, Way, B)`.
    Fact(Expr, Span),
    Quantified(Quantity, Group, Option<Box<Phrase>>, Span),
    InLine(Expr, Direction, Expr, Span),
    Block([Expr; 2], Expr, Span),
    Chain([Word; 2], Expr, Span),
    CannotMove(Span),
    NoOtherMove(Span),
    MyTurn(Span),
}

#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// `C becomes mine`; no value is `empty`.
    Becomes(Expr, Option<Expr>, Span),
    Remember(Expr, Span),
    Forget(Expr, Span),
    /// `move again`, `x moves next`.
    Next(Option<Expr>, Span),
    Sees(Expr, Expr, Span),
}

/// `then …, … if …`.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub effects: Vec<Effect>,
    pub condition: Option<Phrase>,
}

#[derive(Clone, Debug)]
pub(super) struct Move {
    /// What the move is called, or the parts that are joined by dashes.
    pub pattern: Vec<Expr>,
    pub by: Option<Expr>,
    pub condition: Option<Phrase>,
    pub clauses: Vec<Clause>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Result {
    Win,
    Lose,
    Tie,
}

#[derive(Clone, Debug)]
pub(super) struct Ending {
    pub result: Result,
    pub who: Option<Expr>,
    pub condition: Phrase,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(u32),
    Word(Name),
    List(Vec<u32>),
}

#[derive(Clone, Debug)]
pub(super) enum BoardKind {
    Grid(Expr, Expr),
    Hexagons(Expr, Expr),
    Graph(Vec<Vec<Word>>),
}

#[derive(Clone, Debug)]
pub(super) enum Start {
    /// `a1, b2 are x`.
    Are(Vec<Expr>, Expr, Option<Phrase>),
    /// Facts that are remembered.
    Facts(Vec<Expr>, Option<Phrase>),
    /// `o to move`.
    ToMove(Expr),
    /// Rows of a picture from the top.
    Picture(Vec<Vec<Word>>),
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Title(Name),
    About(Name),
    Players(Vec<Word>, bool),
    Parameters(Vec<(Word, Value)>),
    Board(BoardKind),
    Numbers(Expr),
    Start(Start),
    Move(Move),
    Ending(Ending),
    /// Who, what, and when.
    Sees(Expr, Expr, Option<Phrase>),
    /// A relation and when it holds.
    Rule(Expr, Option<Phrase>),
}

impl Expr {
    pub fn span(&self) -> Span {
        match self {
            Expr::Variable(word) | Expr::Word(word) => word.span,
            Expr::Call(_, _, span)
            | Expr::Number(_, span)
            | Expr::Me(span)
            | Expr::Opponent(span)
            | Expr::Content(_, span)
            | Expr::Count(_, span) => *span,
            Expr::Of(one, other) | Expr::Sum(one, _, other) => one.span().to(other.span()),
        }
    }
}

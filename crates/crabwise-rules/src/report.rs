//! What is wrong with a text, where, and what would be right.

use crate::syntax::Span;

/// A mistake in the rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The piece of text that is underlined.
    pub span: Span,
    /// What is wrong, in one line.
    pub what: String,
    /// What would be right, in one line; empty if the first line says it all.
    pub remedy: String,
    /// Another piece of text that belongs to it, with a few words: "first used with 2 arguments".
    pub other: Option<(Span, String)>,
}

impl Mistake {
    /// A mistake at one place.
    pub fn new(span: Span, what: impl Into<String>, remedy: impl Into<String>) -> Mistake {
        Mistake { span, what: what.into(), remedy: remedy.into(), other: None }
    }

    /// It has to do with another place too.
    pub fn beside(mut self, span: Span, words: impl Into<String>) -> Mistake {
        self.other = Some((span, words.into()));
        self
    }
}

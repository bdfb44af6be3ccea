//! Terms without variables, each kept once and known by a number.

use std::{collections::HashMap, fmt::Write};

use crate::{
    chains::{Chains, hash},
    syntax::{Hints, Name},
};

/// A term without variables.
pub(crate) type TermId = u32;
/// A name of a function or constant.
pub(crate) type Symbol = u32;

/// All terms that have turned up.
#[derive(Default)]
pub(crate) struct Terms {
    names: Vec<Name>,
    symbols: HashMap<Name, Symbol>,
    terms: Vec<Kept>,
    numbers: Chains,
    bytes: u64,
    /// What the text says of how its terms are shown.
    pub(crate) hints: Hints,
}

struct Kept {
    symbol: Symbol,
    arguments: Box<[TermId]>,
    depth: u32,
}

impl Terms {
    pub(crate) fn symbol(&mut self, name: &Name) -> Symbol {
        if let Some(symbol) = self.symbols.get(name) {
            return *symbol;
        }
        self.names.push(name.clone());
        self.symbols.insert(name.clone(), self.names.len() as Symbol - 1);
        self.bytes += 64 + name.len() as u64;
        self.names.len() as Symbol - 1
    }

    pub(crate) fn term(&mut self, symbol: Symbol, arguments: &[TermId]) -> TermId {
        let key = hash(symbol, arguments);
        let is = |term: TermId| self.head(term) == symbol && self.arguments(term) == arguments;
        if let Some(term) = self.numbers.find(key, is) {
            return term;
        }
        let depth = arguments.iter().map(|term| self.depth(*term)).max().unwrap_or(0) + 1;
        self.terms.push(Kept { symbol, arguments: arguments.into(), depth });
        self.bytes += 64 + 4 * arguments.len() as u64;
        self.numbers.add(key)
    }

    pub(crate) fn head(&self, term: TermId) -> Symbol {
        self.terms[term as usize].symbol
    }

    pub(crate) fn arguments(&self, term: TermId) -> &[TermId] {
        &self.terms[term as usize].arguments
    }

    pub(crate) fn depth(&self, term: TermId) -> u32 {
        self.terms[term as usize].depth
    }

    pub(crate) fn name(&self, symbol: Symbol) -> &Name {
        &self.names[symbol as usize]
    }

    /// The name of a constant, or what a function's begins with.
    pub(crate) fn head_name(&self, term: TermId) -> &Name {
        self.name(self.head(term))
    }

    /// Bytes in use, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// As KIF.
    pub(crate) fn kif(&self, term: TermId) -> String {
        let mut text = String::new();
        self.write(term, &mut text, &|text, name, arguments, tell| {
            text.push('(');
            text.push_str(name);
            for argument in arguments {
                text.push(' ');
                tell(*argument, text);
            }
            text.push(')');
        });
        text
    }

    /// As one word: `mark(1,2)`, or `a1-b2` where the function has no name that anybody gave it.
    pub(crate) fn word(&self, term: TermId) -> String {
        let mut text = String::new();
        let joined = self.hints.joined.as_deref();
        self.write(term, &mut text, &|text, name, arguments, tell| {
            if joined == Some(name) {
                for (i, argument) in arguments.iter().enumerate() {
                    if i > 0 {
                        text.push('-');
                    }
                    tell(*argument, text);
                }
                return;
            }
            let _ = write!(text, "{name}(");
            for (i, argument) in arguments.iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                tell(*argument, text);
            }
            text.push(')');
        });
        text
    }

    fn write(&self, term: TermId, text: &mut String, applied: Applied) {
        match self.arguments(term) {
            [] => text.push_str(self.head_name(term)),
            arguments => applied(text, self.head_name(term), arguments, &mut |term, text| {
                self.write(term, text, applied);
            }),
        }
    }
}

/// Writes a function with its arguments, each by the last.
type Applied<'a> = &'a dyn Fn(&mut String, &str, &[TermId], &mut dyn FnMut(TermId, &mut String));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_kept_once() {
        let mut terms = Terms::default();
        let [f, x] = ["f", "x"].map(|name| terms.symbol(&name.into()));
        let x = terms.term(x, &[]);
        let fx = terms.term(f, &[x, x]);
        assert_eq!(fx, terms.term(f, &[x, x]));
        let deep = terms.term(f, &[fx, x]);
        assert_eq!(
            (terms.kif(deep), terms.word(deep)),
            ("(f (f x x) x)".into(), "f(f(x,x),x)".into())
        );
        assert_eq!((terms.depth(x), terms.depth(deep)), (1, 3));
    }
}

//! KIF, the form with prefixes: `(<= (next (cell ?x ?y x)) (does white (mark ?x ?y)))`.
//!
//! A text is lists within lists. Capitals are no different from small letters, `;` begins a comment, and a rule is a
//! list that begins with `<=`. Lists are read without recursion, so that no text is nested too deeply for the stack;
//! more than [`DEEPEST`] levels are refused, because everything after this does recurse.

use crate::{
    report::Mistake,
    syntax::{Atom, Literal, Name, Program, Rule, Span, Term},
};

/// How deep lists may be nested.
pub const DEEPEST: usize = 100;
/// After so many mistakes the rest is not worth reading.
const MOST_MISTAKES: usize = 20;

/// The rules in a text, or all that is wrong with its form.
pub fn read(text: &str) -> Result<Program, Vec<Mistake>> {
    let mut mistakes = vec![];
    let lists = lists(text, &mut mistakes);
    let mut program = Program::default();
    for list in &lists {
        match rule(list) {
            Ok(rule) => program.rules.push(rule),
            Err(mistake) => mistakes.push(mistake),
        }
        if mistakes.len() >= MOST_MISTAKES {
            break;
        }
    }
    mistakes.sort_by_key(|mistake| mistake.span.start);
    if mistakes.is_empty() { Ok(program) } else { Err(mistakes) }
}

/// A word, or a list of such.
enum Form {
    Word(Name, Span),
    List(Vec<Form>, Span),
}

impl Form {
    fn span(&self) -> Span {
        match self {
            Form::Word(_, span) | Form::List(_, span) => *span,
        }
    }
}

/// The lists and words of a text.
fn lists(text: &str, mistakes: &mut Vec<Mistake>) -> Vec<Form> {
    let bytes = text.as_bytes();
    let span = |start: usize, end: usize| Span { start: start as u32, end: end as u32 };
    // Lists that are still open, the outermost first, after the text itself.
    let mut open: Vec<(usize, Vec<Form>)> = vec![(0, vec![])];
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b';' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            byte if byte.is_ascii_whitespace() || byte == 0 => at += 1,
            b'(' => {
                if open.len() > DEEPEST {
                    let what = format!("lists are nested more than {DEEPEST} deep");
                    mistakes.push(Mistake::new(span(at, at + 1), what, ""));
                    return vec![];
                }
                open.push((at, vec![]));
                at += 1;
            }
            b')' => {
                at += 1;
                match open.pop() {
                    Some((start, forms)) if !open.is_empty() => {
                        let list = Form::List(forms, span(start, at));
                        put(&mut open, list);
                    }
                    outermost => {
                        open.extend(outermost);
                        let what = "this parenthesis closes nothing";
                        let remedy = "remove it, or open one before";
                        mistakes.push(Mistake::new(span(start, at), what, remedy));
                        return vec![];
                    }
                }
            }
            _ => {
                while at < bytes.len() && is_of_word(bytes[at]) {
                    at += 1;
                }
                let word = text.get(start..at).unwrap_or_default().to_lowercase();
                let word = Form::Word(word.into(), span(start, at));
                put(&mut open, word);
            }
        }
    }
    if open.len() > 1 {
        mistakes.push(unclosed(text, &open));
        open.truncate(1);
    }
    open.pop().map(|(_, forms)| forms).unwrap_or_default()
}

/// Adds to the innermost list that is open.
fn put(open: &mut [(usize, Vec<Form>)], form: Form) {
    if let Some((_, forms)) = open.last_mut() {
        forms.push(form);
    }
}

fn is_of_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b';' | 0)
}

/// A parenthesis that is never closed: of those the outermost that a new rule at the beginning of a line follows, for
/// there one has forgotten it.
fn unclosed(text: &str, open: &[(usize, Vec<Form>)]) -> Mistake {
    let start = open[1].0;
    let span = Span { start: start as u32, end: start as u32 + 1 };
    let many = open.len() - 1;
    let what = match many {
        1 => "this parenthesis is never closed".to_string(),
        _ => format!("this parenthesis is never closed; {many} are missing"),
    };
    let within = open[1].1.iter().find(|form| {
        let start = form.span().start as usize;
        matches!(form, Form::List(..)) && start > 0 && text.as_bytes()[start - 1] == b'\n'
    });
    let mistake = Mistake::new(span, what, "add ')' where the rule ends");
    match within {
        Some(form) => mistake.beside(form.span(), "this looks like the next rule"),
        None => mistake,
    }
}

/// A rule or a fact.
fn rule(form: &Form) -> Result<Rule, Mistake> {
    let span = form.span();
    if let Form::List(forms, _) = form
        && let Some(Form::Word(word, arrow)) = forms.first()
        && matches!(&**word, "<=" | "=>" | ":-")
    {
        if &**word != "<=" {
            let what = format!("'{word}' begins no rule");
            return Err(Mistake::new(*arrow, what, "a rule is (<= head condition …)"));
        }
        let Some(head) = forms.get(1) else {
            return Err(Mistake::new(span, "a rule without a head", "write (<= head condition …)"));
        };
        let mut body = vec![];
        for form in &forms[2..] {
            conditions(form, true, &mut body)?;
        }
        return Ok(Rule { head: atom(head, "head")?, body, span });
    }
    Ok(Rule { head: atom(form, "fact")?, body: vec![], span })
}

/// Adds the conditions that a form stands for, or their opposite.
fn conditions(form: &Form, holds: bool, body: &mut Vec<Literal>) -> Result<(), Mistake> {
    let span = form.span();
    let Form::List(forms, _) = form else {
        body.push(literal(atom(form, "condition")?, holds));
        return Ok(());
    };
    let Some(Form::Word(word, _)) = forms.first() else {
        body.push(literal(atom(form, "condition")?, holds));
        return Ok(());
    };
    let parts = &forms[1..];
    let count = |many: usize| match parts.len() == many {
        true => Ok(()),
        false => {
            let what = format!("'{word}' has {} arguments", parts.len());
            Err(Mistake::new(span, what, format!("it takes {many}")))
        }
    };
    match (&**word, holds) {
        ("not", _) => {
            count(1)?;
            conditions(&parts[0], !holds, body)
        }
        ("distinct", true) => {
            count(2)?;
            body.push(Literal::Distinct(term(&parts[0])?, term(&parts[1])?, span));
            Ok(())
        }
        ("distinct", false) => {
            count(2)?;
            let remedy = "give both the same name where they stand in other conditions";
            Err(Mistake::new(span, "'not distinct' says that two terms are the same", remedy))
        }
        ("and", true) | ("or", false) => {
            parts.iter().try_for_each(|part| conditions(part, holds, body))
        }
        ("or", true) | ("and", false) => {
            let mut alternatives = vec![];
            for part in parts {
                let mut alternative = vec![];
                conditions(part, holds, &mut alternative)?;
                alternatives.push(alternative);
            }
            body.push(Literal::Or(alternatives, span));
            Ok(())
        }
        _ => {
            body.push(literal(atom(form, "condition")?, holds));
            Ok(())
        }
    }
}

fn literal(atom: Atom, holds: bool) -> Literal {
    if holds { Literal::Holds(atom) } else { Literal::Not(atom) }
}

/// A relation with its arguments; `role` says what it is for.
fn atom(form: &Form, role: &str) -> Result<Atom, Mistake> {
    let (relation, terms, span) = applied(form, role)?;
    let terms = terms.iter().map(term).collect::<Result<_, _>>()?;
    Ok(Atom { relation, terms, span })
}

fn term(form: &Form) -> Result<Term, Mistake> {
    if let Form::Word(word, span) = form
        && let Some(name) = word.strip_prefix('?')
    {
        if name.is_empty() {
            return Err(Mistake::new(*span, "a variable without a name", "write ?x"));
        }
        return Ok(Term::Variable(name.into(), *span));
    }
    let (name, terms, span) = applied(form, "term")?;
    Ok(Term::Function(name, terms.iter().map(term).collect::<Result<_, _>>()?, span))
}

/// What a form begins with, and what follows.
fn applied<'f>(form: &'f Form, role: &str) -> Result<(Name, &'f [Form], Span), Mistake> {
    let (first, rest) = match form {
        Form::Word(..) => (Some(form), &[][..]),
        Form::List(forms, _) => (forms.first(), forms.get(1..).unwrap_or_default()),
    };
    match first {
        None => {
            Err(Mistake::new(form.span(), format!("an empty list is no {role}"), "write a name"))
        }
        Some(Form::List(_, span)) => {
            let what = format!("a {role} begins with a name, and this one with a list");
            Err(Mistake::new(*span, what, "write a name, then its arguments"))
        }
        Some(Form::Word(word, span)) if word.starts_with('?') => {
            let what = format!("a {role} cannot begin with the variable {word}");
            Err(Mistake::new(*span, what, "write a name, then its arguments"))
        }
        Some(Form::Word(word, span)) if matches!(&**word, "<=" | "not" | "or" | "and") => {
            let what = format!("'{word}' has no place in a {role}");
            Err(Mistake::new(*span, what, "it belongs into the body of a rule"))
        }
        Some(Form::Word(word, _)) => Ok((word.clone(), rest, form.span())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_again() {
        let text = "; a comment\n(role White) (init (Cell 1 B))\n\
                    (<= TERMINAL (not (true (cell ?X b))) (or p (and q (distinct ?x 1))))";
        let program = read(text).unwrap();
        let written = "(role white)\n(init (cell 1 b))\n\
                       (<= terminal (not (true (cell ?x b))) (or p (and q (distinct ?x 1))))\n";
        assert_eq!(program.to_string(), written);
        assert_eq!(read(written).unwrap(), program);
        let span = program.rules[1].head.terms[0].span();
        assert_eq!(&text[span.start as usize..span.end as usize], "(Cell 1 B)");
    }

    #[test]
    fn nots_go_inwards() {
        let program = read("(<= p (not (or a (not b))) (not (and c d)))").unwrap();
        assert_eq!(program.to_string(), "(<= p (not a) b (or (not c) (not d)))\n");
    }

    #[test]
    fn what_is_wrong_is_told_where_it_is() {
        let deep = "(".repeat(200);
        for (text, place, what) in [
            ("(role x) (p (q)", "(", "never closed"),
            ("(role x)) (p)", ")", "closes nothing"),
            ("(<= (p ?x) (?q ?x))", "?q", "cannot begin with the variable"),
            ("(<= p ())", "()", "empty list"),
            ("(<= p (not a b))", "(not a b)", "has 2 arguments"),
            ("(<= p (distinct a))", "(distinct a)", "has 1 arguments"),
            ("(<=)", "(<=)", "without a head"),
            ("(p ?)", "?", "without a name"),
            ("((p) q)", "(p)", "begins with a name"),
            ("(p (not q))", "not", "has no place"),
            (&deep, "(", "deep"),
        ] {
            let mistakes = read(text).unwrap_err();
            let Span { start, end } = mistakes[0].span;
            assert_eq!(&text[start as usize..end as usize], place, "{text}");
            assert!(mistakes[0].what.contains(what), "{text}: {}", mistakes[0].what);
        }
    }

    #[test]
    fn a_forgotten_parenthesis_is_where_the_next_rule_begins() {
        let mistakes = read("(role x)\n(<= p (q ?x)\n(role y)\n(role z)").unwrap_err();
        let (span, _) = mistakes[0].other.clone().unwrap();
        assert_eq!((mistakes[0].span.start, span.start), (9, 22));
    }
}

//! Edges as lines of two words: `1 2` or `A B`.
//!
//! A line of one word is a vertex, which may have no edges. What follows a `#` is a comment. A line
//! `outer: 1 2 3` names vertices on the outer face.

use crabwise_graphfile::{ReadError, quotable};

use super::{File, net::Net};

pub(super) fn read(text: &str) -> Result<File, ReadError> {
    let (mut net, mut outer) = (Net::default(), None);
    for (line, content) in text.lines().enumerate() {
        let (line, content) = (line + 1, without_comment(content).trim());
        if content.is_empty() || outer_line(content, line, &mut outer)? {
            continue;
        }
        edge(content, &mut net).map_err(|text| ReadError::on_line(line as u64, text))?;
    }
    net.file(outer)
}

fn edge(content: &str, net: &mut Net) -> Result<(), String> {
    let words: Vec<&str> = content.split_whitespace().collect();
    match words[..] {
        [name] => net.vertex(name).map(|_| ()),
        [from, to] => {
            let (from, to) = (net.vertex(from)?, net.vertex(to)?);
            net.edge(from, to)
        }
        _ => Err(format!(
            "'{}' is no edge: a line has the names of two vertices, such as 1 2",
            quotable(content)
        )),
    }
}

/// Takes a line `outer: 1 2 3`; whether it is one.
pub(super) fn outer_line(
    content: &str,
    line: usize,
    outer: &mut Option<Vec<String>>,
) -> Result<bool, ReadError> {
    let Some(names) = outer_names(content) else { return Ok(false) };
    if outer.is_some() {
        return Err(ReadError::on_line(line as u64, "the outer face is named twice"));
    }
    *outer = Some(vertices(names));
    Ok(true)
}

/// What comes after `outer:`.
pub(super) fn outer_names(content: &str) -> Option<&str> {
    let (word, names) = content.split_once(':')?;
    word.trim().eq_ignore_ascii_case("outer").then_some(names)
}

/// Names between blanks, commas or dashes.
pub(super) fn vertices(text: &str) -> Vec<String> {
    let between = |c: char| c.is_whitespace() || c == ',' || c == '-';
    text.split(between).filter(|name| !name.is_empty()).map(str::to_string).collect()
}

pub(super) fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("")
}

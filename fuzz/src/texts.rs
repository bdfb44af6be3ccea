//! Texts that are nearly right: known ones, a little damaged.

use arbitrary::{Result, Unstructured};

/// Numbers at which things go wrong.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "12",
    "16",
    "31",
    "32",
    "33",
    "63",
    "64",
    "65",
    "100",
    "127",
    "128",
    "255",
    "256",
    "1000",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "+3",
    "007",
    "1e9",
    "0x10",
    "3.5",
    "NaN",
];

/// Characters that are rarely thought of.
const ODD: &[&str] = &[
    "\0",
    "\u{1b}[31m",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\u{a0}",
    "é",
    "e\u{301}",
    "🦀",
    "\u{202e}",
    "'",
    "\"",
    "\\",
    "%",
    "..",
    "/",
    "//",
    ":",
    "::",
    ",",
    ",,",
    "x",
    "×",
    "-",
    "--",
    "->",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "=",
    ";",
    "*",
    "\u{feff}",
];

/// A text that is one of `seeds` after up to four small changes, into which `tokens` go, too.
pub fn nearly(chance: &mut Unstructured, seeds: &[String], tokens: &[&str]) -> Result<String> {
    let mut text: Vec<char> = chance.choose(seeds)?.chars().collect();
    for _ in 0..chance.int_in_range(0..=4)? {
        let from = chance.int_in_range(0..=text.len())?;
        let to = chance.int_in_range(from..=text.len().min(from + 12))?;
        let put: String = match chance.int_in_range(0..=6)? {
            0 => String::new(),
            1 => text[from..to].iter().chain(&text[from..to]).collect(),
            2 => (*chance.choose(NUMBERS)?).into(),
            3 => (*chance.choose(ODD)?).into(),
            4 if !tokens.is_empty() => (*chance.choose(tokens)?).into(),
            5 => chance.choose(seeds)?.chars().take(chance.int_in_range(0..=20)?).collect(),
            _ => (*chance.choose(ODD)?).repeat(chance.int_in_range(1..=300)?),
        };
        // A number takes the place of a number, wherever there is one.
        let digits = text[from..].iter().position(char::is_ascii_digit).map(|at| from + at);
        let (from, to) = match digits {
            Some(at) if put.starts_with(|c: char| c.is_ascii_digit()) => {
                let length = text[at..].iter().take_while(|c| c.is_ascii_digit()).count();
                (at, at + length)
            }
            _ => (from, to),
        };
        text.splice(from..to, put.chars());
    }
    Ok(text.into_iter().collect())
}

/// Bytes after up to `most` small changes. Each is a flip, a cut, an insertion or a copy.
pub fn damaged(chance: &mut Unstructured, bytes: &[u8], most: u32) -> Result<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    for _ in 0..chance.int_in_range(1..=most)? {
        let at = chance.int_in_range(0..=bytes.len())?;
        let end = chance.int_in_range(at..=bytes.len().min(at + 16))?;
        match chance.int_in_range(0..=6)? {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].to_vec();
                let to = chance.int_in_range(0..=bytes.len())?;
                bytes.splice(to..to, copy);
            }
            3 => {
                let more: [u8; 8] = chance.arbitrary()?;
                bytes.splice(at..end, more);
            }
            4 => {
                // Lengths and numbers of the greatest sizes.
                let large = *chance.choose(&[u64::MAX, 1 << 63, 1 << 32, 1 << 31, 255, 0])?;
                let large = large.to_le_bytes();
                bytes.splice(at..bytes.len().min(at + 8), large);
            }
            _ if at < bytes.len() => bytes[at] ^= 1 << chance.int_in_range(0..=7)?,
            _ => bytes.push(chance.arbitrary()?),
        }
    }
    Ok(bytes)
}

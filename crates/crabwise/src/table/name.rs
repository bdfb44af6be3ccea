//! The name of a game's table among others.

use std::fmt::Write;

use crate::index::key;

/// The longest file name that is still spelled out.
const LONGEST: usize = 120;

/// The name of a game's table: the game string with `_` for the colon. Any byte that some file
/// system may not take, or may take for another, is written `%` and its two digits, `_` and `%`
/// too; so different games have different names. A long one is cut, and ends in its key.
pub fn file_name(game: &str) -> String {
    let mut name = String::new();
    for byte in game.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'.' | b',' | b'=' | b'+' | b'-' => name.push(byte.into()),
            b':' => name.push('_'),
            _ => write!(name, "%{byte:02x}").expect("a string takes everything"),
        }
    }
    if name.len() > LONGEST {
        let keys = [0, 1].map(|salt| key(&game, salt));
        name.truncate(LONGEST - 34);
        write!(name, "%-{:016x}{:016x}", keys[0], keys[1]).expect("a string takes everything");
    }
    name + ".crab"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names() {
        assert_eq!(file_name("connect-four:5x4"), "connect-four_5x4.crab");
        assert_eq!(file_name("mnk:4x3,3"), "mnk_4x3,3.crab");
        assert_eq!(file_name("cycles:a/B_1"), "cycles_a%2f%42%5f1.crab");
    }

    #[test]
    fn different_games_have_different_names() {
        let long = "x".repeat(1000);
        let games =
            ["a:b", "a_b", "a%5fb", "a:B", "a/b", "..", &long, &(long.clone() + "y"), &long[1..]];
        let mut names = games.map(file_name);
        assert!(names.iter().all(|name| name.len() <= LONGEST + 5 && !name.contains('/')));
        names.sort();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }
}

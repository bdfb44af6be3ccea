//! Sizes, rates, times and weights, as people type them.

use std::time::Duration;

use crabwise::analysis::label::Weights;

/// Where a survey begins or ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurveyBound {
    /// A number, of a family that has one.
    Number(u64),
    /// Rows and columns.
    Board([u8; 2]),
}

/// A number, or rows and columns.
pub fn bound(text: &str) -> Result<SurveyBound, String> {
    let wrong = || "write a number, or a board such as 3x3".to_string();
    let board = |(rows, columns): (&str, &str)| Some([side(rows)?, side(columns)?]);
    match text.split_once('x') {
        Some(sides) => board(sides).map(SurveyBound::Board).ok_or_else(wrong),
        None => text.parse().map(SurveyBound::Number).map_err(|_| wrong()),
    }
}

fn side(text: &str) -> Option<u8> {
    text.parse().ok().filter(|side| (1..=26).contains(side))
}

/// Bytes, with a binary suffix.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || "write a number of bytes such as 500M or 8G (K, M, G, T)".to_string();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 0,
        "K" | "KIB" => 10,
        "M" | "MIB" => 20,
        "G" | "GIB" => 30,
        "T" | "TIB" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).filter(|bytes| *bytes > 0).ok_or_else(wrong)
}

/// Something a second, with a decimal suffix.
pub fn rate(text: &str) -> Result<u64, String> {
    let wrong = || "write a number a second such as 500M or 10G (K, M, G, T)".to_string();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let scale = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 1,
        "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "T" => 1_000_000_000_000,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(scale).filter(|rate| *rate > 0).ok_or_else(wrong)
}

/// A span of time, with its unit.
pub fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time such as 500ms, 5s or 2min (ms, s, min, h)".to_string();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let milliseconds = match &text[digits.len()..] {
        "ms" => 1,
        "" | "s" => 1000,
        "min" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let time = number.checked_mul(milliseconds).map(Duration::from_millis).ok_or_else(wrong)?;
    // To look for a year is to look for ever.
    if time > Duration::from_secs(365 * 24 * 3600) { Err(wrong()) } else { Ok(time) }
}

/// Three whole numbers.
pub fn weights(text: &str) -> Result<Weights, String> {
    let wrong = || "write three whole numbers up to 1000000, such as 1,2,4".to_string();
    let numbers: Vec<u32> =
        text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
    match numbers[..] {
        [a, b, c] if a.max(b).max(c) <= 1_000_000 => Ok(Weights { a, b, c }),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_surveys() {
        assert_eq!(bound("12"), Ok(SurveyBound::Number(12)));
        assert_eq!(bound("2x3"), Ok(SurveyBound::Board([2, 3])));
        for wrong in ["", "x", "2x", "0x3", "2x27", "-1", "2x3x4"] {
            assert!(bound(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(size("8G"), Ok(8 << 30));
        assert_eq!(size("500m"), Ok(500 << 20));
        assert_eq!(size("64KiB"), Ok(64 << 10));
        assert_eq!(size("12"), Ok(12));
        for wrong in ["", "0", "G", "-1G", "1.5G", "8X", "99999999T", "8Gé"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn rates() {
        assert_eq!(rate("10G"), Ok(10_000_000_000));
        assert_eq!(rate("500m"), Ok(500_000_000));
        for wrong in ["", "0", "G", "10Gbit", "1.5G", "99999999T"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("5s"), Ok(Duration::from_secs(5)));
        assert_eq!(time("5"), time("5s"));
        assert_eq!(time("2min"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "-5s", "5 s", "1.5s", "5d", "99999999999999999999s", "9999999h"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn three_weights() {
        assert_eq!(weights("1,2,4"), Ok(Weights::default()));
        for wrong in ["", "1,2", "1,2,3,4", "1,2,-3", "1,2,x", "1,2,1000001"] {
            assert!(weights(wrong).is_err(), "{wrong}");
        }
    }
}

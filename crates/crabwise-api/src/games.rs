//! The games of a registry.

use crabwise_games::{Entry, Registry};
use serde::Serialize;

/// The games of a registry.
#[derive(Serialize)]
pub struct Games {
    version: &'static str,
    games: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    parameters: &'static str,
    example: &'static str,
    /// The game string that is opened first.
    opening: &'static str,
    /// Whether it has hidden information.
    hidden: bool,
    /// Others worth a look.
    sizes: &'static [&'static str],
}

impl Games {
    /// Those in which everything is seen come first.
    pub fn new(registry: &Registry) -> Games {
        let open = registry.entries().iter().map(|entry| Listed::new(entry, false));
        let hidden = registry.hidden().iter().map(|entry| Listed::new(entry, true));
        Games { version: env!("CARGO_PKG_VERSION"), games: open.chain(hidden).collect() }
    }
}

impl Listed {
    fn new<G>(entry: &Entry<G>, hidden: bool) -> Listed {
        let &Entry { name, about, parameters, example, .. } = entry;
        let sizes = SIZES.iter().find(|(game, _)| *game == name).map_or(&[][..], |(_, all)| all);
        let opening = sizes.first().unwrap_or(&example);
        Listed { name, about, parameters, example, opening, hidden, sizes }
    }
}

/// Games that are opened with another game string than their example, and more of their sizes.
const SIZES: &[(&str, &[&str])] = &[
    (
        "isolation",
        &["isolation:4x4", "isolation:3x3", "isolation:3x4", "isolation:4x5", "isolation:5x5"],
    ),
    ("black-hole", &["black-hole:5,2", "black-hole:3,2", "black-hole:5,3", "black-hole:5,4"]),
    (
        "cruzados",
        &["cruzados:2x2", "cruzados:3x3", "cruzados:3x3,straight", "cruzados:2x3,adjacent"],
    ),
    ("boxers", &["boxers:3x3", "boxers:4x4", "boxers:3x3,straight", "boxers:5x5"]),
    (
        "cycles",
        &[
            "cycles:k4",
            "cycles:wheel=5",
            "cycles:cycle=7",
            "cycles:grid=3x3",
            "cycles:cube",
            "cycles:theta=3,2,5",
        ],
    ),
    ("tictactoe", &["tictactoe"]),
    ("mnk", &["mnk:4x3,3", "mnk:4x4,4", "mnk:3x3,3", "mnk:5x4,4"]),
    (
        "connect-four",
        &["connect-four:4x4", "connect-four:5x4", "connect-four:5x5", "connect-four:7x6"],
    ),
    ("hex", &["hex:3x3", "hex:3x4", "hex:4x4"]),
    ("nim", &["nim:3-5-7", "nim:1-3-5-7", "nim:2-4-6"]),
    ("chomp", &["chomp:6x4", "chomp:4x3", "chomp:8x5"]),
    ("dodgem", &["dodgem:3", "dodgem:4"]),
    ("dots-and-boxes", &["dots-and-boxes:2x2", "dots-and-boxes:1x3", "dots-and-boxes:2x3"]),
    ("draughts", &["draughts:4x4,2", "draughts:5x5,2", "draughts:6x4,2"]),
    ("chess", &["chess:KQK", "chess:KRK", "chess:KPK"]),
    ("fox-and-hounds", &["fox-and-hounds:8", "fox-and-hounds:6", "fox-and-hounds:4"]),
    (
        "dark-hex",
        &[
            "dark-hex:2x3,abrupt",
            "dark-hex:2x2,abrupt",
            "dark-hex:2x2",
            "dark-hex:3x2",
            "dark-hex:3x2,abrupt",
            "dark-hex:2x2,noisy",
            "dark-hex:3x3",
            "dark-hex:4x4",
            "dark-hex:4x4,abrupt",
            "dark-hex:5x5",
        ],
    ),
];

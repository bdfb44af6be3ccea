//! Equilibria and certain wins as a user would ask for them, with what they may cost; the figures are kept
//! in `records/hidden.md`.

use std::{fs, path::Path, time::Instant};

use super::bench::{crabwise, machine};

/// A question, its options, and what the answer may cost.
struct Course {
    game: &'static str,
    ask: &'static [&'static str],
    threads: &'static str,
    /// Milliseconds that an iteration must stay under, and seconds of it all.
    each: Option<f64>,
    wall: Option<f64>,
    /// Bytes.
    peak: Option<f64>,
    /// The value that the answer must be right about.
    value: Option<f64>,
    /// A peer's recorded milliseconds an iteration, or seconds, on a machine of this kind, one core.
    peer: Option<(&'static str, f64)>,
}

const PLAIN: Course = Course {
    game: "",
    ask: &[],
    threads: "1",
    each: None,
    wall: None,
    peak: None,
    value: None,
    peer: None,
};

const ONE_BY_ONE: &[&str] = &["--method", "cfr+", "--iterations", "300", "--unfolded", "--whole"];

const COURSES: [Course; 8] = [
    Course {
        game: "dark-hex:3x2",
        ask: ONE_BY_ONE,
        each: Some(16.0),
        value: Some(-1.0),
        peer: Some(("OpenSpiel, CFR+", 160.0)),
        ..PLAIN
    },
    Course {
        game: "dark-hex:3x2,abrupt",
        ask: ONE_BY_ONE,
        each: Some(4.8),
        value: Some(-0.125),
        peer: Some(("OpenSpiel, CFR+", 48.0)),
        ..PLAIN
    },
    Course {
        game: "leduc",
        ask: ONE_BY_ONE,
        each: Some(1.6),
        peer: Some(("OpenSpiel, CFR+", 16.0)),
        ..PLAIN
    },
    Course {
        game: "dark-hex:2x3,abrupt",
        ask: &["--method", "lp"],
        wall: Some(3.0),
        peak: Some(200e6),
        value: Some(9.0 / 11.0),
        peer: Some(("OpenSpiel, linear program", 243.0)),
        ..PLAIN
    },
    Course {
        game: "dark-hex:2x3,abrupt",
        ask: &["--method", "lp", "--whole"],
        wall: Some(3.0),
        peak: Some(200e6),
        value: Some(9.0 / 11.0),
        peer: Some(("OpenSpiel, linear program", 243.0)),
        ..PLAIN
    },
    Course {
        game: "dark-hex:3x2,abrupt",
        ask: &["--method", "pcfr+", "--until", "1e-6", "--unfolded", "--whole"],
        wall: Some(3.0),
        value: Some(-0.125),
        ..PLAIN
    },
    Course {
        game: "dark-hex:2x4,abrupt",
        ask: &["--method", "pcfr+", "--iterations", "60", "--unfolded", "--whole"],
        threads: "2",
        each: Some(150.0),
        peak: Some(1.2e9),
        peer: Some(("a solver with flat arrays", 210.0)),
        ..PLAIN
    },
    Course {
        game: "dark-hex:2x4,abrupt",
        ask: &["--method", "pcfr+", "--iterations", "60"],
        threads: "2",
        each: Some(150.0),
        peak: Some(1.2e9),
        peer: Some(("a solver with flat arrays", 210.0)),
        ..PLAIN
    },
];

/// Boards whose views are all looked at for certain wins: within how many seconds, and how many of them the first
/// player has.
const CERTAIN: [(&str, f64, Option<u64>); 4] = [
    ("dark-hex:3x4", 0.5, Some(108_956)),
    ("dark-hex:4x3", 0.5, None),
    ("dark-hex:3x3", 0.5, None),
    ("dark-hex:4x4", 60.0, None),
];

/// Asks everything and writes down what it cost; gives back what is wrong with it.
pub(super) fn run(root: &Path, folder: &Path) -> Result<Vec<String>, String> {
    let mut page = format!(
        "# Hidden information\n\n\
         Written by `cargo xtask bench`, or `cargo xtask bench hidden`: every question in a process of its own,\n\
         on {}.\nA peer's figure is a recorded one, of a machine of the same kind and one core. An iteration is for \
         both players.\nTimes of linear programs include laying out the game, those of an iteration do not.\n\n\
         | game | method | options | threads | iterations | wall s | ms an iteration | value | \
         exploitability | peak MiB | peer |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
        machine()
    );
    let mut trouble = vec![];
    for course in &COURSES {
        let (row, slow) = equilibrium(root, folder, course)?;
        println!("{row}");
        page += &(row + "\n");
        trouble.extend(slow.into_iter().map(|line| format!("{}: {line}", course.game)));
    }
    page += "\nCertain wins, all views of both players:\n\n| game | wall s | views | certain |\n|---|---|---|---|\n";
    for (game, most, wanted) in CERTAIN {
        let began = Instant::now();
        let told = crabwise(root, folder, &["pone", game, "--threads", "1"])?;
        let took = began.elapsed().as_secs_f64();
        let pair = |name: &str| {
            let sides = told["players"].as_array().into_iter().flatten();
            sides.map(|side| side[name].to_string()).collect::<Vec<_>>().join(" + ")
        };
        page += &format!("| {game} | {took:.2} | {} | {} |\n", pair("views"), pair("certain"));
        let certain = told["players"][0]["certain"].as_u64();
        if wanted.is_some() && certain != wanted {
            trouble.push(format!("{game}: {certain:?} certain views, not {wanted:?}"));
        }
        if took > most {
            trouble.push(format!("{game}: {took:.2} s for certain wins are more than {most}"));
        }
    }
    fs::write(root.join("records/hidden.md"), page).map_err(|error| error.to_string())?;
    Ok(trouble)
}

fn equilibrium(
    root: &Path,
    folder: &Path,
    course: &Course,
) -> Result<(String, Vec<String>), String> {
    let asked = [&["equilibrium", course.game, "--threads", course.threads], course.ask].concat();
    let told = crabwise(root, folder, &asked)?;
    let number = |name: &str| told[name].as_f64().unwrap_or(f64::NAN);
    let (wall, iterations) = (number("wall_seconds"), number("iterations"));
    let each = 1000.0 * number("learning_seconds") / iterations.max(1.0);
    let peak = number("peak_bytes");
    let [value, exploitability] = ["value", "exploitability"].map(number);
    let mut trouble = vec![];
    for (what, found, most) in [
        ("ms an iteration", each, course.each),
        ("s", wall, course.wall),
        ("bytes", peak, course.peak),
    ] {
        // Not a number is too much, too.
        if let Some(most) = most.filter(|most| found > *most || found.is_nan()) {
            trouble.push(format!("{found:.2} {what} are more than {most}"));
        }
    }
    if let Some(known) =
        course.value.filter(|known| value.is_nan() || (value - known).abs() > exploitability + 1e-9)
    {
        trouble.push(format!("the value {value} ± {exploitability} is not {known}"));
    }
    let peer = course.peer.map_or("–".into(), |(name, cost)| {
        let ours = if course.each.is_some() { each } else { wall };
        let unit = if course.each.is_some() { "ms" } else { "s" };
        format!("{name} {cost} {unit}, ×{:.0}", cost / ours)
    });
    let method = told["method"].as_str().unwrap_or("?");
    let options: Vec<&str> = course
        .ask
        .iter()
        .copied()
        .filter(|word| ["--unfolded", "--whole"].contains(word))
        .collect();
    let row = format!(
        "| {} | {method} | {} | {} | {iterations} | {wall:.2} | {each:.3} | {value:.9} | {exploitability:.2e} | {:.1} | {peer} |",
        course.game,
        options.join(" "),
        course.threads,
        peak / 1048576.0,
    );
    Ok((row, trouble))
}

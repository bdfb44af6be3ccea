//! `cargo xtask fuzz`: all attacks for ten minutes, or one of them, or one case again.

use std::{process::ExitCode, time::Duration};

use crabwise_fuzz::{ATTACKS, Attack, Cases, run};

const USAGE: &str = "\
usage: cargo xtask fuzz [ATTACK] [--minutes N] [--seed N] [--case N]
ten minutes, shared among all attacks, unless told otherwise; the seed is another every time, and printed";

struct Wanted {
    attacks: Vec<&'static Attack>,
    seed: u64,
    cases: Cases,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(wanted) = wanted(&words) else {
        eprintln!("{USAGE}");
        for Attack { name, about, .. } in ATTACKS {
            eprintln!("  {name:14} {about}");
        }
        return ExitCode::from(2);
    };
    println!("seed {}", wanted.seed);
    let mut found = false;
    for attack in wanted.attacks {
        match run(attack, wanted.seed, wanted.cases) {
            Ok(cases) => println!("{}: {cases} cases, nothing found", attack.name),
            Err(finding) => {
                println!("{finding}");
                found = true;
            }
        }
    }
    if found { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn wanted(words: &[String]) -> Option<Wanted> {
    let (mut attacks, mut seed, mut minutes, mut case) = (vec![], fastrand::u64(..), 10.0, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seed" => seed = words.next()?.parse().ok()?,
            "--case" => case = Some(words.next()?.parse().ok()?),
            "--minutes" => {
                minutes = words.next()?.parse().ok().filter(|n| (0.0..1e6).contains(n))?
            }
            name => attacks.push(ATTACKS.iter().find(|attack| attack.name == name)?),
        }
    }
    if attacks.is_empty() {
        attacks = ATTACKS.iter().collect();
    }
    let each = Duration::from_secs_f64(minutes * 60.0 / attacks.len() as f64);
    Some(Wanted { attacks, seed, cases: case.map_or(Cases::For(each), Cases::One) })
}

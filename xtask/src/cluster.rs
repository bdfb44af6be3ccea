//! What it costs to solve with many workers, and in little memory, against the threads of one process in
//! the same run; the figures are in `records/cluster.md`.

use std::{fs, path::Path, time::Instant};

use serde_json::Value;

use crate::bench::{crabwise, machine};

/// Games, and how much CPU time a run with workers may take, as a multiple of the threads'. The last has to be
/// walked.
const GAMES: [(&str, f64); 3] =
    [("black-hole:5,4", 1.5), ("black-hole:5,4,unfolded", 1.5), ("connect-four:5x4", 2.5)];
const TEAMS: [&[&str]; 4] =
    [&[], &["--workers", "1"], &["--workers", "2"], &["--local-cluster", "2"]];

/// Games in little memory: how many bytes, and as what multiple of the time without that limit.
const STREAMS: [(&str, &str, f64); 3] = [
    ("black-hole:5,4", "64M", 4.0),
    ("black-hole:5,4,unfolded", "64M", 4.0),
    ("isolation:5x5", "2G", 4.0),
];

/// One run.
struct Run {
    told: Value,
    wall: f64,
    cpu: f64,
}

impl Run {
    fn number(&self, name: &str) -> f64 {
        self.told[name].as_f64().unwrap_or(f64::NAN)
    }

    fn hash(&self) -> &str {
        self.told["table_hash"].as_str().unwrap_or("none")
    }
}

pub(super) fn run(root: &Path, tables: &Path) -> Result<Vec<String>, String> {
    let (mut trouble, mut page) = (vec![], heading());
    for (game, most) in GAMES {
        let mut threads: Option<Run> = None;
        for team in TEAMS {
            let run = solve(root, tables, game, team)?;
            let (first, ratio) = match &threads {
                Some(threads) => (threads.hash().to_string(), run.cpu / threads.cpu),
                None => (run.hash().to_string(), 1.0),
            };
            if run.hash() != first {
                trouble.push(format!("{game} {}: another table", team.join(" ")));
            }
            if ratio > most {
                let how = team.join(" ");
                trouble.push(format!("{game} {how}: {ratio:.2} times the CPU time of threads"));
            }
            let exchanged = run.told["team"]["exchanged_bytes"].as_f64().unwrap_or(0.0);
            page += &row(game, team, &run, ratio, exchanged / run.number("positions"));
            threads.get_or_insert(run);
        }
    }
    page += "\n| in little memory | allowed | peak MiB | wall s | × without the limit |\n\
             |---|---|---|---|---|\n";
    for (game, memory, most) in STREAMS {
        let free = solve(root, tables, game, &[])?;
        let bound = solve(root, tables, game, &["--memory", memory])?;
        let ratio = bound.wall / free.wall;
        page += &format!(
            "| {game} | {memory} | {:.0} | {:.1} | {ratio:.1} |\n",
            bound.number("peak_bytes") / 1048576.0,
            bound.wall
        );
        if bound.hash() != free.hash() {
            trouble.push(format!("{game} within {memory}: another table"));
        }
        if ratio > most {
            trouble.push(format!("{game} within {memory}: {ratio:.1} times as long"));
        }
    }
    println!("{page}");
    fs::write(root.join("records/cluster.md"), page).map_err(|error| error.to_string())?;
    Ok(trouble)
}

fn heading() -> String {
    format!(
        "# Many workers, and little memory\n\n\
         Written by `cargo xtask bench cluster` on {}. CPU time is that of all processes; × is against the\n\
         threads of one process in the same run.\n\n\
         | game | solved by | wall s | CPU s | × CPU | bytes exchanged a position | table hash |\n\
         |---|---|---|---|---|---|---|\n",
        machine()
    )
}

fn row(game: &str, team: &[&str], run: &Run, ratio: f64, exchanged: f64) -> String {
    let team = if team.is_empty() { "threads".into() } else { team.join(" ") };
    format!(
        "| {game} | {team} | {:.2} | {:.2} | {ratio:.2} | {exchanged:.2} | {} |\n",
        run.wall,
        run.cpu,
        run.hash()
    )
}

fn solve(root: &Path, tables: &Path, game: &str, more: &[&str]) -> Result<Run, String> {
    let (began, cpu) = (Instant::now(), children_cpu());
    let told = crabwise(root, tables, &[&["solve", game, "--anew", "--quiet"], more].concat())?;
    let wall = began.elapsed().as_secs_f64();
    if let Some(error) = told["error"].as_str() {
        return Err(format!("{game} {}: {error}", more.join(" ")));
    }
    Ok(Run { told, wall, cpu: children_cpu() - cpu })
}

/// Seconds that the processes started by this one, and by those, have used.
fn children_cpu() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |place: usize| fields.get(place).and_then(|field| field.parse::<f64>().ok());
    // Linux counts in hundredths of a second, whatever the machine.
    (ticks(13).unwrap_or(0.0) + ticks(14).unwrap_or(0.0)) / 100.0
}

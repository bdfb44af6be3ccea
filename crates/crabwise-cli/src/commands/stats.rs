//! `crabwise stats`: how many positions are worth what, and how far from the end.

use crabwise::{Stats, stats::Counts};

use crate::{
    args::StatsArgs,
    error::Failure,
    json,
    progress::Progress,
    setting::{Setting, write_whole},
    svg,
    text::{Side, columns, count, fact, player},
};

pub fn run(setting: &Setting, args: &StatsArgs) -> Result<(), Failure> {
    let chosen = setting.solved(&args.of)?;
    let game = &chosen.built.string;
    let progress = Progress::new(setting);
    let stats = chosen.built.game.stats(&setting.job(&chosen, &progress), args.all)?;
    drop(progress);
    if let Some(path) = &args.svg {
        let drawing = svg::histogram(game, &stats);
        let failed = |source| Failure::File { path: path.clone(), source };
        write_whole(path, |out| out.write_all(drawing.as_bytes()).map_err(failed))?;
    }
    setting.print(&json::StatsOf::new(game, &stats), || text(game, &stats, args.all))
}

fn text(game: &str, stats: &Stats, all: bool) -> String {
    let mut text = format!("{game}\n");
    text += &fact("start", &format!("{} to move: {}", player(0), stats.start));
    let counted = if all { "all of the numbering" } else { "reachable from the start" };
    text += &fact("counted", counted);
    text += &fact("mean moves", &format!("{:.3} a position", stats.mean_moves()));
    let longest = format!("{}, longest win {}", stats.longest(), stats.longest_win());
    text += &fact("longest line", &longest);
    text += &format!("\n{}", outcomes(stats));
    text += &format!("\n{}", distances(stats));
    text += &format!("\n{}", tiers(stats));
    if let Some((value, picture)) = &stats.deepest {
        text += &format!("\na position furthest from the end, {value}:\n{}\n", picture.trim_end());
    }
    text
}

fn cells(counts: &Counts) -> Vec<String> {
    let Counts { positions, terminal, win, loss, tie, draw } = *counts;
    [positions, terminal, win, loss, tie, draw].map(count).to_vec()
}

const COUNTED: [&str; 6] = ["positions", "terminal", "win", "loss", "tie", "draw"];

fn outcomes(stats: &Stats) -> String {
    let mut rows = vec![[vec![String::new()], COUNTED.map(str::to_string).to_vec()].concat()];
    rows.push([vec!["positions".into()], cells(&stats.counts)].concat());
    if let Some(orbits) = &stats.orbits {
        rows.push([vec!["orbits".into()], cells(orbits)].concat());
    }
    columns(&[[Side::Left; 1].as_slice(), &[Side::Right; 6]].concat(), &rows)
}

fn distances(stats: &Stats) -> String {
    let mut rows = vec![["distance", "win", "loss", "tie"].map(str::to_string).to_vec()];
    let met = stats.remoteness.iter().enumerate();
    for (n, row) in met.filter(|(_, row)| row.win + row.loss + row.tie > 0) {
        rows.push([vec![n.to_string()], [row.win, row.loss, row.tie].map(count).to_vec()].concat());
    }
    columns(&[Side::Right; 4], &rows)
}

fn tiers(stats: &Stats) -> String {
    let mut rows = vec![
        [vec!["tier".into()], COUNTED.map(str::to_string).to_vec(), vec!["longest".into()]]
            .concat(),
    ];
    for (tier, stats) in stats.tiers.iter().enumerate() {
        let longest = vec![stats.longest.to_string()];
        rows.push([vec![tier.to_string()], cells(&stats.counts), longest].concat());
    }
    columns(&[Side::Right; 8], &rows)
}

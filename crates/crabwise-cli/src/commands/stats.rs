//! `crabwise stats`: how many positions are worth what, and how far from the end.

use crabwise::{Stats, analysis::stats::TierStats, table::Counts};
use crabwise_api::stats::StatsOf;

use crate::{
    args::StatsArgs,
    context::Context,
    error::Failure,
    output::{writable, write_whole},
    svg,
    text::{Align, columns, count, fact, many, player},
};

pub fn run(context: &Context, args: &StatsArgs) -> Result<(), Failure> {
    args.svg.as_deref().map(writable).transpose()?;
    let target = context.target(&args.of.game)?;
    if args.svg.is_some() {
        target.need_distances("a histogram shows")?;
    }
    context.ready(&target, args.of.solve)?;
    let game = &target.built.string;
    let progress = context.progress();
    let stats = context.session.stats(&target, args.all, &progress)?;
    drop(progress);
    if let Some(path) = &args.svg {
        let drawing = svg::histogram(game, &stats);
        let failed = |source| Failure::File { path: path.clone(), source };
        write_whole(path, |out| out.write_all(drawing.as_bytes()).map_err(failed))?;
    }
    let bound = target.built.game.upper_bound();
    let counted = match (target.built.game.listed(), args.all) {
        (true, _) => "all that are listed",
        (false, true) => "all of the numbering",
        (false, false) => "reachable from the start",
    };
    context.print(&StatsOf::new(game, &stats, bound), || text(game, &stats, bound, counted))
}

fn text(game: &str, stats: &Stats, bound: Option<u128>, counted: &str) -> String {
    let mut text = format!("{game}\n");
    text += &fact("start", &format!("{} to move: {}", player(0), stats.start));
    text += &fact("counted", counted);
    if let Some(bound) = bound {
        text += &fact("upper bound", &format!("{} positions", many(bound)));
    }
    if let Some(ratio) = stats.counts.win_loss_ratio() {
        text += &fact("win/loss", &format!("{ratio:.3}"));
    }
    text += &fact("mean moves", &format!("{:.3} a position", stats.mean_moves()));
    text += &match stats.start.has_distance() {
        true => {
            let longest = format!("{}, longest win {}", stats.longest(), stats.longest_win());
            fact("longest line", &longest)
        }
        false => fact("distances", "not kept, only outcomes"),
    };
    text += &format!("\n{}", outcomes(stats));
    if stats.start.has_distance() {
        text += &format!("\n{}", distances(stats));
    }
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
    columns(&[[Align::Left; 1].as_slice(), &[Align::Right; 6]].concat(), &rows)
}

fn distances(stats: &Stats) -> String {
    let mut rows = vec![["distance", "win", "loss", "tie"].map(str::to_string).to_vec()];
    let met = stats.remoteness.iter().enumerate();
    for (n, row) in met.filter(|(_, row)| row.win + row.loss + row.tie > 0) {
        rows.push([vec![n.to_string()], [row.win, row.loss, row.tie].map(count).to_vec()].concat());
    }
    columns(&[Align::Right; 4], &rows)
}

/// A row a tier, or where tiers have classes a row a class, with its name and more about it.
fn tiers(stats: &Stats) -> String {
    let classed = stats.tiers.iter().any(|tier| !tier.class.is_empty());
    let names = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let (head, tail) = match classed {
        true => (names(&["tier", "class"]), names(&["longest win", "longest loss", "orbits"])),
        false => (names(&["tier"]), names(&["longest"])),
    };
    let mut rows = vec![[head, names(&COUNTED), tail].concat()];
    // Where others are named, a tier without a name and without positions only says that it is over.
    let told = |tier: &&TierStats| !classed || tier.counts.positions > 0;
    let distance = |n: u32| if stats.start.has_distance() { n.to_string() } else { "-".into() };
    for tier in stats.tiers.iter().filter(told) {
        let mut row = vec![tier.tier.to_string()];
        row.extend(classed.then(|| tier.class.clone()));
        row.extend(cells(&tier.counts));
        if classed {
            let orbits = tier.orbits.unwrap_or(tier.counts).positions;
            let longest = [tier.longest_win, tier.longest_loss].map(distance);
            row.extend(longest);
            row.push(count(orbits));
        } else {
            row.push(distance(tier.longest));
        }
        rows.push(row);
    }
    columns(&vec![Align::Right; rows[0].len()], &rows)
}

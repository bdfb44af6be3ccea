//! `crabwise solve`: from rules to a table, and what a person wants to know of it.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use crabwise::{
    Solved, Summary, Table, Value,
    table::Pace,
    watch::{Bytes, TeamStage},
};
use crabwise_api::solve::{Cost, Solve};
use crabwise_session::Target;

use crate::{
    args::SolveArgs,
    context::Context,
    error::{Failure, program},
    machine,
    text::{count, fact, player, seconds, several, some_of},
    workers::Workers,
};

pub fn run(context: &Context, args: &SolveArgs) -> Result<(), Failure> {
    let target = context.target(&args.game)?;
    let (began, cpu) = (Instant::now(), machine::cpu_seconds());
    context.can_be_made(&target, args.workers.hosts.is_none() && !args.workers.mpi)?;
    let workers = Workers::new(context, args, &target)?;
    let progress = match workers.has_root() || !args.workers.mpi {
        true => context.progress().explaining(args.explain),
        // All ranks write to one terminal.
        false => context.silent_progress(),
    };
    // Other processes may share the folder, and have nothing to do with the table.
    if args.anew && workers.has_root() {
        context.session.remove(&target)?;
    }
    let Some(solved) = workers.solve(context, args, &target, &progress)? else { return Ok(()) };
    let cost = Cost {
        wall_seconds: began.elapsed().as_secs_f64(),
        cpu_seconds: machine::cpu_seconds().zip(cpu).map(|(now, then)| now - then),
        peak_bytes: machine::peak(),
    };
    let job = context.session.job(&target, &progress);
    let info = target.built.game.open(&job)?.look(&[])?;
    let best = info.moves.iter().take_while(|one| one.value == info.moves[0].value);
    let best: Vec<&str> = best.map(|one| one.name.as_str()).collect();
    let pace = Table::pace(&target.table)?;
    let place = context.session.place().address(&target.table);
    let table = (place.display().to_string(), pace);
    let mut object = Solve::new(&target.built.string, table, &solved, &best, cost);
    let exchanged = progress.team();
    object = object.with_team(exchanged);
    if args.explain && solved.plan.is_none() {
        let plan = target.built.game.plan(&job)?;
        progress.planned(&plan);
        object.explain(Some(&plan));
    }
    drop(progress);
    context.print(&object, || {
        text(&target, &solved, &best, cost)
            + &fact("table", &table_line(&place, &solved))
            + &fact("look-up", &looks(pace))
            + &exchanged.map_or(String::new(), |team| fact("workers", &together(team)))
    })
}

fn text(target: &Target, solved: &Solved, best: &[&str], cost: Cost) -> String {
    let start = solved.start;
    let before = if solved.plan.is_none() { ", solved before" } else { "" };
    let mut text = format!("{}{before}\n", target.built.string);
    if solved.resumed > 0 {
        let tiers = several(solved.resumed.into(), "tier");
        text += &format!("went on after {tiers} that an earlier run had finished\n");
    }
    text += &fact("start", &format!("{} to move: {}", player(0), start));
    if !best.is_empty() {
        let name = match start {
            Value::Loss(Value::UNKNOWN_DISTANCE) => "all lose",
            Value::Loss(_) => "holds longest",
            _ => "best first",
        };
        text += &fact(name, &some_of(best));
    }
    text += &match &solved.summary {
        Some(summary) => counted(summary),
        None => {
            let how = format!("not counted; '{} stats {}' counts them", program(), target.name());
            fact("positions", &how)
        }
    };
    text += &fact("time", &time(cost));
    if let Some(peak) = cost.peak_bytes {
        text += &fact("peak memory", &Bytes(peak).to_string());
    }
    text
}

fn counted(summary: &Summary) -> String {
    let Summary { start, counts, longest, longest_win } = summary;
    let outcomes = format!(
        "{}: {} win, {} loss, {} tie, {} draw; {} of them ends",
        count(counts.positions),
        count(counts.win),
        count(counts.loss),
        count(counts.tie),
        count(counts.draw),
        count(counts.terminal),
    );
    let distances = match start.has_distance() {
        true => fact("longest line", &format!("{longest}, longest win {longest_win}")),
        false => fact("distances", "not kept, only outcomes"),
    };
    fact("positions", &outcomes) + &distances
}

fn time(cost: Cost) -> String {
    let wall = seconds(cost.wall_seconds);
    match cost.cpu_seconds {
        Some(cpu) => format!("{wall}, {} of CPU", seconds(cpu)),
        None => wall,
    }
}

fn looks(pace: Pace) -> String {
    let micros = |time: Duration| format!("{:.0} µs", time.as_secs_f64() * 1e6);
    let first = match pace.first.as_micros() {
        0..1000 => micros(pace.first),
        _ => format!("{:.1} ms", pace.first.as_secs_f64() * 1e3),
    };
    format!("{first} with opening the table, {} each after that", micros(pace.next))
}

fn together(team: TeamStage) -> String {
    format!("{}, {} exchanged", count(team.workers as u64), Bytes(team.exchanged))
}

fn table_line(path: &Path, solved: &Solved) -> String {
    format!("{}, {}", Bytes(solved.bytes), path.display())
}

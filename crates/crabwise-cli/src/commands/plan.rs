//! `crabwise plan`: what solving a game would take, here and on many machines, without solving it.

use std::fs;

use crabwise::{
    Extent, Sample, Solver, Table,
    cost::forecast::{Fleet, Forecast, Way},
    watch::Bytes,
};

use crate::{
    args::team::PlanArgs,
    error::Failure,
    json,
    progress::Progress,
    setting::{Chosen, Setting},
    text::{count, fact, seconds, several},
};

/// Bytes of a table a slot, and how that is known.
pub struct Packed {
    pub bytes: f64,
    pub why: String,
}

/// Slots of a trial or a table that say enough about how others are packed.
const ENOUGH: u64 = 1 << 16;
/// Bytes a slot where nothing is known: of numbered games, and of those whose table holds keys.
const NUMBERED: f64 = 0.25;
const WALKED: f64 = 4.0;

pub fn run(setting: &Setting, args: &PlanArgs) -> Result<(), Failure> {
    let chosen = setting.game(&args.game)?;
    let progress = Progress::new(setting);
    let sample = chosen.built.game.sample(&setting.job(&chosen, &progress))?;
    drop(progress);
    if let Extent::Estimated { layers, counted, loopy: true, .. } = &sample.extent {
        let found: f64 = layers.iter().take(*counted as usize).sum();
        return Err(Failure::Input(format!(
            "'{}' cannot be numbered, and play may go in circles, so that its positions cannot be estimated from how \
             their number grows; {} were found in a moment",
            chosen.built.string,
            count(found as u64)
        )));
    }
    let packed = packed(setting, &chosen, &sample);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let threads = setting.threads.map_or(threads, u64::from);
    let fleet = Fleet {
        machines: args.machines.into(),
        cores: args.cores.map_or(threads, u64::from),
        memory: setting.memory,
        network: args.network as f64 / 8.0,
        disk: args.disk as f64,
        packed: packed.bytes,
    };
    let here = Fleet { machines: 1, cores: threads, ..fleet };
    let planned = Planned {
        game: &chosen.built.string,
        cluster: Forecast::new(&sample, &fleet),
        here: Forecast::new(&sample, &here),
        sample: &sample,
        fleet,
        threads,
        packed,
    };
    setting.print(&json::Planned::new(&planned), || text(&planned))
}

/// All that is told.
pub struct Planned<'a> {
    pub game: &'a str,
    pub sample: &'a Sample,
    pub fleet: Fleet,
    pub threads: u64,
    pub packed: Packed,
    pub cluster: Forecast,
    pub here: Forecast,
}

/// How well the table would be packed: as the last tiers are, or as another table of the family is.
fn packed(setting: &Setting, chosen: &Chosen, sample: &Sample) -> Packed {
    let trial = sample.trial.filter(|_| sample.extent == Extent::Numbered);
    if let Some(trial) = trial.filter(|trial| trial.slots >= ENOUGH) {
        let why = format!(
            "as the largest of the last {} that were solved on trial, of {} slots",
            several(trial.tiers.into(), "tier"),
            count(trial.slots)
        );
        return Packed { bytes: trial.packed, why };
    }
    if let Some((name, bytes)) = relative(setting, chosen) {
        return Packed { bytes, why: format!("as in the table of {name}") };
    }
    match (trial, &sample.extent) {
        (Some(trial), _) => Packed {
            bytes: trial.packed,
            why: format!(
                "as in a tier of only {} slots that was solved on trial",
                count(trial.slots)
            ),
        },
        (None, Extent::Numbered) => {
            Packed { bytes: NUMBERED, why: "an assumption: tables here have 0.02 to 0.3".into() }
        }
        (None, _) => {
            let why = "an assumption: tables with keys here have 3 to 4".into();
            Packed { bytes: WALKED, why }
        }
    }
}

/// The largest table of the same family, and its bytes a slot.
fn relative(setting: &Setting, chosen: &Chosen) -> Option<(String, f64)> {
    let family = |game: &str| game.split(':').next().unwrap_or(game).to_string();
    let files = fs::read_dir(setting.place().folder()).ok()?.flatten().map(|entry| entry.path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "crab"));
    let tables = files.filter_map(|path| Table::open(&path).ok());
    let tables = tables.filter(|table| {
        let identity = table.identity();
        let keeps = identity.outcomes != chosen.built.game.keeps_distances();
        keeps && family(&identity.game) == family(&chosen.built.string)
    });
    let slots =
        |table: &Table| (0..table.identity().tiers).map(|tier| table.len(tier)).sum::<u64>();
    let (slots, table) = tables.map(|table| (slots(&table), table)).max_by_key(|found| found.0)?;
    let known = (slots > 0).then(|| table.bytes() as f64 / slots as f64)?;
    Some((table.identity().game.clone(), known))
}

fn text(planned: &Planned) -> String {
    let Planned { game, sample, fleet, cluster, here, threads, packed } = planned;
    let bytes = |bytes: f64| Bytes(bytes as u64).to_string();
    let about = if matches!(sample.extent, Extent::Estimated { .. }) { "about " } else { "" };
    let mut text = format!("{game}\n");
    text += &fact("solver", &sample.solver.to_string());
    let tiers = several(sample.tiers.len() as u64, "tier");
    let (slots, largest) = (count(cluster.slots), count(cluster.largest));
    text +=
        &fact("positions", &format!("{about}{slots} slots in {tiers}, the largest of {largest}"));
    text += &fact("memory here", &memory_here(planned));
    text += &fact(
        "time here",
        &format!(
            "{} with {}, {} of it writing the table",
            seconds(here.computing + here.writing),
            several(*threads, "thread"),
            seconds(here.writing)
        ),
    );
    text += &fact("table", &format!("{}, {:.2} bytes a slot", bytes(cluster.table), packed.bytes));
    text +=
        &fact("scratch", &format!("{} where tiers stream through files", bytes(cluster.scratch)));
    let machines = several(fleet.machines, "machine");
    let cores = several(fleet.cores, "core");
    text += &format!("\non {machines}, {cores} and {} each:\n", Bytes(fleet.memory));
    text += &fact("memory", &memory_there(cluster, fleet));
    text += &fact(
        "network",
        &format!(
            "{} between workers, {} to and from the busiest machine",
            bytes(cluster.exchanged),
            if fleet.machines > 1 { bytes(cluster.busiest) } else { bytes(0.0) }
        ),
    );
    text += &fact(
        "time",
        &match cluster.way {
            Way::No => "none: it does not fit".into(),
            _ => format!(
                "{}: {} computing, {} sending, {} writing the table",
                seconds(cluster.computing + cluster.sending + cluster.writing),
                seconds(cluster.computing),
                seconds(cluster.sending),
                seconds(cluster.writing)
            ),
        },
    );
    text += "\nassumed:\n";
    for line in assumptions(planned) {
        text += &format!("- {line}\n");
    }
    text
}

fn memory_here(planned: &Planned) -> String {
    let (memory, limit) = (planned.sample.memory, planned.fleet.memory);
    let all = format!("{} at once", Bytes(memory));
    match planned.sample.streamed {
        _ if memory <= limit => format!("{all}, which there is"),
        Some(least) if least <= limit => {
            format!("{all}, which there is not; {} will do, through files", Bytes(least))
        }
        Some(least) => format!("{all}, or {} through files, which there is not", Bytes(least)),
        None => format!("{all}, which there is not"),
    }
}

fn memory_there(forecast: &Forecast, fleet: &Fleet) -> String {
    let each = if fleet.machines > 1 { " a machine" } else { "" };
    let parts = format!("{}{each}", Bytes(forecast.parts));
    let more = "it does not fit, and more machines or memory would help";
    match (forecast.way, forecast.whole.map(Bytes)) {
        (Way::No, Some(whole)) => {
            format!("{whole}{each} with later tiers whole, {parts} in parts; {more}")
        }
        (Way::No, None) => format!("{parts}; {more}"),
        (Way::Whole, Some(whole)) => {
            format!("{whole}{each}, later tiers whole in every process; it fits")
        }
        (_, Some(whole)) => {
            format!("{parts}, later tiers in parts; whole they would take {whole}; it fits")
        }
        (_, None) => format!("{parts}, each worker what it found; it fits"),
    }
}

/// What the figures rest on.
pub fn assumptions(planned: &Planned) -> Vec<String> {
    let Planned { sample, fleet, packed, cluster, .. } = planned;
    let mut lines = vec![];
    match &sample.extent {
        Extent::Numbered => {}
        Extent::Walked => lines.push("positions: all were found by walking".into()),
        Extent::Estimated { layers, counted, .. } => lines.push(format!(
            "positions: the first {counted} of about {} layers were counted, and the others extrapolated from how \
             these grow, to the longest of some random games; it may be ten times as many, or a tenth",
            layers.len()
        )),
    }
    let cost = |tier: &crabwise::cost::calibration::TierSample| tier.seconds * tier.slots as f64;
    let largest = sample.tiers.iter().max_by(|a, b| cost(a).total_cmp(&cost(b)));
    if let Some(tier) = largest {
        let nanoseconds = |seconds: f64| format!("{:.1} ns", seconds * 1e9);
        lines.push(format!(
            "time: measured on this machine, a core takes {} for a slot of the dearest tier, {} to pack and {} to \
             count one; other machines have cores like these, none of which waits for another",
            nanoseconds(tier.seconds + sample.walk),
            nanoseconds(sample.pack),
            nanoseconds(sample.count)
        ));
        let inside = match tier.inner {
            0.0 => "none".into(),
            inner => format!("{inner:.1}"),
        };
        lines.push(format!(
            "moves: {:.1} from a slot of that tier, {inside} of them inside it",
            tier.moves
        ));
    }
    lines.push(match sample.trial {
        Some(trial) => format!(
            "the last {} were solved on trial, the largest of {} slots, {:.0} % of them decided; larger ones are \
             like it",
            several(trial.tiers.into(), "tier"),
            count(trial.slots),
            trial.decided * 100.0
        ),
        None if matches!(sample.solver, Solver::RetroUnplay | Solver::RetroEdges) => {
            "no tier was small enough to be solved on trial; every position is taken to be decided, which is the \
             most there can be to tell"
                .into()
        }
        None => "no tier was small enough to be solved on trial".into(),
    });
    lines.push(format!("table: {:.3} bytes a slot, {}", packed.bytes, packed.why));
    if fleet.machines > 1 {
        lines.push(format!(
            "network: {:.1} Gbit/s each way a machine (--network), and nothing is sent while something is computed",
            fleet.network * 8.0 / 1e9
        ));
    }
    lines.push(format!("disk: {:.0} MB/s (--disk) where the table is", fleet.disk / 1e6));
    if cluster.way == Way::Parts && sample.solver == Solver::Kernel {
        lines.push("the kernel needs later tiers whole, so positions are taken one by one".into());
    }
    if cluster.marks_apart {
        lines.push(format!(
            "counting: marks of what can be reached would take {} in every process, so they are in \
             parts, and all moves are followed",
            Bytes(sample.counting)
        ));
    }
    if planned.sample.memory > fleet.memory && planned.sample.streamed.is_some() {
        lines.push("time here is without what streaming reads and writes: at least that".into());
    }
    lines
}

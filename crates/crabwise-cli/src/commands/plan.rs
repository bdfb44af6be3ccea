//! `crabwise plan`: what solving a game would take, here and on many machines, without solving it.

use std::fs;

use crabwise::{
    Estimate, Extent, Sample, Solver, Table,
    cost::{
        TierSample,
        forecast::{Fleet, Forecast, Way},
    },
    watch::Bytes,
};
use crabwise_api::solve::Planned;
use crabwise_session::Target;

use crate::{
    args::workers::PlanArgs,
    context::Context,
    error::Failure,
    text::{count, fact, seconds, several},
};

/// Bytes of a table a slot, and how that is known.
struct PackedSize {
    bytes: f64,
    why: String,
}

/// Slots of a trial or a table that say enough about how others are packed.
const ENOUGH: u64 = 1 << 16;
/// Bytes a slot where nothing is known: of numbered games, and of those whose table holds keys.
const NUMBERED: f64 = 0.25;
const WALKED: f64 = 4.0;

pub fn run(context: &Context, args: &PlanArgs) -> Result<(), Failure> {
    let target = context.target(&args.game)?;
    let progress = context.progress();
    let sample = target.built.game.sample(&context.session.job(&target, &progress))?;
    drop(progress);
    if let Extent::Estimated(Estimate { layers, counted, loopy: true, .. }) = &sample.extent {
        let found: f64 = layers.iter().take(*counted as usize).sum();
        return Err(Failure::Input(format!(
            "'{}' cannot be numbered, and play may go in circles, so that its positions cannot be estimated from how \
             their number grows; {} were found in a moment",
            target.built.string,
            count(found as u64)
        )));
    }
    let packed = packed(context, &target, &sample);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let threads = context.threads.map_or(threads, u64::from);
    let fleet = Fleet {
        machines: args.machines.into(),
        cores: args.cores.map_or(threads, u64::from),
        memory: context.session.memory(),
        network: args.network as f64 / 8.0,
        disk: args.disk as f64,
        packed: packed.bytes,
    };
    let here = Fleet { machines: 1, cores: threads, ..fleet };
    let planned = Told {
        game: &target.built.string,
        cluster: Forecast::new(&sample, &fleet),
        here: Forecast::new(&sample, &here),
        sample: &sample,
        fleet,
        threads,
        packed,
    };
    context.print(&planned.json(), || text(&planned))
}

/// All that is told.
struct Told<'a> {
    game: &'a str,
    sample: &'a Sample,
    fleet: Fleet,
    threads: u64,
    packed: PackedSize,
    cluster: Forecast,
    here: Forecast,
}

impl Told<'_> {
    fn json(&self) -> Planned<'_> {
        let about = (self.game, self.sample, &self.fleet);
        Planned::new(about, [&self.here, &self.cluster], assumptions(self))
    }
}

/// How well the table would be packed: as the last tiers are, or as another table of the family is.
fn packed(context: &Context, target: &Target, sample: &Sample) -> PackedSize {
    let trial = sample.trial.filter(|_| sample.extent == Extent::Numbered);
    if let Some(trial) = trial.filter(|trial| trial.slots >= ENOUGH) {
        let why = format!(
            "as the largest of the last {} that were solved on trial, of {} slots",
            several(trial.tiers.into(), "tier"),
            count(trial.slots)
        );
        return PackedSize { bytes: trial.packed, why };
    }
    if let Some((name, bytes)) = relative(context, target) {
        return PackedSize { bytes, why: format!("as in the table of {name}") };
    }
    match (trial, &sample.extent) {
        (Some(trial), _) => PackedSize {
            bytes: trial.packed,
            why: format!(
                "as in a tier of only {} slots that was solved on trial",
                count(trial.slots)
            ),
        },
        (None, Extent::Numbered) => PackedSize {
            bytes: NUMBERED,
            why: "an assumption: tables here have 0.02 to 0.3".into(),
        },
        (None, _) => {
            let why = "an assumption: tables with keys here have 3 to 4".into();
            PackedSize { bytes: WALKED, why }
        }
    }
}

/// The largest table of the same family, and its bytes a slot.
fn relative(context: &Context, target: &Target) -> Option<(String, f64)> {
    let family = |game: &str| game.split(':').next().unwrap_or(game).to_string();
    let files =
        fs::read_dir(context.session.place().folder()).ok()?.flatten().map(|entry| entry.path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "crab"));
    let tables = files.filter_map(|path| Table::open(&path).ok());
    let tables = tables.filter(|table| {
        let identity = table.identity();
        let keeps = identity.outcomes != target.built.game.keeps_distances();
        keeps && family(&identity.game) == family(&target.built.string)
    });
    let slots =
        |table: &Table| (0..table.identity().tiers).map(|tier| table.len(tier)).sum::<u64>();
    let (slots, table) = tables.map(|table| (slots(&table), table)).max_by_key(|found| found.0)?;
    let known = (slots > 0).then(|| table.bytes() as f64 / slots as f64)?;
    Some((table.identity().game.clone(), known))
}

fn text(planned: &Told) -> String {
    let Told { game, sample, fleet, cluster, here, threads, packed } = planned;
    let seconds = |s: f64| told_seconds(planned, s);
    let about = if matches!(sample.extent, Extent::Estimated(_)) { "about " } else { "" };
    let mut text = format!("{game}\n");
    text += &fact("solver", &sample.solver.to_string());
    let tiers = several(sample.tiers.len() as u64, "tier");
    let layers = match &sample.extent {
        Extent::Estimated(Estimate { layers, .. }) => &layers[..],
        _ => &[],
    };
    let whole = slots(cluster.slots, layers.iter().sum());
    let largest = slots(cluster.largest, layers.iter().copied().fold(0.0, f64::max));
    text +=
        &fact("positions", &format!("{about}{whole} slots in {tiers}, the largest of {largest}"));
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

/// As many as that; of numbers that do not fit, the estimate they come from.
fn slots(n: u64, estimate: f64) -> String {
    if n < u64::MAX {
        return count(n);
    }
    match estimate.log10().round() {
        digits if digits.is_finite() && digits >= 19.0 => format!("10^{digits}"),
        _ => "more than 10^19".into(),
    }
}

/// Bytes as people read them; of those that no machine has, that they are more.
fn bytes(bytes: f64) -> String {
    match bytes {
        bytes if bytes < MOST_BYTES => Bytes(bytes as u64).to_string(),
        _ => "more than 1,024 PiB".into(),
    }
}

/// Numbers of bytes stop at 2^64.
const MOST_BYTES: f64 = (1u64 << 60) as f64;

/// A time; what follows from numbers that stopped growing is only the least.
fn told_seconds(planned: &Told, s: f64) -> String {
    let least = if planned.cluster.slots == u64::MAX { "more than " } else { "" };
    format!("{least}{}", seconds(s))
}

fn memory_here(planned: &Told) -> String {
    let (memory, limit) = (planned.sample.memory, planned.fleet.memory);
    let all = format!("{} at once", bytes(memory as f64));
    match planned.sample.streamed {
        _ if memory <= limit => format!("{all}; it fits"),
        Some(least) if least <= limit => {
            format!(
                "{all}, more than is allowed; {} through files, which fits",
                bytes(least as f64)
            )
        }
        Some(least) => {
            format!("{all}, or {} through files; neither fits", bytes(least as f64))
        }
        None => format!("{all}; it does not fit"),
    }
}

fn memory_there(forecast: &Forecast, fleet: &Fleet) -> String {
    let each = if fleet.machines > 1 { " a machine" } else { "" };
    let parts = format!("{}{each}", bytes(forecast.parts as f64));
    let more = "it does not fit, and more machines or memory would help";
    match (forecast.way, forecast.whole.map(|whole| bytes(whole as f64))) {
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
fn assumptions(planned: &Told) -> Vec<String> {
    let Told { sample, fleet, packed, cluster, .. } = planned;
    let mut lines: Vec<String> = extent(&sample.extent).into_iter().collect();
    lines.extend(measured(sample));
    lines.push(trial(sample));
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
            bytes(sample.counting as f64)
        ));
    }
    if sample.memory > fleet.memory && sample.streamed.is_some() {
        lines.push("time here is without what streaming reads and writes: at least that".into());
    }
    lines
}

/// How many positions there are, where the numbering does not say.
fn extent(extent: &Extent) -> Option<String> {
    match extent {
        Extent::Numbered => None,
        Extent::Walked => Some("positions: all were found by walking".into()),
        Extent::Estimated(Estimate { layers, counted, .. }) => Some(format!(
            "positions: the first {counted} of about {} layers were counted, and the others extrapolated from how \
             these grow, to the longest of some random games; it may be ten times as many, or a tenth",
            layers.len()
        )),
    }
}

/// What the dearest tier costs here, and what moves from it are like.
fn measured(sample: &Sample) -> Vec<String> {
    let cost = |tier: &TierSample| tier.seconds * tier.slots as f64;
    let dearest = sample.tiers.iter().max_by(|a, b| cost(a).total_cmp(&cost(b)));
    let Some(tier) = dearest else { return vec![] };
    let nanoseconds = |seconds: f64| format!("{:.1} ns", seconds * 1e9);
    let inside = match tier.inner {
        0.0 => "none".into(),
        inner => format!("{inner:.1}"),
    };
    vec![
        format!(
            "time: measured on this machine, a core takes {} for a slot of the dearest tier, {} to pack and {} to \
             count one; other machines have cores like these, none of which waits for another",
            nanoseconds(tier.seconds + sample.walk),
            nanoseconds(sample.pack),
            nanoseconds(sample.count)
        ),
        format!("moves: {:.1} from a slot of that tier, {inside} of them inside it", tier.moves),
    ]
}

/// What was solved on trial.
fn trial(sample: &Sample) -> String {
    match sample.trial {
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
    }
}

//! `crabwise label`: every position as an island of Crab Analysis.

mod trace;
mod writer;

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
};

use crabwise::{
    TableError,
    analysis::label::{Chart, Draws, Island, Label, LabelCounts, Wanted},
};
use crabwise_api::analysis::LabelHead;
use crabwise_session::{Islands, Target, numbered, repetitions};

use self::writer::LabelWriter;

use crate::{
    args::{LabelArgs, LabelFormat},
    context::Context,
    error::Failure,
    output::{print, writable, write_whole},
    text::{Align, columns, count, fact, label_counts, several},
};

pub fn run(context: &Context, args: &LabelArgs) -> Result<(), Failure> {
    let format = format(context, args)?;
    let file = args.output.as_deref().filter(|path| *path != Path::new("-"));
    file.map(writable).transpose()?;
    if args.trace {
        trace::suits(format)?;
    }
    context.doubt(args.traps.draws());
    let target = context.target(&args.game)?;
    target.need_distances("labels and traps need")?;
    context.ready(&target, true)?;
    if args.trace {
        return trace::run(context, args, &target, format, file);
    }
    let whole = args.repeats || format == Some(LabelFormat::Keys);
    let mut islands = Labelling::new(context, args, &target, whole)?;
    let game = target.built.string.as_str();
    let Some(format) = format else {
        let mut listing = Listing { most: args.most, ..Listing::default() };
        listing.repeats = islands.repeats.take();
        islands.chart(false, &mut listing)?;
        return print(&listing.text(game));
    };
    let Some(path) = file else {
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        islands.write(format, Path::new("standard output"), &mut out)?;
        return out.flush().map_err(Failure::Pipe);
    };
    let mut counts = None;
    write_whole(path, |out| {
        counts = islands.write(format, path, out)?;
        Ok(())
    })?;
    let Some(counts) = counts else { return Ok(()) };
    let name = path.display().to_string();
    context.print(&LabelHead::new(game, &counts, Some(name)), || {
        let written = several(counts.islands, "island");
        head(game, &counts, None) + &format!("\n{written} written to {}\n", path.display())
    })
}

/// What is to be written; text if nothing is said.
fn format(context: &Context, args: &LabelArgs) -> Result<Option<LabelFormat>, Failure> {
    let path = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let Some(path) = path else {
        return Ok(args.format.or(context.json.then_some(LabelFormat::Json)));
    };
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    match (args.format, ending.as_deref().and_then(|ending| ending.to_str())) {
        (Some(format), _) => Ok(Some(format)),
        (None, Some("csv")) => Ok(Some(LabelFormat::Csv)),
        (None, Some("json")) => Ok(Some(LabelFormat::Json)),
        (None, Some("dot" | "gv")) => Ok(Some(LabelFormat::Dot)),
        (None, Some("svg")) => Ok(Some(LabelFormat::Svg)),
        (None, _) => Err(Failure::Input(format!(
            "the ending of {} says nothing; add --format csv, json, dot, svg or keys",
            path.display()
        ))),
    }
}

/// Where islands come from: the table, one by one, or memory, where all of them are needed at once.
struct Labelling<'a> {
    context: &'a Context,
    args: &'a LabelArgs,
    target: &'a Target,
    whole: Option<Islands>,
    /// How soon each can come up again, if that is wanted.
    repeats: Option<Vec<Option<u32>>>,
}

impl Labelling<'_> {
    fn new<'a>(
        context: &'a Context,
        args: &'a LabelArgs,
        target: &'a Target,
        whole: bool,
    ) -> Result<Labelling<'a>, Failure> {
        let mut labelling = Labelling { context, args, target, whole: None, repeats: None };
        if whole {
            labelling.whole = Some(self::whole(context, args, target)?);
        }
        if let Some(islands) = labelling.whole.as_ref().filter(|_| args.repeats) {
            labelling.repeats = Some(repetitions(islands, &context.progress())?);
        }
        Ok(labelling)
    }

    fn chart(&mut self, bridges: bool, chart: &mut dyn Chart) -> Result<(), Failure> {
        if let Some(islands) = self.whole.take() {
            return Ok(islands.replay(chart)?);
        }
        let wanted = Wanted { bridges, ..wanted(self.args) };
        let progress = self.context.progress();
        Ok(self.context.session.label(self.target, &wanted, chart, &progress)?)
    }

    /// Writes everything, and says how many islands of which label that was.
    fn write(
        &mut self,
        format: LabelFormat,
        path: &Path,
        out: &mut dyn Write,
    ) -> Result<Option<LabelCounts>, Failure> {
        let game = self.target.built.string.as_str();
        if let Some(islands) = self.whole.take_if(|_| format == LabelFormat::Keys) {
            let islands = islands.with_ends();
            keys(&islands, path, out)?;
            return Ok(Some(islands.counts));
        }
        let drawn = matches!(format, LabelFormat::Dot | LabelFormat::Svg);
        let bridges = drawn || !self.args.no_bridges;
        let repeats = self.repeats.take();
        let mut writer = LabelWriter::new(game, format, (bridges, repeats), path, out);
        self.chart(bridges, &mut writer)?;
        writer.end()?;
        Ok(writer.counts())
    }
}

fn wanted(args: &LabelArgs) -> Wanted {
    let draws = args.traps.draws().unwrap_or(Draws::Deepest);
    Wanted { all: args.all, draws, literal: args.literal, bridges: true }
}

/// All islands in memory.
fn whole(context: &Context, args: &LabelArgs, target: &Target) -> Result<Islands, Failure> {
    Ok(context.session.islands(target, &wanted(args), &context.progress())?)
}

/// The solution table as the source writes it, `1B : G3`, each with its key.
fn keys(islands: &Islands, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
    for (name, label, island) in numbered(islands) {
        let key = &islands.all[island].key;
        let failed = |source| TableError::Io { path: path.into(), doing: "write", source };
        writeln!(out, "{name} : {label}  {key}").map_err(failed)?;
    }
    Ok(())
}

/// The islands as text: counts, the first islands, the first mistakes of the literal table.
#[derive(Default)]
struct Listing {
    most: usize,
    repeats: Option<Vec<Option<u32>>>,
    /// How many islands have come.
    came: usize,
    start_repeats: Option<u32>,
    counts: Option<LabelCounts>,
    islands: Vec<String>,
    wrong: Vec<String>,
}

impl Chart for Listing {
    fn begin(&mut self, counts: &LabelCounts) -> Result<(), TableError> {
        self.counts = Some(counts.clone());
        Ok(())
    }

    fn island(&mut self, island: Island) -> Result<(), TableError> {
        let Island { key, label, literal, .. } = &island;
        let repeats = self.repeats.as_ref().and_then(|repeats| repeats[self.came]);
        self.came += 1;
        if self.counts.as_ref().is_some_and(|counts| counts.start == *key) {
            self.start_repeats = repeats;
        }
        if self.islands.len() < self.most {
            let literally = literal.map_or(String::new(), |label| format!(", literally {label}"));
            let repeats = repeated(repeats);
            self.islands.push(format!("{key} = {label}{literally}{repeats}"));
        }
        if island.misread() && self.wrong.len() < self.most {
            self.wrong.push(format!("{key} = {label}: {}", missed(*label)));
        }
        Ok(())
    }

    fn full(&self) -> bool {
        if self.repeats.is_some() {
            return false;
        }
        let wrong = self.counts.as_ref().and_then(|counts| counts.literal.as_ref());
        let wrong = wrong.map_or(0, |(_, wrong)| usize::try_from(*wrong).unwrap_or(usize::MAX));
        self.islands.len() >= self.most && self.wrong.len() >= wrong.min(self.most)
    }
}

/// What it means that the literal table leaves an island as T.
fn missed(label: Label) -> String {
    match label {
        Label::P(x) => format!("a win in {} is missed", x - 1),
        Label::G(n) => format!("a loss in {} is missed", n - 1),
        Label::T(_) => "it is even".into(),
    }
}

/// How soon a drawn island can come up again, behind its label.
fn repeated(repeats: Option<u32>) -> String {
    repeats.map_or(String::new(), |n| format!(", repeats in {n}"))
}

/// The game, its start and its counts.
fn head(game: &str, counts: &LabelCounts, repeats: Option<u32>) -> String {
    let mut text = format!("{game}\n");
    let start = format!("{} = {}{}", counts.start, counts.start_label, repeated(repeats));
    text += &fact("start", &start);
    let few = counts.counts.len() <= FEW;
    let by_label = if few { format!(": {}", label_counts(&counts.counts)) } else { String::new() };
    text += &fact("islands", &(count(counts.islands) + &by_label));
    if let Some((literal, wrong)) = &counts.literal {
        let by_label = label_counts(literal);
        let by_label = if literal.len() <= FEW { by_label + "; " } else { String::new() };
        text += &fact("literally", &format!("{by_label}wrong on {}", several(*wrong, "island")));
    }
    if !few {
        text += &format!("\n{}", by_index(&counts.counts));
    }
    text
}

/// How many labels can be read on one line.
const FEW: usize = 8;

/// A row an index, a column a letter.
fn by_index(counts: &BTreeMap<Label, u64>) -> String {
    let mut rows: BTreeMap<u64, [String; 3]> = BTreeMap::new();
    for (label, n) in counts {
        let row = rows.entry(label.index()).or_default();
        row[['G', 'P', 'T'].iter().position(|letter| *letter == label.letter()).unwrap_or(0)] =
            count(*n);
    }
    let names = ["index", "G", "P", "T"].map(String::from).to_vec();
    let row = |(index, row): (u64, [String; 3])| [vec![index.to_string()], row.to_vec()].concat();
    let rows: Vec<Vec<String>> = [names].into_iter().chain(rows.into_iter().map(row)).collect();
    columns(&[Align::Right; 4], &rows)
}

impl Listing {
    fn text(&self, game: &str) -> String {
        let Some(counts) = &self.counts else { return String::new() };
        let mut text = head(game, counts, self.start_repeats);
        if let Some((_, wrong @ 1..)) = &counts.literal {
            text += "\nwrong, if P needed ALL successors to be G:\n";
            text += &list(&self.wrong, *wrong);
        }
        text + "\n" + &list(&self.islands, counts.islands)
    }
}

fn list(lines: &[String], total: u64) -> String {
    let mut text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let more = total - lines.len() as u64;
    if more > 0 {
        text += &format!("… and {} more; -o FILE writes them all\n", count(more));
    }
    text
}

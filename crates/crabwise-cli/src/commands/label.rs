//! `crabwise label`: every position as an island of Crab Analysis.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    path::Path,
};

use crabwise::{
    TableError,
    analysis::label::{Chart, Draws, Island, Label, LabelCounts, Wanted},
};
use crabwise_api::{
    analysis::{LabelHead, LabelledIsland},
    rows::cell,
};
use crabwise_session::Target;

use crate::{
    args::{LabelArgs, LabelFormat},
    context::Context,
    dot::quoted,
    error::Failure,
    output::{print, writable, write_whole},
    svg,
    text::{Align, columns, count, fact, label_counts, several},
};

pub fn run(context: &Context, args: &LabelArgs) -> Result<(), Failure> {
    let format = format(context, args)?;
    let file = args.output.as_deref().filter(|path| *path != Path::new("-"));
    file.map(writable).transpose()?;
    context.doubt(args.traps.draws());
    let target = context.target(&args.game)?;
    target.need_distances("labels and traps need")?;
    context.ready(&target, true)?;
    let game = target.built.string.as_str();
    let Some(format) = format else {
        let mut listing = Listing { most: args.most, counts: None, islands: vec![], wrong: vec![] };
        label(context, args, &target, false, &mut listing)?;
        return print(&listing.text(game));
    };
    let Some(path) = file else {
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(context, args, &target, format, &mut out)?;
        return out.flush().map_err(Failure::Pipe);
    };
    let mut counts = None;
    write_whole(path, |out| {
        counts = write(context, args, &target, format, out)?;
        Ok(())
    })?;
    let Some(counts) = counts else { return Ok(()) };
    let name = path.display().to_string();
    context.print(&LabelHead::new(game, &counts, Some(name)), || {
        let written = several(counts.islands, "island");
        head(game, &counts) + &format!("\n{written} written to {}\n", path.display())
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
            "the ending of {} says nothing; add --format csv, json, dot or svg",
            path.display()
        ))),
    }
}

fn label(
    context: &Context,
    args: &LabelArgs,
    target: &Target,
    bridges: bool,
    chart: &mut dyn Chart,
) -> Result<(), Failure> {
    let progress = context.progress();
    let draws = args.traps.draws().unwrap_or(Draws::Deepest);
    let wanted = Wanted { all: args.all, draws, literal: args.literal, bridges };
    Ok(context.session.label(target, &wanted, chart, &progress)?)
}

/// Writes everything, and says how many islands of which label that was.
fn write(
    context: &Context,
    args: &LabelArgs,
    target: &Target,
    format: LabelFormat,
    out: &mut dyn Write,
) -> Result<Option<LabelCounts>, Failure> {
    let path = args.output.as_deref().unwrap_or(Path::new("standard output"));
    let mut sheet = LabelWriter {
        game: &target.built.string,
        format,
        path,
        out,
        counts: None,
        kept: vec![],
        letters: BTreeSet::new(),
    };
    let bridges = matches!(format, LabelFormat::Dot | LabelFormat::Svg);
    label(context, args, target, bridges, &mut sheet)?;
    sheet.end()?;
    Ok(sheet.counts)
}

/// The islands as text: counts, the first islands, the first mistakes of the literal table.
struct Listing {
    most: usize,
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
        if self.islands.len() < self.most {
            let literally = literal.map_or(String::new(), |label| format!(", literally {label}"));
            self.islands.push(format!("{key} = {label}{literally}"));
        }
        if island.misread() && self.wrong.len() < self.most {
            self.wrong.push(format!("{key} = {label}: {}", missed(*label)));
        }
        Ok(())
    }

    fn full(&self) -> bool {
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

/// The game, its start and its counts.
fn head(game: &str, counts: &LabelCounts) -> String {
    let mut text = format!("{game}\n");
    text += &fact("start", &format!("{} = {}", counts.start, counts.start_label));
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
        let mut text = head(game, counts);
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

/// Writes islands in one of the formats, as they come.
struct LabelWriter<'a> {
    game: &'a str,
    format: LabelFormat,
    path: &'a Path,
    out: &'a mut dyn Write,
    counts: Option<LabelCounts>,
    /// The islands of a drawing, which needs all of them at once.
    kept: Vec<Island>,
    /// The characters that keys end in, as far as there are few.
    letters: BTreeSet<char>,
}

impl Chart for LabelWriter<'_> {
    fn begin(&mut self, counts: &LabelCounts) -> Result<(), TableError> {
        self.counts = Some(counts.clone());
        let game = quoted(self.game);
        match self.format {
            LabelFormat::Csv if counts.literal.is_some() => {
                writeln!(self.out, "key,label,kind,index,literal")
            }
            LabelFormat::Csv => writeln!(self.out, "key,label,kind,index"),
            LabelFormat::Json => {
                let head = crabwise_api::line(&LabelHead::new(self.game, counts, None));
                // The islands are the last of the object's fields.
                let open = head.trim_end().strip_suffix('}').unwrap_or_default();
                write!(self.out, "{open},\"islands\":[")
            }
            LabelFormat::Dot => writeln!(
                self.out,
                "digraph {game} {{\n  // G: the player to move loses. P: wins. T: neither. Heavy \
                 bridges are perfect play.\n  start={};\n  node [style=filled, \
                 fontname=monospace];\n  edge [color=\"#8a8f98\"];",
                quoted(&counts.start)
            ),
            LabelFormat::Svg => Ok(()),
        }
        .map_err(|source| self.failed(source))
    }

    fn island(&mut self, island: Island) -> Result<(), TableError> {
        match self.format {
            LabelFormat::Csv => csv(&island, self.out),
            LabelFormat::Json => {
                let comma = if self.kept.is_empty() { "" } else { "," };
                let object = crabwise_api::line(&LabelledIsland::from(&island));
                write!(self.out, "{comma}\n{}", object.trim_end())
            }
            LabelFormat::Dot => dot(&island, self.out),
            LabelFormat::Svg => Ok(()),
        }
        .map_err(|source| self.failed(source))?;
        if self.letters.len() <= 2 {
            self.letters.extend(island.key.chars().next_back());
        }
        let few = self.counts.as_ref().is_some_and(|counts| counts.islands <= svg::MOST_ISLANDS);
        if self.kept.is_empty() || self.format == LabelFormat::Svg && few {
            self.kept.push(island);
        }
        Ok(())
    }

    fn full(&self) -> bool {
        let many = self.counts.as_ref().is_some_and(|counts| counts.islands > svg::MOST_ISLANDS);
        self.format == LabelFormat::Svg && many
    }
}

impl LabelWriter<'_> {
    fn failed(&self, source: io::Error) -> TableError {
        TableError::Io { path: self.path.into(), doing: "write", source }
    }

    fn end(&mut self) -> Result<(), Failure> {
        let Some(counts) = &self.counts else { return Ok(()) };
        let most = svg::MOST_ISLANDS;
        match self.format {
            LabelFormat::Csv => Ok(()),
            LabelFormat::Json => writeln!(self.out, "\n]}}"),
            LabelFormat::Dot => {
                let letters: String = self.letters.iter().collect();
                let turns = match self.letters.len() {
                    2 if letters != "AB" => format!("  turns={};\n", quoted(&letters)),
                    _ => String::new(),
                };
                writeln!(self.out, "{turns}}}")
            }
            LabelFormat::Svg if counts.islands > most => {
                return Err(Failure::Input(format!(
                    "{} are too many for a picture, which takes {most}; write --format dot, csv or \
                     json",
                    several(counts.islands, "island")
                )));
            }
            LabelFormat::Svg => {
                let drawing = svg::islands(self.game, counts, &self.kept);
                self.out.write_all(drawing.as_bytes())
            }
        }
        .map_err(|source| self.failed(source).into())
    }
}

fn csv(island: &Island, out: &mut dyn Write) -> io::Result<()> {
    let Island { key, label, literal, .. } = island;
    let (key, letter, index) = (cell(key), label.letter(), label.index());
    match literal {
        Some(literal) => writeln!(out, "{key},{label},{letter},{index},{literal}"),
        None => writeln!(out, "{key},{label},{letter},{index}"),
    }
}

/// An island and its bridges. Keys name the nodes, and what a name does not tell is added, so that
/// the graph of a game whose keys end in whose turn it is can be read as a game again.
fn dot(island: &Island, out: &mut dyn Write) -> io::Result<()> {
    let (shape, colour) = match island.label {
        Label::G(_) => ("ellipse", "#9bd8ab"),
        Label::P(_) => ("box", "#f3aca5"),
        Label::T(_) => ("hexagon", "#f7dc93"),
    };
    let key = quoted(&island.key);
    let text = format!("{} = {}", island.key, island.label);
    let label = quoted(&text);
    let outcome = match (island.label, island.bridges.is_empty()) {
        (Label::P(_), true) => ", outcome=win",
        (Label::T(_), true) => ", outcome=tie",
        _ => "",
    };
    writeln!(out, "  {key} [label={label}, shape={shape}, fillcolor=\"{colour}\"{outcome}];")?;
    for bridge in &island.bridges {
        let how = match (bridge.best, bridge.again) {
            (true, true) => " [penwidth=3, color=\"#1d2733\", again=true]",
            (true, false) => " [penwidth=3, color=\"#1d2733\"]",
            (false, true) => " [again=true]",
            (false, false) => "",
        };
        writeln!(out, "  {key} -> {}{how};", quoted(&bridge.to))?;
    }
    Ok(())
}

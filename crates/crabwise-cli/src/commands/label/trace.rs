//! How the labels come about, round by round: as text, as JSON, and as a picture that moves.

use std::path::Path;

use crabwise::analysis::label::Draws;
use crabwise_api::analysis::{GivenLabel, LabelHead, LabelRound, LabelTrace};
use crabwise_session::{Islands, Propagation, Round, Rule, Target};

use crate::{
    args::{LabelArgs, LabelFormat},
    context::Context,
    error::Failure,
    output::{print, write_whole},
    svg::{self, LabelFrame, MOST_ISLANDS},
    text::{count, several},
};

/// Reasons that are told of one label.
const REASONS: usize = 4;

/// Refuses what rounds cannot be written as.
pub(super) fn suits(format: Option<LabelFormat>) -> Result<(), Failure> {
    match format {
        None | Some(LabelFormat::Json | LabelFormat::Svg) => Ok(()),
        Some(_) => Err(Failure::Input(
            "--trace is told as text, as JSON or as a picture: -o FILE.svg, -o FILE.json or no file".into(),
        )),
    }
}

pub(super) fn run(
    context: &Context,
    args: &LabelArgs,
    target: &Target,
    format: Option<LabelFormat>,
    file: Option<&Path>,
) -> Result<(), Failure> {
    let islands = super::whole(context, args, target)?.with_ends();
    if format == Some(LabelFormat::Svg) && islands.all.len() as u64 > MOST_ISLANDS {
        return Err(Failure::Input(format!(
            "{} are too many for a picture, which takes {MOST_ISLANDS}; leave out -o to have text",
            several(islands.all.len() as u64, "island")
        )));
    }
    let draws = args.traps.draws().unwrap_or(Draws::Deepest);
    let Propagation { rounds } = Propagation::of(&islands, draws);
    let game = target.built.string.as_str();
    let until = args.rounds.map_or(rounds.len(), |most| most.min(rounds.len()));
    let text = match format {
        None => text(game, &islands, &rounds[..until], args.most) + &rest(rounds.len() - until),
        Some(LabelFormat::Json) => crabwise_api::line(&json(game, &islands, &rounds[..until])),
        Some(_) => {
            let frames: Vec<LabelFrame> = (1..).zip(&rounds).map(frame).collect();
            svg::label_frames(game, &islands.counts, &islands.all, &frames, args.rounds)
        }
    };
    let Some(path) = file else { return print(&text) };
    let failed = |source| Failure::File { path: path.into(), source };
    write_whole(path, |out| out.write_all(text.as_bytes()).map_err(failed))?;
    let name = path.display().to_string();
    context.print(&LabelHead::new(game, &islands.counts, Some(name)), || {
        let written = several(until as u64, "round");
        super::head(game, &islands.counts, None)
            + &format!("\n{written} written to {}\n", path.display())
    })
}

fn frame((number, round): (usize, &Round)) -> LabelFrame {
    let islands = round.steps.iter().map(|step| step.island).collect();
    LabelFrame { caption: format!("round {number}: {}", words(round, number)), islands }
}

/// What gives the labels of a round.
fn words(round: &Round, number: usize) -> String {
    let before = number.saturating_sub(1);
    match round.rule {
        Rule::Ends => "no bridges: whoever is to move has lost, or the game says how it ended".into(),
        Rule::Backwards => format!(
            "a bridge to G{before} makes P{number}; bridges to P only, the last to P{before}, make G{number}"
        ),
        Rule::Traps => {
            "nothing more is won or lost: T; z is the largest P index among the bridges, where one leads to P".into()
        }
        Rule::Carried { z, moves } => {
            let away = several(moves.into(), "move");
            format!("bridges to T only: the smallest trap that can be reached has z = {z}, {away} away")
        }
        Rule::Untrapped => "bridges to T only, and no trap can be reached: z = 0".into(),
        Rule::Densities => {
            "nothing more is won or lost: T, with the density Z of the bridges".into()
        }
    }
}

fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::Ends => "ends",
        Rule::Backwards => "backwards",
        Rule::Traps => "traps",
        Rule::Carried { .. } => "carried",
        Rule::Untrapped => "untrapped",
        Rule::Densities => "densities",
    }
}

fn text(game: &str, islands: &Islands, rounds: &[Round], most: usize) -> String {
    let mut text = super::head(game, &islands.counts, None);
    for (number, round) in (1..).zip(rounds) {
        let several = several(round.steps.len() as u64, "island");
        text += &format!("\nround {number}, {several}: {}\n", words(round, number));
        for step in round.steps.iter().take(most) {
            let key = |island: &usize| islands.all[*island].key.as_str();
            let mut because: Vec<&str> = step.because.iter().take(REASONS).map(key).collect();
            if step.because.len() > REASONS {
                because.push("…");
            }
            let because = if because.is_empty() || round.rule == Rule::Densities {
                String::new()
            } else {
                format!(", by {}", because.join(" "))
            };
            text += &format!("{} = {}{because}\n", key(&step.island), step.label);
        }
        if round.steps.len() > most {
            let more = count((round.steps.len() - most) as u64);
            text += &format!("… and {more} more; --most N shows more\n");
        }
    }
    text
}

fn rest(rounds: usize) -> String {
    match rounds {
        0 => String::new(),
        _ => format!("\n… and {} more\n", several(rounds as u64, "round")),
    }
}

fn json<'a>(game: &'a str, islands: &'a Islands, rounds: &[Round]) -> LabelTrace<'a> {
    let key = |island: &usize| islands.all[*island].key.as_str();
    let round = |(number, round): (usize, &Round)| LabelRound {
        round: number,
        rule: rule(round.rule),
        words: words(round, number),
        islands: (round.steps.iter())
            .map(|step| GivenLabel {
                key: key(&step.island),
                label: step.label.to_string(),
                because: step.because.iter().map(key).collect(),
            })
            .collect(),
    };
    let head = LabelHead::new(game, &islands.counts, None);
    LabelTrace { head, rounds: (1..).zip(rounds).map(round).collect() }
}

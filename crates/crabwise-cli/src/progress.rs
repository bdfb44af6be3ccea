//! Showing how far a run is, and stopping it: on request, or when it outgrows its memory.
//!
//! On a terminal a bar; otherwise a line every couple of seconds, and none at all for work that is
//! done before the first would be due.

use std::{
    io::{IsTerminal, Write},
    sync::Mutex,
    time::{Duration, Instant},
};

use crabwise::{
    Plan,
    watch::{Bytes, Stage, Stop, TeamStage, Watch},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::{
    interrupt, machine,
    text::{count, seconds},
};

pub struct Progress {
    /// Bytes that may be resident.
    limit: u64,
    /// From where on a run is stopped.
    most: u64,
    /// Whether to print the plan.
    explain: bool,
    shown: Mutex<ScreenState>,
    /// What was told last of the workers of a cluster.
    team: Mutex<Option<TeamStage>>,
}

/// What is on the screen.
struct ScreenState {
    how: How,
    stage: Option<(&'static str, Option<u32>)>,
    /// When the stage began.
    since: Instant,
    /// When the last line was printed, or the run began.
    last: Instant,
}

enum How {
    Bar(ProgressBar),
    Lines,
    Silent,
}

/// How long a run may be silent.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a run may take beyond the program itself whatever the limit: where that is so small, the
/// prediction alone decides.
const TRIFLE: u64 = 8 << 20;

impl Progress {
    /// Of a run that may have this much memory resident.
    pub fn new(quiet: bool, limit: u64) -> Progress {
        let how = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => How::Silent,
            (false, true) => How::Bar(bar()),
            (false, false) => How::Lines,
        };
        interrupt::working();
        let now = Instant::now();
        let base = machine::resident().unwrap_or(0);
        let most = limit.max(base + TRIFLE);
        let shown = Mutex::new(ScreenState { how, stage: None, since: now, last: now });
        Progress { limit, most, explain: false, shown, team: Mutex::new(None) }
    }

    /// What was told last of the workers of a cluster.
    pub fn team(&self) -> Option<TeamStage> {
        self.team.lock().ok().and_then(|team| *team)
    }

    /// Prints the plan as soon as it is made.
    pub fn explaining(mut self, explain: bool) -> Progress {
        self.explain = explain;
        self
    }

    /// Hears how the game will be solved.
    pub fn planned(&self, plan: &Plan) {
        if self.explain
            && let Ok(shown) = self.shown.lock()
        {
            shown.say(&format!("plan: {plan}"));
        }
    }

    /// Nothing is worked on for a while: the bar goes, and Ctrl-C ends the program at once.
    pub fn rest(&self) {
        interrupt::resting();
        if let Ok(shown) = self.shown.lock()
            && let How::Bar(bar) = &shown.how
        {
            bar.finish_and_clear();
        }
    }

    fn stop(&self) -> Result<(), Stop> {
        interrupt::asked()?;
        match machine::resident() {
            Some(used) if used > self.most => Err(Stop::Memory { used, limit: self.limit }),
            _ => Ok(()),
        }
    }
}

impl Watch for Progress {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        interrupt::working();
        self.stop()?;
        if let Ok(mut team) = self.team.lock() {
            *team = stage.team.or(*team);
        }
        if let Ok(mut shown) = self.shown.lock() {
            shown.show(stage);
        }
        Ok(())
    }

    fn learnt(&self, line: &str) {
        if let Ok(mut shown) = self.shown.lock()
            && !matches!(shown.how, How::Silent)
            && shown.last.elapsed() >= PATIENCE
        {
            shown.last = Instant::now();
            shown.say(line);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.rest();
    }
}

impl ScreenState {
    fn show(&mut self, stage: &Stage) {
        let here = Some((stage.what, stage.tier));
        let new = self.stage != here;
        if new {
            (self.stage, self.since) = (here, Instant::now());
        }
        match &self.how {
            How::Bar(bar) => draw(bar, stage, new),
            How::Lines if self.last.elapsed() >= PATIENCE => {
                self.last = Instant::now();
                self.say(&line(stage, self.since.elapsed()));
            }
            How::Lines | How::Silent => {}
        }
    }

    fn say(&self, line: &str) {
        match &self.how {
            How::Bar(bar) => bar.suspend(|| complain(line)),
            How::Lines | How::Silent => complain(line),
        }
    }
}

/// Standard error may be closed; that is no reason to fail.
fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn bar() -> ProgressBar {
    ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
}

/// With a total there is a bar and an end in sight; without, only how many so far.
fn style(total: Option<u64>) -> ProgressStyle {
    let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = write!(out, "{}/s", count(state.per_sec() as u64));
    };
    let template = match total {
        Some(_) => "{msg} {wide_bar} {human_pos} of {human_len}  {rate}  {eta} left",
        None => "{msg} {human_pos}  {rate}  {elapsed}",
    };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", rate)
}

fn draw(bar: &ProgressBar, stage: &Stage, new: bool) {
    if new {
        bar.set_style(style(stage.total));
        bar.set_message(title(stage));
        bar.reset();
    }
    if stage.level.is_some() || stage.team.is_some() {
        bar.set_message(title(stage) + &team(stage));
    }
    if let Some(total) = stage.total {
        bar.set_length(total);
    }
    bar.set_position(stage.done);
}

fn title(stage: &Stage) -> String {
    let mut title = stage.what.to_string();
    if let Some(tier) = stage.tier {
        title += &format!(" tier {tier}");
    }
    if let Some(level) = stage.level {
        title += &format!(", level {level}");
    }
    title
}

/// How the workers of a cluster get on.
fn team(stage: &Stage) -> String {
    stage.team.map_or(String::new(), |TeamStage { workers, exchanged, slowest }| {
        format!("; {workers} workers, {} exchanged, worker {slowest} slowest", Bytes(exchanged))
    })
}

fn line(stage: &Stage, so_far: Duration) -> String {
    let rate = stage.done as f64 / so_far.as_secs_f64().max(0.001);
    let mut line = format!("{}: {}", title(stage), count(stage.done));
    if let Some(total) = stage.total {
        line += &format!(" of {}", count(total));
    }
    if stage.done > 0 {
        line += &format!(", {} a second", count(rate as u64));
        if let Some(total) = stage.total {
            let left = total.saturating_sub(stage.done) as f64 / rate.max(1.0);
            line += &format!(", {} left", seconds(left));
        }
    }
    line + &team(stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let stage = |total| Stage { done: 2_000_000, ..Stage::new("sweeping", Some(3), total) };
        let two = Duration::from_secs(2);
        assert_eq!(
            line(&stage(Some(5_000_000)), two),
            "sweeping tier 3: 2,000,000 of 5,000,000, 1,000,000 a second, 3.0 s left"
        );
        assert_eq!(line(&stage(None), two), "sweeping tier 3: 2,000,000, 1,000,000 a second");
        let team = Some(TeamStage { workers: 4, exchanged: 3 << 20, slowest: 2 });
        let stage = Stage { level: Some(17), team, ..stage(None) };
        assert_eq!(
            line(&stage, two),
            "sweeping tier 3, level 17: 2,000,000, 1,000,000 a second; 4 workers, 3.0 MiB exchanged, \
             worker 2 slowest"
        );
    }
}

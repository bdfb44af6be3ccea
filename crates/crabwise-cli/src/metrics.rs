//! How far a run is, as Prometheus reads it.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    thread,
    time::Instant,
};

use crabwise::watch::{Stage, Stop, Watch};

use crate::{error::Failure, machine, progress::Progress};

/// What is answered to every request, as long as the program runs.
pub struct Metrics {
    game: String,
    began: Instant,
    stage: Mutex<Option<Stage>>,
}

impl Metrics {
    /// Answers at an address from now on.
    pub fn serve(at: SocketAddr, game: &str) -> Result<Arc<Metrics>, Failure> {
        let failed = |error: std::io::Error| {
            Failure::Input(format!("--metrics: cannot listen at {at}: {error}"))
        };
        let metrics =
            Arc::new(Metrics { game: game.into(), began: Instant::now(), stage: Mutex::new(None) });
        let listener = std::net::TcpListener::bind(at).map_err(failed)?;
        let told = metrics.clone();
        thread::spawn(move || crabwise_web::tell(listener, "/metrics", move || told.text()));
        Ok(metrics)
    }

    /// Tells both the person and the programs that ask.
    pub fn watch<'a>(metrics: Option<&'a Arc<Metrics>>, progress: &'a Progress) -> Both<'a> {
        Both { metrics: metrics.map(|metrics| &**metrics), progress }
    }

    fn text(&self) -> String {
        let stage = self.stage.lock().ok().and_then(|stage| *stage);
        let mut text = String::new();
        let mut put = |name: &str, kind: &str, help: &str, labels: &str, value: f64| {
            let game = self.game.replace('\\', "\\\\").replace('"', "\\\"");
            text += &format!(
                "# HELP crabwise_{name} {help}\n# TYPE crabwise_{name} {kind}\n\
                 crabwise_{name}{{game=\"{game}\"{labels}}} {value}\n"
            );
        };
        let seconds = self.began.elapsed().as_secs_f64();
        put("run_seconds", "counter", "How long the run has taken.", "", seconds);
        if let Some(bytes) = machine::resident() {
            put("resident_bytes", "gauge", "Memory in use in this process.", "", bytes as f64);
        }
        let Some(stage) = stage else { return text };
        let what = format!(",stage=\"{}\"", stage.what);
        put("stage_positions", "gauge", "Positions done in this stage.", &what, stage.done as f64);
        if let Some(total) = stage.total {
            put("stage_total", "gauge", "Positions in this stage.", &what, total as f64);
        }
        if let Some(tier) = stage.tier {
            put("tier", "gauge", "The tier being solved.", "", tier.into());
        }
        if let Some(level) = stage.level {
            put("level", "gauge", "The distance from the ends being found.", "", level.into());
        }
        if let Some(team) = stage.team {
            let bytes = team.exchanged as f64;
            put("workers", "gauge", "Workers of all processes.", "", team.workers as f64);
            put("exchanged_bytes", "counter", "Bytes sent between workers.", "", bytes);
            let slowest = team.slowest as f64;
            put("slowest_worker", "gauge", "The worker that took longest lately.", "", slowest);
        }
        text
    }
}

/// A watcher that tells both.
pub struct Both<'a> {
    metrics: Option<&'a Metrics>,
    progress: &'a Progress,
}

impl Watch for Both<'_> {
    fn tell(&self, stage: &Stage) -> Result<(), Stop> {
        if let Some(metrics) = self.metrics
            && let Ok(mut latest) = metrics.stage.lock()
        {
            *latest = Some(*stage);
        }
        self.progress.tell(stage)
    }

    fn learnt(&self, line: &str) {
        self.progress.learnt(line);
    }
}

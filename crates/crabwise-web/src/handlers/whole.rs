//! A game as a whole: its statistics, the graph of its positions, all of them in a file.

use std::{
    io::{self, Write},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use crabwise::{
    Table, TableError,
    explore::digraph::Digraph,
    watch::{Count, Unwatched},
};
use crabwise_api::{
    rows::{RowFormat, RowWriter},
    value::Value,
};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use tokio::{runtime::Handle, sync::mpsc, time::timeout};

use crate::{
    error::{ApiError, Kind},
    open::OpenGame,
    patience::Patience,
    request::{Ask, Named},
    state::{self, AppState},
    values::known,
};

/// Statistics, if they have been counted; otherwise that must be asked for.
pub async fn stats(
    State(state): State<Arc<AppState>>,
    Ask(named): Ask<Named>,
) -> Result<Response, ApiError> {
    let open = state.opened(named).await?;
    let stats = tokio::task::spawn_blocking(move || match (open.stats()?, open.stamp()?) {
        (Some(stats), _) => Ok(stats),
        (None, Some(_)) => {
            let line = format!("{} has not been counted yet", open.string());
            Err(ApiError::needs("stats", line))
        }
        (None, None) => Err(ApiError::unsolved(open.string())),
    });
    let stats = stats.await.map_err(ApiError::internal)??;
    Ok(state::sent(stats.to_string()))
}

#[derive(Deserialize)]
pub struct GraphOf {
    #[serde(flatten)]
    named: Named,
    #[serde(default)]
    labels: Option<String>,
}

#[derive(Serialize)]
struct PositionGraph {
    nodes: Vec<PositionNode>,
    edges: Vec<PositionEdge>,
    impartial: bool,
}

#[derive(Serialize)]
struct PositionNode {
    position: String,
    /// What is written on it.
    text: String,
    value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    line: Vec<String>,
    layer: usize,
}

#[derive(Serialize)]
struct PositionEdge {
    from: usize,
    to: usize,
    names: Vec<String>,
    best: bool,
}

/// With more nodes than this nothing can be made out; so many does the command draw, too.
const MOST_NODES: usize = 5_000;

pub async fn graph(
    State(state): State<Arc<AppState>>,
    Ask(asked): Ask<GraphOf>,
) -> Result<Response, ApiError> {
    state
        .walk(asked.named.clone(), move |state, open| {
            let labels = asked.labels.as_deref() == Some("1");
            known(state, open, labels, |explorer| {
                let graph = Digraph::of(explorer, MOST_NODES, &Patience::new())?;
                let graph = graph.ok_or_else(|| too_many(open, MOST_NODES as u64, "a graph"))?;
                let mut layers = vec![0; graph.nodes.len()];
                for (layer, nodes) in graph.layers.iter().enumerate() {
                    nodes.iter().for_each(|&node| layers[node] = layer);
                }
                let label = |line: &[String]| -> Result<Option<String>, ApiError> {
                    if !labels {
                        return Ok(None);
                    }
                    Ok(explorer.look(line)?.label.map(|label| label.to_string()))
                };
                let (texts, impartial) = (graph.labels(), explorer.glance(&[])?.impartial);
                let (mut nodes, mut edges) = (vec![], vec![]);
                for (from, (node, text)) in graph.nodes.into_iter().zip(texts).enumerate() {
                    let (value, layer) = (node.value.into(), layers[from]);
                    let (label, line) = (label(&node.place.line)?, node.place.line);
                    nodes.push(PositionNode {
                        position: node.place.notation,
                        text,
                        value,
                        label,
                        line,
                        layer,
                    });
                    edges.extend(node.edges.into_iter().map(|edge| PositionEdge {
                        from,
                        to: edge.to,
                        names: edge.names,
                        best: edge.best,
                    }));
                }
                Ok(PositionGraph { nodes, edges, impartial })
            })
        })
        .await
}

fn too_many(open: &OpenGame, most: u64, what: &str) -> ApiError {
    let line =
        format!("{} has more than {} positions, too many for {what}", open.string(), Count(most));
    ApiError::new(Kind::TooLarge, line)
}

#[derive(Deserialize)]
pub struct ExportOf {
    #[serde(flatten)]
    named: Named,
    format: GraphFormat,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum GraphFormat {
    Csv,
    Json,
}

/// Larger games are exported by the command line.
const MOST_ROWS: u64 = 2_000_000;

/// All positions as a file that is written while it is sent.
pub async fn export(
    State(state): State<Arc<AppState>>,
    Ask(asked): Ask<ExportOf>,
) -> Result<Response, ApiError> {
    let (named, format) = (asked.named, asked.format);
    let turn = state.exports.now()?;
    let (asked, open) = (state.clone(), state.opened(named).await?);
    let open = tokio::task::spawn_blocking(move || exportable(&asked, open));
    let open = open.await.map_err(ApiError::internal)??;
    let (form, kind, ending) = match format {
        GraphFormat::Csv => (RowFormat::Csv, "text/csv; charset=utf-8", "csv"),
        GraphFormat::Json => (RowFormat::Json, "application/json", "json"),
    };
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let name: String = open.string().chars().map(letter).collect();
    let (sender, receiver) = mpsc::channel(4);
    let runtime = Handle::current();
    thread::Builder::new().name("export".into()).spawn(move || {
        let pipe = Pipe { sender, runtime, end: Instant::now() + LONGEST_EXPORT };
        let mut out = io::BufWriter::with_capacity(1 << 16, &pipe);
        let written = write(&state, &open, form, &mut out);
        // What is still in the buffer must not follow what went wrong.
        let _ = out.into_parts();
        if let Err(error) = written {
            // Cut off, so that nobody takes it for all.
            let _ = pipe.send(Err(io::Error::other(error.into_line())));
        }
        drop(turn);
    })?;
    let parts =
        stream::unfold(receiver, |mut receiver| async { Some((receiver.recv().await?, receiver)) });
    let file = format!("attachment; filename=\"{name}.{ending}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, file)];
    Ok((StatusCode::OK, headers, Body::from_stream(parts)).into_response())
}

fn exportable(state: &AppState, open: Arc<OpenGame>) -> Result<Arc<OpenGame>, ApiError> {
    open.stamp()?.ok_or_else(|| ApiError::unsolved(open.string()))?;
    let table = Table::open(&open.target.table)?;
    let slots = || (0..table.identity().tiers).map(|tier| table.len(tier)).sum();
    let counted = open.target.built.game.summary(&state.session.job(&open.target, &Unwatched))?;
    let positions = counted.map_or_else(slots, |summary| summary.counts.positions);
    if positions > MOST_ROWS {
        return Err(too_many(&open, MOST_ROWS, "a download; 'crabwise export' writes any number"));
    }
    Ok(open)
}

fn write(
    state: &AppState,
    open: &OpenGame,
    form: RowFormat,
    out: &mut dyn Write,
) -> Result<(), ApiError> {
    let failed = |source| TableError::Io { path: "download".into(), doing: "write", source };
    let start = open.target.built.game.board(&[])?.place.notation;
    let mut rows = RowWriter::new(form, &start);
    rows.begin(open.string(), out)?;
    let mut each = |row| rows.row(&row, out).map_err(failed);
    state.session.export(&open.target, &mut each, &Unwatched)?;
    rows.end(out)?;
    Ok(out.flush()?)
}

/// Sends what is written to it.
struct Pipe {
    sender: mpsc::Sender<io::Result<Bytes>>,
    runtime: Handle,
    end: Instant,
}

/// A reader who takes nothing for this long is gone.
const STALLED: Duration = Duration::from_secs(30);
/// Others want their turn, too.
const LONGEST_EXPORT: Duration = Duration::from_secs(15 * 60);

impl Pipe {
    fn send(&self, part: io::Result<Bytes>) -> io::Result<()> {
        let patience = STALLED.min(self.end.saturating_duration_since(Instant::now()));
        let sent = self.runtime.block_on(async { timeout(patience, self.sender.send(part)).await });
        match sent {
            Ok(Ok(())) => Ok(()),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }
}

impl Write for &Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.send(Ok(Bytes::copy_from_slice(bytes)))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

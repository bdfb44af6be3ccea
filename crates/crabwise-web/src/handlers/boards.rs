//! Games that people bring along: boards that they draw, graphs that they paste.
//!
//! Such a game is its text, which comes with every request about it; nothing is kept here. Its game string
//! names a file after what is in it, `cycles:drawn-1f0c….json`: so tables of different boards differ, and no
//! other text can be passed off for it.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use crabwise_api::drawing::Drawing;
use crabwise_games::Limits;
use crabwise_planar::write;
use serde::{Deserialize, Serialize};

use crate::{
    error::ApiError,
    open::stem_of,
    request::{Named, Sent},
    state::{AppState, json},
};

#[derive(Deserialize)]
pub struct Text {
    family: Family,
    format: BoardFormat,
    text: String,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Family {
    Cycles,
    Graph,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum BoardFormat {
    Json,
    Table,
    Csv,
    Dot,
    Edges,
    Rot,
}

#[derive(Serialize)]
struct BoardRead {
    game: String,
    file: String,
    drawing: Drawing,
    picture: String,
    moves: usize,
    /// A board as files: its name's ending, and the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<BoardFile>,
}

#[derive(Serialize)]
struct BoardFile {
    ending: &'static str,
    text: String,
}

/// A board in each form that is written.
fn board_files(name: &str, text: &str) -> Vec<BoardFile> {
    let Ok(board) = crabwise_planar::read(name, &mut text.as_bytes(), None, &Limits::NONE) else {
        return vec![];
    };
    let files = [
        ("json", write::json(&board)),
        ("table", write::table(&board)),
        ("dot", write::dot(&board)),
    ];
    files.map(|(ending, text)| BoardFile { ending, text }).into()
}

/// The game that a text makes, or what is wrong with it.
pub async fn read(
    State(state): State<Arc<AppState>>,
    Sent(sent): Sent<Text>,
) -> Result<Response, ApiError> {
    let Text { family, format, text } = sent;
    let family = match family {
        Family::Cycles => "cycles",
        Family::Graph => "graph",
    };
    let ending = match format {
        BoardFormat::Json => "json",
        BoardFormat::Table => "table",
        BoardFormat::Csv => "csv",
        BoardFormat::Dot => "dot",
        BoardFormat::Edges => "edges",
        BoardFormat::Rot => "rot",
    };
    let name = format!("{}.{ending}", stem_of(&text));
    let named = Named { game: format!("{family}:{name}"), file: Some(text) };
    let open = state.opened(named.clone()).await.map_err(|error| {
        // The text was sent without a name, so it has none here.
        error.reworded(|line| line.replace(&format!("{family}: {name}"), "this text"))
    })?;
    let board = name.clone();
    let cycles = family == "cycles";
    state
        .answer(move |_| {
            let file = named.file.unwrap_or_default();
            let files = if cycles { board_files(&board, &file) } else { vec![] };
            let board = open.target.built.game.board(&[])?;
            Ok(BoardRead {
                game: open.string().into(),
                file,
                drawing: board.picture.into(),
                picture: board.place.text,
                moves: board.moves.len(),
                files,
            })
        })
        .await
}

#[derive(Serialize)]
struct Gallery {
    boards: Vec<Hung>,
}

#[derive(Serialize)]
struct Hung {
    game: String,
    name: String,
    about: String,
}

/// Boards that have names.
pub async fn gallery() -> Response {
    let hung = |&(name, about, example): &(&str, &str, &str)| Hung {
        game: format!("cycles:{example}"),
        name: name.into(),
        about: about.into(),
    };
    let figure = |(board, about): (String, String)| Hung {
        game: format!("cycles:{board}"),
        name: board.replace('=', " "),
        about,
    };
    let families = crabwise_games::CYCLES_BOARDS.iter().map(hung);
    json(&Gallery {
        boards: families.chain(crabwise_games::cycles_figures().map(figure)).collect(),
    })
}

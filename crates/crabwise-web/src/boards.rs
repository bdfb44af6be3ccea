//! Games that people bring along: boards that they draw, graphs that they paste.
//!
//! Such a game is its text, which comes with every request about it; nothing is kept here. Its game string
//! names a file after what is in it, `cycles:drawn-1f0c….json`: so tables of different boards differ, and no
//! other text can be passed off for it.

use std::{
    io::{self, Cursor, Read},
    sync::Arc,
};

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::{
    house::{House, Named, json},
    position::Drawing,
    refusal::{Refusal, Sent},
};

/// The contents of the file that a game string names: what was sent along.
pub fn opened(named: &Named, name: &str) -> io::Result<Box<dyn Read>> {
    let missing = "files are not read here; the text of the file must be sent along";
    let text = named.file.clone().ok_or_else(|| io::Error::other(missing))?;
    let stem = name.split('.').next().unwrap_or_default();
    if stem != stem_of(&text) {
        return Err(io::Error::other(format!(
            "the text that was sent is another one's; it is called {}",
            stem_of(&text)
        )));
    }
    Ok(Box::new(Cursor::new(text)))
}

fn stem_of(text: &str) -> String {
    format!("drawn-{:032x}", xxh3_128(text.as_bytes()))
}

#[derive(Deserialize)]
pub struct Text {
    family: Family,
    format: Format,
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
enum Format {
    Json,
    Table,
    Csv,
    Dot,
    Edges,
}

#[derive(Serialize)]
struct Board {
    game: String,
    file: String,
    drawing: Drawing,
    picture: String,
    moves: usize,
}

/// The game that a text makes, or what is wrong with it.
pub async fn read(
    State(house): State<Arc<House>>,
    Sent(sent): Sent<Text>,
) -> Result<Response, Refusal> {
    house
        .answer(move |house| {
            let Text { family, format, text } = sent;
            let family = match family {
                Family::Cycles => "cycles",
                Family::Graph => "graph",
            };
            let ending = match format {
                Format::Json => "json",
                Format::Table => "table",
                Format::Csv => "csv",
                Format::Dot => "dot",
                Format::Edges => "edges",
            };
            let name = format!("{}.{ending}", stem_of(&text));
            let named = Named { game: format!("{family}:{name}"), file: Some(text) };
            let open = house.game(&named).map_err(|refusal| {
                // The name is nobody's business who has given none.
                let line = refusal.into_line();
                Refusal::bad(line.replace(&format!("{family}: {name}"), "this text"))
            })?;
            let board = open.built.game.board(&[])?;
            Ok(Board {
                game: open.string().into(),
                file: named.file.unwrap_or_default(),
                drawing: board.picture.into(),
                picture: board.text,
                moves: board.moves.len(),
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
    json(&Gallery { boards: crabwise_games::CYCLES_BOARDS.iter().map(hung).collect() })
}

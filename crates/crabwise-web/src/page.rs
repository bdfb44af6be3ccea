//! What the browser gets: the files of the page, which are part of the program.

use axum::{
    extract::Request,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{ApiError, Kind};

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)) as &[u8])),*]
    };
}

/// All files of the page.
const FILES: &[(&str, &[u8])] = files! {
    "analysis.js" "api.js" "app.js" "board.js" "boards.js" "chart.js" "cycles.js" "dark.js"
    "dom.js" "editor.js" "explore.js" "favicon.svg" "files.js" "focus.js" "game.js" "graph.js"
    "history.js" "home.js" "icons.js" "index.html" "jobs.js" "keys.js" "layout.js" "play.js"
    "rules.css" "rules.js" "state.js" "style.css" "tabs.js" "theme.js" "words.js" "zoom.js"
};

const OPENAPI: &str = include_str!("../openapi.json");

pub async fn file(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    match FILES.iter().find(|(name, _)| *name == path) {
        Some((name, bytes)) => sent(request.headers(), kind(name), bytes),
        None => ApiError::new(Kind::NotFound, "there is no such page").into_response(),
    }
}

pub async fn openapi(headers: HeaderMap) -> Response {
    sent(&headers, "application/json", OPENAPI.as_bytes())
}

/// A file, unless the browser has it already. It asks each time, so a new program is noticed at once.
fn sent(headers: &HeaderMap, kind: &'static str, bytes: &'static [u8]) -> Response {
    let tag = format!("\"{:016x}\"", xxh3_64(bytes));
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let about = [(header::ETAG, tag), (header::CACHE_CONTROL, "no-cache".to_string())];
    if known {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    (about, [(header::CONTENT_TYPE, kind)], bytes).into_response()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_part_of_the_program() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        let mut known: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        known.sort();
        assert_eq!(there, known);
        assert!(FILES.iter().all(|(name, _)| kind(name) != "application/octet-stream"));
    }
}

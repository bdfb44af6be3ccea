//! Why there is no answer: a sentence for people, a word and a status for programs.

use std::io;

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use crabwise::{
    SolveError, TableError,
    explore::LookError,
    watch::{Bytes, Stop},
};
use crabwise_games::BadGame;
use crabwise_hidden::HiddenError;
use crabwise_session as session;
use serde::Serialize;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub struct ApiError {
    kind: Kind,
    line: String,
    needs: Option<&'static str>,
}

/// What sort of reason it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// What was asked for makes no sense.
    BadRequest,
    /// It makes sense, and there is none.
    NotFound,
    /// Something has to be computed first.
    Unsolved,
    /// It would be too much.
    TooLarge,
    /// There is too much to do already.
    Busy,
    /// It did not come in time.
    TooSlow,
    /// A file on the server's side is damaged, or of something else.
    BadTable,
    /// The asker may not ask.
    Forbidden,
    /// A bug, or the machine fails.
    Internal,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::BadRequest => "bad-request",
            Kind::NotFound => "not-found",
            Kind::Unsolved => "unsolved",
            Kind::TooLarge => "too-large",
            Kind::Busy => "busy",
            Kind::TooSlow => "too-slow",
            Kind::BadTable => "bad-table",
            Kind::Forbidden => "forbidden",
            Kind::Internal => "internal",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Kind::BadRequest => StatusCode::BAD_REQUEST,
            Kind::NotFound => StatusCode::NOT_FOUND,
            Kind::Unsolved => StatusCode::CONFLICT,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::Busy => StatusCode::TOO_MANY_REQUESTS,
            Kind::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Kind::Forbidden => StatusCode::FORBIDDEN,
            Kind::BadTable | Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl ApiError {
    pub fn new(kind: Kind, line: impl Into<String>) -> ApiError {
        ApiError { kind, line: plain(&line.into()), needs: None }
    }

    /// Something has to be computed first, by a job of this kind.
    pub fn needs(job: &'static str, line: impl Into<String>) -> ApiError {
        ApiError { needs: Some(job), ..ApiError::new(Kind::Unsolved, line) }
    }

    /// The game has to be solved first.
    pub fn unsolved(game: &str) -> ApiError {
        ApiError::needs("solve", format!("{game} has not been solved yet"))
    }

    pub fn bad(line: impl Into<String>) -> ApiError {
        ApiError::new(Kind::BadRequest, line)
    }

    pub fn internal(error: impl std::fmt::Display) -> ApiError {
        ApiError::new(Kind::Internal, format!("the server fails: {error}"))
    }

    pub fn is_too_large(&self) -> bool {
        self.kind == Kind::TooLarge
    }

    pub fn into_line(self) -> String {
        self.line
    }

    /// The same in other words.
    pub fn reworded(self, words: impl FnOnce(&str) -> String) -> ApiError {
        ApiError { line: words(&self.line), ..self }
    }

    /// The same without the places of files, which are nobody's concern but the server's.
    pub fn without(self, places: &[String]) -> ApiError {
        self.reworded(|line| places.iter().fold(line.into(), |line, place| line.replace(place, "")))
    }
}

/// How long a sentence may be: it may quote what was sent.
const LONGEST: usize = 2_000;

/// A sentence on one line and not too long, in which nothing steers a terminal or turns the reading around.
fn plain(line: &str) -> String {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut text = String::with_capacity(line.len().min(LONGEST));
    for c in line.chars() {
        if text.len() > LONGEST {
            text.push('…');
            break;
        }
        match steers(c) {
            true => text.extend(c.escape_unicode()),
            false => text.push(c),
        }
    }
    text
}

#[derive(Serialize)]
struct Body {
    error: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ApiError { kind, line, needs } = self.clone();
        let body = Body { error: line, kind: kind.name(), needs };
        let mut response = (kind.status(), Json(body)).into_response();
        // For the guard, who knows what must not be told.
        response.extensions_mut().insert(self);
        response
    }
}

impl From<session::Error> for ApiError {
    fn from(error: session::Error) -> ApiError {
        use session::Error;
        let line = error.to_string();
        match error {
            Error::Game(bad) => bad.into(),
            Error::Solve(error) => error.into(),
            Error::Look(error) => error.into(),
            Error::Stopped { stop, .. } | Error::Uncounted { stop, .. } => stop.into(),
            Error::NoTable { game, .. } | Error::NoSearch { game } => ApiError::unsolved(&game),
            Error::NeedsTable { .. } => ApiError::needs("solve", line),
            Error::Foreign { .. } => ApiError::bad(line),
            Error::Unstored(_) => ApiError::new(Kind::BadTable, line),
            Error::Lost { .. } => ApiError::internal(line),
        }
    }
}

impl From<BadGame> for ApiError {
    fn from(bad: BadGame) -> ApiError {
        let kind = match bad {
            BadGame::Unknown { .. } => Kind::NotFound,
            BadGame::NoRoom { .. } => Kind::TooLarge,
            _ => Kind::BadRequest,
        };
        ApiError::new(kind, bad.to_string())
    }
}

impl From<LookError> for ApiError {
    fn from(error: LookError) -> ApiError {
        match error {
            LookError::Table(error) => error.into(),
            error => ApiError::bad(error.to_string()),
        }
    }
}

impl From<TableError> for ApiError {
    fn from(error: TableError) -> ApiError {
        let line = error.to_string();
        match error {
            TableError::Stopped(stop) => stop.into(),
            TableError::Absent { .. } => ApiError::new(Kind::NotFound, line),
            _ => ApiError::new(Kind::BadTable, line),
        }
    }
}

impl From<SolveError> for ApiError {
    fn from(error: SolveError) -> ApiError {
        let line = error.to_string();
        match error {
            SolveError::Table(error) => error.into(),
            SolveError::Stopped(stop) | SolveError::Uncounted(stop) => stop.into(),
            SolveError::NoMemory { .. }
            | SolveError::TooLarge { .. }
            | SolveError::Alike { .. } => ApiError::new(Kind::TooLarge, line),
            SolveError::NeedsDistances { .. } | SolveError::Untabled { .. } => ApiError::bad(line),
            _ => ApiError::internal(line),
        }
    }
}

impl From<HiddenError> for ApiError {
    fn from(error: HiddenError) -> ApiError {
        match error {
            HiddenError::Room { .. } => ApiError::new(Kind::TooLarge, error.to_string()),
            HiddenError::Contract(_) => ApiError::internal(error),
            HiddenError::Stopped(stop) => stop.into(),
            HiddenError::Solve(error) => error.into(),
        }
    }
}

impl From<Stop> for ApiError {
    fn from(stop: Stop) -> ApiError {
        match stop {
            Stop::Cancelled => ApiError::new(Kind::TooLarge, "this takes too long to be answered"),
            Stop::Memory { limit, .. } => {
                let line = format!("this takes more than the {} allowed", Bytes(limit));
                ApiError::new(Kind::TooLarge, line)
            }
        }
    }
}

impl From<io::Error> for ApiError {
    fn from(error: io::Error) -> ApiError {
        ApiError::internal(error)
    }
}

pub async fn no_such_address() -> ApiError {
    ApiError::new(Kind::NotFound, "no such address; /api/openapi.json lists those there are")
}

pub async fn no_such_method() -> (StatusCode, ApiError) {
    let line = "this address is not for that method; /api/openapi.json lists those there are";
    (StatusCode::METHOD_NOT_ALLOWED, ApiError::new(Kind::BadRequest, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_plain_and_name_no_places() {
        let error = ApiError::bad("no 'a\u{1b}[31m\u{202e}' in /srv/tables/a.crab\n");
        let line = error.without(&["/srv/tables/".into()]).into_line();
        assert_eq!(line, "no 'a\\u{1b}[31m\\u{202e}' in a.crab\\u{a}");
        assert!(ApiError::bad("x".repeat(70_000)).into_line().len() < LONGEST + 10);
    }
}

//! Why there is no answer: a sentence for people, a word and a status for programs.

use std::io;

use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use crabwise::{
    SolveError, TableError,
    explore::LookError,
    watch::{Bytes, Stop},
};
use crabwise_games::BadGame;
use crabwise_hidden::HiddenError;
use serde::{Serialize, de::DeserializeOwned};

/// Why there is no answer.
#[derive(Debug)]
pub struct Refusal {
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
    /// A file on the server's side is damaged, or of something else.
    BadTable,
    /// Whoever asks is not allowed to.
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
            Kind::Forbidden => StatusCode::FORBIDDEN,
            Kind::BadTable | Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl Refusal {
    pub fn new(kind: Kind, line: impl Into<String>) -> Refusal {
        Refusal { kind, line: line.into(), needs: None }
    }

    /// Something has to be computed first, by a job of this kind.
    pub fn needs(job: &'static str, line: impl Into<String>) -> Refusal {
        Refusal { kind: Kind::Unsolved, line: line.into(), needs: Some(job) }
    }

    pub fn bad(line: impl Into<String>) -> Refusal {
        Refusal::new(Kind::BadRequest, line)
    }

    pub fn internal(error: impl std::fmt::Display) -> Refusal {
        Refusal::new(Kind::Internal, format!("the server fails: {error}"))
    }

    pub fn is_too_large(&self) -> bool {
        self.kind == Kind::TooLarge
    }

    pub fn into_line(self) -> String {
        self.line
    }
}

#[derive(Serialize)]
struct Body {
    error: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Refusal { kind, line, needs } = self;
        (kind.status(), Json(Body { error: line, kind: kind.name(), needs })).into_response()
    }
}

impl From<BadGame> for Refusal {
    fn from(bad: BadGame) -> Refusal {
        let kind = match bad {
            BadGame::Unknown { .. } => Kind::NotFound,
            _ => Kind::BadRequest,
        };
        Refusal::new(kind, bad.to_string())
    }
}

impl From<LookError> for Refusal {
    fn from(error: LookError) -> Refusal {
        match error {
            LookError::Table(error) => error.into(),
            error => Refusal::bad(error.to_string()),
        }
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        let line = error.to_string();
        match error {
            TableError::Stopped(stop) => stop.into(),
            TableError::Absent { .. } => Refusal::new(Kind::NotFound, line),
            _ => Refusal::new(Kind::BadTable, line),
        }
    }
}

impl From<SolveError> for Refusal {
    fn from(error: SolveError) -> Refusal {
        let line = error.to_string();
        match error {
            SolveError::Table(error) => error.into(),
            SolveError::Stopped(stop) => stop.into(),
            SolveError::NoRoom { .. } | SolveError::NoMemory { .. } | SolveError::Walk(_) => {
                Refusal::new(Kind::TooLarge, line)
            }
            SolveError::Untold { .. } => Refusal::bad(line),
            _ => Refusal::internal(line),
        }
    }
}

impl From<HiddenError> for Refusal {
    fn from(error: HiddenError) -> Refusal {
        match error {
            HiddenError::Room { .. } => Refusal::new(Kind::TooLarge, error.to_string()),
            HiddenError::Contract(_) => Refusal::internal(error),
            HiddenError::Stopped(stop) => stop.into(),
            HiddenError::Solve(error) => error.into(),
        }
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        match stop {
            Stop::Cancelled => Refusal::new(Kind::TooLarge, "this takes too long to be answered"),
            Stop::Memory { limit, .. } => {
                let line = format!("this takes more than the {} allowed", Bytes(limit));
                Refusal::new(Kind::TooLarge, line)
            }
        }
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Refusal {
        Refusal::internal(error)
    }
}

/// What a request asks for behind the question mark.
pub struct Ask<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Ask<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Ask<T>, Refusal> {
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Ask(asked)),
            Err(error) => Err(Refusal::bad(error.body_text())),
        }
    }
}

/// What a request sends as JSON.
pub struct Sent<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Sent<T>, Refusal> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(sent)) => Ok(Sent(sent)),
            Err(error) => Err(refused(&error)),
        }
    }
}

fn refused(error: &JsonRejection) -> Refusal {
    let kind = match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Kind::TooLarge,
        _ => Kind::BadRequest,
    };
    Refusal::new(kind, error.body_text())
}

pub async fn no_such_address() -> Refusal {
    Refusal::new(Kind::NotFound, "no such address; /api/openapi.json lists those there are")
}

pub async fn no_such_method() -> (StatusCode, Refusal) {
    let line = "this address is not for that method; /api/openapi.json lists those there are";
    (StatusCode::METHOD_NOT_ALLOWED, Refusal::new(Kind::BadRequest, line))
}

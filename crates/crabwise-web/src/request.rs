//! What requests ask for, and how much of it there may be.

use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Path, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
};
use serde::{Deserialize, de::DeserializeOwned};

use crate::error::{ApiError, Kind};

/// The most bytes that a request may send.
pub const LARGEST_BODY: usize = 64 << 10;
/// The most bytes behind the question mark of an address.
pub const LONGEST_QUERY: usize = 60 << 10;
/// The longest game string.
pub const LONGEST_GAME: usize = 300;
/// The longest line of moves, in bytes and in words.
pub const LONGEST_LINE: (usize, usize) = (16 << 10, 2_000);
/// The longest text that stands for a file.
pub const LONGEST_FILE: usize = 32 << 10;

/// The game that a request is about.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub game: String,
    /// The text of the file that the game string names.
    #[serde(default)]
    pub file: Option<String>,
}

impl Named {
    /// How many bytes it has itself.
    pub fn bytes(&self) -> u64 {
        (self.game.len() + self.file.as_ref().map_or(0, String::len)) as u64
    }

    /// Whether it is one that must be read or laid out.
    pub fn is_board(&self) -> bool {
        self.file.is_some() || self.game.starts_with("cycles")
    }

    /// Refuses what is too long.
    pub fn bounded(&self) -> Result<(), ApiError> {
        if self.game.len() > LONGEST_GAME {
            let line = format!("a game string has at most {LONGEST_GAME} letters");
            return Err(ApiError::new(Kind::TooLarge, line));
        }
        if self.file.as_ref().is_some_and(|text| text.len() > LONGEST_FILE) {
            let line = format!("a file is sent in at most {LONGEST_FILE} bytes");
            return Err(ApiError::new(Kind::TooLarge, line));
        }
        Ok(())
    }
}

/// A position that is asked for.
#[derive(Deserialize)]
pub struct Where {
    game: String,
    file: Option<String>,
    #[serde(default)]
    line: String,
    /// Whether even positions are told apart by their traps.
    #[serde(default)]
    labels: u8,
}

impl Where {
    pub fn named(&self) -> Named {
        Named { game: self.game.clone(), file: self.file.clone() }
    }

    pub fn words(&self) -> Result<Vec<String>, ApiError> {
        words(&self.line)
    }

    pub fn labels(&self) -> bool {
        self.labels != 0
    }
}

/// A line of moves as words, if it is not too long.
pub fn words(line: &str) -> Result<Vec<String>, ApiError> {
    let (bytes, most) = LONGEST_LINE;
    let words: Vec<String> = line.split_whitespace().map(String::from).collect();
    if line.len() > bytes || words.len() > most {
        let line = format!("a line has at most {most} moves, in {bytes} bytes");
        return Err(ApiError::new(Kind::TooLarge, line));
    }
    Ok(words)
}

/// A number of a request: with other words beside it, it comes as text.
pub fn number(text: Option<&str>, name: &str, usual: u64) -> Result<u64, ApiError> {
    match text {
        None | Some("") => Ok(usual),
        Some(text) => {
            text.parse().map_err(|_| ApiError::bad(format!("{name}: '{text}' is no number")))
        }
    }
}

/// What a request asks for behind the question mark.
pub struct Ask<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Ask<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Ask<T>, ApiError> {
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(asked)) => Ok(Ask(asked)),
            Err(error) => Err(ApiError::bad(error.body_text())),
        }
    }
}

/// What an address names: the id of a job.
pub struct Called(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Called {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Called, ApiError> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(name)) => Ok(Called(name)),
            Err(error) => Err(ApiError::bad(error.body_text())),
        }
    }
}

/// What a request sends as JSON.
pub struct Sent<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Sent<T>, ApiError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(sent)) => Ok(Sent(sent)),
            Err(error) => Err(refused(&error)),
        }
    }
}

fn refused(error: &JsonRejection) -> ApiError {
    let kind = match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Kind::TooLarge,
        _ => Kind::BadRequest,
    };
    ApiError::new(kind, error.body_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_an_end() {
        assert_eq!(words(" a1  b2 ").unwrap(), ["a1", "b2"]);
        assert!(words(&"a ".repeat(2_001)).is_err());
        assert!(words(&"a".repeat(17_000)).is_err());
    }
}

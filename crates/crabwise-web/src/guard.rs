//! What every request passes: who may ask, what the answer may do in a browser, how much may be sent.
//!
//! A page from elsewhere could make a browser ask a server on the same machine, by a name of its own for
//! the loopback address. So where only this machine may ask, a request must call the server by a name of
//! the loopback; browsers tell when a page from elsewhere makes them ask, which is refused; and what is
//! posted must be JSON, which such pages cannot send. What is sent must come soon, as a whole, before anybody works
//! on it; and no error that leaves here names a place of this machine.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    body::{Body, HttpBody, to_bytes},
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::time::timeout;

use crate::{
    connections::Place,
    error::{ApiError, Kind},
    request::{LARGEST_BODY, LONGEST_QUERY},
    state::AppState,
};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// How long the body of a request may take.
const LONGEST_BODY: Duration = Duration::from_secs(10);

pub async fn guard(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let place = request.extensions().get::<Arc<Place>>().cloned();
    let mut response = match admitted(&state, request).await {
        Ok(request) => {
            place.iter().for_each(|place| place.work());
            next.run(request).await
        }
        Err(error) => error.into_response(),
    };
    place.iter().for_each(|place| place.rest());
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        let status = response.status();
        response = state.jobs.told(error).into_response();
        *response.status_mut() = status;
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // Values change when tables do; what may be kept says so itself.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// A request that may be answered, as a whole.
async fn admitted(state: &AppState, request: Request) -> Result<Request, ApiError> {
    if let Some(line) = refused(state, &request) {
        return Err(ApiError::new(Kind::Forbidden, line));
    }
    if request.uri().query().is_some_and(|query| query.len() > LONGEST_QUERY) {
        let line = format!("what is asked for has at most {LONGEST_QUERY} bytes");
        return Err(ApiError::new(Kind::TooLarge, line));
    }
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return Ok(Request::from_parts(parts, Body::empty()));
    }
    let too_large = || {
        let line = format!("what is sent has at most {LARGEST_BODY} bytes");
        ApiError::new(Kind::TooLarge, line)
    };
    if body.size_hint().lower() > LARGEST_BODY as u64 {
        return Err(too_large());
    }
    match timeout(LONGEST_BODY, to_bytes(body, LARGEST_BODY)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, bytes.into())),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => {
            let line = format!("what is sent must come within {} seconds", LONGEST_BODY.as_secs());
            Err(ApiError::new(Kind::TooSlow, line))
        }
    }
}

/// Why a request is refused, if it is.
fn refused(state: &AppState, request: &Request) -> Option<&'static str> {
    let told = |name| {
        let mut values = request.headers().get_all(name).iter();
        let first = values.next().map(|value| value.to_str().unwrap_or_default());
        // Of two that differ nobody knows who heeds which.
        if values.next().is_some() { Some("") } else { first }
    };
    let (host, uri) = (told("host"), request.uri().authority());
    let names = host.into_iter().chain(uri.map(|name| name.as_str()));
    if state.is_local() && (host.is_none() || !names.into_iter().all(is_loopback)) {
        return Some("only this machine may ask, as localhost or 127.0.0.1");
    }
    match told("sec-fetch-site") {
        // The browser itself says so, also where a proxy calls the server by another name.
        Some("same-origin" | "none") => return None,
        Some(_) if request.uri().path().starts_with("/api/") => return Some(ELSEWHERE),
        _ => {}
    }
    // What a page of this server asks comes from where it asks.
    let own = |name: &str| host.is_some_and(|host| host.eq_ignore_ascii_case(name));
    let own = |origin: &str| origin.split_once("://").is_some_and(|(_, name)| own(name));
    told("origin").is_some_and(|origin| !own(origin)).then_some(ELSEWHERE)
}

const ELSEWHERE: &str = "pages from elsewhere may not ask";

/// Whether a name that a server is called by, perhaps with a port, is one of the loopback.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, "")) => (name, None),
        Some((name, rest)) => match rest.strip_prefix(':') {
            Some(port) => (name, Some(port)),
            None => return false,
        },
        None => host.split_once(':').map_or((host, None), |(name, port)| (name, Some(port))),
    };
    let digits = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    port.is_none_or(digits)
        && (name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_loopback() {
        for host in ["localhost", "LOCALHOST:7777", "127.0.0.1:1", "127.1.2.3", "[::1]:80", "[::1]"]
        {
            assert!(is_loopback(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "localhost.example.org:80",
            "10.0.0.1:7777",
            "[::2]:1",
            "[::1]evil",
            "[::1]:80evil",
            "[::1",
            "::1",
            "localhost:",
            "localhost:80@evil",
            "127.0.0.1:80:80",
        ] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}

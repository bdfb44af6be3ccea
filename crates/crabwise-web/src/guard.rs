//! What every request passes: who may ask, what the answer may do in a browser, how much may be sent.
//!
//! A page from elsewhere could make a browser ask a server on the same machine, by a name of its own for
//! the loopback address. So where only this machine may ask, a request must call the server by a name of
//! the loopback; browsers tell when a page from elsewhere makes them ask, which is refused; and what is
//! posted must be JSON, which such pages cannot send.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{
    error::{ApiError, Kind},
    state::AppState,
};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

pub async fn guard(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let line = refused(&state, &request);
    let mut response = match line {
        Some(line) => ApiError::new(Kind::Forbidden, line).into_response(),
        None => next.run(request).await,
    };
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

/// Why a request is refused, if it is.
fn refused(state: &AppState, request: &Request) -> Option<&'static str> {
    let told = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    if state.is_local() && !told("host").is_some_and(is_loopback) {
        return Some("only this machine may ask, as localhost or 127.0.0.1");
    }
    let elsewhere =
        told("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
    (elsewhere && request.uri().path().starts_with("/api/"))
        .then_some("pages from elsewhere may not ask")
}

/// Whether a name that a server is called by, perhaps with a port, is one of the loopback.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
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
        for host in ["", "example.org", "localhost.example.org:80", "10.0.0.1:7777", "[::2]:1"] {
            assert!(!is_loopback(host), "{host}");
        }
    }
}

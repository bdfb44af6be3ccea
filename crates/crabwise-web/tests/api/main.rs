//! The server as programs see it.

mod client;
mod dark;
mod docs;
mod jobs;
mod positions;
mod safety;

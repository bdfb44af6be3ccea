//! The server as programs see it.

mod dark;
mod desk;
mod docs;
mod jobs;
mod positions;
mod safety;

//! The server as programs see it.

mod attack;
mod client;
mod dark;
mod docs;
mod jobs;
mod load;
mod positions;
mod safety;
mod wire;

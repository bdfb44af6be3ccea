//! The games as a user asks for them, by name. All of it is one binary, which links everything once.

mod advice;
mod black_hole;
mod contracts;
mod corpus;
mod graph_files;
mod hidden;
mod isolation;
mod pictures;
mod playthroughs;
mod readable;
mod rules;
mod walked;

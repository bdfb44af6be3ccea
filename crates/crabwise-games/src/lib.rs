//! The games that Crabwise knows, and the registry that finds them by name.
//!
//! A game string is a name and its parameters, `connect-four:5x4`. To add a game: one file with
//! its rules beside these, one line in [`Registry::standard`].
#![deny(missing_docs)]

mod achi;
mod black_hole;
pub mod board_drawing;
mod boxers;
mod chess;
mod chomp;
mod connect_four;
mod cram;
mod cycles;
mod dao;
mod dark;
#[cfg(test)]
mod differential_tests;
mod dodgem;
mod domineering;
mod dots_and_boxes;
mod draughts;
mod entry;
pub mod faced;
mod fox_and_hounds;
mod graph;
pub mod grid;
mod hex;
mod isolation;
mod kayles;
mod l_game;
mod liars_dice;
mod mnk;
mod mu_torere;
mod nim;
pub mod notation;
mod othello;
mod params;
mod pennies;
mod poker;
mod pong_hau_ki;
mod quixo;
mod registry;
mod rock_paper_scissors;
mod rules;
mod stones;
mod tokens;
#[cfg(test)]
mod views;

pub use crabwise_graphfile::Limits;
pub use crabwise_planar::{families::FAMILIES as CYCLES_BOARDS, figures::all as cycles_figures};
pub use entry::{BadGame, Built, Entry};
pub use params::{Open, Params};
pub use registry::{IsHidden, Registry};
pub use rules::rules_bounds;

//! Equilibria by linear programs, and proofs of their values.

mod basis;
mod double_oracle;
mod elimination;
mod lifting;
mod lp;
mod lp_backend;
mod rational;
mod rounding;

pub use self::{
    lp::ExactEquilibrium,
    lp_backend::{LpBackend, LpError},
    rational::Fraction,
};

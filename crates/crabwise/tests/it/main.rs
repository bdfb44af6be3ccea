//! The library from outside: solvers, labels and decisions against their definitions, and the mistakes of users.

mod agree;
mod compound;
mod graphs;
mod labels;
mod mistakes;

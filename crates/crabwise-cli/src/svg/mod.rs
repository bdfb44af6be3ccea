//! Drawings, written by hand as SVG: no crate at hand draws hatched bars or islands.
//!
//! Colours are never the only difference.

mod histogram;
mod islands;

pub use self::{
    histogram::histogram,
    islands::{MOST_ISLANDS, islands},
};

/// Writing to a string does not fail.
macro_rules! put {
    ($out:expr, $($what:tt)*) => { let _ = writeln!($out, $($what)*); };
}
use put;

/// The head of a drawing of this size.
fn head(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n"
    )
}

/// Text as it may stand in an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

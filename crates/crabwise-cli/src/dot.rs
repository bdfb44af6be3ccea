//! Text in the language of Graphviz.

/// A quoted DOT string, its lines beginning at the left, as a picture needs it.
pub fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting() {
        assert_eq!(quoted("a\"\\\nb"), "\"a\\\"\\\\\\lb\"");
    }
}

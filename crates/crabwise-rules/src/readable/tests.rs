use super::*;
use crate::{check::check, examples::EXAMPLES, report::printed};

#[test]
fn examples_are_read_and_checked() {
    for (name, text) in EXAMPLES {
        let program =
            read(text, &[]).unwrap_or_else(|mistakes| panic!("{}", printed(&mistakes, name, text)));
        let mistakes = check(&program);
        assert!(mistakes.is_empty(), "{}\n{program}", printed(&mistakes, name, text));
        assert!(text.lines().count() <= 30);
    }
}

#[test]
fn show() {
    let Ok(name) = std::env::var("SHOW") else { return };
    let text = EXAMPLES.iter().find(|(known, _)| *known == name).unwrap().1;
    println!("{}", read(text, &[]).unwrap());
}

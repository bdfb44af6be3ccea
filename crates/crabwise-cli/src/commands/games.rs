//! `crabwise games`: what can be solved.

use crabwise_api::games::Games;
use crabwise_games::Entry;

use crate::{context::Context, error::Failure};

pub fn run(context: &Context) -> Result<(), Failure> {
    let registry = context.session.registry();
    let names = registry.entries().iter().map(|entry| entry.name);
    let names = names.chain(registry.hidden().iter().map(|entry| entry.name));
    let width = names.map(str::len).max().unwrap_or(0);
    let text = || {
        let open = registry.entries().iter().map(|entry| lines(entry, width));
        let hidden = registry.hidden().iter().map(|entry| lines(entry, width));
        let (open, hidden) = (open.collect::<String>(), hidden.collect::<String>());
        match hidden.is_empty() {
            true => open,
            false => format!("{open}\nwith hidden information:\n\n{hidden}"),
        }
    };
    context.print(&Games::new(registry), text)
}

fn lines<G>(entry: &Entry<G>, width: usize) -> String {
    let mut text = format!("{:width$}  {}\n", entry.name, entry.about);
    if !entry.parameters.is_empty() {
        text += &format!("{:width$}  {}\n", "", entry.parameters);
    }
    text + &format!("{:width$}  example: {}\n", "", entry.example)
}

//! `crabwise games`: what can be solved.

use crate::{error::Failure, json, setting::Setting};

pub fn run(setting: &Setting) -> Result<(), Failure> {
    let entries = setting.registry.entries();
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let text = || {
        let mut text = String::new();
        for entry in entries {
            text += &format!("{:width$}  {}\n", entry.name, entry.about);
            if !entry.parameters.is_empty() {
                text += &format!("{:width$}  {}\n", "", entry.parameters);
            }
            text += &format!("{:width$}  example: {}\n", "", entry.example);
        }
        text
    };
    setting.print(&json::Games::new(entries), text)
}

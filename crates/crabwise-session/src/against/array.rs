//! A published array: a byte for each code of a position.

use std::io::{ErrorKind, Read};

use crabwise::{
    TableError,
    watch::{Stop, Watch},
};

use super::{Comparison, Difference};
use crate::{Error, Session, Target};

impl Session {
    pub(super) fn compare_array(
        &self,
        target: &Target,
        file: &mut dyn Read,
        watch: &dyn Watch,
        foreign: &dyn Fn(String) -> Error,
    ) -> Result<Comparison, Error> {
        let game = &target.built.game;
        let (mut found, mut code) = (Comparison::of("the original's array"), 0);
        let mut theirs = vec![];
        let mut broken = None;
        let job = self.job(target, watch);
        let done = game.export_published(&job, (0, false), &mut |_, files| {
            let ours = &files[0];
            theirs.resize(ours.len(), 0);
            if let Err(error) = file.read_exact(&mut theirs) {
                broken = Some(match error.kind() {
                    ErrorKind::UnexpectedEof => "became shorter while it was read".into(),
                    _ => error.to_string(),
                });
                // What went wrong is told below.
                return Err(TableError::Stopped(Stop::Cancelled));
            }
            for (our, their) in ours.iter().zip(&theirs) {
                found.compared += 1;
                if our != their {
                    let told = |byte: u8| match game.published_meaning(byte) {
                        Some(value) => value.to_string(),
                        None => "never reached".into(),
                    };
                    found.differ(|| Difference {
                        place: format!("byte {code}"),
                        position: game.published_position(code).unwrap_or_else(|| "none".into()),
                        file: told(*their),
                        table: told(*our),
                    });
                }
                code += 1;
            }
            Ok(())
        });
        match broken {
            Some(why) => Err(foreign(why)),
            None => self.told(done).map(|()| found),
        }
    }
}

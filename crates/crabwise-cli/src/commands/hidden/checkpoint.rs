//! A run that is not done, in a file beside the strategies that are to come of it.

use std::{
    error::Error,
    fs,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use crabwise::table::open_plain;
use crabwise_hidden::equilibrium::{Checkpoint, EquilibriumError, Method, Options, Saving};

use crate::{error::Failure, output::write_whole};

pub struct PartFile {
    path: PathBuf,
    anew: bool,
}

impl PartFile {
    /// The file for a run: named after all that another run must have in common with it to go on.
    pub fn new(strategies: &Path, method: Method, options: &Options, anew: bool) -> PartFile {
        let mut ending = format!(".{}", method.name());
        if options.simultaneous {
            ending += "-simultaneous";
        }
        if options.order_free {
            ending += "-order-free";
        }
        if options.whole {
            ending += "-whole";
        }
        if options.walked {
            ending += "-walked";
        }
        if method.is_random() {
            ending += &format!("-{}", options.seed);
        }
        let mut name = strategies.as_os_str().to_owned();
        name.push(ending + ".part");
        PartFile { path: name.into(), anew }
    }
}

impl Checkpoint for PartFile {
    fn open(&self) -> Option<Box<dyn Read>> {
        let file = if self.anew { None } else { open_plain(&self.path).ok() };
        Some(Box::new(BufReader::new(file?)))
    }

    fn keep(&self, save: Saving) -> Result<(), Box<dyn Error + Send + Sync>> {
        let failed = |source: io::Error| Failure::File { path: self.path.clone(), source };
        Ok(write_whole(&self.path, |out| save(out).map_err(failed))?)
    }

    fn discard(&self) {
        // Whether the file was there or not, it is not needed.
        drop(fs::remove_file(&self.path));
    }
}

impl Error for Failure {}

impl From<EquilibriumError> for Failure {
    fn from(error: EquilibriumError) -> Failure {
        match error {
            EquilibriumError::Hidden(error) => error.into(),
            EquilibriumError::Lp(error) => error.into(),
            EquilibriumError::Checkpoint(error) => error.into(),
            EquilibriumError::Unsuited { .. } => Failure::Input(format!("--{error}")),
            EquilibriumError::Endless | EquilibriumError::Unjudged => {
                Failure::Input(error.to_string())
            }
            EquilibriumError::Stopped { stop, kept } => Failure::Halted { stop, kept },
            EquilibriumError::Keep(error) => match error.downcast::<Failure>() {
                Ok(failure) => *failure,
                Err(error) => Failure::Input(error.to_string()),
            },
        }
    }
}

//! The boundary to people: text in, plain data out. [`ExploredGame::look`] shows one information set with a strategy.

use std::fmt;

use crabwise::watch::Watch;

use crate::{
    erased::ExploredGame,
    rules::Player,
    sequence_form::SequenceForm,
    strategy::Strategy,
    tree::{HiddenError, InfoSet},
};

/// One information set, and what a strategy does there.
#[derive(Clone, PartialEq, Debug)]
pub struct InfoSetInfo {
    /// Who has to move.
    pub player: Player,
    /// What the player did and observed.
    pub line: Vec<String>,
    /// What the player sees.
    pub picture: String,
    /// The moves, the likely ones first.
    pub moves: Vec<MoveOdds>,
    /// What the player can expect; `None` if the other never lets it come to this.
    pub expects: Option<f64>,
}

/// A move at an information set.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveOdds {
    /// As players write it.
    pub name: String,
    /// How likely the strategy makes it.
    pub probability: f64,
    /// What the player can expect after it, where that is known.
    pub expects: Option<f64>,
}

/// Why an information set cannot be shown.
#[derive(Debug)]
pub enum LookAtError {
    /// There is no such information set, or nothing to do there; the line says what would be right.
    Words(String),
    /// The payoffs cannot be laid out.
    Hidden(HiddenError),
}

impl fmt::Display for LookAtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LookAtError::Words(line) => f.write_str(line),
            LookAtError::Hidden(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LookAtError {}

impl From<HiddenError> for LookAtError {
    fn from(error: HiddenError) -> LookAtError {
        LookAtError::Hidden(error)
    }
}

impl ExploredGame {
    /// The information set at which a player has to move after a line of moves and observations, or what would be
    /// right.
    pub fn at(&self, player: Player, line: &[String]) -> Result<InfoSet, String> {
        let words: Vec<&str> = line.iter().map(String::as_str).collect();
        let info_set = self.tree.read(player, &words)?;
        if self.tree.moves(info_set).len() > 0 {
            return Ok(info_set);
        }
        let next: Vec<String> = self.tree.next(info_set).map(|(said, _)| said).collect();
        Err(match next.is_empty() {
            true => "the game is over there".into(),
            false => {
                let next = next.join(" or ");
                format!("it is not the {player}'s turn there; next comes {next}")
            }
        })
    }

    /// What a player sees at an information set at which it has to move.
    pub fn seen_at(&self, info_set: InfoSet) -> String {
        let state = self.tree.state_of(info_set);
        state.map_or(String::new(), |state| self.seen(state, info_set.player))
    }

    /// What a strategy does at the information set that a player's line of moves and observations leads to.
    pub fn look(
        &self,
        player: Player,
        line: &[String],
        strategy: &Strategy,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<InfoSetInfo, LookAtError> {
        let info_set = self.at(player, line).map_err(LookAtError::Words)?;
        let form = SequenceForm::new(&self.tree, false, memory, watch)?;
        let (own, other) = (player as usize, player.other() as usize);
        let plan = form.treeplexes[other].realization_plan(&strategy.behaviours[other]);
        let odds = self.tree.odds(info_set, &plan);
        let behaviour = &strategy.behaviours[own];
        let mut worth = vec![0.0; form.treeplexes[own].sequences()];
        form.gradient(player, &plan, &mut worth);
        form.treeplexes[own].expected_value(behaviour, &mut worth);
        let mut moves: Vec<MoveOdds> = (info_set.first()..)
            .zip(self.tree.moves(info_set))
            .map(|(sequence, name)| MoveOdds {
                name: name.into(),
                probability: behaviour[sequence],
                expects: (odds > 0.0).then(|| worth[sequence] / odds),
            })
            .collect();
        let expects = moves.iter().map(|mv| Some(mv.probability * mv.expects?)).sum();
        moves.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        let picture = self.seen_at(info_set);
        Ok(InfoSetInfo { player, line: line.to_vec(), picture, moves, expects })
    }
}

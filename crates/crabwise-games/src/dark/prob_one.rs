//! Certain wins of classic dark Hex, as the library reports wins with probability one.

use std::collections::HashMap;

use crabwise::{SolveError, watch::Watch};
use crabwise_hidden::{
    MAX_PLAN_STEPS, PlanNext, PlanStep, Player, ProbOneCounts, ProbOneSolver, ProbOneWins, Tally,
};

use super::{
    Collision, Dark, Hex, Placement,
    certain::{self, Accepted, Search, View},
};
use crate::grid::{Cell, stone};

impl ProbOneSolver for Dark<Hex> {
    /// What the opponent hears makes no difference to what one is sure of against whatever it does.
    fn prob_one(
        &self,
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<ProbOneWins, SolveError>> {
        (self.collision == Collision::Classic).then(|| self.classic(player, memory, watch))
    }
}

impl Dark<Hex> {
    fn classic(
        &self,
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<ProbOneWins, SolveError> {
        let counts = match certain::survey(&self.game, player, memory, watch) {
            Ok(survey) => Some(told(&survey)),
            // Where not all views fit, the first is still of interest.
            Err(SolveError::NoMemory { .. }) => None,
            Err(error) => return Err(error),
        };
        let mut search = Search::new(&self.game, player, memory, watch);
        let start = View::default();
        let wins = search.possible(start) && search.certain(start)?;
        let openings = if wins { search.winning(start)? } else { vec![] };
        let openings = openings.iter().map(|&cell| self.cell(cell).to_string()).collect();
        let numbers = HashMap::new();
        let mut plan = Plan { game: self, player, search, numbers, views: vec![], cut: false };
        if wins {
            plan.view(start)?;
        }
        Ok(ProbOneWins { wins, openings, counts, plan: plan.views, cut: plan.cut })
    }

    fn cell(&self, number: u32) -> Cell {
        let grid = self.game.grid();
        grid.at(number % grid.columns, number / grid.columns)
    }
}

fn told(survey: &certain::Survey) -> ProbOneCounts {
    let tally = |counts: &certain::Counts| Tally {
        info_sets: counts.views,
        certain: counts.certain,
        weak: Some(counts.weak),
    };
    let by = survey.by.iter().map(|(&(empty, hidden), counts)| (empty, hidden, tally(counts)));
    ProbOneCounts { all: tally(&survey.all), by: by.collect() }
}

struct Plan<'a> {
    game: &'a Dark<Hex>,
    player: Player,
    search: Search<'a, Hex>,
    numbers: HashMap<View, usize>,
    views: Vec<PlanStep>,
    cut: bool,
}

impl Plan<'_> {
    fn view(&mut self, view: View) -> Result<PlanNext, SolveError> {
        if let Some(&number) = self.numbers.get(&view) {
            return Ok(PlanNext::Step(number));
        }
        let best = if self.views.len() < MAX_PLAN_STEPS { self.search.best(view)? } else { None };
        let Some(cell) = best else {
            self.cut = true;
            return Ok(PlanNext::Omitted);
        };
        let number = self.views.len();
        self.numbers.insert(view, number);
        let mut sides = [view.known; 2];
        sides[self.player as usize] = view.own;
        let picture = self.game.game.draw(|cell| stone(sides, cell));
        let mv = self.game.cell(cell).to_string();
        self.views.push(PlanStep { picture, mv, next: vec![] });
        if let Some(rejected) = self.search.rejected(view, cell) {
            let to = self.view(rejected)?;
            self.views[number].next.push(("taken".into(), to));
        }
        let to = match self.search.accepted(view, cell) {
            Accepted::Goes(next) => self.view(next)?,
            Accepted::Wins => PlanNext::Won,
            Accepted::Never | Accepted::Loses => return Ok(PlanNext::Step(number)),
        };
        self.views[number].next.push((String::new(), to));
        Ok(PlanNext::Step(number))
    }
}

//! Certain wins of classic dark Hex, as the library reports wins with probability one.

use std::collections::HashMap;

use crabwise::{
    SolveError,
    index::combinadic::full,
    watch::{Stage, Watch},
};
use crabwise_hidden::{
    CertainView, MAX_PLAN_STEPS, PlanNext, PlanStep, Player, ProbOneCounts, ProbOneSolver,
    ProbOneWins, Tally,
};

use super::{
    Collision, Dark, Hex, Placement, Stones,
    certain::{self, Accepted, Search, View},
};
use crate::grid::{Cell, bits, stone};

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

    fn certain_moves(
        &self,
        at: &Stones,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<Vec<Cell>, SolveError>> {
        let (player, p) = (at.turn, at.turn as usize);
        let view = View { own: at.stones[p], known: at.known[p] };
        (self.collision == Collision::Classic).then(|| {
            let mut search = Search::new(&self.game, player, memory, watch);
            let found = if search.possible(view) { search.winning(view)? } else { vec![] };
            Ok(found.into_iter().map(|cell| self.cell(cell)).collect())
        })
    }

    fn certain_views(
        &self,
        player: Player,
        counts: [u32; 2],
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<Vec<CertainView>, SolveError>> {
        (self.collision == Collision::Classic).then(|| self.listed(player, counts, memory, watch))
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

    /// The certain views with these numbers of cells that look empty and of hidden stones.
    fn listed(
        &self,
        player: Player,
        [empty, hidden]: [u32; 2],
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Vec<CertainView>, SolveError> {
        let mut search = Search::new(&self.game, player, memory, watch);
        let mut found = vec![];
        // All stones, and those of the opponent: as many as these, or one more.
        let stones = (search.cells() + hidden).checked_sub(empty);
        let own = stones.and_then(|stones| stones.checked_sub(player as u32));
        let Some(own) = own.filter(|own| own % 2 == 0).map(|own| own / 2) else { return Ok(found) };
        let Some(known) = (own + player as u32).checked_sub(hidden) else { return Ok(found) };
        let mut tried = 0_u64;
        for view in views(search.cells(), own, known) {
            tried += 1;
            if tried.is_multiple_of(1 << 16) {
                let stage = Stage { done: tried, ..Stage::new("searching views", None, None) };
                watch.tell(&stage)?;
            }
            if search.possible(view) && search.certain(view)? {
                let moves = search.winning(view)?;
                let moves = moves.into_iter().map(|cell| self.cell(cell).to_string()).collect();
                let picture = self.picture(player, view);
                found.push(CertainView { picture, empty, hidden: [hidden; 2], moves });
            }
        }
        Ok(found)
    }

    fn picture(&self, player: Player, view: View) -> String {
        let mut sides = [view.known; 2];
        sides[player as usize] = view.own;
        self.game.draw(|cell| stone(sides, cell))
    }

    fn cell(&self, number: u32) -> Cell {
        let grid = self.game.grid();
        grid.at(number % grid.columns, number / grid.columns)
    }
}

/// All views with so many own stones and so many found out.
fn views(cells: u32, own: u32, known: u32) -> impl Iterator<Item = View> {
    sets(full(cells), own)
        .flat_map(move |own| sets(full(cells) & !own, known).map(move |known| View { own, known }))
}

/// The sets of so many of these cells.
fn sets(among: u64, count: u32) -> Box<dyn Iterator<Item = u64>> {
    if count == 0 {
        return Box::new(std::iter::once(0));
    }
    // The highest cell of the set, and the others below it.
    Box::new(bits(among).flat_map(move |cell| {
        let below = among & ((1 << cell) - 1);
        sets(below, count - 1).map(move |rest| rest | 1 << cell)
    }))
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
        let picture = self.game.picture(self.player, view);
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

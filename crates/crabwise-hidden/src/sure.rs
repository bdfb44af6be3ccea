//! Wins with probability one as people are told of them: how many views have them, and how they are won.

use std::collections::HashMap;

use super::{Hidden, Laid, Player, Turn, View};
use crabwise::{SolveError, watch::Watch};

/// A game that finds its certain wins without its states, and so for larger boards.
pub trait Sure: Hidden {
    /// The certain wins of a player; `None` for a variant that has no such way.
    fn sure(
        &self,
        player: Player,
        memory: u64,
        watch: &dyn Watch,
    ) -> Option<Result<SureWins, SolveError>>;
}

/// A player's certain wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SureWins {
    /// Whether the player wins with certainty from the start.
    pub wins: bool,
    /// The moves that do not lose the certainty, at the player's first view.
    pub openings: Vec<String>,
    /// How many views are certain; `None` where only the start was looked at.
    pub counts: Option<SureCounts>,
    /// How a certain win is won, the first view first; empty if there is none.
    pub plan: Vec<PlanView>,
    /// Whether there is more to the plan than is told.
    pub cut: bool,
}

/// Numbers of views from which the player wins with certainty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SureCounts {
    /// Of all views.
    pub all: Tally,
    /// By the number of cells that look empty, and that of hidden stones.
    pub by: Vec<(u32, u32, Tally)>,
}

/// How many views there are, and how many of them are certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Views at which the player has to move, the order of events forgotten.
    pub views: u64,
    /// Those from which the player wins with certainty.
    pub certain: u64,
    /// Those from which the player would win if all were shown, whatever is hidden; where that is known.
    pub weak: Option<u64>,
}

/// A view of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanView {
    /// What the player sees.
    pub picture: String,
    /// What to do.
    pub mv: String,
    /// What may be heard, and what is next.
    pub next: Vec<(String, Next)>,
}

/// What follows in a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The view of this number.
    View(usize),
    /// The game is won.
    Won,
    /// A view that is not told any more.
    Untold,
}

/// A plan is told so far.
pub const MOST_VIEWS: usize = 2000;

impl Laid<'_> {
    /// The certain wins of a player, from all states.
    pub fn sure(&self, player: Player) -> SureWins {
        let (tree, p) = (&self.tree, player as usize);
        let certain = &tree.certain()[p];
        let nodes = &tree.states.nodes[..tree.states.len()];
        let mut seen = HashMap::new();
        for (i, node) in nodes.iter().enumerate() {
            if node.turn == Turn::Of(player) {
                seen.entry(node.minds[p]).or_insert(i as u32);
            }
        }
        let views = seen.len() as u64;
        let wins = |mind: &&u32| certain[**mind as usize].is_some();
        let all = Tally { views, certain: seen.keys().filter(wins).count() as u64, weak: None };
        // The first views: there may be several, if something can be heard before.
        let mut firsts = vec![];
        let mut open = vec![tree.start(player)];
        while let Some(view) = open.pop() {
            match seen.contains_key(&view.mind) {
                true => firsts.push(view),
                false => open.extend(tree.next(view).map(|(_, next)| next)),
            }
        }
        let won = !firsts.is_empty() && firsts.iter().all(|view| wins(&&view.mind));
        let mut plan = Plan {
            laid: self,
            certain,
            seen: &seen,
            numbers: HashMap::new(),
            views: vec![],
            cut: false,
        };
        if won {
            for &view in &firsts {
                plan.view(view);
            }
        }
        let openings = match firsts[..] {
            [view] => self.openings(view, certain),
            _ => vec![],
        };
        let counts = Some(SureCounts { all, by: vec![] });
        SureWins { wins: won, openings, counts, plan: plan.views, cut: plan.cut }
    }

    /// The moves at a view after which every way on is certain.
    fn openings(&self, view: View, certain: &[Option<u32>]) -> Vec<String> {
        let (states, p) = (&self.tree.states, view.player as usize);
        let members = (states.nodes[..states.len()].iter().enumerate())
            .filter(|(_, node)| node.turn == Turn::Of(view.player) && node.minds[p] == view.mind);
        let members: Vec<u32> = members.map(|(i, _)| i as u32).collect();
        let won = super::certain::won(states, view.player, certain);
        let keeps = |mv: &usize| members.iter().all(|&node| won(states.arcs(node)[*mv].to));
        let moves: Vec<String> = self.tree.moves(view).map(String::from).collect();
        (0..moves.len()).filter(keeps).map(|mv| moves[mv].clone()).collect()
    }
}

struct Plan<'a> {
    laid: &'a Laid<'a>,
    certain: &'a [Option<u32>],
    /// A state that each mind can be in.
    seen: &'a HashMap<u32, u32>,
    numbers: HashMap<u32, usize>,
    views: Vec<PlanView>,
    cut: bool,
}

impl Plan<'_> {
    fn view(&mut self, view: View) -> Next {
        if let Some(&number) = self.numbers.get(&view.mind) {
            return Next::View(number);
        }
        let (tree, player) = (&self.laid.tree, view.player);
        let Some(&state) = self.seen.get(&view.mind) else {
            // Something is heard before it is the player's turn, or the game is over.
            let next: Vec<View> = tree.next(view).map(|(_, next)| next).collect();
            return next.into_iter().map(|next| self.view(next)).last().unwrap_or(Next::Won);
        };
        let mv = match self.certain[view.mind as usize] {
            Some(mv) if self.views.len() < MOST_VIEWS => mv as usize,
            _ => {
                self.cut = true;
                return Next::Untold;
            }
        };
        let number = self.views.len();
        self.numbers.insert(view.mind, number);
        let name = tree.moves(view).nth(mv).unwrap_or_default().to_string();
        let picture = self.laid.seen(state, player);
        self.views.push(PlanView { picture, mv: name.clone(), next: vec![] });
        let follows = |(said, next): (String, View)| {
            let rest = said.strip_prefix(name.as_str())?;
            (rest.is_empty() || rest.starts_with(' ')).then(|| (rest.trim().to_string(), next))
        };
        let next: Vec<(String, View)> = tree.next(view).filter_map(follows).collect();
        for (said, next) in next {
            let to = self.view(next);
            self.views[number].next.push((said, to));
        }
        Next::View(number)
    }
}

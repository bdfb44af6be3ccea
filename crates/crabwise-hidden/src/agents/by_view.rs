//! An agent that knows a strategy by views: of a game that needs no layout.

use std::sync::Arc;

use super::{Agent, AgentView};
use crate::{
    random::by_weight,
    rules::Hidden,
    views::{ViewModel, ViewStrategy},
    walk::{HASHED, View, hashed_features, word_hash},
};

/// A strategy that is known in advance, by views.
#[derive(Clone)]
pub struct ViewAgent {
    name: String,
    strategy: Arc<ViewStrategy>,
}

/// How many positions that fit the view are kept; one of them is enough to describe it.
const MOST_KEPT: usize = 1 << 12;

impl ViewAgent {
    /// A strategy, and what to call it.
    pub fn new(name: impl Into<String>, strategy: Arc<ViewStrategy>) -> ViewAgent {
        ViewAgent { name: name.into(), strategy }
    }

    /// The probabilities of the moves.
    pub(crate) fn mix<G: Hidden>(&self, view: &AgentView<G>) -> Vec<f64> {
        let by_features = matches!(self.strategy.model, ViewModel::Network(_));
        let mut views = vec![View::start(view.player())];
        for (mv, observed) in view.steps() {
            let words = [mv.map(|mv| mv.to_string()), observed.map(|word| word.to_string())];
            let [mv, observed] = words.map(|word| word.map(|word| word_hash(&word)));
            views.push(views[views.len() - 1].after(mv, observed));
        }
        let last = views[views.len() - 1];
        let mut described = vec![];
        let counts = match view.features {
            Some(features) => {
                // Any position that fits will do: what is said of it is said of the view.
                if by_features && let Some(at) = view.belief(MOST_KEPT).any() {
                    (features.describe)(view.game(), at, view.player(), &mut described);
                }
                (features.counts)(view.game())
            }
            None => {
                hashed_features(views.into_iter(), &mut described);
                HASHED
            }
        };
        described.push((counts.features + view.player() as usize) as u32);
        let number = |mv: usize| match view.features {
            Some(features) => features.number(view.game(), view.moves()[mv]),
            None => mv.min(counts.moves - 1),
        };
        self.strategy.model.likely(view.player(), last, view.moves().len(), &described, number)
    }
}

impl Agent for ViewAgent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose<G: Hidden>(&self, view: &AgentView<G>, random: &mut fastrand::Rng) -> usize {
        by_weight(&self.mix(view), random) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        HiddenSetup, Policy, ViewModel, ViewTable,
        agents::Recall,
        network::Network,
        rules::{Player, Turn},
        toys::{Abrupt, Kuhn, Random},
        views::tabulated,
        walk::{Features, RulesWalk, Walk},
    };

    struct Rules<G>(G);

    impl<G> AsRef<G> for Rules<G> {
        fn as_ref(&self) -> &G {
            &self.0
        }
    }

    /// What an agent knows of a view leads to what the walk to it leads to.
    fn agree<G: Hidden + 'static>(game: G, features: Option<Features<G>>, model: ViewModel) {
        let strategy =
            ViewStrategy { game: String::new(), method: String::new(), iterations: 1, model };
        let strategy = Arc::new(strategy);
        let agent = ViewAgent::new("views", strategy.clone());
        let rules = Arc::new(Rules(game));
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..40 {
            let mut walk = RulesWalk::new(rules.clone(), features);
            let (game, mut at) = (&rules.0, rules.0.start());
            let mut recalls = Player::BOTH.map(Recall::new);
            while !matches!(game.turn(&at), Turn::Over(_)) {
                let moves: Vec<G::Move> = game.moves(&at).into_iter().collect();
                if let Turn::Of(player) = game.turn(&at) {
                    let (recall, moves) = (&recalls[player as usize], &moves[..]);
                    let view = AgentView { game, certain: None, features, recall, moves };
                    assert_eq!(agent.mix(&view), strategy.model.mix(&walk, player));
                }
                let mv = random.usize(..moves.len());
                recalls.iter_mut().for_each(|recall| recall.notice(game, &at, moves[mv]));
                at = game.play(&at, moves[mv]);
                walk.make(mv);
            }
        }
    }

    #[test]
    fn agents_play_as_the_strategy_says() {
        let hex = || Abrupt { rows: 2, columns: 3 };
        let features = Features::own();
        let network = |features: usize, moves: usize| {
            ViewModel::Network(Network::new(&[features + 2, 8, moves], 5))
        };
        agree(hex(), Some(features), network(12, 6));
        agree(Kuhn, None, network(HASHED.features, HASHED.moves));
        let made_up = Random { seed: 4, length: 6 };
        let mut table = ViewTable::default();
        let game = HiddenSetup::of(made_up).erased();
        tabulated(&network(HASHED.features, HASHED.moves), &mut *game.walk(), &mut table);
        agree(made_up, None, ViewModel::Table(table));
    }
}

//! Games with hidden information walked history by history, each player's view kept as the list of
//! what that player did and was told. Slow, and as plain as the definitions.

use std::collections::{HashMap, HashSet};

use crabwise_hidden::{Hidden, InfoAbstraction, Mirrored, Player, Sketched, Turn};

use Player::{First, Second};

/// A piece of a view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Token<M, W> {
    Did(M),
    Heard(W),
}

pub(crate) type View<G> = Vec<Token<<G as Hidden>::Move, <G as Hidden>::Observation>>;

/// What a player adds to the view of a move at a position.
fn tokens<G: Hidden>(game: &G, at: &G::Position, mv: G::Move, player: Player) -> View<G> {
    let did = (game.turn(at) == Turn::Of(player)).then_some(Token::Did(mv));
    let heard = game.observe(at, mv, player).map(Token::Heard);
    did.into_iter().chain(heard).collect()
}

/// Visits every history with the views of both players.
pub(crate) fn walk<G: Hidden>(game: &G, mut visit: impl FnMut(&G::Position, &[View<G>; 2])) {
    let mut stack = vec![(game.start(), [vec![], vec![]])];
    while let Some((at, views)) = stack.pop() {
        visit(&at, &views);
        if matches!(game.turn(&at), Turn::Over(_)) {
            continue;
        }
        for mv in game.moves(&at) {
            let mut views = views.clone();
            for player in Player::BOTH {
                views[player as usize].extend(tokens(game, &at, mv, player));
            }
            stack.push((game.play(&at, mv), views));
        }
    }
}

/// How large a game is. Where there are two numbers, the first player's comes first.
#[derive(Default)]
pub(crate) struct Census {
    pub histories: u64,
    /// The histories at whose end the game is over.
    pub over: u64,
    pub sets: [usize; 2],
    pub sequences: [usize; 2],
    /// The most positions in one information set.
    pub belief: [usize; 2],
}

pub(crate) fn census<G: Hidden>(game: &G) -> Census {
    let mut census = Census::default();
    let mut sets: [HashMap<View<G>, HashSet<G::Position>>; 2] = Default::default();
    walk(game, |at, views| {
        census.histories += 1;
        match game.turn(at) {
            Turn::Over(_) => census.over += 1,
            Turn::Chance => {}
            Turn::Of(player) => {
                let player = player as usize;
                let set = sets[player].entry(views[player].clone()).or_default();
                if set.is_empty() {
                    census.sequences[player] += game.moves(at).into_iter().count();
                }
                set.insert(at.clone());
                census.belief[player] = census.belief[player].max(set.len());
            }
        }
    });
    Census { sets: sets.map(|sets| sets.len()), ..census }
}

/// The reachable positions.
pub(crate) fn positions<G: Hidden>(game: &G) -> HashSet<G::Position> {
    let (mut seen, mut stack) = (HashSet::from([game.start()]), vec![game.start()]);
    while let Some(at) = stack.pop() {
        if matches!(game.turn(&at), Turn::Over(_)) {
            continue;
        }
        for mv in game.moves(&at) {
            let to = game.play(&at, mv);
            if seen.insert(to.clone()) {
                stack.push(to);
            }
        }
    }
    seen
}

/// The numbers of histories and of those that end the game, counted once a position.
pub(crate) fn histories<G: Hidden>(game: &G) -> [u64; 2] {
    fn from<G: Hidden>(
        game: &G,
        at: &G::Position,
        known: &mut HashMap<G::Position, [u64; 2]>,
    ) -> [u64; 2] {
        if let Some(&counts) = known.get(at) {
            return counts;
        }
        let mut counts = [1, 0];
        if matches!(game.turn(at), Turn::Over(_)) {
            counts = [1, 1];
        } else {
            for mv in game.moves(at) {
                let more = from(game, &game.play(at, mv), known);
                counts = [counts[0] + more[0], counts[1] + more[1]];
            }
        }
        known.insert(at.clone(), counts);
        counts
    }
    from(game, &game.start(), &mut HashMap::new())
}

/// Where views are the same, so are the pictures and, for the player to move, the turn and the
/// moves.
pub(crate) fn views_hold<G: Hidden>(game: &G) {
    let mut seen: [HashMap<View<G>, String>; 2] = Default::default();
    let mut moves: [HashMap<View<G>, Vec<G::Move>>; 2] = Default::default();
    walk(game, |at, views| {
        for player in Player::BOTH {
            let (view, picture) = (&views[player as usize], game.seen(at, player));
            match seen[player as usize].get(view) {
                Some(other) => assert!(picture == *other, "{picture}\nlooks like\n{other}"),
                None => _ = seen[player as usize].insert(view.clone(), picture),
            }
        }
        if let Turn::Of(player) = game.turn(at) {
            let legal: Vec<_> = game.moves(at).into_iter().collect();
            assert!(!legal.is_empty(), "nothing to do at\n{}", game.show(at));
            let words: HashSet<_> = legal.iter().map(|mv| mv.to_string()).collect();
            assert_eq!(words.len(), legal.len(), "two moves of a name at\n{}", game.show(at));
            let view = &views[player as usize];
            match moves[player as usize].get(view) {
                Some(other) => assert!(legal == *other, "moves differ at\n{}", game.show(at)),
                None => _ = moves[player as usize].insert(view.clone(), legal),
            }
        }
    });
}

/// Where views are the same, so are the shapes; and whoever is to move can point at every move.
pub(crate) fn sketches_hold<G: Sketched>(game: &G) {
    let mut seen: [HashMap<View<G>, String>; 2] = Default::default();
    walk(game, |at, views| {
        for player in Player::BOTH {
            let view = &views[player as usize];
            let picture = format!("{:?}", game.picture(at, Some(player)));
            match seen[player as usize].get(view) {
                Some(other) => assert!(picture == *other, "{picture}\nlooks like\n{other}"),
                None => _ = seen[player as usize].insert(view.clone(), picture),
            }
        }
        let Turn::Of(player) = game.turn(at) else { return };
        for picture in [None, Some(player)].map(|seen_by| game.picture(at, seen_by)) {
            let named = |name: &String| {
                picture.shapes.iter().any(|shape| shape.name.as_ref() == Some(name))
            };
            let moves = game.moves(at).into_iter().map(|mv| mv.to_string());
            moves.for_each(|name| assert!(named(&name), "nothing is drawn for {name}"));
        }
    });
}

/// Gists are functions of views, tell the legal moves, and change by what is done and heard alone.
pub(crate) fn info_states_hold<G: InfoAbstraction>(game: &G) {
    let mut info_states: [HashMap<View<G>, G::InfoState>; 2] = Default::default();
    walk(game, |at, views| {
        for player in Player::BOTH {
            let (view, info_state) = (&views[player as usize], game.info_state(at, player));
            match info_states[player as usize].get(view) {
                Some(other) => assert_eq!(info_state, *other),
                None => _ = info_states[player as usize].insert(view.clone(), info_state),
            }
        }
    });
    let mut moves = HashMap::new();
    let mut next = HashMap::new();
    for at in positions(game) {
        let Turn::Of(mover) = game.turn(&at) else { continue };
        let legal: Vec<_> = game.moves(&at).into_iter().collect();
        for player in Player::BOTH {
            let info_state = game.info_state(&at, player);
            for &mv in &legal {
                let (tokens, to) = (tokens(game, &at, mv, player), game.play(&at, mv));
                let quiet = tokens.is_empty();
                let to = game.info_state(&to, player);
                assert!(!quiet || to == info_state, "{info_state:?} becomes {to:?} by itself");
                let known =
                    next.entry((player == First, info_state.clone(), tokens)).or_insert(to.clone());
                assert_eq!(*known, to);
            }
        }
        let known =
            moves.entry((mover == First, game.info_state(&at, mover))).or_insert(legal.clone());
        assert!(*known == legal, "moves differ at\n{}", game.show(&at));
    }
}

/// The mirror goes with everything that the rules say.
pub(crate) fn mirror_holds<G: Mirrored>(game: &G) {
    assert!(game.mirror(&game.start()) == game.start());
    for at in positions(game) {
        let image = game.mirror(&at);
        assert!(game.mirror(&image) == at && game.turn(&image) == game.turn(&at));
        if matches!(game.turn(&at), Turn::Over(_)) {
            continue;
        }
        let images: HashSet<_> = game.moves(&image).into_iter().collect();
        let moves: Vec<_> = game.moves(&at).into_iter().collect();
        assert_eq!(images.len(), moves.len());
        for mv in moves {
            let to = game.mirror_move(mv);
            assert!(images.contains(&to) && game.mirror_move(to) == mv);
            assert!(game.mirror(&game.play(&at, mv)) == game.play(&image, to));
            for player in [First, Second] {
                let word = game.observe(&at, mv, player);
                let mirrored = word.map(|word| game.mirror_observation(word));
                assert!(mirrored == game.observe(&image, to, player));
                assert!(mirrored.map(|word| game.mirror_observation(word)) == word);
            }
        }
    }
}

/// The moves with their probabilities where players choose any with the same.
fn likely<G: Hidden>(game: &G, at: &G::Position) -> Vec<(G::Move, f64)> {
    let chance = game.turn(at) == Turn::Chance;
    let weight = |mv| (mv, if chance { game.weight(at, mv) } else { 1.0 });
    let mut moves: Vec<_> = game.moves(at).into_iter().map(weight).collect();
    let sum: f64 = moves.iter().map(|(_, weight)| weight).sum();
    moves.iter_mut().for_each(|(_, weight)| *weight /= sum);
    moves
}

/// What the first player gets where both choose any move with the same probability.
pub(crate) fn uniform<G: Hidden>(game: &G) -> f64 {
    fn from<G: Hidden>(game: &G, at: &G::Position, known: &mut HashMap<G::Position, f64>) -> f64 {
        if let Some(&value) = known.get(at) {
            return value;
        }
        let value = match game.turn(at) {
            Turn::Over(payoff) => payoff,
            _ => (likely(game, at).into_iter())
                .map(|(mv, weight)| weight * from(game, &game.play(at, mv), known))
                .sum(),
        };
        known.insert(at.clone(), value);
        value
    }
    from(game, &game.start(), &mut HashMap::new())
}

/// What the player gets by the best answer to an opponent who chooses any move with the same
/// probability.
pub(crate) fn best_answer<G: Hidden>(game: &G, player: Player) -> f64 {
    answer(game, player, vec![(game.start(), 1.0, vec![])])
}

/// The best answer from positions with their probabilities, on views that differ by what is listed.
fn answer<G: Hidden>(
    game: &G,
    player: Player,
    mut stack: Vec<(G::Position, f64, Vec<G::Observation>)>,
) -> f64 {
    let mut value = 0.0;
    let mut views: HashMap<Vec<G::Observation>, HashMap<G::Position, f64>> = HashMap::new();
    while let Some((at, weight, heard)) = stack.pop() {
        match game.turn(&at) {
            Turn::Over(payoff) => value += weight * player.sign() * payoff,
            Turn::Of(mover) if mover == player => {
                *views.entry(heard).or_default().entry(at).or_default() += weight;
            }
            _ => {
                for (mv, probability) in likely(game, &at) {
                    let mut heard = heard.clone();
                    heard.extend(game.observe(&at, mv, player));
                    stack.push((game.play(&at, mv), weight * probability, heard));
                }
            }
        }
    }
    for set in views.into_values() {
        let after = |mv| {
            let to = |(at, &weight): (&G::Position, &f64)| {
                (game.play(at, mv), weight, game.observe(at, mv, player).into_iter().collect())
            };
            answer(game, player, set.iter().map(to).collect())
        };
        let Some(at) = set.keys().next() else { continue };
        value += game.moves(at).into_iter().map(after).fold(f64::NEG_INFINITY, f64::max);
    }
    value
}

/// How much both could gain together by answering the uniform strategy best, halved.
pub(crate) fn exploitability<G: Hidden>(game: &G) -> f64 {
    (best_answer(game, First) + best_answer(game, Second)) / 2.0
}

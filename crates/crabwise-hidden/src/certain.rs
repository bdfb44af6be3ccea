//! Wins with probability one: views from which a player wins whatever is hidden and whatever the other does.
//!
//! A mind is *certain* if it has a move after which, from every state that the mind can be in, every way
//! on leads to a win or to a mind of the same player that is certain. By induction the player who follows
//! these moves wins every play. Where minds are views the converse holds, too: whoever wins with certainty
//! must do so against every state that looks alike. Where minds are gists, a mind can be in the states of
//! all views of that gist, so some views may be certain though their mind is not; never the other way
//! round.
//!
//! The most that a player can win in the game is won for certain there. So the game may as well end: an
//! equilibrium of the game that is cut short at certain minds, continued with the moves found here, is an
//! equilibrium of the whole game, and its exploitability is the same. For the opponent cannot change what
//! comes after a cut, and the player cannot do better than that.

use super::{
    Player, Turn,
    states::{Arc, Minds, Node, STILL, States},
};

/// For each mind of a player the move that wins with certainty, if there is one.
pub type Certain = Vec<Option<u32>>;

/// The minds of a player that are certain.
pub(super) fn certain(states: &States, player: Player) -> Certain {
    let p = player as usize;
    let mut members = vec![vec![]; states.minds[p].len()];
    for (i, node) in states.nodes[..states.len()].iter().enumerate() {
        if node.turn == Turn::Of(player) {
            members[node.minds[p] as usize].push(i as u32);
        }
    }
    let mut search = Search {
        states,
        player,
        most: most(states, player),
        members,
        minds: vec![None; states.minds[p].len()],
        nodes: vec![None; states.len()],
    };
    (0..states.minds[p].len() as u32).map(|mind| search.mind(mind)).collect()
}

/// Whether a player whose certain minds are known wins with certainty from a state.
pub(super) fn won<'a>(
    states: &'a States,
    player: Player,
    certain: &'a [Option<u32>],
) -> impl Fn(u32) -> bool + 'a {
    let (p, most) = (player as usize, most(states, player));
    let won = states.backwards(|number, node, below: &[bool]| match node.turn {
        Turn::Over(payoff) => player.sign() * payoff == most,
        Turn::Of(mover) if mover == player => certain[node.minds[p] as usize].is_some(),
        _ => states.arcs(number).iter().all(|arc| below[arc.to as usize]),
    });
    move |state| won[state as usize]
}

/// The most that a player can win.
fn most(states: &States, player: Player) -> f64 {
    let payoffs = states.nodes[..states.len()].iter().filter_map(|node| match node.turn {
        Turn::Over(payoff) => Some(player.sign() * payoff),
        _ => None,
    });
    payoffs.fold(f64::NEG_INFINITY, f64::max)
}

struct Search<'a> {
    states: &'a States,
    player: Player,
    most: f64,
    members: Vec<Vec<u32>>,
    minds: Vec<Option<Option<u32>>>,
    nodes: Vec<Option<bool>>,
}

impl Search<'_> {
    fn mind(&mut self, mind: u32) -> Option<u32> {
        if let Some(known) = self.minds[mind as usize] {
            return known;
        }
        let members = std::mem::take(&mut self.members[mind as usize]);
        let moves = if members.is_empty() {
            0
        } else {
            self.states.minds[self.player as usize].moves(mind)
        };
        let found = (0..moves).find(|&mv| {
            let wins = |&node: &u32| self.node(self.states.arcs(node)[mv as usize].to);
            members.iter().all(wins)
        });
        self.minds[mind as usize] = Some(found);
        found
    }

    fn node(&mut self, number: u32) -> bool {
        if let Some(known) = self.nodes[number as usize] {
            return known;
        }
        let node = self.states.nodes[number as usize];
        let sure = match node.turn {
            Turn::Over(payoff) => self.player.sign() * payoff == self.most,
            Turn::Of(player) if player == self.player => {
                self.mind(node.minds[player as usize]).is_some()
            }
            _ => (0..self.states.arcs(number).len())
                .all(|i| self.node(self.states.arcs(number)[i].to)),
        };
        self.nodes[number as usize] = Some(sure);
        sure
    }
}

/// The game that ends, won, at every mind that is certain. Minds keep their numbers.
pub(super) fn cut_short(states: &States, certain: &[Certain; 2]) -> States {
    let most = Player::BOTH.map(|player| player.sign() * most(states, player));
    let turn = |node: &Node| match node.turn {
        Turn::Of(player)
            if certain[player as usize][node.minds[player as usize] as usize].is_some() =>
        {
            Turn::Over(most[player as usize])
        }
        turn => turn,
    };
    let mut numbers = vec![STILL; states.len()];
    numbers[0] = 0;
    let (mut nodes, mut arcs, mut depths) = (vec![], vec![], vec![]);
    let mut used = [0, 1].map(|p: usize| Used::new(&states.minds[p]));
    for depth in states.depths.windows(2) {
        depths.push(nodes.len() as u32);
        for old in depth[0]..depth[1] {
            if numbers[old as usize] == STILL {
                continue;
            }
            let node = &states.nodes[old as usize];
            numbers[old as usize] = nodes.len() as u32;
            let turn = turn(node);
            nodes.push(Node { turn, first: arcs.len() as u32, ..*node });
            if matches!(turn, Turn::Over(_)) {
                continue;
            }
            if let Turn::Of(player) = turn {
                used[player as usize].moves[node.minds[player as usize] as usize] = true;
            }
            for arc in states.arcs(old) {
                numbers[arc.to as usize] = 0;
                arcs.push(*arc);
                for (p, used) in used.iter_mut().enumerate() {
                    used.step(&states.minds[p], node.minds[p], arc.steps[p]);
                }
            }
        }
    }
    depths.push(nodes.len() as u32);
    while depths.len() > 2 && depths[depths.len() - 2] == depths[depths.len() - 1] {
        depths.pop();
    }
    renumber(&mut arcs, &nodes, &numbers, &states.minds, &used);
    nodes.push(Node { turn: Turn::Chance, minds: [0; 2], first: arcs.len() as u32 });
    let minds = [0, 1].map(|p: usize| states.minds[p].keep(&used[p].moves, &used[p].kids));
    States { nodes, arcs, depths, minds }
}

/// What of a player's minds is still needed.
struct Used {
    moves: Vec<bool>,
    kids: Vec<bool>,
}

impl Used {
    fn new(minds: &Minds) -> Used {
        let kids = minds.kid_range(minds.len() as u32 - 1).end;
        Used { moves: vec![false; minds.len()], kids: vec![false; kids] }
    }

    fn step(&mut self, minds: &Minds, mind: u32, step: u32) {
        if step != STILL {
            self.kids[minds.kid_range(mind).start + step as usize] = true;
        }
    }
}

/// Arcs lead to states by their new numbers and count only kids that are left.
fn renumber(
    arcs: &mut [Arc],
    nodes: &[Node],
    numbers: &[u32],
    minds: &[Minds; 2],
    used: &[Used; 2],
) {
    for (i, node) in nodes.iter().enumerate() {
        let end = nodes.get(i + 1).map_or(arcs.len(), |next| next.first as usize);
        for arc in &mut arcs[node.first as usize..end] {
            arc.to = numbers[arc.to as usize];
            for p in 0..2 {
                if arc.steps[p] != STILL {
                    let first = minds[p].kid_range(node.minds[p]).start;
                    let before = &used[p].kids[first..first + arc.steps[p] as usize];
                    arc.steps[p] = before.iter().filter(|&&used| used).count() as u32;
                }
            }
        }
    }
}

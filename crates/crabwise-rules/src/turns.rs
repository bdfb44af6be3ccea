//! Knowing whose turn it is without working out who can do what.
//!
//! In most files a fact says who is in control: whoever has a real move needs it, one of the two always holds, the other
//! waits, and as long as the game is not over there is a real move. Where all that can be proven, the turn of a position
//! is read off it, and no position needs to be settled.

use crate::{
    bounds::{Exceeded, Spent},
    groups::certain,
    net::{
        FALSE, Lit, Net, Node, Roots, TRUE,
        prove::{Patience, refute},
        simplify::{Groups, Under, implied},
    },
};

/// The fact that says that the first role is in control, if it can be proven that turns go by it.
pub(crate) fn by_fact(
    net: &mut Net,
    roots: &Roots,
    groups: &Groups,
    spent: &mut Spent,
) -> Result<Option<u32>, Exceeded> {
    let [Some(first), Some(second)] = [0, 1].map(|role| needed(net, roots, role)) else {
        return Ok(None);
    };
    for &one in &first {
        let Some(group) = groups.of[one as usize] else { continue };
        let group = &groups.groups[group as usize];
        if group.facts.len() != 2 || !group.exactly {
            continue;
        }
        let Some(&other) =
            second.iter().find(|other| **other != one && group.facts.contains(other))
        else {
            continue;
        };
        if alone(net, roots, groups, [0, 1], one, spent)?
            && alone(net, roots, groups, [1, 0], other, spent)?
        {
            return Ok(Some(one));
        }
    }
    Ok(None)
}

/// The facts that all real moves of a role need; `None` if it has no real move.
fn needed(net: &Net, roots: &Roots, role: usize) -> Option<Vec<u32>> {
    let of_role = &roots.roles[role];
    let mut common: Option<Vec<u32>> = None;
    for (mv, (_, legal)) in of_role.moves.iter().enumerate() {
        if of_role.waits[mv] || *legal == FALSE {
            continue;
        }
        let mut found = vec![];
        implied(net, *legal, &mut found);
        let facts = found.into_iter().filter(|lit| lit & 1 == 0);
        let facts: Vec<u32> = facts
            .filter_map(|lit| match net.kind(lit >> 1) {
                Node::Fact(fact) => Some(fact),
                _ => None,
            })
            .collect();
        match &mut common {
            Some(common) => common.retain(|fact| facts.contains(fact)),
            None => common = Some(facts),
        }
    }
    common
}

/// Whether, wherever this fact holds and the game is not over, this role has a real move and the other waits.
fn alone(
    net: &mut Net,
    roots: &Roots,
    groups: &Groups,
    [role, other]: [usize; 2],
    fact: u32,
    spent: &mut Spent,
) -> Result<bool, Exceeded> {
    let mut assumed = certain(groups, net);
    let fact = net.fact(fact);
    assumed.assume(net, groups, fact);
    let mut under = Under::new(net, groups, &assumed);
    let left: Vec<Lit> =
        roots.roles[other].moves.iter().map(|(_, legal)| under.simplify(*legal)).collect();
    let real = roots.roles[role].moves.iter().zip(&roots.roles[role].waits);
    let mut none: Vec<Lit> = real
        .filter(|(_, waits)| !**waits)
        .map(|((_, legal), _)| under.simplify(*legal) ^ 1)
        .collect();
    none.push(under.simplify(roots.terminal) ^ 1);
    spent.step(under.done())?;
    let waits = left.iter().enumerate().filter(|(_, lit)| **lit == TRUE);
    let waits: Vec<usize> = waits.map(|(mv, _)| mv).collect();
    let [wait] = waits[..] else { return Ok(false) };
    let others = left.iter().filter(|lit| **lit != FALSE).count();
    if others != 1 || !roots.roles[other].waits[wait] {
        return Ok(false);
    }
    let mut patience = Patience { branches: 2_000, steps: 1_000_000 };
    let proven = refute(net, groups, &assumed, &none, &mut patience);
    spent.step(1_000_000 - patience.steps)?;
    Ok(proven)
}

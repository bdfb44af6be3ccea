//! Showing that some literals cannot hold together.
//!
//! Facts and moves among them are assumed, and the rest is simplified until nothing more follows; then the alternatives
//! of the shortest OR are refuted one by one. Whoever gives up says so: what is not refuted may still be impossible.

use super::{
    FALSE, Lit, Net, TRUE,
    simplify::{Assumed, Groups, Under},
};

/// How much may be tried.
pub(crate) struct Patience {
    pub(crate) branches: u32,
    pub(crate) steps: u64,
}

/// Whether it was shown that under these assumptions the literals cannot hold together.
pub(crate) fn refute(
    net: &mut Net,
    groups: &Groups,
    assumed: &Assumed,
    lits: &[Lit],
    patience: &mut Patience,
) -> bool {
    if patience.branches == 0 || patience.steps == 0 {
        return false;
    }
    patience.branches -= 1;
    let (mut assumed, mut lits) = (assumed.clone(), lits.to_vec());
    loop {
        if assumed.impossible || lits.contains(&FALSE) {
            return true;
        }
        // ANDs are taken apart, facts and moves assumed.
        let (mut open, mut rest, mut new) = (lits, vec![], false);
        while let Some(lit) = open.pop() {
            match net.gate(lit) {
                Some(arguments) if lit & 1 == 0 => open.extend_from_slice(arguments),
                Some(_) => rest.push(lit),
                None if lit == TRUE => {}
                None => {
                    new |= assumed.assume(net, groups, lit);
                }
            }
        }
        if assumed.impossible {
            return true;
        }
        if !new {
            lits = rest;
            break;
        }
        let mut under = Under::new(net, groups, &assumed);
        lits = rest.into_iter().map(|lit| under.simplify(lit)).collect();
        patience.steps = patience.steps.saturating_sub(under.done());
        lits.sort_unstable();
        lits.dedup();
    }
    let shortest = lits.iter().copied().min_by_key(|lit| net.arguments(lit >> 1).len());
    let Some(shortest) = shortest else { return false };
    let alternatives = net.arguments(shortest >> 1).to_vec();
    let rest: Vec<Lit> = lits.into_iter().filter(|lit| *lit != shortest).collect();
    alternatives.into_iter().all(|alternative| {
        let mut lits = rest.clone();
        lits.push(alternative ^ 1);
        // Facts that were assumed do not come back by themselves.
        let mut under = Under::new(net, groups, &assumed);
        let lits: Vec<Lit> = lits.into_iter().map(|lit| under.simplify(lit)).collect();
        patience.steps = patience.steps.saturating_sub(under.done());
        refute(net, groups, &assumed, &lits, patience)
    })
}

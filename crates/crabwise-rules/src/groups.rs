//! Facts that exclude each other: a cell holds one thing.
//!
//! Facts that agree but for some of their arguments are a candidate. Random play throws out most that are none; of those
//! of a function that are left, the ones that need the fewest bits are proven by induction: they exclude each other at
//! the start, and whatever somebody does, no two of them can follow from a position in which all groups do. A group
//! that cannot be proven is given up, and all others are proven once more without it.

use std::collections::HashMap;

use crate::{
    bounds::{Exceeded, Spent},
    net::{
        FALSE, Lit, Net, Roots, TRUE,
        prove::{Patience, refute},
        simplify::{Assumed, Group, Groups, Under, implied},
    },
    program::Simulator,
    terms::{Symbol, TermId, Terms},
};

/// Positions of random play that candidates are held against.
const SAMPLES: usize = 400;
/// More arguments than these are not varied.
const MOST_ARGUMENTS: usize = 6;

/// The groups of a net, each proven.
pub(crate) fn find(
    net: &mut Net,
    roots: &Roots,
    terms: &Terms,
    spent: &mut Spent,
) -> Result<Groups, Exceeded> {
    let mut groups = chosen(candidates(roots, terms), net, roots, spent)?;
    loop {
        let all = collected(&groups, roots);
        let wrong = disproven(net, roots, &all, spent)?;
        if wrong.iter().all(|wrong| *wrong == Wrong::Nothing) {
            return Ok(all);
        }
        let mut kept = vec![];
        for (mut group, wrong) in groups.into_iter().zip(wrong) {
            match wrong {
                Wrong::Nothing => kept.push(group),
                // One fact that need not hold says nothing.
                Wrong::Empty if group.facts.len() > 1 => {
                    group.exactly = false;
                    kept.push(group);
                }
                Wrong::Empty | Wrong::Two => {}
            }
        }
        groups = kept;
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wrong {
    Nothing,
    /// Perhaps none of its facts holds.
    Empty,
    /// Perhaps two do.
    Two,
}

fn collected(groups: &[Group], roots: &Roots) -> Groups {
    let moves = roots.roles.iter().map(|role| role.moves.len() as u32).collect();
    let mut all = Groups::none(roots.facts.len(), moves);
    groups.iter().for_each(|group| all.add(group.clone()));
    all
}

/// What facts always hold.
pub(crate) fn certain(groups: &Groups, net: &mut Net) -> Assumed {
    let mut assumed = Assumed::nothing(groups);
    for group in groups.groups.iter().filter(|group| group.exactly && group.facts.len() == 1) {
        let fact = net.fact(group.facts[0]);
        assumed.assume(net, groups, fact);
    }
    assumed
}

/// Facts by what they have in common, for each function and each choice of what varies.
fn candidates(roots: &Roots, terms: &Terms) -> Vec<Vec<Vec<u32>>> {
    let mut functions: HashMap<(Symbol, usize), Vec<u32>> = HashMap::new();
    for (fact, term) in roots.facts.iter().enumerate() {
        let arity = terms.arguments(*term).len();
        functions.entry((terms.head(*term), arity)).or_default().push(fact as u32);
    }
    let mut functions: Vec<_> = functions.into_iter().collect();
    functions.sort_by_key(|(_, facts)| facts[0]);
    let mut all = vec![];
    for ((_, arity), facts) in functions {
        for varied in 1_u32..1 << arity.min(MOST_ARGUMENTS) {
            let mut parts: HashMap<Vec<TermId>, Vec<u32>> = HashMap::new();
            for &fact in &facts {
                let arguments = terms.arguments(roots.facts[fact as usize]).iter().enumerate();
                let same = arguments.filter(|(i, _)| varied >> i & 1 == 0);
                parts.entry(same.map(|(_, term)| *term).collect()).or_default().push(fact);
            }
            let mut parts: Vec<Vec<u32>> = parts.into_values().collect();
            parts.sort();
            all.push(parts);
        }
    }
    all
}

/// For each function the partition that random play leaves with the fewest bits, and facts that always held.
fn chosen(
    candidates: Vec<Vec<Vec<u32>>>,
    net: &Net,
    roots: &Roots,
    spent: &mut Spent,
) -> Result<Vec<Group>, Exceeded> {
    let mut simulator = Simulator::new(net, roots);
    let samples = simulator.sample(SAMPLES, spent)?;
    let mut always = vec![true; roots.facts.len()];
    for sample in &samples {
        always.iter_mut().zip(sample).for_each(|(always, now)| *always &= now);
    }
    let singles = |fact: u32| Group { facts: vec![fact], exactly: true };
    let mut groups: Vec<Group> =
        (0..always.len() as u32).filter(|fact| always[*fact as usize]).map(singles).collect();
    let mut taken = always;
    let mut scored: Vec<(i64, Vec<Group>)> = vec![];
    for parts in candidates {
        let mut good = vec![];
        for facts in parts {
            let facts: Vec<u32> = facts.into_iter().filter(|fact| !taken[*fact as usize]).collect();
            if facts.len() < 2 {
                continue;
            }
            spent.step((facts.len() * samples.len()) as u64)?;
            let holding =
                samples.iter().map(|one| facts.iter().filter(|f| one[**f as usize]).count());
            let (least, most) = holding.fold((2, 0), |(a, b), many| (a.min(many), b.max(many)));
            if most < 2 {
                good.push(Group { facts, exactly: least == 1 });
            }
        }
        let saved = |group: &Group| {
            let codes = group.facts.len() as u32 + u32::from(!group.exactly);
            group.facts.len() as i64 - i64::from(32 - (codes - 1).leading_zeros())
        };
        scored.push((good.iter().map(saved).sum(), good));
    }
    scored.sort_by_key(|(saved, _)| -saved);
    for (_, good) in scored {
        for group in good {
            if group.facts.iter().all(|fact| !taken[*fact as usize]) {
                group.facts.iter().for_each(|fact| taken[*fact as usize] = true);
                groups.push(group);
            }
        }
    }
    Ok(groups)
}

/// What is wrong with each group, as far as it cannot be shown that nothing is.
fn disproven(
    net: &mut Net,
    roots: &Roots,
    groups: &Groups,
    spent: &mut Spent,
) -> Result<Vec<Wrong>, Exceeded> {
    let mut wrong = vec![Wrong::Nothing; groups.groups.len()];
    let certain = certain(groups, net);
    for case in cases(net, roots, groups, &certain, spent)? {
        if case.impossible {
            continue;
        }
        let mut next: HashMap<u32, Lit> = HashMap::new();
        let mut under = Under::new(net, groups, &case);
        for group in &groups.groups {
            for &fact in &group.facts {
                next.insert(fact, under.simplify(roots.next[fact as usize]));
            }
        }
        spent.step(under.done())?;
        spent.hold(net.bytes())?;
        for (group, wrong) in groups.groups.iter().zip(&mut wrong) {
            if *wrong == Wrong::Two {
                continue;
            }
            let now = of_group(net, groups, group, &next, &case, spent)?;
            if now != Wrong::Nothing {
                *wrong = now;
            }
        }
    }
    Ok(wrong)
}

/// What may go wrong with one group in one case.
fn of_group(
    net: &mut Net,
    groups: &Groups,
    group: &Group,
    next: &HashMap<u32, Lit>,
    case: &Assumed,
    spent: &mut Spent,
) -> Result<Wrong, Exceeded> {
    let mut open: Vec<(Lit, bool)> = vec![];
    for fact in &group.facts {
        // What stays as it is, or was assumed, excludes the others as it did before.
        let now = net.fact(*fact);
        let now = case.fact(*fact).map_or(now, |holds| if holds { TRUE } else { FALSE });
        open.push((next[fact], next[fact] == now));
    }
    if open.iter().all(|(_, same)| *same) {
        return Ok(Wrong::Nothing);
    }
    let lits: Vec<Lit> = open.iter().map(|(lit, _)| *lit).collect();
    let mut patience = Patience { branches: 500, steps: 50_000 };
    let before = patience.steps;
    let mut two = lits.iter().filter(|lit| **lit == TRUE).count() > 1;
    for (i, &one) in lits.iter().enumerate() {
        for (j, &other) in lits.iter().enumerate().skip(i + 1) {
            let kept = open[i].1 && open[j].1;
            let never = one == FALSE || other == FALSE || kept;
            two = two || !never && !refute(net, groups, case, &[one, other], &mut patience);
        }
    }
    let denied: Vec<Lit> = lits.iter().map(|lit| lit ^ 1).collect();
    let filled = !group.exactly
        || lits.contains(&TRUE)
        || !two && refute(net, groups, case, &denied, &mut patience);
    spent.step(before - patience.steps + (lits.len() * lits.len()) as u64)?;
    Ok(match (two, filled) {
        (true, _) => Wrong::Two,
        (false, false) => Wrong::Empty,
        (false, true) => Wrong::Nothing,
    })
}

/// What may be done, case by case: some role makes this move that is no mere waiting, or all wait.
fn cases(
    net: &mut Net,
    roots: &Roots,
    groups: &Groups,
    certain: &Assumed,
    spent: &mut Spent,
) -> Result<Vec<Assumed>, Exceeded> {
    let mut cases = vec![];
    let mut all_wait = certain.clone();
    for (role, of_role) in roots.roles.iter().enumerate() {
        for mv in (0..of_role.moves.len()).filter(|mv| !of_role.waits[*mv]) {
            cases.push(making(net, roots, groups, certain, (role, mv as u32), spent)?);
            let does = net.does(role as u8, mv as u32);
            all_wait.assume(net, groups, does ^ 1);
        }
    }
    cases.push(all_wait);
    cases.retain(|case| !case.impossible);
    Ok(cases)
}

/// What is known where a role makes a move: it is legal, and so is what the others do.
pub(crate) fn making(
    net: &mut Net,
    roots: &Roots,
    groups: &Groups,
    certain: &Assumed,
    (role, mv): (usize, u32),
    spent: &mut Spent,
) -> Result<Assumed, Exceeded> {
    let mut assumed = certain.clone();
    let does = net.does(role as u8, mv);
    assumed.assume(net, groups, does);
    let mut legal = roots.roles[role].moves[mv as usize].1;
    loop {
        let mut under = Under::new(net, groups, &assumed);
        legal = under.simplify(legal);
        spent.step(under.done())?;
        if legal == FALSE {
            assumed.impossible = true;
            return Ok(assumed);
        }
        let mut found = vec![];
        implied(net, legal, &mut found);
        let mut new = false;
        for lit in found {
            new |= assumed.assume(net, groups, lit);
        }
        if !new || assumed.impossible {
            break;
        }
    }
    for (other, of_other) in roots.roles.iter().enumerate() {
        if other == role || assumed.impossible {
            continue;
        }
        let mut under = Under::new(net, groups, &assumed);
        let never: Vec<u32> = (0..of_other.moves.len() as u32)
            .filter(|mv| under.simplify(of_other.moves[*mv as usize].1) == FALSE)
            .collect();
        spent.step(under.done())?;
        for mv in never {
            let does = net.does(other as u8, mv);
            assumed.assume(net, groups, does ^ 1);
        }
    }
    Ok(assumed)
}

//! Which face is the outer one. A plane graph can be turned inside out, so that any face is.
//!
//! Each connected component has one walk on the outer face: the one that passes the vertices that are
//! asked for. If several do, it is the one that passes no others; and if that does not decide either, as
//! on a cycle, the one that passes them in the order asked for. Where none are asked for it is the
//! longest, and the least among those: a walk begins where it is the least. The components lie side by
//! side.

use crabwise_graphfile::{ReadError, quotable};

use crate::{
    MOST_EDGES,
    plane::{Face, Walk, connected_components, face_walks, from_least},
};

/// How many faces an error lists.
const MOST_LISTED: usize = 20;

/// The bounded faces and the outer one of a rotation system.
pub(super) fn faces(
    names: &[String],
    rotation: &[Vec<usize>],
    wanted: Option<&[String]>,
) -> Result<(Vec<Face>, Face), ReadError> {
    let wanted = found(wanted, names)?;
    let components = connected_components(rotation);
    let mut walks: Vec<Walk> = face_walks(rotation).into_iter().map(from_least).collect();
    walks.sort();
    let mut outer = vec![];
    for component in (0..names.len()).filter(|&vertex| components[vertex] == vertex) {
        let passed = |vertex: &usize| components[*vertex] == component;
        let wanted: Vec<usize> = wanted.iter().copied().filter(passed).collect();
        let (here, others) = walks.into_iter().partition(|walk| passed(&walk[0]));
        let mut here: Vec<Walk> = here;
        walks = others;
        if here.is_empty() {
            outer.push(vec![component]); // a vertex without edges
            continue;
        }
        let chosen = chosen(&here, &wanted).ok_or_else(|| none_or_many(&here, &wanted, names))?;
        outer.push(here.remove(chosen));
        walks.append(&mut here);
    }
    Ok((walks.into_iter().map(|walk| vec![walk]).collect(), outer))
}

/// Makes sure that the outer face passes the vertices asked for, where it cannot be chosen.
pub(super) fn expect(
    wanted: Option<&[String]>,
    names: &[String],
    outer: &Face,
) -> Result<(), ReadError> {
    let wanted = found(wanted, names)?;
    if wanted.iter().all(|vertex| outer.iter().flatten().any(|passed| passed == vertex)) {
        return Ok(());
    }
    let text = format!(
        "outer={} is not on the outer face, which is {}; a drawing or a table has its own",
        dashed(&wanted, names),
        listed(outer, names)
    );
    Err(ReadError::anywhere(text))
}

/// The vertices with these names.
fn found(wanted: Option<&[String]>, names: &[String]) -> Result<Vec<usize>, ReadError> {
    let find = |name: &String| {
        let unknown =
            || ReadError::anywhere(format!("outer: no vertex is called '{}'", quotable(name)));
        names.iter().position(|known| known == name).ok_or_else(unknown)
    };
    let wanted = wanted.unwrap_or_default();
    if wanted.len() > 2 * MOST_EDGES {
        return Err(ReadError::anywhere("outer: more vertices than on the longest face"));
    }
    wanted.iter().map(find).collect()
}

/// The walk of a component that is the outer one.
fn chosen(walks: &[Walk], wanted: &[usize]) -> Option<usize> {
    let longest = walks.iter().map(Vec::len).max();
    if wanted.is_empty() {
        return walks.iter().position(|walk| Some(walk.len()) == longest);
    }
    let all = |walk: &Walk| wanted.iter().all(|vertex| walk.contains(vertex));
    let exact = |walk: &Walk| walk.iter().all(|vertex| wanted.contains(vertex));
    let in_order = |walk: &Walk| {
        let run = |begin: usize| walk.iter().cycle().skip(begin).take(wanted.len()).eq(wanted);
        // Two names are an edge, which has no order.
        wanted.len() > 2 && (0..walk.len()).any(run)
    };
    let mut left: Vec<usize> = (0..walks.len()).filter(|&walk| all(&walks[walk])).collect();
    for better in [&exact as &dyn Fn(&Walk) -> bool, &in_order] {
        if left.iter().any(|&walk| better(&walks[walk])) {
            left.retain(|&walk| better(&walks[walk]));
        }
    }
    match left[..] {
        [walk] => Some(walk),
        _ => None,
    }
}

fn none_or_many(walks: &[Walk], wanted: &[usize], names: &[String]) -> ReadError {
    let all = |walk: &&Walk| wanted.iter().all(|vertex| walk.contains(vertex));
    let count = walks.iter().filter(all).count();
    let on = if count == 0 { "on no face".into() } else { format!("on {count} faces") };
    let (wanted, faces) = (dashed(wanted, names), listed(walks, names));
    ReadError::anywhere(format!(
        "outer={wanted} is {on}, and must be on one; the faces are {faces}"
    ))
}

fn dashed(walk: &[usize], names: &[String]) -> String {
    walk.iter().map(|&vertex| names[vertex].as_str()).collect::<Vec<_>>().join("-")
}

fn listed(walks: &[Walk], names: &[String]) -> String {
    let mut listed: Vec<String> =
        walks.iter().take(MOST_LISTED).map(|walk| dashed(walk, names)).collect();
    if walks.len() > MOST_LISTED {
        listed.push(format!("and {} more", walks.len() - MOST_LISTED));
    }
    listed.join(", ")
}

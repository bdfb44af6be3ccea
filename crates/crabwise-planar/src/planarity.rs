//! A graph is planar exactly if each of its blocks is, the largest subgraphs that no single vertex
//! cuts.
//!
//! Blocks share vertices, never edges. Where two of them meet, one can be drawn within any corner
//! of the other, so the order around a cut vertex is that of one block after that of the other.
//!
//! A block of more than one edge is drawn piece by piece (Demoucron, Malgrange and Pertuiset,
//! 1964): first a cycle, which has two faces; then, of what is missing, a path between two vertices
//! that are drawn, through a face on which both lie. What is missing falls into *fragments*: edges
//! between drawn vertices, and connected sets of other vertices with all edges at them. A fragment
//! lies within one face whole, so one that has no face with all its contacts proves that this
//! drawing leads nowhere; and if a fragment with a single such face goes first, then by their
//! theorem any choice among the others is right, and a drawing that leads nowhere proves that there
//! is none.

use std::collections::VecDeque;

use crate::plane::{RotationSystem, Walk, adjacency};

/// The rotation system of some drawing in the plane, or `None` if the graph is not planar.
pub fn embed(vertices: usize, edges: &[[usize; 2]]) -> Option<RotationSystem> {
    let mut rotation = vec![vec![]; vertices];
    for block in blocks(vertices, edges) {
        let around = match block[..] {
            [[u, v]] => vec![(u, vec![v]), (v, vec![u])],
            _ => Drawing::of(vertices, &block)?.rotation(),
        };
        for (vertex, neighbours) in around {
            rotation[vertex].extend(neighbours);
        }
    }
    Some(rotation)
}

/// The edges of each block.
fn blocks(vertices: usize, edges: &[[usize; 2]]) -> Vec<Vec<[usize; 2]>> {
    let neighbours = adjacency(vertices, edges);
    let mut search =
        Search { neighbours, met: vec![0; vertices], time: 0, path: vec![], blocks: vec![] };
    for vertex in 0..vertices {
        if search.met[vertex] == 0 {
            search.visit(vertex, None);
        }
    }
    search.blocks
}

/// A search in depth, after Hopcroft and Tarjan.
struct Search {
    neighbours: Vec<Vec<usize>>,
    /// When each vertex was met, from 1; 0 for never.
    met: Vec<usize>,
    time: usize,
    /// Edges met whose block is not whole.
    path: Vec<[usize; 2]>,
    blocks: Vec<Vec<[usize; 2]>>,
}

impl Search {
    /// Searches on from a vertex; when the earliest vertex was met that can be reached from there.
    fn visit(&mut self, vertex: usize, from: Option<usize>) -> usize {
        self.time += 1;
        self.met[vertex] = self.time;
        let mut earliest = self.time;
        for i in 0..self.neighbours[vertex].len() {
            let next = self.neighbours[vertex][i];
            if Some(next) == from {
                continue;
            }
            if self.met[next] == 0 {
                let begin = self.path.len();
                self.path.push([vertex, next]);
                let reached = self.visit(next, Some(vertex));
                // Nothing from there on leads past this vertex, so it cuts a block off.
                if reached >= self.met[vertex] {
                    self.blocks.push(self.path.split_off(begin));
                }
                earliest = earliest.min(reached);
            } else if self.met[next] < self.met[vertex] {
                self.path.push([vertex, next]);
                earliest = earliest.min(self.met[next]);
            }
        }
        earliest
    }
}

/// What is drawn of a block.
struct Drawing {
    /// The neighbours of each vertex in the block.
    neighbours: Vec<Vec<usize>>,
    /// The faces, each on the right of its darts.
    faces: Vec<Walk>,
    /// Whether each vertex is drawn.
    drawn: Vec<bool>,
    /// The neighbours to which edges are not drawn.
    missing: Vec<Vec<usize>>,
}

/// A part of what is not drawn.
struct Fragment {
    /// Its vertices that are not drawn; none if it is an edge.
    inner: Vec<usize>,
    /// Its vertices that are drawn, at least two.
    contacts: Vec<usize>,
}

impl Drawing {
    /// A drawing of a whole block of at least three edges, if there is one.
    fn of(vertices: usize, block: &[[usize; 2]]) -> Option<Drawing> {
        let neighbours = adjacency(vertices, block);
        let missing = neighbours.clone();
        let mut drawing =
            Drawing { neighbours, faces: vec![], drawn: vec![false; vertices], missing };
        let [u, v] = block[0];
        // Without its first edge the block is still connected.
        let cycle = drawing.path(u, v, |from, to| [from, to] != [u, v])?;
        drawing.draw(&cycle);
        drawing.draw(&[v, u]);
        drawing.faces = vec![cycle.clone(), cycle.into_iter().rev().collect()];
        while let Some((fragment, face)) = drawing.choice()? {
            drawing.split(&fragment, face)?;
        }
        Some(drawing)
    }

    /// Notes the edges of a path as drawn.
    fn draw(&mut self, path: &[usize]) {
        for (&u, &v) in path.iter().zip(&path[1..]) {
            self.missing[u].retain(|&w| w != v);
            self.missing[v].retain(|&w| w != u);
        }
        path.iter().for_each(|&vertex| self.drawn[vertex] = true);
    }

    /// A shortest path of edges that may be walked.
    fn path(&self, from: usize, to: usize, may: impl Fn(usize, usize) -> bool) -> Option<Walk> {
        let mut before = vec![None; self.neighbours.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(vertex) = queue.pop_front() {
            for &next in &self.neighbours[vertex] {
                if next != from && before[next].is_none() && may(vertex, next) {
                    before[next] = Some(vertex);
                    queue.push_back(next);
                }
            }
        }
        let mut path = vec![to];
        while path[path.len() - 1] != from {
            path.push(before[path[path.len() - 1]]?);
        }
        path.reverse();
        Some(path)
    }

    fn fragments(&self) -> Vec<Fragment> {
        let mut fragments = vec![];
        let mut seen = self.drawn.clone();
        for vertex in 0..self.neighbours.len() {
            if self.drawn[vertex] {
                let edges = self.missing[vertex].iter().filter(|&&v| v > vertex && self.drawn[v]);
                fragments.extend(
                    edges.map(|&other| Fragment { inner: vec![], contacts: vec![vertex, other] }),
                );
            } else if !seen[vertex] && !self.neighbours[vertex].is_empty() {
                fragments.push(self.fragment_with(vertex, &mut seen));
            }
        }
        fragments
    }

    /// The fragment of a vertex that is not drawn. Its inner vertices are seen afterwards.
    fn fragment_with(&self, vertex: usize, seen: &mut [bool]) -> Fragment {
        let (mut inner, mut contacts) = (vec![vertex], vec![]);
        seen[vertex] = true;
        let mut next = 0;
        while next < inner.len() {
            for &other in &self.neighbours[inner[next]] {
                if self.drawn[other] {
                    contacts.push(other);
                } else if !seen[other] {
                    seen[other] = true;
                    inner.push(other);
                }
            }
            next += 1;
        }
        contacts.sort_unstable();
        contacts.dedup();
        Fragment { inner, contacts }
    }

    /// The fragment to go on with and a face for it, if anything is missing. `None` outside if some
    /// fragment has no face.
    fn choice(&self) -> Option<Option<(Fragment, usize)>> {
        let mut best = None;
        for fragment in self.fragments() {
            let fits = |&face: &usize| {
                fragment.contacts.iter().all(|contact| self.faces[face].contains(contact))
            };
            let mut faces = (0..self.faces.len()).filter(fits);
            let face = faces.next()?;
            let single = faces.next().is_none();
            if single {
                return Some(Some((fragment, face)));
            }
            best = best.or(Some((fragment, face)));
        }
        Some(best)
    }

    /// Draws a path through a fragment, across a face.
    fn split(&mut self, fragment: &Fragment, face: usize) -> Option<()> {
        let (first, last) = (fragment.contacts[0], fragment.contacts[1]);
        let path = if fragment.inner.is_empty() {
            vec![first, last]
        } else {
            let inner = |vertex| fragment.inner.contains(&vertex);
            self.path(first, last, |from, to| inner(from) || from == first && inner(to))?
        };
        self.draw(&path);
        let mut walk = self.faces.swap_remove(face);
        let begin = walk.iter().position(|&vertex| vertex == first)?;
        walk.rotate_left(begin);
        let end = walk.iter().position(|&vertex| vertex == last)?;
        // From the first to the last along the path, and back along the face; and the reverse.
        self.faces.push([&path[..], &walk[end + 1..]].concat());
        let back = path.iter().rev().copied().take(path.len() - 1);
        self.faces.push(walk[..end].iter().copied().chain(back).collect());
        Some(())
    }

    /// The neighbours of each vertex of the block, clockwise.
    fn rotation(&self) -> Vec<(usize, Vec<usize>)> {
        // After u → v comes v → w with w just before u around v.
        let mut after = vec![vec![]; self.neighbours.len()];
        for walk in &self.faces {
            for (i, &v) in walk.iter().enumerate() {
                let u = walk[(i + walk.len() - 1) % walk.len()];
                let w = walk[(i + 1) % walk.len()];
                after[v].push((w, u));
            }
        }
        let around = |vertex: usize| {
            let after: &Vec<(usize, usize)> = &after[vertex];
            let mut order: Vec<usize> = after.iter().take(1).map(|pair| pair.0).collect();
            while order.len() < after.len() {
                let here = order[order.len() - 1];
                order.extend(after.iter().find(|pair| pair.0 == here).map(|pair| pair.1));
            }
            (vertex, order)
        };
        (0..self.neighbours.len()).map(around).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::{connected_components, face_walks};

    /// Whether the graph is embedded; if so, the embedding is checked.
    fn planar(vertices: usize, edges: &[[usize; 2]]) -> bool {
        let Some(rotation) = embed(vertices, edges) else { return false };
        let mut neighbours = adjacency(vertices, edges);
        let mut sorted = rotation.clone();
        neighbours.iter_mut().chain(&mut sorted).for_each(|list| list.sort_unstable());
        assert_eq!(sorted, neighbours, "{edges:?}");
        let lone = rotation.iter().filter(|list| list.is_empty()).count();
        let component = connected_components(&neighbours);
        let components = (0..vertices).filter(|&vertex| component[vertex] == vertex).count();
        // Components side by side share a face.
        let faces = face_walks(&rotation).len() + lone + 1 - components;
        assert_eq!(vertices + faces, edges.len() + 1 + components, "{edges:?}: {rotation:?}");
        true
    }

    fn complete(vertices: usize) -> Vec<[usize; 2]> {
        (0..vertices).flat_map(|v| (0..v).map(move |u| [u, v])).collect()
    }

    /// Whether six vertices, with these edges as bits of the complete graph, contain one of
    /// Kuratowski's graphs with at most six vertices: the two themselves, and K5 with one edge
    /// divided.
    fn has_kuratowski(graph: u32, all: &[[usize; 2]]) -> bool {
        let has = |u: usize, v: usize| {
            let edge = all.iter().position(|&edge| edge == [u.min(v), u.max(v)]).unwrap();
            graph >> edge & 1 == 1
        };
        let k33 = (0..64u32).filter(|set| set.count_ones() == 3).any(|set| {
            let side = |v: &usize| set >> v & 1 == 1;
            all.iter().all(|[u, v]| side(u) == side(v) || has(*u, *v))
        });
        k33 || (0..6).any(|spare| {
            let within = all.iter().filter(|edge| !edge.contains(&spare));
            let lacking: Vec<&[usize; 2]> = within.filter(|&&[u, v]| !has(u, v)).collect();
            match lacking[..] {
                [] => true,
                [&[u, v]] => has(u, spare) && has(v, spare),
                _ => false,
            }
        })
    }

    #[test]
    fn all_graphs_of_up_to_six_vertices() {
        let all = complete(6);
        let mut refused = 0;
        for graph in 0..1u32 << all.len() {
            let chosen = |edge: &usize| graph >> edge & 1 == 1;
            let edges: Vec<[usize; 2]> = (0..15).filter(chosen).map(|edge| all[edge]).collect();
            let expected = !has_kuratowski(graph, &all);
            assert_eq!(planar(6, &edges), expected, "{edges:?}");
            refused += usize::from(!expected);
        }
        assert_eq!(refused, 32768 - 32071); // OEIS A066537: labelled planar graphs of six vertices
    }

    /// The edges with some of them divided by new vertices.
    fn divided(
        mut vertices: usize,
        edges: &[[usize; 2]],
        random: &mut fastrand::Rng,
    ) -> (usize, Vec<[usize; 2]>) {
        let mut all = vec![];
        for &[u, v] in edges {
            let mut last = u;
            for _ in 0..random.usize(..3) {
                all.push([last, vertices]);
                last = vertices;
                vertices += 1;
            }
            all.push([last, v]);
        }
        (vertices, all)
    }

    /// Numbers the vertices anew and puts the edges in another order.
    fn shuffled(vertices: usize, edges: &mut [[usize; 2]], random: &mut fastrand::Rng) {
        let mut numbers: Vec<usize> = (0..vertices).collect();
        random.shuffle(&mut numbers);
        for edge in edges.iter_mut() {
            *edge = edge.map(|vertex| numbers[vertex]);
            random.shuffle(edge);
        }
        random.shuffle(edges);
    }

    #[test]
    fn divided_graphs_that_are_not_planar() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let k33: Vec<[usize; 2]> = (0..9).map(|i| [i / 3, 3 + i % 3]).collect();
        let petersen: Vec<[usize; 2]> =
            (0..5).flat_map(|i| [[i, (i + 1) % 5], [i, i + 5], [i + 5, (i + 2) % 5 + 5]]).collect();
        for (vertices, edges, minimal) in
            [(5, complete(5), true), (6, k33, true), (10, petersen, false)]
        {
            assert!(!planar(vertices, &edges));
            for _ in 0..50 {
                let (vertices, mut edges) = divided(vertices, &edges, &mut random);
                shuffled(vertices, &mut edges, &mut random);
                assert!(!planar(vertices, &edges), "{edges:?}");
                edges.pop();
                // Every edge of the first two is needed, and those of Petersen's graph are not.
                assert_eq!(planar(vertices, &edges), minimal, "{edges:?}");
            }
        }
    }

    #[test]
    fn pieces_of_grids_with_diagonals() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..400 {
            let (wide, high) = (random.usize(1..8), random.usize(1..8));
            let share = random.f64();
            let mut edges = vec![];
            for (x, y) in (0..high).flat_map(|y| (0..wide).map(move |x| (x, y))) {
                let here = y * wide + x;
                let (right, up) = (x + 1 < wide, y + 1 < high);
                let across =
                    if random.bool() { [here, here + wide + 1] } else { [here + 1, here + wide] };
                let edge = |there: bool, edge| there.then_some(edge);
                edges.extend(edge(right, [here, here + 1]));
                edges.extend(edge(up, [here, here + wide]));
                edges.extend(edge(right && up, across));
            }
            edges.retain(|_| random.f64() < share);
            shuffled(wide * high, &mut edges, &mut random);
            assert!(planar(wide * high, &edges), "{edges:?}");
        }
    }
}

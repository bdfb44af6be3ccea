//! Who leads where: the parents of a position inside its tier.
//!
//! Either the game can be played backwards, or the edges met while looking forwards are recorded.
//! Recorded edges are first thrown into buckets of 65,536 neighbouring children, a page at a time,
//! and then each bucket is ordered by child on its own, in cache. While they are collected an edge takes 6 bytes, afterwards 4, plus 4 bytes a position;
//! in tiers of more than 2³¹ slots 10 and 8.

use std::sync::{Mutex, MutexGuard};

use rayon::prelude::*;

use crate::graph::{Backwards, Origins};

/// A slot's index in the narrowest integer that also has room for the `again` bit.
pub(crate) trait Ordinal: Copy + Send + Sync + 'static {
    fn narrow(n: u64) -> Self;
    fn wide(self) -> u64;
}

impl Ordinal for u32 {
    #[inline]
    fn narrow(n: u64) -> u32 {
        n as u32
    }
    #[inline]
    fn wide(self) -> u64 {
        self.into()
    }
}

impl Ordinal for u64 {
    #[inline]
    fn narrow(n: u64) -> u64 {
        n
    }
    #[inline]
    fn wide(self) -> u64 {
        self
    }
}

/// The parents of any position of one tier.
pub(crate) enum Parents<'a, N> {
    Recorded(Reverse<N>),
    Unplayed { backwards: &'a dyn Backwards, tier: u32 },
}

impl<N: Ordinal> Parents<'_, N> {
    /// Calls `tell` for each parent of each child: with the child's place in the list, the parent,
    /// and whether its mover moves again. Recorded edges tell each parent once, un-moves once for
    /// each move. `scratch` is room that is used again and again.
    #[inline]
    pub(crate) fn each(
        &self,
        children: &[N],
        scratch: &mut Scratch,
        mut tell: impl FnMut(usize, u64, bool),
    ) {
        match self {
            Parents::Recorded(reverse) => {
                for (nth, child) in children.iter().enumerate() {
                    for edge in reverse.parents(child.wide()) {
                        tell(nth, edge.wide() >> 1, edge.wide() & 1 == 1);
                    }
                }
            }
            Parents::Unplayed { backwards, tier } => {
                let Scratch { children: wide, origins } = scratch;
                wide.clear();
                wide.extend(children.iter().map(|child| child.wide()));
                backwards.parents(*tier, wide, origins);
                let mut from = 0;
                for (nth, &end) in origins.ends.iter().enumerate() {
                    for &(parent, again) in &origins.parents[from..end] {
                        tell(nth, parent, again);
                    }
                    from = end;
                }
            }
        }
    }
}

/// Room for finding parents.
#[derive(Default)]
pub(crate) struct Scratch {
    children: Vec<u64>,
    origins: Origins,
}

/// The recorded edges, by child.
pub(crate) struct Reverse<N> {
    buckets: Vec<Bucket<N>>,
}

/// The edges to 65,536 neighbouring children.
struct Bucket<N> {
    /// Where the edges to each child begin.
    starts: Vec<u32>,
    /// The edges, in pages of [`PAGE`].
    pages: Vec<Box<[N]>>,
}

impl<N: Ordinal> Reverse<N> {
    /// Parents as `index << 1 | again`.
    #[inline]
    fn parents(&self, child: u64) -> impl Iterator<Item = N> {
        let bucket = &self.buckets[(child >> 16) as usize];
        let low = (child & 0xFFFF) as usize;
        (bucket.starts[low] as usize..bucket.starts[low + 1] as usize)
            .map(|i| bucket.pages[i / PAGE][i % PAGE])
    }
}

/// How many edges a page holds.
const PAGE: usize = 1024;

/// Edges in the order they were met.
struct Heap<N> {
    children: Vec<Box<[u16]>>,
    parents: Vec<Box<[N]>>,
    len: usize,
}

/// Collects the edges to the children of one share, which are spoken of by their place in it.
pub(crate) struct Recorder<N> {
    len: u64,
    heaps: Vec<Heap<N>>,
}

impl<N: Ordinal> Recorder<N> {
    pub(crate) fn new(len: u64) -> Recorder<N> {
        let heap = |_| Heap { children: vec![], parents: vec![], len: 0 };
        Recorder { len, heaps: (0..len.div_ceil(1 << 16)).map(heap).collect() }
    }

    /// Adds an edge to a child from `parent << 1 | again`.
    #[inline]
    pub(crate) fn add(&mut self, child: u64, parent: N) {
        let heap = &mut self.heaps[(child >> 16) as usize];
        let (page, place) = (heap.len / PAGE, heap.len % PAGE);
        if place == 0 {
            heap.children.push(vec![0; PAGE].into());
            heap.parents.push(vec![N::narrow(0); PAGE].into());
        }
        heap.children[page][place] = child as u16;
        heap.parents[page][place] = parent;
        heap.len += 1;
    }

    /// Orders what was collected by child.
    pub(crate) fn finish(self) -> Reverse<N> {
        Recorder::finish_all(vec![self])
    }

    /// Orders what several threads collected of the same children.
    fn finish_all(all: Vec<Recorder<N>>) -> Reverse<N> {
        let slots = all.first().map_or(0, |one| one.len);
        let mut buckets: Vec<Vec<Heap<N>>> = vec![];
        buckets.resize_with(slots.div_ceil(1 << 16) as usize, Vec::new);
        for one in all {
            buckets.iter_mut().zip(one.heaps).for_each(|(bucket, heap)| bucket.push(heap));
        }
        let pool = Mutex::new(vec![]);
        let len = |bucket: usize| (slots - ((bucket as u64) << 16)).min(1 << 16) as usize;
        let buckets = (buckets.into_par_iter().enumerate())
            .map(|(i, heaps)| order(heaps, len(i), &pool))
            .collect();
        Reverse { buckets }
    }
}

/// A recorder for each thread of the pool, and one for a thread from outside.
pub(crate) struct ThreadRecorders<N>(Vec<Mutex<Recorder<N>>>);

impl<N: Ordinal> ThreadRecorders<N> {
    pub(crate) fn new(len: u64) -> ThreadRecorders<N> {
        let threads = 0..=rayon::current_num_threads();
        ThreadRecorders(threads.map(|_| Mutex::new(Recorder::new(len))).collect())
    }

    /// This thread's.
    pub(crate) fn mine(&self) -> MutexGuard<'_, Recorder<N>> {
        let thread = rayon::current_thread_index().map_or(0, |thread| thread + 1);
        self.0[thread].lock().expect("no thread panics while it holds it")
    }

    pub(crate) fn finish(self) -> Reverse<N> {
        let inner = |one: Mutex<_>| one.into_inner().expect("no thread panics while it holds it");
        Recorder::finish_all(self.0.into_iter().map(inner).collect())
    }
}

/// Pages to be used again. Without it the ordered edges would take new memory while the unordered
/// ones are given back too late.
type Pool<N> = Mutex<Vec<Box<[N]>>>;

fn page<N: Ordinal>(pool: &Pool<N>) -> Box<[N]> {
    let used = pool.lock().expect("no thread panics while it holds it").pop();
    used.unwrap_or_else(|| vec![N::narrow(0); PAGE].into())
}

fn order<N: Ordinal>(heaps: Vec<Heap<N>>, len: usize, pool: &Pool<N>) -> Bucket<N> {
    // Counts go one place up, so that after summing `starts[c + 1]` is where c's edges begin, and
    // after filling, where they end: which is where c + 1 begins.
    let mut starts = vec![0u32; len + 2];
    for heap in &heaps {
        for child in heap.children.iter().flatten().take(heap.len) {
            starts[*child as usize + 2] += 1;
        }
    }
    for c in 2..starts.len() {
        starts[c] =
            starts[c].checked_add(starts[c - 1]).expect("memory ends long before 2³² edges");
    }
    let edges = starts[len + 1] as usize;
    let mut pages: Vec<Box<[N]>> = (0..edges.div_ceil(PAGE)).map(|_| page(pool)).collect();
    for heap in heaps {
        let pairs = heap.children.iter().flatten().zip(heap.parents.iter().flatten());
        for (child, parent) in pairs.take(heap.len) {
            let next = &mut starts[*child as usize + 1];
            pages[*next as usize / PAGE][*next as usize % PAGE] = *parent;
            *next += 1;
        }
        pool.lock().expect("no thread panics while it holds it").extend(heap.parents);
    }
    starts.pop();
    Bucket { starts, pages }
}

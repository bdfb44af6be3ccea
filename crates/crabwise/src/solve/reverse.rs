//! Who leads where: the parents of a position inside its tier.
//!
//! Either the game can be played backwards, or the edges met while looking forwards are recorded.
//! Recorded edges are first thrown into buckets of 65,536 neighbouring children, a page at a time
//! and without locks between threads, and then each bucket is ordered by child on its own, in
//! cache. While they are collected an edge takes 6 bytes, afterwards 4, plus 4 bytes a position;
//! in tiers of more than 2³¹ slots 10 and 8.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::graph::Backwards;

/// A slot's index in the narrowest integer that also has room for the `again` bit.
pub(super) trait Ordinal: Copy + Send + Sync + 'static {
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
pub(super) enum Parents<'a, N> {
    Recorded(Reverse<N>),
    Unplayed { backwards: &'a dyn Backwards, tier: u32 },
}

impl<N: Ordinal> Parents<'_, N> {
    /// Calls `tell` for each distinct parent, with whether its mover moves again. `scratch` is
    /// room that is used again for each position.
    #[inline]
    pub(super) fn each(
        &self,
        child: u64,
        scratch: &mut Vec<(u64, bool)>,
        mut tell: impl FnMut(u64, bool),
    ) {
        match self {
            Parents::Recorded(reverse) => {
                for edge in reverse.parents(child) {
                    tell(edge.wide() >> 1, edge.wide() & 1 == 1);
                }
            }
            Parents::Unplayed { backwards, tier } => {
                scratch.clear();
                backwards.parents(*tier, child, scratch);
                scratch.iter().for_each(|&(parent, again)| tell(parent, again));
            }
        }
    }
}

/// The recorded edges, by child.
pub(super) struct Reverse<N> {
    buckets: Vec<Bucket<N>>,
}

struct Bucket<N> {
    starts: Vec<u32>,
    parents: Vec<N>,
}

impl<N: Ordinal> Reverse<N> {
    /// Parents as `index << 1 | again`.
    #[inline]
    fn parents(&self, child: u64) -> &[N] {
        let bucket = &self.buckets[(child >> 16) as usize];
        let low = (child & 0xFFFF) as usize;
        &bucket.parents[bucket.starts[low] as usize..bucket.starts[low + 1] as usize]
    }
}

/// How many edges a page holds.
const PAGE: usize = 1024;

struct Page<N> {
    children: Vec<u16>,
    parents: Vec<N>,
}

/// Collects edges, each thread in its own pages.
pub(super) struct Recorder<N> {
    len: u64,
    threads: Vec<Mutex<Vec<Vec<Page<N>>>>>,
}

impl<N: Ordinal> Recorder<N> {
    pub(super) fn new(len: u64) -> Recorder<N> {
        let buckets = len.div_ceil(1 << 16) as usize;
        let pages = |_| Mutex::new((0..buckets).map(|_| vec![]).collect());
        Recorder { len, threads: (0..=rayon::current_num_threads()).map(pages).collect() }
    }

    /// Adds edges `(child, parent << 1 | again)`.
    pub(super) fn add(&self, edges: &[(N, N)]) {
        let thread = rayon::current_thread_index().map_or(0, |i| i + 1);
        let mut buckets = self.threads[thread].lock().expect("no thread panics while it holds it");
        for &(child, parent) in edges {
            let pages = &mut buckets[(child.wide() >> 16) as usize];
            if pages.last().is_none_or(|page: &Page<N>| page.parents.len() == PAGE) {
                // The first page of a bucket stays small: a sparse tier has many such.
                let room = if pages.is_empty() { 64 } else { PAGE };
                let (children, parents) = (Vec::with_capacity(room), Vec::with_capacity(room));
                pages.push(Page { children, parents });
            }
            let page = pages.last_mut().expect("just pushed");
            page.children.push(child.wide() as u16);
            page.parents.push(parent);
        }
    }

    /// Orders what was collected by child.
    pub(super) fn finish(self) -> Reverse<N> {
        let mut buckets: Vec<Vec<Page<N>>> = vec![];
        buckets.resize_with(self.len.div_ceil(1 << 16) as usize, Vec::new);
        for thread in self.threads {
            let pages = thread.into_inner().expect("no thread panics while it holds it");
            buckets.iter_mut().zip(pages).for_each(|(bucket, pages)| bucket.extend(pages));
        }
        let len = |bucket: usize| (self.len - ((bucket as u64) << 16)).min(1 << 16) as usize;
        let buckets = (buckets.into_par_iter().enumerate())
            .map(|(i, pages)| order(pages, len(i)))
            .collect();
        Reverse { buckets }
    }
}

fn order<N: Ordinal>(pages: Vec<Page<N>>, len: usize) -> Bucket<N> {
    // Counts go one place up, so that after summing `starts[c + 1]` is where c's edges begin, and
    // after filling, where they end: which is where c + 1 begins.
    let mut starts = vec![0u32; len + 2];
    for child in pages.iter().flat_map(|page| &page.children) {
        starts[*child as usize + 2] += 1;
    }
    for c in 2..starts.len() {
        starts[c] += starts[c - 1];
    }
    let mut parents = vec![N::narrow(0); starts[len + 1] as usize];
    for page in pages {
        for (child, parent) in page.children.iter().zip(&page.parents) {
            let next = &mut starts[*child as usize + 1];
            parents[*next as usize] = *parent;
            *next += 1;
        }
    }
    starts.pop();
    Bucket { starts, parents }
}

//! Who leads where: the parents of a position inside its tier.
//!
//! Either the game can be played backwards, or the edges met while looking forwards are recorded.
//! Recorded edges are first thrown into buckets of 65,536 neighbouring children, a page at a time,
//! and then each bucket is ordered by child on its own, in cache. While they are collected an edge takes two bytes more than
//! afterwards, when it takes [`width`], plus 4 bytes a position.

use std::sync::{Arc, Mutex, MutexGuard};

use rayon::prelude::*;

use super::held;
use crate::graph::{Backwards, Origins};

/// The parents of any position of one tier.
pub(crate) enum Parents<'a> {
    Recorded(Arc<Reverse>),
    Unplayed { backwards: &'a dyn Backwards, tier: u32 },
}

impl Parents<'_> {
    /// Calls `tell` for each parent of each child: with the child's place in the list, the parent,
    /// and whether its mover moves again. Recorded edges tell each parent once, un-moves once for
    /// each move. `origins` is room that is used again and again.
    #[inline]
    pub(crate) fn each(
        &self,
        children: &[u64],
        origins: &mut Origins,
        mut tell: impl FnMut(usize, u64, bool),
    ) {
        match self {
            Parents::Recorded(reverse) => {
                for (nth, child) in children.iter().enumerate() {
                    for edge in reverse.parents(*child) {
                        tell(nth, edge >> 1, edge & 1 == 1);
                    }
                }
            }
            Parents::Unplayed { backwards, tier } => {
                backwards.parents(*tier, children, origins);
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

/// How many edges a page holds.
const PAGE: usize = 1024;

/// Edges as `parent << 1 | again`, each of as many bytes as the tier's slots take.
type Page = Box<[u8]>;

/// Bytes of an edge in a tier of so many slots.
pub(crate) fn width(slots: u64) -> usize {
    match slots {
        0..0x80_0000 => 3,
        0x80_0000..0x8000_0000 => 4,
        _ => 5,
    }
}

#[inline]
fn edge(pages: &[Page], width: usize, i: usize) -> u64 {
    let page = &pages[i / PAGE][i % PAGE * width..];
    match width {
        3 => u32::from_le_bytes([page[0], page[1], page[2], 0]).into(),
        4 => u32::from_le_bytes([page[0], page[1], page[2], page[3]]).into(),
        _ => u64::from_le_bytes([page[0], page[1], page[2], page[3], page[4], 0, 0, 0]),
    }
}

#[inline]
fn set_edge(pages: &mut [Page], width: usize, i: usize, edge: u64) {
    let page = &mut pages[i / PAGE][i % PAGE * width..];
    let bytes = edge.to_le_bytes();
    match width {
        3 => page[..3].copy_from_slice(&bytes[..3]),
        4 => page[..4].copy_from_slice(&bytes[..4]),
        _ => page[..5].copy_from_slice(&bytes[..5]),
    }
}

/// The recorded edges, by child.
pub(crate) struct Reverse {
    width: usize,
    buckets: Vec<Bucket>,
    /// Where the children of each bucket begin, and where the last ones end.
    firsts: Vec<u64>,
    /// Buckets a child, in parts of 2⁶⁴.
    scale: u64,
}

/// The edges to neighbouring children: 65,536 of them where edges were recorded by slot.
pub(crate) struct Bucket {
    /// Where the edges to each child begin.
    starts: Vec<u32>,
    pages: Vec<Page>,
}

impl Reverse {
    /// Edges of a width. The children of the buckets follow each other.
    pub(crate) fn of(width: usize, mut buckets: Vec<Bucket>) -> Reverse {
        buckets.retain(|bucket| bucket.starts.len() > 1);
        let mut firsts = vec![0];
        for bucket in &buckets {
            firsts.push(firsts[firsts.len() - 1] + bucket.starts.len() as u64 - 1);
        }
        let children = u128::from(firsts[buckets.len()].max(1));
        let scale = ((buckets.len() as u128) << 64) / children;
        Reverse { width, buckets, firsts, scale: scale.min(u64::MAX.into()) as u64 }
    }

    pub(crate) fn bytes(&self) -> u64 {
        let bytes = |one: &Bucket| 4 * one.starts.len() + one.pages.len() * PAGE * self.width;
        self.buckets.iter().map(bytes).sum::<usize>() as u64
    }

    #[inline]
    fn parents(&self, child: u64) -> impl Iterator<Item = u64> {
        // Buckets are about equally long, so the guess is right or next to it.
        let mut nth = (u128::from(child) * u128::from(self.scale) >> 64) as usize;
        while child < self.firsts[nth] {
            nth -= 1;
        }
        while child >= self.firsts[nth + 1] {
            nth += 1;
        }
        let Bucket { starts, pages } = &self.buckets[nth];
        let low = (child - self.firsts[nth]) as usize;
        (starts[low] as usize..starts[low + 1] as usize).map(|i| edge(pages, self.width, i))
    }
}

/// Edges in the order they were met.
#[derive(Default)]
struct Heap {
    children: Vec<Box<[u16]>>,
    parents: Vec<Page>,
    len: usize,
}

/// Collects the edges to the children of one share, which are spoken of by their place in it.
pub(crate) struct Recorder {
    len: u64,
    width: usize,
    heaps: Vec<Heap>,
}

impl Recorder {
    /// For a share of `len` slots in a tier of `slots`.
    pub(crate) fn new(len: u64, slots: u64) -> Recorder {
        let heaps = (0..len.div_ceil(1 << 16)).map(|_| Heap::default()).collect();
        Recorder { len, width: width(slots), heaps }
    }

    /// Adds an edge to a child from `parent << 1 | again`.
    #[inline]
    pub(crate) fn add(&mut self, child: u64, parent: u64) {
        let heap = &mut self.heaps[(child >> 16) as usize];
        let (page, place) = (heap.len / PAGE, heap.len % PAGE);
        if place == 0 {
            heap.children.push(vec![0; PAGE].into());
            heap.parents.push(new_page(self.width));
        }
        heap.children[page][place] = child as u16;
        set_edge(&mut heap.parents, self.width, heap.len, parent);
        heap.len += 1;
    }

    /// Orders what was collected by child.
    pub(crate) fn finish(self) -> Arc<Reverse> {
        Recorder::finish_all(vec![self])
    }

    /// Orders what several threads collected of the same children.
    fn finish_all(all: Vec<Recorder>) -> Arc<Reverse> {
        let (slots, width) = all.first().map_or((0, 3), |one| (one.len, one.width));
        let mut buckets: Vec<Vec<Heap>> = vec![];
        buckets.resize_with(slots.div_ceil(1 << 16) as usize, Vec::new);
        for one in all {
            buckets.iter_mut().zip(one.heaps).for_each(|(bucket, heap)| bucket.push(heap));
        }
        let pool = Mutex::new(vec![]);
        let len = |bucket: usize| (slots - ((bucket as u64) << 16)).min(1 << 16) as usize;
        let buckets = (buckets.into_par_iter().enumerate())
            .map(|(i, heaps)| order(heaps, width, len(i), &pool))
            .collect();
        Arc::new(Reverse::of(width, buckets))
    }
}

/// A recorder for each thread of the pool, and one for a thread from outside.
pub(crate) struct ThreadRecorders(Vec<Mutex<Recorder>>);

impl ThreadRecorders {
    pub(crate) fn new(len: u64) -> ThreadRecorders {
        let threads = 0..=rayon::current_num_threads();
        ThreadRecorders(threads.map(|_| Mutex::new(Recorder::new(len, len))).collect())
    }

    /// This thread's.
    pub(crate) fn mine(&self) -> MutexGuard<'_, Recorder> {
        let thread = rayon::current_thread_index().map_or(0, |thread| thread + 1);
        held(&self.0[thread])
    }

    pub(crate) fn finish(self) -> Arc<Reverse> {
        let inner = |one: Mutex<_>| one.into_inner().expect("no thread panics while it holds it");
        Recorder::finish_all(self.0.into_iter().map(inner).collect())
    }
}

/// A place of a child and an edge to it.
type Tell<'t> = &'t mut dyn FnMut(u32, u32);

impl Bucket {
    /// The edges of a width that `each` tells, twice alike.
    pub(crate) fn of((len, width): (usize, usize), each: impl Fn(Tell)) -> Bucket {
        let mut starts = vec![0u32; len + 2];
        each(&mut |child, _| starts[child as usize + 2] += 1);
        let edges = sum_up(&mut starts);
        let mut pages: Vec<Page> = (0..edges.div_ceil(PAGE)).map(|_| new_page(width)).collect();
        each(&mut |child, edge| {
            let next = &mut starts[child as usize + 1];
            set_edge(&mut pages, width, *next as usize, edge.into());
            *next += 1;
        });
        starts.pop();
        Bucket { starts, pages }
    }
}

/// Counts go one place up, so that after summing `starts[c + 1]` is where c's edges begin, and after filling, where
/// they end: which is where c + 1 begins. Returns how many there are.
fn sum_up(starts: &mut [u32]) -> usize {
    for c in 2..starts.len() {
        starts[c] =
            starts[c].checked_add(starts[c - 1]).expect("memory ends long before 2³² edges");
    }
    starts[starts.len() - 1] as usize
}

fn new_page(width: usize) -> Page {
    vec![0; PAGE * width].into()
}

/// Pages to be used again. Without it the ordered edges would take new memory while the unordered
/// ones are given back too late.
type Pool = Mutex<Vec<Page>>;

fn order(heaps: Vec<Heap>, width: usize, len: usize, pool: &Pool) -> Bucket {
    let mut starts = vec![0u32; len + 2];
    for heap in &heaps {
        for child in heap.children.iter().flatten().take(heap.len) {
            starts[*child as usize + 2] += 1;
        }
    }
    let edges = sum_up(&mut starts);
    let pool = || held(pool);
    let used = |_| pool().pop().unwrap_or_else(|| new_page(width));
    let mut pages: Vec<Page> = (0..edges.div_ceil(PAGE)).map(used).collect();
    for heap in heaps {
        for (i, child) in heap.children.iter().flatten().take(heap.len).enumerate() {
            let next = &mut starts[*child as usize + 1];
            set_edge(&mut pages, width, *next as usize, edge(&heap.parents, width, i));
            *next += 1;
        }
        pool().extend(heap.parents);
    }
    starts.pop();
    Bucket { starts, pages }
}

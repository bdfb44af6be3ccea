//! A solved tier on its way to the table, and to those who need it for earlier tiers; and back.
//!
//! What travels is packed: each worker packs the blocks that begin in its share, after the others have
//! sent it what its last block lacks. So the bytes of a table do not depend on who had which slots.

use std::{ops::Range, sync::Mutex};

use super::{
    Lost, SolveError,
    communicator::{Comm, Reduction},
    held,
    lookup::{Later, Part},
};
use crate::{
    graph::partition::Partition,
    table::{
        Sheet, TableError, TableFile, TierValues, Writer, assemble, codec, pack_block, pack_keys,
        telling_bytes,
    },
};

/// Bytes of packed blocks that may travel in one round from all workers together.
const ROUND: u64 = if cfg!(test) { 200 } else { 64 << 20 };

/// The table in the making, where it is: at the first worker.
pub(crate) type RootWriter<'a, 'w> = Option<&'a Mutex<Writer<'w>>>;

/// What workers must know of a tier that is, or was, solved.
pub(crate) struct Publication<'a> {
    pub(crate) tier: u32,
    pub(crate) partition: &'a Partition,
    /// Slots a block of the table.
    pub(crate) block: u64,
    /// The keys of this worker's positions, where positions are found by key and only it knows them.
    pub(crate) keys: Option<Vec<u64>>,
}

impl Publication<'_> {
    /// Puts a tier of which all have solved their share on the shelf, and where later tiers are whole, in
    /// every process; otherwise each keeps its part.
    pub(crate) fn publish(
        &self,
        comm: &mut Comm,
        words: TierValues,
        writer: RootWriter,
        later: &mut Later,
    ) -> Result<(), SolveError> {
        let to: Vec<usize> = match later {
            Later::Replicated(_) => comm.process_roots().collect(),
            _ => vec![],
        };
        let kept = self.shelve(comm, &words, writer, &to)?;
        self.install(comm, words.width(), kept, Some(words), later)
    }

    /// Puts a tier on the shelf; some workers get the packed blocks as well.
    pub(crate) fn shelve(
        &self,
        comm: &mut Comm,
        words: &TierValues,
        writer: RootWriter,
        wanted: &[usize],
    ) -> Result<Vec<Vec<u8>>, SolveError> {
        let width = words.width();
        let content = |slots: Range<u64>| words.content(slots);
        let frames = self.frames(comm, &content, &|bytes| pack_block(width, bytes))?;
        let mut to = vec![0];
        to.extend(wanted.iter().filter(|wanted| **wanted != 0));
        let mut kept = vec![];
        let mut writer = writer.map(held);
        let sheet = writer.as_mut().map(|writer| writer.begin(self.tier, width));
        let mut sheet = sheet.transpose()?;
        let whole = wanted.contains(&comm.rank());
        gather(comm, frames, &to, &mut |frame| {
            if let Some(sheet) = &mut sheet {
                sheet.put(None, frame)?;
            }
            if whole {
                kept.push(frame.to_vec());
            }
            Ok(())
        })?;
        let cut = match &self.keys {
            Some(keys) => Some(self.publish_keys(comm, keys, sheet.as_mut())?),
            None => None,
        };
        if let Some(sheet) = sheet {
            sheet.finish(self.partition.len, cut)?;
        }
        Ok(kept)
    }

    /// Brings a tier that an earlier run had finished from the shelf to those who need it.
    pub(crate) fn bring(
        &self,
        comm: &mut Comm,
        writer: RootWriter,
        later: &mut Later,
    ) -> Result<(), SolveError> {
        let writer = writer.map(held);
        let shelf = writer.as_ref().map(|writer| &writer.source);
        if let Later::Partitioned(_) = later {
            let words = self.part(comm, shelf)?;
            return self.install(comm, words.width(), vec![], Some(words), later);
        }
        let leads: Vec<usize> = comm.process_roots().collect();
        let (width, kept) = self.hand_out(comm, shelf, &|_| leads.clone())?;
        self.install(comm, width, kept, None, later)
    }

    /// This worker's part of a tier in a table.
    pub(crate) fn part(
        &self,
        comm: &mut Comm,
        shelf: Option<&TableFile>,
    ) -> Result<TierValues, SolveError> {
        let slots = self.partition.range(comm.rank());
        let (width, kept) = self.hand_out(comm, shelf, &|slots| {
            (self.partition.owner(slots.start)..=self.partition.owner(slots.end - 1))
                .filter(|worker| !self.partition.range(*worker).is_empty())
                .collect()
        })?;
        let from = slots.start / self.block * self.block;
        let len = (kept.len() as u64 * self.block).min(self.partition.len - from);
        let words = assemble(len, width, self.block, &kept);
        let cut = |words: TierValues| words.cut(slots.start - from..slots.end - from);
        let words = match slots.is_empty() {
            true => assemble(0, width, self.block, &[]),
            false => words.map(cut),
        };
        words.ok_or_else(|| garbled(self.tier))
    }

    /// Puts a tier where it will be looked up. Nobody goes on before it is there.
    fn install(
        &self,
        comm: &mut Comm,
        width: usize,
        frames: Vec<Vec<u8>>,
        part: Option<TierValues>,
        later: &mut Later,
    ) -> Result<(), SolveError> {
        match later {
            Later::Replicated(tiers) if comm.is_process_root() => {
                let whole = assemble(self.partition.len, width, self.block, &frames);
                let whole = whole.ok_or_else(|| garbled(self.tier))?;
                tiers.write().expect("no worker panics while it holds it").put(self.tier, whole);
            }
            Later::Partitioned(parts) => {
                let words = part.ok_or_else(|| garbled(self.tier))?;
                parts.insert(self.tier, Part { partition: self.partition.clone(), words });
            }
            _ => {}
        }
        comm.all_reduce(Reduction::default())?;
        Ok(())
    }

    /// Publishes the keys of a walk. Returns to how many bytes they are cut.
    fn publish_keys(
        &self,
        comm: &mut Comm,
        keys: &[u64],
        mut sheet: Option<&mut Sheet>,
    ) -> Result<u32, SolveError> {
        let mut firsts = comm.messages();
        if let Some(first) = keys.first() {
            firsts.iter_mut().for_each(|message| message.extend(first.to_le_bytes()));
        }
        let (firsts, _) = comm.exchange(firsts, Reduction::default())?;
        let mut after = firsts.iter().skip(comm.rank() + 1).filter_map(|p| p.bytes().first_chunk());
        let next = after.next().map(|bytes| u64::from_le_bytes(*bytes));
        let mine = telling_bytes(keys.iter().copied().chain(next.filter(|_| !keys.is_empty())));
        let cut = comm.max(mine.into())? as u32;
        let content = |slots: Range<u64>| {
            let keys = &keys[slots.start as usize..slots.end as usize];
            keys.iter().flat_map(|key| key.to_le_bytes()).collect()
        };
        let frames = self.frames(comm, &content, &|bytes| {
            let long = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            let keys: Vec<u64> = bytes.chunks_exact(8).map(long).collect();
            let (first, frame) = pack_keys(cut, &keys).ok()?;
            Some([&first.to_le_bytes()[..], &frame].concat())
        })?;
        gather(comm, frames, &[0], &mut |piece| {
            if let (Some(sheet), Some((first, frame))) = (&mut sheet, piece.split_first_chunk()) {
                sheet.put(Some(u64::from_le_bytes(*first)), frame)?;
            }
            Ok(())
        })?;
        Ok(cut)
    }

    /// The packed blocks that begin in this worker's share, of which `content` gives the bytes of some
    /// slots.
    fn frames(
        &self,
        comm: &mut Comm,
        content: &dyn Fn(Range<u64>) -> Vec<u8>,
        pack: &dyn Fn(Vec<u8>) -> Option<Vec<u8>>,
    ) -> Result<Vec<Vec<u8>>, SolveError> {
        let (mine, block, len) =
            (self.partition.range(comm.rank()), self.block, self.partition.len);
        let content = |slots: Range<u64>| content(slots.start - mine.start..slots.end - mine.start);
        let head = mine.start.next_multiple_of(block).min(mine.end);
        let mut messages = comm.messages();
        if head > mine.start {
            let owner = self.partition.owner(mine.start / block * block);
            messages[owner].extend(content(mine.start..head));
        }
        let (came, _) = comm.exchange(messages, Reduction::default())?;
        let tail: Vec<u8> = came.iter().flat_map(|message| message.bytes()).copied().collect();
        let mut frames = vec![];
        let mut from = mine.start.next_multiple_of(block);
        while from < mine.end {
            let to = (from + block).min(len);
            let mut bytes = content(from..to.min(mine.end));
            if to > mine.end {
                bytes.extend(&tail);
            }
            frames.push(pack(bytes).ok_or_else(|| garbled(self.tier))?);
            from = to;
        }
        Ok(frames)
    }

    /// Sends the blocks of a tier from the shelf to the workers that want them. Returns how wide its words are, and the
    /// blocks for this worker.
    fn hand_out(
        &self,
        comm: &mut Comm,
        shelf: Option<&TableFile>,
        wanted: &dyn Fn(Range<u64>) -> Vec<usize>,
    ) -> Result<(usize, Vec<Vec<u8>>), SolveError> {
        let width = comm.max(shelf.map_or(0, |shelf| shelf.width(self.tier) as u64))? as usize;
        let blocks = self.partition.len.div_ceil(self.block);
        let frames = shelf.into_iter().flat_map(|shelf| {
            (0..blocks).map(move |number| {
                let from = number * self.block;
                let to = wanted(from..(from + self.block).min(self.partition.len));
                Ok((to, shelf.frame(self.tier, number)?))
            })
        });
        let mut kept = vec![];
        exchange_pieces(comm, false, frames, &mut |frame| {
            kept.push(frame.to_vec());
            Ok(())
        })?;
        Ok((width, kept))
    }
}

fn garbled(tier: u32) -> SolveError {
    SolveError::Lost(Lost(format!("tier {tier} arrived garbled")))
}

/// A piece of a tier, and who wants it.
type Addressed = Result<(Vec<usize>, Vec<u8>), TableError>;

/// Sends all pieces to some workers.
fn gather(
    comm: &mut Comm,
    pieces: Vec<Vec<u8>>,
    to: &[usize],
    take: &mut dyn FnMut(&[u8]) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let few = comm.sum(pieces.iter().map(|piece| piece.len() as u64).sum())? <= ROUND;
    let pieces = pieces.into_iter().map(|piece| Ok((to.to_vec(), piece)));
    exchange_pieces(comm, few, pieces, take)
}

/// Sends pieces to those who want them, who take them in the order of the workers: all at once where they are few, or
/// else the workers take turns.
fn exchange_pieces(
    comm: &mut Comm,
    few: bool,
    pieces: impl Iterator<Item = Addressed>,
    take: &mut dyn FnMut(&[u8]) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let (mut pieces, mut turn) = (pieces.peekable(), 0);
    loop {
        let (mut messages, mut sent, mine) = (comm.messages(), 0, few || turn == comm.rank());
        while mine
            && (few || sent < ROUND)
            && let Some(piece) = pieces.next()
        {
            let (to, piece) = piece?;
            to.into_iter().for_each(|to| codec::put_piece(&mut messages[to], &piece));
            sent += piece.len() as u64;
        }
        let left = pieces.peek().is_some();
        let (more, sum) = (left.into(), (left && mine).into());
        let (came, told) =
            comm.exchange(messages, Reduction { more, sum, ..Reduction::default() })?;
        for message in &came {
            let mut bytes = codec::Bytes(message.bytes());
            while let Some(piece) = bytes.piece() {
                take(piece)?;
            }
        }
        if told.more == 0 {
            return Ok(());
        }
        turn += usize::from(told.sum == 0);
    }
}

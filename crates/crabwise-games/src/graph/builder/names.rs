//! What islands are found by.

use std::borrow::Cow;

use crabwise::index::key;

/// A key as one word.
pub(in crate::graph) fn as_word(key: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_graphic();
    if key.bytes().all(plain) || !key.contains(char::is_whitespace) {
        return Cow::Borrowed(key);
    }
    Cow::Owned(key.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect())
}

/// What an island is found by: its key as one word.
///
/// A short word is held here. Most are short, and to compare them with what stands among the keys
/// would take longer than all the rest of reading a bridge, because the memory there is cold.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub island: u32,
    pub tag: Tag,
}

/// A word of up to 15 bytes with its length; or else its hash, its length and 255.
pub(super) type Tag = [u8; 16];

pub(super) fn tag(word: &str) -> Tag {
    let mut tag = [0; 16];
    if word.len() < tag.len() {
        tag[..word.len()].copy_from_slice(word.as_bytes());
        tag[15] = word.len() as u8;
    } else {
        tag[..8].copy_from_slice(&key(&word.as_bytes(), 0).to_le_bytes());
        tag[8..12].copy_from_slice(&(word.len() as u32).to_le_bytes());
        tag[15] = u8::MAX;
    }
    tag
}

/// Whether the tag holds the word itself.
pub(super) fn is_whole(tag: &Tag) -> bool {
    tag[15] != u8::MAX
}

pub(super) fn tag_hash(tag: &Tag) -> u64 {
    key(&u128::from_le_bytes(*tag), 0)
}

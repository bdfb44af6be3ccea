//! Sets of squares, kept in the bits of a word.

/// The squares of a set, lowest first.
pub(crate) fn squares(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        square
    })
}

/// All sets of `count` squares out of `from`, in increasing order.
pub(crate) fn choose(from: u32, count: u32) -> Vec<u32> {
    if count == 0 {
        return vec![0];
    }
    let with_highest = |square: u8| {
        let rest = choose(from & ((1 << square) - 1), count - 1);
        rest.into_iter().map(move |rest| rest | 1 << square)
    };
    squares(from).flat_map(with_highest).collect()
}

/// Where `set` stands in a list in increasing order that holds it.
pub(crate) fn rank<T: Ord>(list: &[T], set: &T) -> u64 {
    list.partition_point(|other| other < set) as u64
}

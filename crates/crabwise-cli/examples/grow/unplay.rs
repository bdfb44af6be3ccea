//! Step 5: the game played backwards, so that no move need be recorded.

use crabwise::{Game, Unplay};

use crate::rules::{Stones, Teeko, beside, cells};

impl Unplay for Teeko {
    /// The other player moved last: a stone of theirs was dropped, or it came from a free cell beside it.
    fn unplay(&self, at: &Stones) -> impl IntoIterator<Item = Stones> {
        let at = *at;
        let before = move |left: u16| Stones { mine: at.theirs ^ left, theirs: at.mine };
        let all = at.mine.count_ones() == 4 && at.theirs.count_ones() == 4;
        let free = if all { !(at.mine | at.theirs) } else { 0 };
        let drops = cells(at.theirs).map(move |to| before(1 << to));
        let walks = cells(at.theirs).flat_map(move |to| {
            cells(beside(to) & free).map(move |from| before(1 << to | 1 << from))
        });
        drops.chain(walks).filter(|from| self.over(from).is_none())
    }
}

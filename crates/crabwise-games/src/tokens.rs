//! Tokens: take a token from the heap; who cannot has lost.
//!
//! Rules: "Deterministic Solution Algorithm" (Crab Analysis), the worked example Tokens. There a
//! turn takes one token; `take=K` allows 1 to K. With n tokens left the player to move has lost
//! exactly if K + 1 divides n: whatever is taken, the other completes it to K + 1.
//!
//! A position is the number of tokens and the turn. The rules are the same for both players, but
//! positions are not turned around: they are the source's islands, each with its player.

use crabwise::{Drawn, ErasedGame, Game, Picture, Setup};

use crate::{Entry, Params, board_drawing::heaps};

pub(crate) const ENTRY: Entry = Entry {
    name: "tokens",
    about: "take tokens from a heap; who cannot has lost",
    parameters: "TOKENS, 1 to 1000 (default 2), and take=K for up to K at a time, 1 to 1000",
    example: "tokens:2",
    build,
};

fn build(params: &mut Params) -> Result<ErasedGame, String> {
    let most = params.named_number("take", "number to take", 1, 1..=1000)?;
    let tokens = params.number("number of tokens", 2, 1..=1000)?;
    Ok(Setup::of(Tokens { tokens: tokens as u16, most: most as u16 }).drawn().erased())
}

/// The rules for one heap, and for how many a turn takes at most.
struct Tokens {
    tokens: u16,
    most: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Heap {
    tokens: u16,
    turn: u8,
}

impl Heap {
    fn to_move(self) -> char {
        ['A', 'B'][usize::from(self.turn)]
    }
}

impl Game for Tokens {
    type Position = Heap;
    /// How many tokens are taken.
    type Move = u16;

    fn start(&self) -> Heap {
        Heap { tokens: self.tokens, turn: 0 }
    }

    fn moves(&self, at: &Heap) -> impl IntoIterator<Item = u16> {
        1..=self.most.min(at.tokens)
    }

    fn play(&self, at: &Heap, take: u16) -> Heap {
        Heap { tokens: at.tokens - take, turn: 1 - at.turn }
    }

    fn show(&self, at: &Heap) -> String {
        let heap = format!("{} {}", at.tokens, "|".repeat(at.tokens.into()));
        format!("{}\n{} to move", heap.trim_end(), at.to_move())
    }

    /// A 1 for each token, then whose turn it is: `11B`.
    fn notation(&self, at: &Heap) -> String {
        "1".repeat(at.tokens.into()) + &at.to_move().to_string()
    }
}

impl Drawn for Tokens {
    /// Pointing at a token takes it and those above it.
    fn picture(&self, at: &Heap, _made: &[String]) -> Picture {
        let most = self.most.into();
        let take = |_, count: u32| (count <= most).then(|| count.to_string());
        heaps(&[(at.tokens.into(), self.tokens.into())], take, |_| at.tokens.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crabwise::{Value, solve};

    #[test]
    fn lost_when_one_more_than_a_turn_takes_divides_the_heap() {
        for (tokens, most) in (1..=30).flat_map(|tokens| (1..=7).map(move |most| (tokens, most))) {
            let (rounds, rest) = (u32::from(tokens / (most + 1)), tokens % (most + 1));
            let value =
                if rest == 0 { Value::Loss(2 * rounds) } else { Value::Win(2 * rounds + 1) };
            assert_eq!(solve(&Tokens { tokens, most }).unwrap().start(), value, "{tokens}, {most}");
        }
    }

    #[test]
    fn an_island_is_its_tokens_and_its_player() {
        let game = Tokens { tokens: 2, most: 1 };
        let heaps = [(2, 0), (1, 1), (0, 0)].map(|(tokens, turn)| Heap { tokens, turn });
        assert_eq!(heaps.map(|at| game.notation(&at)), ["11A", "1B", "A"]);
        assert_eq!(game.show(&heaps[2]), "0\nA to move");
    }
}

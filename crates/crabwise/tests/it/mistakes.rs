//! The mistakes that people make with the traits are named, and never become an answer.

use crabwise::{
    Batched, ErasedGame, Expansion, Game, Index, Job, Outcome, ReachabilityKernel, Setup, Slot,
    Unplay, watch::Unwatched,
};

/// A walk of so many steps, taken by both players in turn, with two ends: one won, one lost.
#[derive(Clone)]
struct Fork(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct At {
    left: u32,
    side: u32,
}

impl Game for Fork {
    type Position = At;
    type Move = u32;

    fn start(&self) -> At {
        At { left: self.0, side: 0 }
    }

    fn moves(&self, _at: &At) -> impl IntoIterator<Item = u32> {
        0..2
    }

    fn play(&self, at: &At, side: u32) -> At {
        At { left: at.left - 1, side }
    }

    fn over(&self, at: &At) -> Option<Outcome> {
        let end = [Outcome::Loss, Outcome::Win][at.side as usize];
        (at.left == 0).then_some(end)
    }
}

/// What a numbering of the fork does wrongly.
#[derive(Clone, Copy, PartialEq)]
enum Slip {
    None,
    /// Both sides share a slot, as if they were mirror images.
    Folded,
    /// The same, without saying so.
    FoldedSilently,
    /// Moves stay in the one tier there is, which is said to have none.
    NotLoopy,
    /// A slot that is out of range.
    OutOfRange,
    /// Later positions in earlier tiers.
    Backwards,
}

struct Numbers(u32, Slip);

impl Index<At> for Numbers {
    fn tiers(&self) -> u32 {
        if self.1 == Slip::NotLoopy { 1 } else { self.0 + 1 }
    }

    fn len(&self, _tier: u32) -> u64 {
        if self.1 == Slip::NotLoopy { 2 * u64::from(self.0 + 1) } else { 2 }
    }

    fn slot(&self, at: &At) -> Slot {
        let (tier, side) = (self.0 - at.left, u64::from(at.side));
        match self.1 {
            Slip::None => Slot { tier, index: side },
            Slip::Folded | Slip::FoldedSilently => Slot { tier, index: 0 },
            Slip::NotLoopy => Slot { tier: 0, index: 2 * u64::from(tier) + side },
            Slip::OutOfRange => Slot { tier, index: side * 2 },
            Slip::Backwards => Slot { tier: at.left, index: side },
        }
    }

    fn position(&self, slot: Slot) -> Option<At> {
        let side = slot.index as u32;
        match self.1 {
            Slip::NotLoopy => Some(At { left: self.0 - side / 2, side: side % 2 }),
            Slip::Backwards => Some(At { left: slot.tier, side }),
            Slip::Folded | Slip::FoldedSilently if side > 0 => None,
            _ => Some(At { left: self.0 - slot.tier, side }),
        }
    }

    fn loopy(&self, _tier: u32) -> bool {
        false
    }

    fn orbit(&self, at: &At) -> Vec<At> {
        match self.1 {
            Slip::Folded => vec![*at, At { side: 1 - at.side, ..*at }],
            _ => vec![*at],
        }
    }

    fn max_orbit(&self) -> u32 {
        if self.1 == Slip::Folded { 2 } else { 1 }
    }

    fn name(&self) -> String {
        "numbers".into()
    }
}

/// Tells of many positions at once, and each time something is wrong.
#[derive(Clone)]
struct Hasty(&'static str);

impl Game for Hasty {
    type Position = At;
    type Move = u32;

    fn start(&self) -> At {
        Fork(30).start()
    }

    fn moves(&self, at: &At) -> impl IntoIterator<Item = u32> {
        Fork(30).moves(at).into_iter().collect::<Vec<_>>()
    }

    fn play(&self, at: &At, side: u32) -> At {
        Fork(30).play(at, side)
    }

    fn over(&self, at: &At) -> Option<Outcome> {
        Fork(30).over(at)
    }
}

impl Batched for Hasty {
    fn expand(&self, positions: &[At], out: &mut Expansion<At>) {
        for at in positions {
            match self.over(at) {
                Some(outcome) => out.over(outcome),
                None => out.open((0..2).map(|side| (self.play(at, side), false))),
            }
        }
        match self.0 {
            "one short" => drop(out.outcomes.pop()),
            "turned round" => out.children.reverse(),
            "a child too many" => out.children.push(At { left: 0, side: 0 }),
            "again" => out.again = vec![true; out.children.len()],
            _ => {}
        }
    }
}

/// What `solve` says, and what `check` finds broken.
fn judged(game: ErasedGame) -> (Result<String, String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table");
    let job = Job { game: "fork", table: &table, memory: u64::MAX, watch: &Unwatched };
    let solved = game.solve(&job, true, &|_| {}).map(|solved| solved.start.to_string());
    let checked = game.check(&job, 1).unwrap();
    (
        solved.map_err(|error| error.to_string()),
        checked.into_iter().filter_map(|c| c.broken).collect(),
    )
}

fn numbered(slip: Slip) -> (Result<String, String>, Vec<String>) {
    judged(Setup::of(Fork(30)).numbered(Numbers(30, slip)).erased())
}

#[test]
fn what_is_told_of_many_positions_at_once_is_held_to_the_rules() {
    for slip in ["one short", "turned round", "a child too many", "again", "none"] {
        let setup = || Setup::of(Hasty(slip)).batched();
        for game in [setup().erased(), setup().numbered(Numbers(30, Slip::None)).erased()] {
            let (solved, broken) = judged(game);
            if slip == "none" {
                assert_eq!((solved, broken), (Ok("loss in 30".into()), vec![]));
                continue;
            }
            let refused = solved.expect_err(slip);
            assert!(refused.contains("`expand`"), "{slip}: {refused}");
            assert!(broken.iter().any(|line| line.contains("`expand`")), "{slip}: {broken:?}");
        }
    }
}

#[test]
fn a_good_numbering_is_solved_and_passes() {
    let (solved, broken) = numbered(Slip::None);
    assert_eq!((solved, broken), (Ok("loss in 30".into()), vec![]));
}

#[test]
fn a_bad_numbering_is_refused_and_named() {
    let cases = [
        (Slip::Folded, "share a slot but not their future"),
        (Slip::NotLoopy, "`loopy(0)` is false"),
        (Slip::OutOfRange, "`slot` says"),
        (Slip::Backwards, "which is earlier"),
    ];
    for (slip, words) in cases {
        let (solved, broken) = numbered(slip);
        let refused = solved.expect_err(words);
        assert!(refused.contains(words), "{refused}");
        assert!(broken.iter().any(|line| line.contains(words)), "{words}: {broken:?}");
    }
}

#[test]
fn folding_without_saying_so_is_refused() {
    let (solved, broken) = numbered(Slip::FoldedSilently);
    let refused = solved.unwrap_err();
    assert!(refused.contains("is not kept at its slot"), "{refused}");
    assert!(broken.iter().any(|line| line.contains("`orbit` does not list it")), "{broken:?}");
}

/// A round of places, in which a step goes forwards or backwards; whoever comes to place 0 has won. Un-moves and orbits
/// may be wrong.
struct Round(u32, Option<Wrong>);

#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    LeavesOut,
    Twice,
    Over,
    OrbitSize,
}

impl Game for Round {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        self.0 / 2
    }

    fn moves(&self, at: &u32) -> impl IntoIterator<Item = u32> {
        [(at + 1) % self.0, (at + self.0 - 1) % self.0]
    }

    fn play(&self, _at: &u32, to: u32) -> u32 {
        to
    }

    fn over(&self, at: &u32) -> Option<Outcome> {
        (*at == 0).then_some(Outcome::Loss)
    }
}

impl Unplay for Round {
    fn unplay(&self, at: &u32) -> impl IntoIterator<Item = u32> {
        let mut from: Vec<u32> = self.moves(at).into_iter().filter(|from| *from != 0).collect();
        match self.1 {
            Some(Wrong::LeavesOut) if at.is_multiple_of(3) => drop(from.pop()),
            Some(Wrong::Twice) if at.is_multiple_of(3) => from.extend(from.clone()),
            Some(Wrong::Over) if *at == 1 => from.push(0),
            _ => {}
        }
        from
    }
}

/// Place n in slot n.
struct Places(u32, Option<Wrong>);

impl Index<u32> for Places {
    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        self.0.into()
    }

    fn slot(&self, at: &u32) -> Slot {
        Slot { tier: 0, index: u64::from(*at) }
    }

    fn position(&self, slot: Slot) -> Option<u32> {
        Some(slot.index as u32)
    }

    fn orbit_size(&self, slot: Slot) -> u64 {
        if self.1 == Some(Wrong::OrbitSize) && slot.index.is_multiple_of(3) { 2 } else { 1 }
    }

    fn name(&self) -> String {
        "places".into()
    }
}

#[test]
fn un_moves_and_orbit_sizes_are_held_to_the_rules_before_anything_is_solved() {
    let cases = [
        (None, ""),
        (Some(Wrong::LeavesOut), "1 moves lead from"),
        (Some(Wrong::Twice), "2 un-moves back"),
        (Some(Wrong::Over), "0 moves lead from 0 to 1, 1 un-moves back"),
        (Some(Wrong::OrbitSize), "`orbit_size` of"),
    ];
    for (wrong, words) in cases {
        let places = Places(60, wrong);
        let (solved, _) =
            judged(Setup::of(Round(60, wrong)).numbered(places).reversible().erased());
        match wrong {
            None => assert_eq!(solved, Ok("draw".into())),
            Some(_) => {
                assert!(solved.as_ref().is_err_and(|line| line.contains(words)), "{solved:?}")
            }
        }
    }
}

/// What is reached in the fork: everything from tier 1 on. It may say of a position that it has more moves, or of a slot
/// that more positions share it, than is so.
struct Sides {
    steps: u32,
    moves: u16,
    members: u8,
}

impl ReachabilityKernel for Sides {
    fn bytes(&self, _tier: u32) -> u64 {
        1
    }

    fn grain(&self, _tier: u32) -> u64 {
        1
    }

    fn spread(&self, tier: u32, _from: u64, _before: &[u8], out: &mut [u8]) {
        out.fill(if tier == 0 { 1 } else { 3 });
    }

    fn settled(&self, _tier: u32, _marks: &[u8]) -> bool {
        false
    }

    fn settles(&self) -> u32 {
        self.steps
    }

    fn members(&self, _tier: u32, from: u64, marks: Option<&[u8]>, out: &mut [u8]) {
        for (side, out) in (from..).zip(out) {
            *out = marks.map_or(self.members, |marks| marks[0] >> side & 1);
        }
    }

    fn moves(&self, tier: u32, _from: u64, out: &mut [u16]) {
        out.fill(if tier < self.steps { self.moves } else { 0 });
    }
}

#[test]
fn a_reachability_kernel_is_held_to_the_rules_before_anything_is_solved() {
    for (moves, members, right) in [(2, 1, true), (3, 1, false), (2, 3, false)] {
        let sides = Sides { steps: 30, moves, members };
        let numbers = Numbers(30, Slip::None);
        let (solved, _) = judged(Setup::of(Fork(30)).numbered(numbers).spreading(sides).erased());
        match solved {
            Ok(start) => assert!(right && start == "loss in 30", "{start}"),
            Err(line) => {
                assert!(!right && line.contains("the reachability kernel breaks"), "{line}")
            }
        }
    }
}

/// The fork again, but the side is left out where positions are compared.
struct Torn(Fork);

#[derive(Clone, Copy, Debug)]
struct Half(At);

impl PartialEq for Half {
    fn eq(&self, other: &Half) -> bool {
        self.0.left == other.0.left
    }
}

impl Eq for Half {}

impl std::hash::Hash for Half {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.left.hash(state);
    }
}

impl Game for Torn {
    type Position = Half;
    type Move = u32;

    fn start(&self) -> Half {
        Half(self.0.start())
    }

    fn moves(&self, at: &Half) -> impl IntoIterator<Item = u32> {
        self.0.moves(&at.0)
    }

    fn play(&self, at: &Half, side: u32) -> Half {
        Half(self.0.play(&at.0, side))
    }

    fn over(&self, at: &Half) -> Option<Outcome> {
        self.0.over(&at.0)
    }
}

#[test]
fn equal_positions_that_go_on_differently_are_found_by_check() {
    let (_, broken) = judged(Setup::of(Torn(Fork(5))).erased());
    assert!(broken.iter().any(|line| line.contains("go on differently")), "{broken:?}");
}

/// The fork again, with moves made of decisions: whatever is given for its two moves.
struct Decided(Fork, fn(u32) -> Vec<&'static str>);

impl Game for Decided {
    type Position = At;
    type Move = u32;

    fn start(&self) -> At {
        self.0.start()
    }

    fn moves(&self, at: &At) -> impl IntoIterator<Item = u32> {
        self.0.moves(at)
    }

    fn play(&self, at: &At, side: u32) -> At {
        self.0.play(at, side)
    }

    fn over(&self, at: &At) -> Option<Outcome> {
        self.0.over(at)
    }

    fn decisions(&self, &side: &u32) -> Vec<String> {
        self.1(side).into_iter().map(str::to_string).collect()
    }
}

#[test]
fn decisions_that_do_not_tell_moves_apart_are_found_by_check() {
    type Decisions = fn(u32) -> Vec<&'static str>;
    let cases: [(Decisions, Option<&str>); 7] = [
        (|side| vec![["left", "right"][side as usize]], None),
        (|side| vec!["go", ["left", "right"][side as usize]], None),
        (|side| if side == 0 { vec!["go", "left"] } else { vec!["right"] }, None),
        (|_| vec!["go", "on"], Some("'0' and '1' are the same decisions, 'go on'")),
        (
            |side| if side == 0 { vec!["go", "left"] } else { vec!["go"] },
            Some("the decisions of '1', 'go', are the beginning of those of '0', 'go left'"),
        ),
        (
            |side| if side == 0 { vec!["go", "to the left"] } else { vec!["go", ""] },
            Some("the decision 'to the left' of the move '0' is not one word"),
        ),
        (
            |side| if side == 0 { vec!["go"] } else { vec![] },
            Some("the move '1' is made of no decision"),
        ),
    ];
    for (decisions, words) in cases {
        let (solved, broken) = judged(Setup::of(Decided(Fork(3), decisions)).erased());
        // Solvers see whole moves only, and so do not mind.
        assert_eq!(solved, Ok("win in 3".into()));
        let expected: Vec<String> = words
            .map(|words| format!("{words}, at At {{ left: 3, side: 0 }}"))
            .into_iter()
            .collect();
        assert_eq!(broken, expected);
    }
}

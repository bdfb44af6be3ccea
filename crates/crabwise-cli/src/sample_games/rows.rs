//! A sample with every ability of a game that does without a table: rows of counters, of which a move
//! shortens one. It reads its positions, draws itself, and a theorem and a guess are told of it.

use std::{fmt, sync::Arc};

use crabwise::{
    Drawn, ErasedGame, Game, Index, Options, Outcome, Picture, Setup, Slot, Studied, Summands,
    Summed, Theory,
    game::picture::{Form, Shape, Tone},
    game::theory::Prediction,
    index::key,
};
use crabwise_games::Params;

/// `rows:3-4` has rows of three and four, `rows:both=3` two of three.
pub fn rows(params: &mut Params) -> Result<ErasedGame, String> {
    build(params, Outcome::Loss)
}

/// Rows of which a theorem is told that is wrong.
pub fn doubtful(params: &mut Params) -> Result<ErasedGame, String> {
    build(params, Outcome::Win)
}

fn build(params: &mut Params, twins: Outcome) -> Result<ErasedGame, String> {
    let both = params.named_number("both", "the length", 0, 0..=255)?;
    let lengths = match both {
        0 => params.list("row", &[1, 2], 1..=4, 1..=255)?,
        n => vec![n, n],
    };
    let start: Vec<u8> = lengths.iter().map(|&n| n as u8).collect();
    let index = Places(start.clone());
    let setup = Setup::of(Rows { start, twins }).summed().drawn().studied();
    Ok(setup.numbered(index).erased())
}

struct Rows {
    start: Vec<u8>,
    /// What the theorem says of two equal rows.
    twins: Outcome,
}

/// A row and how much of it is left.
#[derive(Clone, Copy)]
struct Shorten {
    row: usize,
    to: u8,
}

impl fmt::Display for Shorten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}→{}", ['a', 'b', 'c', 'd'][self.row], self.to)
    }
}

impl Game for Rows {
    type Position = Vec<u8>;
    type Move = Shorten;

    fn start(&self) -> Vec<u8> {
        self.start.clone()
    }

    fn moves(&self, at: &Vec<u8>) -> impl IntoIterator<Item = Shorten> {
        let rows = at.iter().enumerate();
        rows.flat_map(|(row, &n)| (0..n).map(move |to| Shorten { row, to })).collect::<Vec<_>>()
    }

    fn play(&self, at: &Vec<u8>, Shorten { row, to }: Shorten) -> Vec<u8> {
        let mut left = at.clone();
        left[row] = to;
        left
    }

    fn means(&self, word: &str, mv: &Shorten) -> bool {
        word.replace('-', "→") == mv.to_string()
    }

    fn read(&self, notation: &str) -> Option<Result<(Vec<u8>, u32), String>> {
        let bare = notation.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let numbers = bare.unwrap_or(notation).split(',').map(|n| n.parse().ok());
        let at: Vec<u8> = numbers.collect::<Option<_>>()?;
        let fits = at.len() == self.start.len() && at.iter().zip(&self.start).all(|(a, b)| a <= b);
        fits.then_some(Ok((at, 0)))
    }

    fn show(&self, at: &Vec<u8>) -> String {
        at.iter().map(|&n| "|".repeat(n.into())).collect::<Vec<_>>().join("\n")
    }

    fn notation(&self, at: &Vec<u8>) -> String {
        at.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
    }
}

/// A numbering without a walk, so that the size of a large game is known at once.
struct Places(Vec<u8>);

impl Index<Vec<u8>> for Places {
    fn name(&self) -> String {
        "places".into()
    }

    fn tiers(&self) -> u32 {
        1
    }

    fn len(&self, _tier: u32) -> u64 {
        self.0.iter().map(|&n| u64::from(n) + 1).product()
    }

    fn slot(&self, at: &Vec<u8>) -> Slot {
        let digits = at.iter().zip(&self.0);
        let index = digits.fold(0, |sum, (&n, &most)| sum * (u64::from(most) + 1) + u64::from(n));
        Slot { tier: 0, index }
    }

    fn position(&self, slot: Slot) -> Option<Vec<u8>> {
        let mut rest = slot.index;
        let mut at: Vec<u8> = vec![];
        for &most in self.0.iter().rev() {
            at.insert(0, (rest % (u64::from(most) + 1)) as u8);
            rest /= u64::from(most) + 1;
        }
        Some(at)
    }
}

struct Heap;

impl Summands for Heap {
    type Part = u8;

    fn key(&self, part: &u8) -> u128 {
        u128::from(key(part, 1)) << 64 | u128::from(key(part, 2))
    }

    fn size(&self, part: &u8) -> u32 {
        (*part).into()
    }

    fn sight(&self, part: &u8) -> Option<u32> {
        (*part == 0).then_some(0)
    }

    fn room(&self) -> u64 {
        1 << 16
    }

    fn options(&self, part: &u8, options: &mut Options<u8>) {
        for n in 0..*part {
            options.part(n);
            options.done();
        }
    }
}

impl Summed for Rows {
    type Parts = Heap;

    fn summands(&self) -> Arc<Heap> {
        Arc::new(Heap)
    }

    fn sum(&self, at: &Vec<u8>) -> Option<Vec<u8>> {
        Some(at.clone())
    }
}

impl Studied for Rows {
    fn theory(&self) -> Theory {
        let size = self.start.iter().map(|&n| u64::from(n)).sum();
        let outcome = if size % 2 == 1 { Outcome::Win } else { Outcome::Loss };
        let guess = "an odd number is won".to_string();
        let mut predictions =
            vec![Prediction { by: "parity".into(), outcome, proven: false, words: guess }];
        if let [a, b] = self.start[..]
            && a == b
        {
            predictions.push(Prediction {
                by: "Tweedledum".into(),
                outcome: self.twins,
                proven: true,
                words: "Do in one row what was done in the other.".into(),
            });
        }
        Theory { unit: "counters", size, predictions }
    }

    fn kind(&self, at: &Vec<u8>, mv: &Shorten) -> u64 {
        key(&(at[mv.row], mv.to), 0)
    }
}

impl Drawn for Rows {
    fn picture(&self, at: &Vec<u8>, _made: &[String]) -> Picture {
        let longest = f64::from(at.iter().copied().max().unwrap_or(0));
        let mut shapes = vec![];
        for (row, &n) in at.iter().enumerate() {
            let y = row as f64 * 2.0 + 1.5;
            let form = Form::Line { from: [1.0, y], to: [longest * 2.0 + 2.0, y], arrow: false };
            shapes.push(Shape::new(form, Tone::Board));
            for i in 0..n {
                let form = Form::Disc { at: [f64::from(i) * 2.0 + 2.0, y], radius: 0.5 };
                shapes.push(Shape::new(form, Tone::Played));
            }
        }
        for mv in self.moves(at) {
            let (x, y) = (f64::from(mv.to) * 2.0 + 1.2, mv.row as f64 * 2.0 + 1.1);
            let form = Form::Line { from: [longest * 2.0 + 1.6, y], to: [x, y], arrow: true };
            shapes.push(Shape::new(form, Tone::Move).named(mv.to_string()));
        }
        let height = at.len() as f64 * 2.0 + 1.0;
        Picture { width: longest * 2.0 + 3.0, height, shapes }
    }
}

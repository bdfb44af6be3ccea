//! A tier for each material that can come about, the fullest first; in it the places of the kings, then those of the
//! other men, then the turn.
//!
//! Without pawns the eight symmetries of the board share a slot, with pawns the two that keep its rows: the
//! kings' places are numbered up to symmetry, 462 and 1,806 of them. Where some symmetry other than the identity keeps
//! both kings where they are, both on one diagonal, the least number counts. A pawn that can be taken in passing
//! stands, for the numbering, on its side's first row. Two men on one square, a king that could be taken, and
//! numbers that are not the least are holes.

use std::collections::HashSet;

use crabwise::{Index, Slot};

use super::Chess;
use super::men::{
    ChessBoard, Codes, LETTERS, MOST_MEN, Man, ManKind, NOBODY, PROMOTIONS, code, double_row,
};
use crate::grid::bits;

/// The materials that can come about from one, in the order of their tiers.
#[derive(Clone)]
pub(crate) struct Materials {
    all: Vec<Codes>,
    /// By the codes of the men beside the kings: the tier, or one that there is not.
    tiers: Vec<u8>,
}

const NONE: u8 = u8::MAX;

fn place(codes: &Codes) -> usize {
    codes[2..].iter().fold(0, |place, &code| 13 * place + usize::from(code))
}

fn is_pawn(code: u8) -> bool {
    code != NOBODY && Man { code, square: 0 }.kind() == ManKind::Pawn
}

impl Materials {
    pub(crate) fn from(first: Codes) -> Materials {
        let (mut all, mut met) = (vec![first], 0);
        while let Some(&codes) = all.get(met) {
            met += 1;
            for (i, &old) in codes.iter().enumerate().skip(2).filter(|(_, old)| **old != NOBODY) {
                let side = Man { code: old, square: 0 }.side();
                let promoted = PROMOTIONS.map(|kind| code(side, kind));
                let promoted: &[u8] = if is_pawn(old) { &promoted } else { &[] };
                for &new in promoted.iter().chain(&[NOBODY]) {
                    let mut next = codes;
                    next[i] = new;
                    next.sort_unstable();
                    if !all.contains(&next) {
                        all.push(next);
                    }
                }
            }
        }
        let pawns = |codes: &Codes| codes.iter().filter(|code| is_pawn(**code)).count();
        let absent = |codes: &Codes| codes.iter().filter(|code| **code == NOBODY).count();
        all.sort_by_key(|codes| (absent(codes), MOST_MEN - pawns(codes), *codes));
        let mut tiers = vec![NONE; 13_usize.pow(MOST_MEN as u32 - 2)];
        (0..).zip(&all).for_each(|(tier, codes)| tiers[place(codes)] = tier);
        Materials { all, tiers }
    }

    /// The material that all others come from.
    pub(crate) fn first(&self) -> &Codes {
        &self.all[0]
    }

    /// The tier of a material, if it can come about.
    pub(crate) fn tier(&self, codes: &Codes) -> Option<u32> {
        let tier = self.tiers[place(codes)];
        (tier != NONE).then_some(tier.into())
    }
}

/// The name of a material, as `KRK`.
pub(crate) fn material_name(codes: &Codes) -> String {
    let men = codes.iter().filter(|code| **code != NOBODY);
    let men = men.map(|&code| Man { code, square: 0 });
    let letters = |side| {
        let own = men.clone().filter(move |man| man.side() == side);
        own.map(|man| LETTERS[usize::from(man.code)].to_ascii_uppercase())
    };
    letters(0).chain(letters(1)).collect()
}

/// A square under a symmetry: two bits for mirrors, one for the diagonal.
fn image(element: u8, square: u8) -> u8 {
    let flip = if element & 1 == 1 { 7 } else { 0 } | if element & 2 == 2 { 56 } else { 0 };
    let flipped = square ^ flip;
    if element & 4 == 4 { flipped >> 3 | (flipped & 7) << 3 } else { flipped }
}

/// The places of two kings that do not touch, up to some of the symmetries.
struct Kings {
    order: u8,
    /// By squares of the kings: the number, and the symmetries, a bit each, that take them to those that stand for
    /// it. None where the kings touch.
    places: Vec<(u16, u8)>,
    /// The squares that stand for a number.
    stand: Vec<[u8; 2]>,
}

impl Kings {
    fn up_to(order: u8) -> Kings {
        let apart = |[a, b]: [u8; 2]| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8)) > 1;
        let pairs = (0..64 * 64).map(|pair| [(pair / 64) as u8, (pair % 64) as u8]);
        let mut kings = Kings { order, places: vec![(0, 0); 64 * 64], stand: vec![] };
        for pair in pairs.filter(|pair| apart(*pair)) {
            let images = (0..order).map(|element| pair.map(|square| image(element, square)));
            let images: Vec<[u8; 2]> = images.collect();
            let least = images.iter().copied().min().unwrap_or(pair);
            if least == pair {
                kings.stand.push(pair);
            }
            // What is least among its images comes first of them.
            let number = kings.stand.binary_search(&least).expect("the least comes first");
            let there = (0..order).filter(|&element| images[usize::from(element)] == least);
            let mask = there.fold(0, |mask, element| mask | 1 << element);
            kings.places[key(pair)] = (number as u16, mask);
        }
        kings
    }
}

fn key([white, black]: [u8; 2]) -> usize {
    64 * usize::from(white) + usize::from(black)
}

/// The numbering of an endgame.
pub(crate) struct Endings {
    materials: Materials,
    /// With the symmetries that pawns allow, and with all.
    kings: [Kings; 2],
    /// Whether there are no pawns from the first.
    pawnless: bool,
}

impl Endings {
    pub(crate) fn of(game: &Chess) -> Endings {
        let materials = game.materials.clone();
        let pawnless = !materials.all[0].iter().any(|code| is_pawn(*code));
        Endings { materials, kings: [Kings::up_to(2), Kings::up_to(8)], pawnless }
    }

    fn codes(&self, tier: u32) -> &Codes {
        &self.materials.all[tier as usize]
    }

    fn kings(&self, codes: &Codes) -> &Kings {
        &self.kings[usize::from(!codes.iter().any(|code| is_pawn(*code)))]
    }

    fn image(at: &ChessBoard, element: u8) -> ChessBoard {
        at.mapped(|square| image(element, square))
    }
}

/// The men beside the kings.
fn others(codes: &Codes) -> impl DoubleEndedIterator<Item = (usize, u8)> {
    codes.iter().copied().enumerate().skip(2).filter(|(_, code)| *code != NOBODY)
}

/// How many places a man can have: a pawn those of six rows, and of one more if it can be taken in passing.
fn places(codes: &Codes, code: u8) -> u64 {
    let both = [0, 1].iter().all(|side| codes.contains(&self::code(*side, ManKind::Pawn)));
    match is_pawn(code) {
        true if both => 56,
        true => 48,
        false => 64,
    }
}

/// The place of a man.
fn digit(at: &ChessBoard, man: Man) -> u64 {
    match (is_pawn(man.code), at.passing && man.side() != at.turn) {
        (false, _) => man.square.into(),
        (true, false) => u64::from(man.square) - 8,
        (true, true) => 48 + u64::from(man.square) % 8,
    }
}

impl Index<ChessBoard> for Endings {
    fn tiers(&self) -> u32 {
        self.materials.all.len() as u32
    }

    fn len(&self, tier: u32) -> u64 {
        let codes = self.codes(tier);
        let men: u64 = others(codes).map(|(_, code)| places(codes, code)).product();
        2 * men * self.kings(codes).stand.len() as u64
    }

    fn slot(&self, at: &ChessBoard) -> Slot {
        let codes = at.codes();
        let tier = self.materials.tier(&codes).expect("every material that comes about is known");
        let (number, mask) = self.kings(&codes).places[key([at.king(0), at.king(1)])];
        let index = bits(mask.into()).map(|element| {
            let at = Endings::image(at, element as u8);
            let men = at.men().skip(2);
            let place = |index: u64, man: Man| index * places(&codes, man.code) + digit(&at, man);
            2 * men.fold(number.into(), place) + u64::from(at.turn)
        });
        Slot { tier, index: index.min().unwrap_or(u64::MAX) }
    }

    fn position(&self, slot: Slot) -> Option<ChessBoard> {
        let codes = self.codes(slot.tier);
        let turn = (slot.index % 2) as u8;
        let (mut rest, mut passing) = (slot.index / 2, false);
        let mut men: Vec<Man> = vec![];
        for (_, code) in others(codes).rev() {
            let (digit, places) = ((rest % places(codes, code)) as u8, places(codes, code));
            rest /= places;
            let man = Man { code, square: digit };
            let square = match (is_pawn(code), digit) {
                (false, square) => square,
                (true, 48..) if man.side() == turn => return None,
                (true, 48..) => {
                    passing = true;
                    8 * double_row(man.side()) as u8 + digit - 48
                }
                (true, _) => digit + 8,
            };
            men.push(Man { code, square });
        }
        let [white, black] = *self.kings(codes).stand.get(rest as usize)?;
        men.extend([Man { code: 0, square: white }, Man { code: 1, square: black }]);
        let at = ChessBoard::new(&men, turn, passing);
        let apart = at.occupied().count_ones() as usize == men.len();
        let legal = apart && !at.in_check(1 - turn) && (!passing || at.can_be_passing());
        (legal && self.slot(&at) == slot).then_some(at)
    }

    fn orbit(&self, at: &ChessBoard) -> Vec<ChessBoard> {
        let mut met = HashSet::new();
        let all = (0..self.kings(&at.codes()).order).map(|element| Endings::image(at, element));
        all.filter(|image| met.insert(*image)).collect()
    }

    /// Only where all tiers have the same symmetries.
    fn images(&self, at: &ChessBoard) -> Vec<ChessBoard> {
        let order = if self.pawnless { 8 } else { 1 };
        (0..order).map(|element| Endings::image(at, element)).collect()
    }

    fn max_orbit(&self) -> u32 {
        8
    }

    fn classes(&self, tier: u32) -> Vec<(String, u64)> {
        vec![(material_name(self.codes(tier)), self.len(tier))]
    }

    fn bytes(&self) -> u64 {
        self.kings.iter().map(|kings| 4 * kings.places.len() as u64).sum()
    }

    fn name(&self) -> String {
        "chess-endings-1".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_have_462_places_and_with_pawns_1806() {
        assert_eq!([8, 2].map(|order| Kings::up_to(order).stand.len()), [462, 1806]);
    }

    #[test]
    fn materials_come_about_by_taking_and_promoting() {
        let pawn = |side| code(side, ManKind::Pawn);
        let names = |codes: Codes| -> Vec<String> {
            Materials::from(codes).all.iter().map(material_name).collect()
        };
        let one = names([0, 1, pawn(0), NOBODY]);
        assert_eq!(one, ["KPK", "KQK", "KRK", "KBK", "KNK", "KK"]);
        let both = names([0, 1, pawn(0), pawn(1)]);
        assert_eq!((both.len(), &both[0][..], &both[35][..]), (36, "KPKP", "KK"));
    }
}

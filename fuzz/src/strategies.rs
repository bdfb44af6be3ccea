//! Files of strategies, damaged, and forged so that their checksums are right.

use arbitrary::Unstructured;
use crabwise::watch::Unwatched;
use crabwise_games::{Built, Registry};
use crabwise_hidden::{ExploredGame, Judged, SequenceForm, Strategy, Treeplex};
use xxhash_rust::xxh3::xxh3_64;

use crate::{Attack, Attacker, Outcome, game_strings::one_line, texts::damaged};

pub const ATTACK: Attack = Attack {
    name: "strategies",
    about: "damaged strategies: an error, or probabilities that add up",
    begin: || Box::new(Strategies::new()),
};

struct Strategies {
    game: String,
    treeplexes: [Treeplex; 2],
    explored: ExploredGame,
    file: Vec<u8>,
}

impl Strategies {
    fn new() -> Strategies {
        let built = Registry::standard().build_hidden("kuhn").expect("it is known");
        let Built { string, game } = built;
        let explored = game.explore(64 << 20, &Unwatched).expect("it is small");
        let tree = &explored.tree;
        let form = SequenceForm::new(tree, false, 64 << 20, &Unwatched).expect("it is small");
        let strategy = Strategy {
            game: string.clone(),
            method: "even".into(),
            iterations: 0,
            abstraction: false,
            judged: Judged { value: 0.0, best: [0.5, 0.5] },
            behaviours: form.treeplexes.each_ref().map(Treeplex::uniform),
        };
        let mut file = vec![];
        strategy.write(tree, false, &mut file).expect("memory takes it");
        Strategies { game: string, treeplexes: form.treeplexes, explored, file }
    }
}

impl Attacker for Strategies {
    fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome {
        let forged = chance.ratio(1, 2)?;
        let file =
            if forged { forge(chance, &self.file)? } else { damaged(chance, &self.file, 4)? };
        *tried = format!("forged: {forged}, {file:02x?}");
        let read = Strategy::read(&self.game, &self.explored.tree, &mut &file[..]);
        Ok(match read {
            Err(error) => one_line(&error.to_string()),
            Ok(strategy) => sound(&self.treeplexes, &strategy),
        })
    }
}

fn sound(treeplexes: &[Treeplex; 2], strategy: &Strategy) -> Result<(), String> {
    let Judged { value, best } = strategy.judged;
    if ![value, best[0], best[1]].iter().all(|number| number.is_finite()) {
        return Err(format!("it is worth {value}, {best:?}"));
    }
    for (treeplex, behaviour) in treeplexes.iter().zip(&strategy.behaviours) {
        for info_set in 0..treeplex.info_sets() {
            adding_up(&behaviour[treeplex.at(info_set)], 1e-6)?;
        }
    }
    Ok(())
}

/// Demands probabilities. Their sum may be off by what adding rounds.
pub fn adding_up(mix: &[f64], rounding: f64) -> Result<(), String> {
    let off = (mix.iter().sum::<f64>() - 1.0).abs();
    match mix.iter().all(|p| *p >= 0.0) && off <= rounding {
        true => Ok(()),
        false => Err(format!("probabilities of {mix:?}")),
    }
}

/// Damages the header or the probabilities, and puts the checksum right.
fn forge(chance: &mut Unstructured, file: &[u8]) -> arbitrary::Result<Vec<u8>> {
    let long = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    let end = 16 + long(12) as usize;
    let header = &file[16..end];
    let mut forged = file[..12].to_vec();
    let header = if chance.ratio(1, 2)? { damaged(chance, header, 2)? } else { header.to_vec() };
    forged.extend((header.len() as u32).to_le_bytes());
    forged.extend(&header);
    forged.extend(xxh3_64(&header).to_le_bytes());
    let mut rest = &file[end + 8..];
    while rest.len() >= 16 {
        let length = u64::from_le_bytes(rest[..8].try_into().expect("eight bytes")) as usize;
        let packed = &rest[8..8 + length];
        let packed = match chance.int_in_range(0..=2)? {
            0 => damaged(chance, packed, 2)?,
            1 => {
                let plain = zstd::bulk::decompress(packed, 1 << 20).expect("it is whole");
                zstd::bulk::compress(&damaged(chance, &plain, 2)?, 3).expect("memory takes it")
            }
            _ => packed.to_vec(),
        };
        forged.extend((packed.len() as u64).to_le_bytes());
        forged.extend(&packed);
        forged.extend(xxh3_64(&packed).to_le_bytes());
        rest = &rest[16 + length..];
    }
    Ok(forged)
}

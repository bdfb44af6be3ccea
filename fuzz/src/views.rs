//! Files of strategies by views, damaged, and forged so that their checksums are right.

use arbitrary::{Result, Unstructured};
use crabwise::watch::Unwatched;
use crabwise_games::{Built, Registry};
use crabwise_hidden::{
    ErasedHidden, ExploredGame, Player, Policy, SequenceForm, Turn, ViewModel, ViewStrategy,
    ViewTable,
};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    Attack, Attacker, Outcome, game_strings::one_line, strategies::adding_up, texts::damaged,
};

pub const ATTACK: Attack = Attack {
    name: "views",
    about: "damaged strategies by views: an error, or probabilities that add up",
    begin: || Box::new(Views { games: ["kuhn", "dark-hex:2x2,abrupt"].map(Known::new) }),
};

struct Views {
    games: [Known; 2],
}

/// A game with strategies of it.
struct Known {
    string: String,
    game: ErasedHidden,
    form: SequenceForm,
    explored: ExploredGame,
    file: Vec<u8>,
}

/// What may be read into memory.
const ROOM: u64 = 32 << 20;

impl Known {
    fn new(string: &str) -> Known {
        let built = Registry::standard().build_hidden(string).expect("it is known");
        let Built { string, game } = built;
        let explored = game.explore(64 << 20, &Unwatched).expect("it is small");
        let form =
            SequenceForm::new(&explored.tree, false, 64 << 20, &Unwatched).expect("it is small");
        let even = [0, 1].map(|p: usize| form.treeplexes[p].uniform());
        let strategy = ViewStrategy {
            game: string.clone(),
            method: "external".into(),
            iterations: 7,
            model: ViewModel::Table(ViewTable::of(&explored.tree, &even)),
        };
        let mut file = vec![];
        strategy.write(&*game.walk(), &mut file).expect("memory takes it");
        Known { string, game, form, explored, file }
    }

    /// Plays a game by what was read, and asks for it as a whole where it is a table.
    fn sound(&self, chance: &mut Unstructured, model: &ViewModel) -> Outcome {
        let mut walk = self.game.walk();
        while walk.moves() > 0 {
            if let Turn::Of(mover) = walk.turn() {
                let mix = model.mix(&*walk, mover);
                let sound = adding_up(&mix, 1e-2).and(match mix.len() == walk.moves() {
                    true => Ok(()),
                    false => Err(format!("{} probabilities of {} moves", mix.len(), walk.moves())),
                });
                if sound.is_err() {
                    return Ok(sound);
                }
            }
            walk.make(chance.choose_index(walk.moves())?);
        }
        let ViewModel::Table(table) = model else { return Ok(Ok(())) };
        let behaviours = table.behaviours(&self.explored.tree);
        for player in Player::BOTH {
            let plex = &self.form.treeplexes[player as usize];
            for info_set in 0..plex.info_sets() {
                let mix = &behaviours[player as usize][plex.at(info_set)];
                if let Err(what) = adding_up(mix, 1e-6) {
                    return Ok(Err(format!("laid out: {what}")));
                }
            }
        }
        Ok(Ok(()))
    }
}

impl Attacker for Views {
    fn attack(&mut self, chance: &mut Unstructured, tried: &mut String) -> Outcome {
        let known = chance.choose(&self.games)?;
        let way = chance.int_in_range(0..=2)?;
        let file = match way {
            0 => damaged(chance, &known.file, 4)?,
            1 => forge(chance, &known.file)?,
            _ => made_up(chance, known)?,
        };
        *tried = format!("{}, way {way}, {:02x?}", known.string, &file[..file.len().min(2000)]);
        let read = ViewStrategy::read(&known.string, &*known.game.walk(), ROOM, &mut &file[..]);
        match read {
            Err(error) => Ok(one_line(&error.to_string())),
            Ok(strategy) => known.sound(chance, &strategy.model),
        }
    }
}

/// Where the header ends, before its checksum.
fn header_end(file: &[u8]) -> usize {
    16 + u32::from_le_bytes(file[12..16].try_into().expect("four bytes")) as usize
}

/// A file of a header and of what is compressed, with the right checksums.
fn sealed(begin: &[u8], header: &[u8], packed: &[u8]) -> Vec<u8> {
    let mut file = begin[..12].to_vec();
    file.extend((header.len() as u32).to_le_bytes());
    file.extend(header);
    file.extend(xxh3_64(header).to_le_bytes());
    let whole = [packed, &xxh3_64(packed).to_le_bytes()].concat();
    file.extend(zstd::bulk::compress(&whole, 3).expect("memory takes it"));
    file
}

/// Damages the header or the probabilities, and puts the checksum right.
fn forge(chance: &mut Unstructured, file: &[u8]) -> Result<Vec<u8>> {
    let end = header_end(file);
    let packed = zstd::bulk::decompress(&file[end + 8..], 1 << 20).expect("it is whole");
    let (mut header, mut packed) = (file[16..end].to_vec(), packed[..packed.len() - 8].to_vec());
    if chance.ratio(1, 3)? {
        header = damaged(chance, &header, 2)?;
    } else {
        packed = damaged(chance, &packed, 3)?;
    }
    Ok(sealed(file, &header, &packed))
}

/// A table or a network of any numbers under a header that fits the game.
fn made_up(chance: &mut Unstructured, known: &Known) -> Result<Vec<u8>> {
    let mut header = known.file[16..header_end(&known.file)].to_vec();
    let network = chance.ratio(1, 2)?;
    header[0] = u8::from(network);
    let packed = if network { a_network(chance, known)? } else { a_table(chance, known)? };
    Ok(sealed(&known.file, &header, &packed))
}

fn count(chance: &mut Unstructured, right: u64) -> Result<u64> {
    Ok(match chance.int_in_range(0..=9)? {
        0 => *chance.choose(&[0, 1, 4096, 4097, 65_536, 1 << 32, u64::MAX])?,
        _ => right,
    })
}

fn number(chance: &mut Unstructured) -> Result<f64> {
    const ODD: &[f64] =
        &[f64::NAN, f64::INFINITY, -f64::INFINITY, 1e308, -1e308, 1e30, -1.0, 1e-320, -0.0];
    if chance.ratio(1, 40)? {
        Ok(*chance.choose(ODD)?)
    } else {
        Ok(chance.arbitrary::<u8>()?.into())
    }
}

/// Views of the game and others, with as many probabilities as there are moves, or not.
fn a_table(chance: &mut Unstructured, known: &Known) -> Result<Vec<u8>> {
    let mut packed = vec![];
    for player in Player::BOTH {
        let mut views = vec![];
        for _ in 0..chance.int_in_range(0..=3)? {
            let mut walk = known.game.walk();
            for _ in 0..chance.int_in_range(0..=3)? {
                if walk.moves() > 0 {
                    walk.make(chance.choose_index(walk.moves())?);
                }
            }
            let odd = chance.ratio(1, 8)?;
            let view = if odd { chance.arbitrary()? } else { walk.view(player).0 };
            views.push((view, walk.moves().max(1)));
        }
        if !chance.ratio(1, 8)? {
            views.sort_unstable();
            views.dedup_by_key(|(view, _)| *view);
        }
        packed.extend(count(chance, views.len() as u64)?.to_le_bytes());
        for (view, moves) in views {
            packed.extend(view.map(u64::to_le_bytes).as_flattened());
            let many = if chance.ratio(1, 4)? { chance.int_in_range(0..=9)? } else { moves as u16 };
            packed.extend(many.to_le_bytes());
            // Mostly all at one place, which adds up.
            let at = chance.int_in_range(0..=many)?;
            for place in 0..many {
                let one = if place == at || at == many && place == 0 { 1.0 } else { 0.0 };
                let odd = chance.ratio(1, 30)?;
                let p = if odd { number(chance)? as f32 } else { one };
                packed.extend(p.to_le_bytes());
            }
        }
    }
    Ok(packed)
}

fn a_network(chance: &mut Unstructured, known: &Known) -> Result<Vec<u8>> {
    let counts = known.game.walk().counts();
    let mut sizes = vec![counts.features as u64 + 2];
    for _ in 0..chance.int_in_range(0..=6)? {
        let large = chance.ratio(1, 6)?;
        sizes.push(if large { 4096 } else { chance.int_in_range(1..=4)? });
    }
    sizes.push(counts.moves as u64);
    let mut packed = count(chance, sizes.len() as u64)?.to_le_bytes().to_vec();
    for size in &mut sizes {
        *size = count(chance, *size)?;
        packed.extend(size.to_le_bytes());
    }
    let weights: u128 =
        sizes.windows(2).map(|pair| (u128::from(pair[0]) + 1) * u128::from(pair[1])).sum();
    // Large ones repeat one weight, which takes little room in the file.
    if weights > 2000 {
        let weight = number(chance)?;
        (0..weights.min(1 << 17)).for_each(|_| packed.extend(weight.to_le_bytes()));
    } else {
        for _ in 0..weights {
            packed.extend(number(chance)?.to_le_bytes());
        }
    }
    Ok(packed)
}

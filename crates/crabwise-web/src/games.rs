//! Which games there are, and what is known of one of them before a move is made.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use crabwise::{Job, Plan, SolveError, WalkError, game::theory::Prediction, watch::Unwatched};
use crabwise_hidden::Strategy;
use serde::Serialize;

use crate::{
    house::{House, Named},
    jobs::JobState,
    json, learn,
    open::{Open, strategies},
    refusal::{Ask, Refusal},
};

#[derive(Serialize)]
pub struct Games {
    version: &'static str,
    games: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    parameters: &'static str,
    example: &'static str,
    /// The game string that is opened first.
    opening: String,
    hidden: bool,
    /// Others worth a look.
    sizes: Vec<&'static str>,
}

/// Games that are opened with another game string than their example, and more of their sizes.
const SIZES: &[(&str, &[&str])] = &[
    (
        "isolation",
        &["isolation:4x4", "isolation:3x3", "isolation:3x4", "isolation:4x5", "isolation:5x5"],
    ),
    ("black-hole", &["black-hole:5,2", "black-hole:3,2", "black-hole:5,3", "black-hole:5,4"]),
    (
        "cruzados",
        &["cruzados:2x2", "cruzados:3x3", "cruzados:3x3,straight", "cruzados:2x3,adjacent"],
    ),
    ("boxers", &["boxers:3x3", "boxers:4x4", "boxers:3x3,straight", "boxers:5x5"]),
    (
        "cycles",
        &[
            "cycles:k4",
            "cycles:wheel=5",
            "cycles:cycle=7",
            "cycles:grid=3x3",
            "cycles:cube",
            "cycles:theta=3,2,5",
        ],
    ),
    ("tictactoe", &["tictactoe"]),
    ("mnk", &["mnk:4x3,3", "mnk:4x4,4", "mnk:3x3,3", "mnk:5x4,4"]),
    (
        "connect-four",
        &["connect-four:4x4", "connect-four:5x4", "connect-four:5x5", "connect-four:7x6"],
    ),
    ("hex", &["hex:3x3", "hex:3x4", "hex:4x4"]),
    ("nim", &["nim:3-5-7", "nim:1-3-5-7", "nim:2-4-6"]),
    ("chomp", &["chomp:6x4", "chomp:4x3", "chomp:8x5"]),
    ("dodgem", &["dodgem:3", "dodgem:4"]),
    ("dots-and-boxes", &["dots-and-boxes:2x2", "dots-and-boxes:1x3", "dots-and-boxes:2x3"]),
    ("fox-and-hounds", &["fox-and-hounds:8", "fox-and-hounds:6", "fox-and-hounds:4"]),
    (
        "dark-hex",
        &[
            "dark-hex:2x3,abrupt",
            "dark-hex:2x2,abrupt",
            "dark-hex:2x2",
            "dark-hex:3x2",
            "dark-hex:3x2,abrupt",
            "dark-hex:2x2,noisy",
        ],
    ),
];

pub async fn list(State(house): State<Arc<House>>) -> Response {
    let listed = |entry: json::Game| {
        let json::Game { name, about, parameters, example, hidden } = entry;
        let sizes = SIZES.iter().find(|(game, _)| *game == name).map_or(&[][..], |(_, all)| all);
        let opening = sizes.first().unwrap_or(&example).to_string();
        Listed { name, about, parameters, example, opening, hidden, sizes: sizes.to_vec() }
    };
    let games = json::Games::new(&house.registry).games.into_iter().map(listed).collect();
    crate::house::json(&Games { version: env!("CARGO_PKG_VERSION"), games })
}

#[derive(Serialize)]
struct About {
    game: String,
    name: String,
    about: &'static str,
    parameters: &'static str,
    hidden: bool,
    solved: bool,
    /// Whether positions are answered for without a table.
    searchable: bool,
    drawn: bool,
    editor: Option<Editor>,
    plan: Option<Planned>,
    predictions: Vec<Foretold>,
    job: Option<JobState>,
    command: String,
}

#[derive(Serialize)]
struct Editor {
    letters: Vec<Letter>,
    places: Vec<EditorPlace>,
}

#[derive(Serialize)]
struct Letter {
    letter: char,
    means: &'static str,
}

#[derive(Serialize)]
struct EditorPlace {
    name: String,
    at: usize,
    letters: String,
}

/// How a game would be solved, and what that takes.
#[derive(Serialize, Clone, Debug)]
pub struct Planned {
    pub slots: u64,
    pub memory_bytes: u64,
    pub memory_limit: u64,
    pub fits: bool,
    /// An estimate, from what was solved here before or on another machine.
    pub seconds: Option<f64>,
    pub solver: String,
    pub why: &'static str,
    /// Whether it is a matter of moments.
    pub quick: bool,
}

impl Planned {
    pub fn new(house: &House, plan: &Plan) -> Planned {
        let (seconds, fits) = (house.rates.seconds(plan), plan.memory <= house.memory);
        Planned {
            slots: plan.slots,
            memory_bytes: plan.memory,
            memory_limit: house.memory,
            fits,
            seconds: Some(seconds),
            solver: plan.solver.to_string(),
            why: plan.why,
            quick: fits && seconds <= A_MOMENT,
        }
    }
}

/// People wait so many seconds without being asked.
pub const A_MOMENT: f64 = 3.0;

/// What somebody says of who wins.
#[derive(Serialize)]
struct Foretold {
    by: String,
    outcome: &'static str,
    proven: bool,
    words: String,
}

impl From<Prediction> for Foretold {
    fn from(Prediction { by, outcome, proven, words }: Prediction) -> Foretold {
        Foretold { by, outcome: crabwise::Value::from(outcome).outcome(), proven, words }
    }
}

#[derive(Serialize)]
struct AboutDark {
    game: String,
    name: String,
    about: &'static str,
    parameters: &'static str,
    hidden: bool,
    solved: bool,
    /// What is known of its value for the first player: a middle and how far off that may be.
    value: Option<f64>,
    exploitability: Option<f64>,
    plan: Option<Planned>,
    job: Option<JobState>,
    command: String,
}

pub async fn about(
    State(house): State<Arc<House>>,
    Ask(named): Ask<Named>,
) -> Result<Response, Refusal> {
    if house.registry.is_hidden(&named.game) {
        return house.answer(move |house| about_dark(house, &named)).await;
    }
    house.answer(move |house| about_open(house, &named)).await
}

fn about_open(house: &House, named: &Named) -> Result<About, Refusal> {
    let open = house.game(named)?;
    let (game, string) = (&open.built.game, open.string().to_string());
    let name = string.split(':').next().unwrap_or_default().to_string();
    let entry = house.registry.entries().iter().find(|entry| entry.name == name);
    let (about, parameters) = entry.map_or(("", ""), |entry| (entry.about, entry.parameters));
    let solved = open.stamp()?.is_some();
    let searchable = is_searchable(&open);
    let plan = if solved { None } else { plan(house, &open)? };
    let predictions = game.theory().map_or(vec![], |theory| theory.predictions);
    Ok(About {
        name,
        about,
        parameters,
        hidden: false,
        solved,
        searchable,
        drawn: game.board(&[])?.drawn,
        editor: game.editor().map(|desk| Editor {
            letters: (desk.letters.iter())
                .map(|&(letter, means)| Letter { letter, means })
                .collect(),
            places: (desk.places.into_iter())
                .map(|place| EditorPlace { name: place.name, at: place.at, letters: place.letters })
                .collect(),
        }),
        plan,
        predictions: predictions.into_iter().map(Foretold::from).collect(),
        job: house.jobs.about(&string),
        command: format!("{} look {string}", house.program),
        game: string,
    })
}

/// Whether the game answers for positions without a table.
pub fn is_searchable(open: &Open) -> bool {
    // Without room to remember anything in, asking costs nothing.
    let job = Job { memory: 0, ..open.job(&Unwatched) };
    open.built.game.ask(&job).is_some()
}

/// A game that must be walked is not walked further than this to find out how large it is.
const WALK_BYTES: u64 = 2 << 20;

/// How the game would be solved, if that can be told without walking it.
fn plan(house: &House, open: &Open) -> Result<Option<Planned>, Refusal> {
    let job = Job { memory: WALK_BYTES, ..open.job(&Unwatched) };
    match open.built.game.plan(&job) {
        Ok(plan) => Ok(Some(Planned::new(house, &plan))),
        Err(SolveError::Walk(WalkError::TooLarge { .. })) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn about_dark(house: &House, named: &Named) -> Result<AboutDark, Refusal> {
    let built = house.registry.build_hidden(&named.game)?;
    let game = built.string.clone();
    let name = game.split(':').next().unwrap_or_default().to_string();
    let entry = house.registry.hidden().iter().find(|entry| entry.name == name);
    let (about, parameters) = entry.map_or(("", ""), |entry| (entry.about, entry.parameters));
    let judged = std::fs::File::open(strategies(house, &game)).ok();
    let judged = judged.and_then(|mut file| Strategy::judged_in(&game, &mut file));
    let middle = |[low, high]: [f64; 2]| (low + high) / 2.0;
    let plan = if judged.is_some() { None } else { learn::plan(house, &built.game) };
    Ok(AboutDark {
        plan,
        name,
        about,
        parameters,
        hidden: true,
        solved: judged.is_some(),
        value: judged.as_ref().map(|judged| middle(judged.bounds())),
        exploitability: judged.as_ref().map(|judged| judged.exploitability().max(0.0)),
        job: house.jobs.about(&game),
        command: format!("{} play {game}", house.program),
        game,
    })
}

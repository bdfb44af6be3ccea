//! An adversary in the dark, who may send anything: against a strategy it gets no more than the strategy can be
//! exploited for.
//!
//! It plays as the strategy itself would, and at every move tries to have it both ways: by two requests at once, by
//! a move with nonsense after it, by asking again with another move. Of all that the server lets it have it counts the
//! best. It also changes the sides in between, which must be refused.

use std::{
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{client::Client, wire::Wire};

struct Adversary {
    wires: [Wire; 2],
    game: &'static str,
    seat: &'static str,
    rival: &'static str,
    id: String,
    random: fastrand::Rng,
}

impl Adversary {
    fn new(
        client: &Client,
        game: &'static str,
        [seat, rival]: [&'static str; 2],
        seed: u64,
    ) -> Adversary {
        let wires = [Wire::new(client.address), Wire::new(client.address)];
        let random = fastrand::Rng::with_seed(seed);
        Adversary { wires, game, seat, rival, id: String::new(), random }
    }

    fn send(&mut self, wire: usize, line: &[String], seat: &str, rival: &str) {
        let line = line.join(" ");
        let Adversary { game, id, .. } = self;
        // Only a strategy has odds.
        let odds = if self.rival == "strategy" { "1" } else { "0" };
        let asked = [("game", *game), ("seat", seat), ("rival", rival), ("id", id)];
        let asked = [&asked[..], &[("odds", odds), ("line", &line)]].concat();
        self.wires[wire].ask("/api/dark", &asked);
    }

    fn view(&mut self, line: &[String]) -> (u16, Value) {
        self.send(0, line, self.seat, self.rival);
        self.wires[0].read()
    }

    /// Plays one game; gives what it got.
    fn play(&mut self) -> f64 {
        let (status, begun) = self.wires[0].post("/api/dark", &json!({ "game": self.game }));
        assert_eq!(status, 200, "{begun}");
        self.id = begun["id"].as_str().unwrap().into();
        self.go_on(vec![])
    }

    /// The best that comes of a line that the server has taken.
    fn go_on(&mut self, line: Vec<String>) -> f64 {
        let (status, view) = self.view(&line);
        assert_eq!(status, 200, "{view}");
        self.look_elsewhere(&line);
        if let Some(payoff) = view["payoff"].as_f64() {
            return payoff;
        }
        let tried = self.try_all(&line, &view);
        assert!(!tried.is_empty(), "no move was taken: {view}");
        tried.into_iter().map(|line| self.go_on(line)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The lines that the server takes when all moves are tried, one after the other or at once.
    fn try_all(&mut self, line: &[String], view: &Value) -> Vec<Vec<String>> {
        let with = |name: &String| [line, std::slice::from_ref(name)].concat();
        let chosen = self.chosen(view);
        let names = view["moves"].as_array().unwrap().iter();
        let others: Vec<String> = names
            .map(|name| name.as_str().unwrap().to_string())
            .filter(|name| *name != chosen)
            .collect();
        let mut taken = vec![];
        match (self.random.u8(..3), others.first()) {
            (0, Some(other)) => {
                // Both are on their way before either is answered.
                self.send(0, &with(&chosen), self.seat, self.rival);
                self.send(1, &with(other), self.seat, self.rival);
                for (wire, name) in [&chosen, other].into_iter().enumerate() {
                    if self.wires[wire].read().0 == 200 {
                        taken.push(with(name));
                    }
                }
            }
            (1, _) => {
                let nonsense = [with(&chosen), vec!["nonsense".into()]].concat();
                assert_eq!(self.view(&nonsense).0, 400);
                // The error told what came of the move, so it is made.
                for other in &others {
                    assert_eq!(self.view(&with(other)).0, 400, "{chosen} was told of");
                }
            }
            _ => {}
        }
        for name in [&chosen].into_iter().chain(&others) {
            if !taken.contains(&with(name)) && self.view(&with(name)).0 == 200 {
                taken.push(with(name));
            }
        }
        taken
    }

    /// A move as the strategy would make it.
    fn chosen(&mut self, view: &Value) -> String {
        let Some(odds) = view["odds"].as_array() else {
            let moves = view["moves"].as_array().unwrap();
            return moves[self.random.usize(..moves.len())].as_str().unwrap().into();
        };
        let mut left = self.random.f64();
        let likely = odds.iter().find(|one| {
            left -= one["probability"].as_f64().unwrap();
            left < 0.0
        });
        likely.unwrap_or(&odds[0])["move"].as_str().unwrap().into()
    }

    /// Asks for what another would see, which is refused.
    fn look_elsewhere(&mut self, line: &[String]) {
        let other = if self.seat == "first" { "second" } else { "first" };
        for (line, seat, rival) in
            [(line, self.seat, "random"), (&[], other, self.rival), (&[], other, "random")]
        {
            self.send(1, line, seat, rival);
            let (status, told) = self.wires[1].read();
            assert_eq!(status, 400, "{told}");
            assert!(told["error"].as_str().unwrap().contains("begin a new game"), "{told}");
        }
    }
}

/// Plays many games from a seat, and holds what the adversary got to what it may get.
fn attack(client: &Client, game: &'static str, seat: &'static str, games: u32) {
    let seed = fastrand::u64(..);
    let mut adversary = Adversary::new(client, game, [seat, "strategy"], seed);
    let about = client.get("/api/game", &[("game", game)]).json();
    let number = |name: &str| about[name].as_f64().unwrap();
    let value = if seat == "first" { number("value") } else { -number("value") };
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..games {
        let payoff = adversary.play();
        (sum, squares) = (sum + payoff, squares + payoff * payoff);
    }
    let n = f64::from(games);
    let mean = sum / n;
    let error = ((squares / n - mean * mean).max(0.0) / n).sqrt();
    let most = value + number("exploitability");
    println!(
        "{game}, {seat}, seed {seed}: {mean:.4} ± {error:.4} in {games} games; at most {most:.4}"
    );
    assert!(mean <= most + 4.0 * error + 1e-9, "{mean} ± {error}, more than {most}");
}

fn attack_all(games: u32) {
    let client = Client::new();
    for (game, games) in
        [("kuhn", games), ("dark-hex:2x2,abrupt", games / 4), ("matching-pennies", games / 4)]
    {
        let done = client.job(json!({ "game": game, "kind": "equilibrium" }));
        assert_eq!(done["state"], "done", "{done}");
        for seat in ["first", "second"] {
            attack(&client, game, seat, games);
        }
    }
}

/// Against a rival who searches, too, every move is made once, and what came of it is told after it was entered.
#[test]
fn nothing_is_taken_back_from_a_rival_who_searches() {
    let client = Client::new();
    for (game, rival) in [("dark-hex:3x3", "ismcts"), ("dark-hex:4x4,abrupt", "mc")] {
        for seat in ["first", "second"] {
            let mut adversary = Adversary::new(&client, game, [seat, rival], fastrand::u64(..));
            let (status, begun) = adversary.wires[0].post("/api/dark", &json!({ "game": game }));
            assert_eq!(status, 200, "{begun}");
            adversary.id = begun["id"].as_str().unwrap().into();
            let mut line = vec![];
            loop {
                let (status, view) = adversary.view(&line);
                assert_eq!(status, 200, "{view}");
                adversary.look_elsewhere(&line);
                if view["over"] == true {
                    break;
                }
                let mut taken = adversary.try_all(&line, &view);
                assert_eq!(taken.len(), 1, "{taken:?}");
                line = taken.remove(0);
            }
        }
    }
}

/// What is refused comes no sooner than the view that the rival thinks about: it would tell how long that takes.
#[test]
fn a_refusal_does_not_tell_how_long_a_rival_thinks() {
    let client = Client::new();
    let [mut one, mut other] = [0, 1].map(|_| Wire::new(client.address));
    let game = "dark-hex:8x8";
    let (_, begun) = one.post("/api/dark", &json!({ "game": game }));
    let id = begun["id"].as_str().unwrap();
    let asked = [("game", game), ("rival", "ismcts"), ("iterations", "8000"), ("id", id)];
    let began = Instant::now();
    one.ask("/api/dark", &[&asked[..], &[("seat", "second")]].concat());
    thread::sleep(Duration::from_millis(30));
    other.ask("/api/dark", &[&asked[..], &[("seat", "first")]].concat());
    let refused = thread::spawn(move || (other.read().0, began.elapsed()));
    assert_eq!(one.read().0, 200);
    let seen = began.elapsed();
    let (status, refused) = refused.join().unwrap();
    assert_eq!(status, 400);
    println!("refused after {refused:?}, seen after {seen:?}");
    assert!(refused + Duration::from_millis(25) > seen, "{refused:?}, {seen:?}");
}

#[test]
fn nothing_that_is_sent_wins_more_than_the_strategy_allows() {
    attack_all(600);
}

/// `cargo test -p crabwise-web --release -- --ignored twenty_thousand --nocapture`.
#[test]
#[ignore = "takes minutes, to be run in a release build"]
fn nothing_that_is_sent_wins_more_in_twenty_thousand_games() {
    attack_all(20_000);
}

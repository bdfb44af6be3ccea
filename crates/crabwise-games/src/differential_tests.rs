//! Every game that brings a numbering, solved twice: with it, and walked.

use crabwise::{
    Game, Index,
    Outcome::{Loss, Tie},
    solve, solve_with,
};

use crate::{
    achi, black_hole, boxers, chess, dao, dodgem, draughts, fox_and_hounds, grid::Grid, mnk,
    pong_hau_ki, quixo,
};

fn agree<G: Game>(game: &G, index: impl Index<G::Position>) {
    let walked = solve(game).unwrap();
    let numbered = solve_with(game, index).unwrap();
    for tier in 0..walked.index.tiers() {
        for at in walked.index.positions(tier) {
            assert_eq!(walked.value(at), numbered.value(at), "at\n{}", game.show(at));
        }
    }
}

#[test]
fn achi() {
    for (men, diagonals) in [(3, true), (3, false), (4, true), (4, false)] {
        agree(&achi::Achi::new(men, diagonals), achi::Placements::new(men));
    }
}

#[test]
fn black_hole() {
    use black_hole::{BlackHole, Numbering, Rules};
    for (size, pawns, remove) in [(3, 1, 1), (3, 2, 1), (3, 2, 2), (3, 3, 2), (3, 3, 3), (5, 2, 1)]
    {
        for (falls, stuck) in [(false, Loss), (true, Loss), (false, Tie), (true, Tie)] {
            let game = BlackHole::new(Rules { size, pawns, remove, falls, stuck });
            for folded in [true, false] {
                agree(&game, Numbering::new(&game, folded).unwrap());
            }
        }
    }
}

#[test]
fn boxers() {
    for (rows, columns) in [(3, 3), (2, 2), (1, 2), (1, 5), (5, 1), (2, 3), (4, 3)] {
        for (adjacent, straight) in [(false, false), (true, false), (false, true), (true, true)] {
            let grid = Grid { columns, rows };
            let game = boxers::Boxers { grid, adjacent, straight };
            agree(&game, boxers::Squares::new(grid));
        }
    }
}

#[test]
fn chess() {
    for men in ["KK", "KQK"] {
        let game = chess::Chess::new(men).unwrap();
        let index = chess::Endings::of(&game);
        agree(&game, index);
    }
}

#[test]
fn dao() {
    agree(&dao::Dao, dao::Boards::new());
}

#[test]
fn dodgem() {
    for size in 2..=4 {
        agree(&dodgem::Dodgem::new(size), dodgem::Progress::new(size));
    }
}

#[test]
fn draughts() {
    for (rows, columns, men) in [(3, 4, 2), (4, 4, 2), (5, 3, 2), (5, 3, 3), (5, 5, 2), (6, 4, 2)] {
        let game = draughts::Draughts::new(Grid { columns, rows }, men);
        agree(&game, draughts::Pieces::new(&game));
    }
}

#[test]
fn fox_and_hounds() {
    for size in [4, 6, 8] {
        let game = fox_and_hounds::FoxAndHounds::new(size);
        agree(&game, fox_and_hounds::Advance::new(size));
    }
}

#[test]
fn mnk() {
    for (columns, rows, k) in [(3, 3, 3), (4, 3, 3), (2, 5, 2), (1, 4, 3), (3, 3, 2), (1, 1, 1)] {
        let game = mnk::Mnk::new(columns, rows, k);
        agree(&game, mnk::Folded::new(&game).unwrap());
    }
}

#[test]
fn pong_hau_ki() {
    agree(&pong_hau_ki::PongHauKi, pong_hau_ki::Placements::new());
}

#[test]
fn quixo() {
    agree(&quixo::Quixo::new(3), quixo::Boards::new(3));
}

//! The board as shapes.

use crabwise::{
    Drawn,
    game::picture::{Picture, Tone},
};

use super::{Duel, Isolation};
use crate::board_drawing::{BoardDrawing, Layout, SIDES};

impl Drawn for Isolation {
    /// Once the step is made, the player who made it stands where it led.
    fn picture(&self, at: &Duel, made: &[String]) -> Picture {
        let mut drawing = BoardDrawing::with_cells(self.grid, Layout::Down, |cell| {
            if at.live >> cell.number() & 1 == 1 { Tone::Board } else { Tone::Gone }
        });
        let cell = |number: u8| self.grid.cell(number.into());
        let stepped = made
            .first()
            .and_then(|step| self.grid.cells(at.live).find(|cell| cell.to_string() == *step));
        let players = [stepped.unwrap_or(cell(at.mine)), cell(at.theirs)];
        let turned = usize::from(!self.first_to_move(at));
        for (player, cell) in players.into_iter().enumerate() {
            let (tone, text) = SIDES[player ^ turned];
            drawing.piece(cell, tone, text);
        }
        drawing.picture()
    }
}

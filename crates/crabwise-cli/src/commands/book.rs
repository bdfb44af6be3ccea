//! `crabwise book`: how the winner plays, whatever the other side does.

use std::path::Path;

use crabwise::{
    explore::{
        Explorer,
        book::{Book, Bookless, Entry, Then},
    },
    game::theory::Prediction,
};
use crabwise_api::{files::BookFile, studies::Booked};
use crabwise_session::Target;

use crate::{
    args::BookArgs,
    context::Context,
    error::Failure,
    output::{print, writable, write_whole},
    svg::{self, BoardCard},
    text::{count, player},
};

/// What is written.
#[derive(Clone, Copy)]
enum BookFormat {
    Text,
    Json,
    Svg,
}

pub fn run(context: &Context, args: &BookArgs) -> Result<(), Failure> {
    let file = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let form = form(context, file)?;
    file.map(writable).transpose()?;
    let target = context.target(&args.asked.of.game)?;
    let line = context.line(&target, &args.moves)?;
    let values = context.values(&target, args.asked.needs())?;
    let explorer = context.explorer(&target, &values, None)?;
    let written = Book::write(&*explorer, &line, args.most, args.every);
    let book = written.map_err(|why| failure(why, &target, args.most))?;
    let told = told(&target, &book);
    let (game, told) = (target.built.string.as_str(), told.as_deref());
    let text = match form {
        BookFormat::Text => text(game, &book, told),
        BookFormat::Json => crabwise_api::line(&Booked::new(game, &book, told)),
        BookFormat::Svg => sheet(&*explorer, game, &book, told)?,
    };
    let Some(path) = file else { return print(&text) };
    let failed = |source| Failure::File { path: path.into(), source };
    write_whole(path, |out| out.write_all(text.as_bytes()).map_err(failed))?;
    let (file, entries) = (path.display().to_string(), book.entries.len());
    context.print(&BookFile { game, file: file.clone(), entries }, || {
        format!("{game}: {}; {} written to {file}\n", wins(&book), several_entries(entries))
    })
}

/// By the ending of the file; without a file, text for people and JSON for scripts.
fn form(context: &Context, file: Option<&Path>) -> Result<BookFormat, Failure> {
    let Some(path) = file else {
        return Ok(if context.json { BookFormat::Json } else { BookFormat::Text });
    };
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_deref().and_then(|ending| ending.to_str()) {
        Some("txt") => Ok(BookFormat::Text),
        Some("json") => Ok(BookFormat::Json),
        Some("svg") => Ok(BookFormat::Svg),
        _ => Err(Failure::Input(format!(
            "the ending of {} says nothing; a book is a .txt, .json or .svg",
            path.display()
        ))),
    }
}

fn failure(why: Bookless, target: &Target, most: usize) -> Failure {
    let game = &target.built.string;
    match why {
        Bookless::Over => Failure::Input("the game is over, so there is nothing to play".into()),
        Bookless::Even(value) => Failure::Input(format!(
            "nobody wins '{game}' here, it is a {}; a book is for a winner",
            value.outcome()
        )),
        Bookless::Long(finished) => Failure::Input(format!(
            "the book on '{game}' has more than {} entries: so many were begun, and {} of them \
             finished; --most allows more",
            count(most as u64),
            count(finished as u64)
        )),
        Bookless::Lost(error) => error.into(),
    }
}

/// A theorem's words on how the winner plays, if there is one on the whole game.
fn told(target: &Target, book: &Book) -> Option<String> {
    let theory = target.built.game.theory().filter(|_| book.line.is_empty())?;
    let explains = |one: &Prediction| {
        one.proven && one.outcome.winner(0) == Some(book.winner) && !one.words.is_empty()
    };
    let one = theory.predictions.into_iter().find(explains)?;
    Some(format!("{} ({})", one.words, one.by))
}

fn several_entries(n: usize) -> String {
    match n {
        1 => "1 entry".into(),
        n => format!("{} entries", count(n as u64)),
    }
}

/// For whom the book is.
fn wins(book: &Book) -> String {
    let after = match book.line.is_empty() {
        true => String::new(),
        false => format!("after {} ", book.line.join(" ")),
    };
    format!("{after}the {} wins", player(book.winner))
}

fn text(game: &str, book: &Book, told: Option<&str>) -> String {
    let mut text = format!("{game}: {}\n", wins(book));
    text.extend(told.map(|words| format!("in words: {words}\nmove by move:\n")));
    text += "\n";
    if !book.openings.is_empty() {
        text += &format!("the other side begins: {}\n", thens(&book.openings, " ⇒ "));
    }
    text.extend(mirrors(book).map(|words| format!("{words}\n")));
    let wide = book.entries.len().to_string().len();
    for (n, entry) in book.entries.iter().enumerate() {
        let then = match entry.wins {
            true => " | wins".into(),
            false => format!("; {}", thens(&entry.then, " ⇒ ")),
        };
        text += &format!("{:>wide$}. {}: play {}{then}\n", n + 1, place(book, entry), entry.play);
    }
    text
}

/// What the asterisk means, if there is one.
fn mirrors(book: &Book) -> Option<&'static str> {
    let mut thens = book.entries.iter().flat_map(|entry| &entry.then).chain(&book.openings);
    let words =
        "* the same position up to a symmetry: turn the board, or all that was played, around";
    thens.any(|then| then.mirrored).then_some(words)
}

/// How an entry comes about, from where the book begins.
fn place(book: &Book, entry: &Entry) -> String {
    match &entry.place.line[book.line.len()..] {
        [] if book.line.is_empty() => "at the start".into(),
        [] => "now".into(),
        line => format!("after {}", line.join(" ")),
    }
}

/// Moves of the other side, each with the number of its entry.
fn thens(thens: &[Then], see: &str) -> String {
    let one = |then: &Then| {
        let moves = then.moves.join(" ");
        let Some(entry) = then.entry else { return format!("{moves} ends the game") };
        let moves = if moves.is_empty() { "again" } else { &moves };
        format!("{moves}{see}{}{}", entry + 1, if then.mirrored { "*" } else { "" })
    };
    thens.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn sheet(
    explorer: &dyn Explorer,
    game: &str,
    book: &Book,
    told: Option<&str>,
) -> Result<String, Failure> {
    if book.entries.len() > svg::MOST_CARDS {
        return Err(Failure::Input(format!(
            "{} are too many for a sheet, which takes {}; write .txt or .json",
            several_entries(book.entries.len()),
            svg::MOST_CARDS
        )));
    }
    let mut cards = vec![];
    for entry in &book.entries {
        let wins = if entry.wins { ", which wins" } else { "" };
        let mut below = vec![format!("play {}{wins}", entry.play)];
        below.extend(
            (!entry.then.is_empty())
                .then(|| format!("if {}", thens(&entry.then, " see ").replace(", ", "; if "))),
        );
        cards.push(BoardCard {
            above: place(book, entry),
            picture: explorer.draw(&entry.place.line)?,
            play: entry.play.clone(),
            below,
        });
    }
    let mut about = vec![wins(book)];
    about.extend(told.map(str::to_string));
    if !book.openings.is_empty() {
        about.push(format!("The other side begins: {}", thens(&book.openings, " ⇒ ")));
    }
    about.extend(mirrors(book).map(str::to_string));
    Ok(svg::sheet(game, &about, &cards))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_games;
    use crabwise::Value;
    use crabwise_session::Needs;
    use std::fs;

    /// The book on a sample game, from its table or by search.
    fn book_on(game: &str, line: &[&str], most: usize, search: bool) -> Result<Book, Bookless> {
        let folder = tempfile::tempdir().unwrap();
        let context = sample_games::context(&sample_games::registry(), folder.path());
        let target = context.target(game).unwrap();
        let needs = Needs { solve: !search, search, only_table: None };
        let values = context.values(&target, needs).unwrap();
        let explorer = context.explorer(&target, &values, None).unwrap();
        let line: Vec<String> = line.iter().map(|word| word.to_string()).collect();
        Book::write(&*explorer, &line, most, true)
    }

    /// Plays every line that a book foresees; each must end, and by a move of the winner unless
    /// the rules end it otherwise.
    fn follow(book: &Book) {
        let mut seen = vec![false; book.entries.len()];
        let mut open: Vec<usize> = match book.openings.is_empty() {
            true => vec![0],
            false => book.openings.iter().filter_map(|then| then.entry).collect(),
        };
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                let entry = &book.entries[i];
                assert!(entry.wins == entry.then.is_empty() && !entry.play.is_empty());
                open.extend(entry.then.iter().filter_map(|then| then.entry));
            }
        }
        assert!(seen.iter().all(|seen| *seen));
    }

    #[test]
    fn every_move_of_the_other_side_has_an_answer() {
        for (game, search, winner, entries) in [
            ("rows:1-2", false, 0, 3),
            ("rows:1-2", true, 0, 3),
            ("rows:both=2", false, 1, 6),
            ("rows:both=2", true, 1, 6),
            ("rows:5-6-7", true, 0, 84),
            ("heaps", false, 0, 7),
        ] {
            let book = book_on(game, &[], 100, search).unwrap_or_else(|_| panic!("{game}"));
            follow(&book);
            assert_eq!((book.winner, book.entries.len()), (winner, entries), "{game}");
        }
    }

    #[test]
    fn a_player_who_moves_again_does_so_in_the_book() {
        let book = book_on("again", &[], 100, false).unwrap_or_else(|_| panic!());
        follow(&book);
        let again = |entry: &Entry| entry.then.iter().any(|then| then.moves.is_empty());
        let longer = |entry: &Entry| entry.then.iter().any(|then| then.moves.len() > 1);
        assert!(book.entries.iter().any(again) || book.entries.iter().any(longer));
    }

    #[test]
    fn even_games_and_long_books_are_refused() {
        assert!(matches!(book_on("circle", &[], 9, false), Err(Bookless::Even(Value::Draw))));
        assert!(matches!(book_on("rows:2-3-4", &[], 5, true), Err(Bookless::Long(_))));
        assert!(matches!(book_on("rows:1", &["a-0"], 5, true), Err(Bookless::Over)));
    }

    #[test]
    fn text_for_both_players() {
        let book = book_on("rows:1-2", &[], 10, true).unwrap_or_else(|_| panic!());
        let expected = "\
rows:1-2: the first player wins

1. at the start: play b→1; a→0 ⇒ 2, b→0 ⇒ 3
2. after b→1 a→0: play b→0 | wins
3. after b→1 b→0: play a→0 | wins
";
        assert_eq!(text("rows:1-2", &book, None), expected);
        let book = book_on("rows:1-1", &[], 10, false).unwrap_or_else(|_| panic!());
        let expected = "\
rows:1-1: the second player wins
in words: Copy.
move by move:

the other side begins: a→0 ⇒ 1, b→0 ⇒ 2
1. after a→0: play b→0 | wins
2. after b→0: play a→0 | wins
";
        assert_eq!(text("rows:1-1", &book, Some("Copy.")), expected);
    }

    /// Writes the book on a sample game into a file, and says what is in it.
    fn filed(game: &str, name: &str, most: usize) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let context = sample_games::context(&sample_games::registry(), folder.path());
        let path = folder.path().join(name);
        let asked = crate::args::position::PositionArgs {
            of: crate::args::SolvedGameArgs { game: game.into(), solve: true },
            search: false,
        };
        let output = Some(path.clone());
        let args = BookArgs { asked, moves: vec![], output, most, every: true };
        run(&context, &args).map_err(|failure| failure.to_string())?;
        Ok(fs::read_to_string(path).unwrap())
    }

    #[test]
    fn a_book_goes_into_files_of_three_kinds() {
        let text = filed("rows:both=2", "b.txt", 9).unwrap();
        assert!(
            text.contains("\nin words: Do in one row what was done in the other. (Tweedledum)\n")
        );
        let json: serde_json::Value =
            serde_json::from_str(&filed("rows:both=2", "b.json", 9).unwrap()).unwrap();
        assert_eq!((&json["winner"], &json["entries"][0]["entry"]), (&"second".into(), &1.into()));
        assert!(json["openings"][0]["entry"].is_u64(), "{json}");
        assert!(json["entries"][0]["position"].is_string(), "{json}");
        let sheet = filed("rows:both=2", "b.svg", 9).unwrap();
        assert!(sheet.starts_with("<svg") && sheet.contains("which wins"), "{sheet}");
    }

    #[test]
    fn what_cannot_be_written_is_said_in_one_line() {
        for (game, file, said) in [
            ("circle", "b.txt", "nobody wins 'circle' here, it is a draw"),
            ("rows:7-8-9", "b.txt", "the book on 'rows:7-8-9' has more than 90 entries: so many"),
            ("rows:5-6-7", "b.svg", "84 entries are too many for a sheet, which takes 60"),
            ("rows:1", "b.pdf", "says nothing; a book is a .txt, .json or .svg"),
        ] {
            let line = filed(game, file, 90).unwrap_err();
            assert!(line.contains(said), "{line}");
        }
    }
}

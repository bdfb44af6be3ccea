//! JSON (RFC 8259), asked for value by value, so that a file of any size never becomes a tree.
//!
//! The structure is read here; what a number is, or an escape in a string, is left to serde_json.
//! [`Json::value`] reads the beginning of a value. Of a list the items follow, each announced by
//! [`Json::item`]; of an object the keys, by [`Json::key`], each with its value.

use std::io::Read;

use crate::{ReadError, Source, quotable};

/// The longest string or number, in bytes.
const LONGEST: usize = 1 << 20;
/// How deep lists and objects may be nested.
const DEEPEST: usize = 100;

/// A value, or the beginning of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it is written in [`Json::text`].
    Number,
    /// A string, which is in [`Json::text`].
    Text,
    /// A list, whose items follow.
    List,
    /// An object, whose keys and values follow.
    Object,
}

/// A file as values, the last of which is in sight.
pub struct Json<'a, R> {
    source: &'a mut Source<R>,
    text: String,
    line: u64,
    depth: usize,
    /// Whether a list or an object has only just begun.
    fresh: bool,
}

impl<'a, R: Read> Json<'a, R> {
    /// The values of a file.
    pub fn new(source: &'a mut Source<R>) -> Json<'a, R> {
        Json { source, text: String::new(), line: 1, depth: 0, fresh: false }
    }

    /// The string, key or number that was read last.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line of what was read last.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Reads a value, or the beginning of a list or an object.
    pub fn value(&mut self) -> Result<Value, ReadError> {
        match self.next_byte()? {
            Some(b'"') => self.string().map(|()| Value::Text),
            Some(b'[') => self.open(Value::List),
            Some(b'{') => self.open(Value::Object),
            _ => self.scalar(),
        }
    }

    /// Goes on to the next item of a list, if there is one; its value follows.
    pub fn item(&mut self) -> Result<bool, ReadError> {
        self.more(b']')
    }

    /// Goes on to the next key of an object, if there is one; its value follows.
    pub fn key(&mut self) -> Result<bool, ReadError> {
        if !self.more(b'}')? {
            return Ok(false);
        }
        if self.next_byte()? != Some(b'"') {
            return Err(self.instead_of("a key in quotation marks"));
        }
        self.string()?;
        let line = self.line;
        if self.next_byte()? != Some(b':') {
            return Err(self.instead_of("':'"));
        }
        self.source.take(1);
        self.line = line;
        Ok(true)
    }

    /// Passes over the next value.
    pub fn skip(&mut self) -> Result<(), ReadError> {
        match self.value()? {
            Value::List => {
                while self.item()? {
                    self.skip()?;
                }
            }
            Value::Object => {
                while self.key()? {
                    self.skip()?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The next value, which must be a string or `null`; `wanted` says so.
    pub fn text_or_null(&mut self, wanted: &str) -> Result<Option<&str>, ReadError> {
        match self.value()? {
            Value::Text => Ok(Some(&self.text)),
            Value::Null => Ok(None),
            other => Err(self.unexpected(other, wanted)),
        }
    }

    /// The next value, which must be a string; `wanted` says so.
    pub fn text_value(&mut self, wanted: &str) -> Result<&str, ReadError> {
        match self.value()? {
            Value::Text => Ok(&self.text),
            other => Err(self.unexpected(other, wanted)),
        }
    }

    /// Makes sure that nothing follows.
    pub fn end(&mut self) -> Result<(), ReadError> {
        match self.next_byte()? {
            None => Ok(()),
            Some(_) => {
                let text = format!("this is no JSON: {} behind the end", self.found());
                Err(ReadError::on_line(self.line, text))
            }
        }
    }

    /// The error that the value read last is something other than what was wanted.
    pub fn unexpected(&self, value: Value, wanted: &str) -> ReadError {
        let found = match value {
            Value::Null => "null".into(),
            Value::Bool(truth) => truth.to_string(),
            Value::Number => format!("the number {}", quotable(&self.text)),
            Value::Text => format!("the text '{}'", quotable(&self.text)),
            Value::List => "a list".into(),
            Value::Object => "an object".into(),
        };
        ReadError::on_line(self.line, format!("{found} instead of {wanted}"))
    }

    /// Whether a list or an object goes on, and passes over the comma or the bracket.
    fn more(&mut self, close: u8) -> Result<bool, ReadError> {
        let next = self.next_byte()?;
        if next == Some(close) {
            self.source.take(1);
            self.depth -= 1;
            self.fresh = false;
            return Ok(false);
        }
        if !std::mem::take(&mut self.fresh) {
            if next != Some(b',') {
                return Err(self.instead_of(&format!("',' or '{}'", char::from(close))));
            }
            self.source.take(1);
        }
        Ok(true)
    }

    fn open(&mut self, value: Value) -> Result<Value, ReadError> {
        if self.depth == DEEPEST {
            let text = format!("lists and objects in each other, more than {DEEPEST} deep");
            return Err(ReadError::on_line(self.line, text));
        }
        self.source.take(1);
        self.depth += 1;
        self.fresh = true;
        Ok(value)
    }

    /// The next byte that is no white space, which stays there; its line is the current one.
    fn next_byte(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            let chunk = self.source.chunk()?;
            let white = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            let blanks = chunk.iter().take_while(|byte| white(byte)).count();
            let next = chunk.get(blanks).copied();
            let ended = chunk.is_empty();
            self.source.take(blanks);
            if next.is_some() || ended {
                self.line = self.source.line();
                return Ok(next);
            }
        }
    }

    fn found(&mut self) -> String {
        let chunk = self.source.chunk().unwrap_or_default();
        let text = String::from_utf8_lossy(&chunk[..chunk.len().min(4)]);
        match text.chars().next() {
            Some(sign) => format!("'{}'", quotable(&sign.to_string())),
            None => "the end of the file".into(),
        }
    }

    fn instead_of(&mut self, wanted: &str) -> ReadError {
        let text = format!("this is no JSON: {} instead of {wanted}", self.found());
        ReadError::on_line(self.line, text)
    }

    /// Reads a string, whose quotation mark is next, into the text.
    fn string(&mut self) -> Result<(), ReadError> {
        let mut text = std::mem::take(&mut self.text).into_bytes();
        text.clear();
        self.source.take(1);
        let mut escaped = false;
        loop {
            let chunk = self.source.chunk()?;
            let special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
            let plain = chunk.iter().position(special).unwrap_or(chunk.len());
            text.extend_from_slice(&chunk[..plain]);
            self.source.take(plain);
            if text.len() > LONGEST {
                let wrong = format!("a string of more than {LONGEST} bytes");
                return Err(ReadError::on_line(self.line, wrong));
            }
            match self.source.peek()? {
                Some(b'"') => break self.source.take(1),
                Some(b'\\') => {
                    escaped = true;
                    for _ in 0..2 {
                        let Some(byte) = self.source.peek()? else { break };
                        text.push(byte);
                        self.source.take(1);
                    }
                }
                // A chunk has ended here, and the string goes on in the next one.
                Some(0x20..) => {}
                _ => return Err(self.instead_of("the end of a string")),
            }
        }
        // The source is UTF-8, and cut only where ASCII is.
        self.text = String::from_utf8(text).unwrap_or_default();
        if escaped {
            let decoded = serde_json::from_str(&format!("\"{}\"", self.text));
            self.text = decoded.map_err(|_| {
                let text = quotable(&self.text);
                let wrong = format!("this is no JSON: a backslash in '{text}' has no meaning");
                ReadError::on_line(self.line, wrong)
            })?;
        }
        Ok(())
    }

    /// Reads a number or a word into the text, just as it is written.
    fn scalar(&mut self) -> Result<Value, ReadError> {
        self.text.clear();
        while let Some(byte @ (b'0'..=b'9' | b'a'..=b'z' | b'E' | b'+' | b'-' | b'.')) =
            self.source.peek()?
        {
            if self.text.len() == LONGEST {
                let wrong = format!("a number of more than {LONGEST} digits");
                return Err(ReadError::on_line(self.line, wrong));
            }
            self.text.push(char::from(byte));
            self.source.take(1);
        }
        match self.text.as_str() {
            "null" => Ok(Value::Null),
            "true" => Ok(Value::Bool(true)),
            "false" => Ok(Value::Bool(false)),
            number if serde_json::from_str::<f64>(number).is_ok() => Ok(Value::Number),
            "" => Err(self.instead_of("a value")),
            word => {
                let wrong = format!("this is no JSON: '{}' instead of a value", quotable(word));
                Err(ReadError::on_line(self.line, wrong))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value as Tree;

    use super::*;

    fn tree<R: Read>(json: &mut Json<R>) -> Result<Tree, ReadError> {
        Ok(match json.value()? {
            Value::Null => Tree::Null,
            Value::Bool(truth) => Tree::Bool(truth),
            Value::Number => serde_json::from_str(json.text()).unwrap(),
            Value::Text => json.text().into(),
            Value::List => {
                let mut list = vec![];
                while json.item()? {
                    list.push(tree(json)?);
                }
                list.into()
            }
            Value::Object => {
                let mut object = serde_json::Map::new();
                while json.key()? {
                    let key = json.text().to_string();
                    object.insert(key, tree(json)?);
                }
                object.into()
            }
        })
    }

    fn read(bytes: &[u8]) -> Result<Tree, ReadError> {
        let mut source = Source::open(bytes)?;
        let mut json = Json::new(&mut source);
        let tree = tree(&mut json)?;
        json.end()?;
        Ok(tree)
    }

    const SAMPLES: [&str; 4] = [
        r#"{"a": [1, -2.5e+3, 0, 0.25, 1E2, true, false, null], "b\n": {"c": ""}, "d": []}"#,
        r#" [ "\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t→ü" , {} , [ [ ] ] ] "#,
        "\"\"",
        "-0",
    ];

    #[test]
    fn values_are_those_of_another_reader() {
        let seed = fastrand::u64(..);
        println!("seed {seed}");
        let mut random = fastrand::Rng::with_seed(seed);
        let signs = b"[]{},:\"\\ \nutrfnl0123456789.eE+-dDc8";
        let (mut right, mut wrong) = (0, 0);
        for round in 0..20_000 {
            let mut bytes = SAMPLES[round % SAMPLES.len()].as_bytes().to_vec();
            for _ in 0..round / 4 % 4 {
                let place = random.usize(..bytes.len());
                match random.u8(..3) {
                    0 => bytes[place] = *random.choice(signs).unwrap(),
                    1 => bytes.insert(place, *random.choice(signs).unwrap()),
                    _ if bytes.len() > 1 => drop(bytes.remove(place)),
                    _ => {}
                }
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            match (read(text.as_bytes()), serde_json::from_str::<Tree>(&text)) {
                (Ok(found), Ok(expected)) => {
                    assert_eq!(found, expected, "{text}");
                    right += 1;
                }
                (Err(_), Err(_)) => wrong += 1,
                (found, expected) => panic!("{found:?}, not {expected:?}, in {text}"),
            }
        }
        assert!(right > 5000 && wrong > 1000, "{right} {wrong}");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, error) in [
            ("", "a, line 1: this is no JSON: the end of the file instead of a value"),
            ("[1,\n]", "a, line 2: this is no JSON: ']' instead of a value"),
            ("{\"a\" 1}", "a, line 1: this is no JSON: '1' instead of ':'"),
            ("{a: 1}", "a, line 1: this is no JSON: 'a' instead of a key in quotation marks"),
            ("[1\n2]", "a, line 2: this is no JSON: '2' instead of ',' or ']'"),
            ("1 2", "a, line 1: this is no JSON: '2' behind the end"),
            (
                "\"\\ud800\"",
                "a, line 1: this is no JSON: a backslash in '\\\\ud800' has no meaning",
            ),
            ("\"a\nb\"", "a, line 1: this is no JSON: '\\n' instead of the end of a string"),
            ("-x", "a, line 1: this is no JSON: '-x' instead of a value"),
            ("ü", "a, line 1: this is no JSON: 'ü' instead of a value"),
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err().in_file("a"), error);
        }
        let deep = "[".repeat(1000);
        let error = "a, line 1: lists and objects in each other, more than 100 deep";
        assert_eq!(read(deep.as_bytes()).unwrap_err().in_file("a"), error);
    }
}

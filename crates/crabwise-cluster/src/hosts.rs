//! Which processes there are: the usual file, with an address a line.

use std::{fmt, sync::Arc};

/// The addresses of all processes, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hosts(Arc<[String]>);

/// What is wrong with a list of hosts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadHosts(String);

impl fmt::Display for BadHosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadHosts {}

impl Hosts {
    /// No other process.
    pub fn alone() -> Hosts {
        Hosts([String::new()].into())
    }

    /// Reads a list: an address, `host:port`, a line; empty lines and what follows a `#` do not count.
    pub fn read(text: &str) -> Result<Hosts, BadHosts> {
        let mut hosts: Vec<String> = vec![];
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let port = line.rsplit_once(':').and_then(|(host, port)| {
                let named = !host.is_empty() && !host.contains(char::is_whitespace);
                port.parse::<u16>().ok().filter(|port| named && *port > 0)
            });
            if port.is_none() {
                let bad = format!(
                    "line {number}: '{line}' is no address; write host:port, such as \
                                   node-1:2101"
                );
                return Err(BadHosts(bad));
            }
            if let Some(first) = hosts.iter().position(|host| host == line) {
                let bad = format!(
                    "line {number}: '{line}' is process {first} already; each needs a port of its own"
                );
                return Err(BadHosts(bad));
            }
            hosts.push(line.into());
        }
        match hosts.is_empty() {
            true => Err(BadHosts("there is no address; write host:port, one a line".into())),
            false => Ok(Hosts(hosts.into())),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none, which cannot be.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The address of a process.
    pub fn address(&self, process: usize) -> &str {
        &self.0[process]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let hosts = Hosts::read("# two\na:1\n\n [::1]:2 # the other\n").unwrap();
        assert_eq!(hosts.iter().collect::<Vec<_>>(), ["a:1", "[::1]:2"]);
        for (list, word) in [
            ("", "no address"),
            ("a", "line 1"),
            ("a:1\nb:0", "line 2"),
            ("a:99999", "node-1:2101"),
            ("a:1\na:1", "process 0 already"),
            (":5", "is no address"),
        ] {
            let error = Hosts::read(list).unwrap_err().to_string();
            assert!(error.contains(word), "{list}: {error}");
        }
    }
}

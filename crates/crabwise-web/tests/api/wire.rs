//! A connection that stays open, for those who send much: raw requests out, answers in.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    time::Duration,
};

use serde_json::Value;

use crate::client::url;

pub struct Wire {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Wire {
    pub fn new(address: SocketAddr) -> Wire {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Wire { stream: BufReader::new(stream), address }
    }

    pub fn write(&mut self, text: &str) {
        self.stream.get_mut().write_all(text.as_bytes()).unwrap();
    }

    /// Asks, and does not wait for the answer.
    pub fn ask(&mut self, path: &str, asked: &[(&str, &str)]) {
        let head = format!("GET {} HTTP/1.1\r\nHost: {}\r\n\r\n", url(path, asked), self.address);
        self.write(&head);
    }

    pub fn get(&mut self, path: &str, asked: &[(&str, &str)]) -> (u16, Value) {
        self.ask(path, asked);
        self.read()
    }

    pub fn post(&mut self, path: &str, body: &Value) -> (u16, Value) {
        let (host, body) = (self.address, body.to_string());
        let length = body.len();
        self.write(&format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ));
        self.read()
    }

    /// The next answer.
    pub fn read(&mut self) -> (u16, Value) {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            assert!(self.stream.read_line(&mut line).unwrap() > 0, "the connection was closed");
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if status == 0 {
                status = line.split(' ').nth(1).unwrap().parse().unwrap();
            }
            if let Some(count) = line.strip_prefix("content-length: ") {
                length = count.parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).unwrap();
        (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    /// What comes until the other side closes.
    pub fn rest(mut self) -> String {
        let mut bytes = vec![];
        let _ = self.stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into()
    }
}

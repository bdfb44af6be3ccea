//! Every example of `docs/api.md`, sent in order to one server.
//!
//! In an answer `"…"` stands for anything, at the end of an array for any number of items, and as a name in
//! an object for any others. `{id}` in an address is the id that an answer before has told.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::client::{Answer, Client};

const PAGE: &str = include_str!("../../../../docs/api.md");

/// The blocks of code with their languages.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let parts: Vec<&str> = PAGE.split("```").collect();
    let inside = parts.chunks_exact(2).map(|pair| pair[1]);
    inside.map(|block| block.split_once('\n').unwrap()).collect()
}

#[test]
fn examples_are_answered_as_they_say() {
    let client = Client::new();
    let (mut id, mut asked, mut told) = (String::new(), BTreeSet::new(), None);
    for (language, text) in blocks() {
        match language {
            "http" => {
                let (line, body) = text.split_once("\n\n").unwrap_or((text, ""));
                let (method, address) = line.trim().split_once(' ').unwrap();
                let path = address.split('?').next().unwrap();
                asked.insert((method.to_ascii_lowercase(), path.to_string()));
                let address = address.replace("{id}", &id).replace(' ', "%20");
                let answer = sent(&client, method, &address, body.trim());
                if let Some(new) =
                    answer.as_ref().and_then(|one| one.json()["id"].as_str().map(String::from))
                {
                    id = new;
                }
                told = answer.map(|one| one.json());
            }
            "json" => {
                let wanted: Value =
                    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
                let told = told.take().expect("an answer follows a question");
                assert!(fits(&wanted, &told), "wanted\n{text}\nnot\n{told:#}");
            }
            _ => {}
        }
    }
    let spec: Value = serde_json::from_str(include_str!("../../openapi.json")).unwrap();
    for (path, methods) in spec["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            assert!(
                asked.contains(&(method.clone(), path.clone())),
                "no example of {method} {path}"
            );
        }
    }
}

/// The answer, if it is one in JSON; a job is waited for when it is begun.
fn sent(client: &Client, method: &str, address: &str, body: &str) -> Option<Answer> {
    if address.ends_with("/events") {
        let id = address.split('/').nth(3).unwrap();
        assert!(!client.events(id).is_empty());
        return None;
    }
    let kind = "Content-Type: application/json";
    let answer = client.send(&format!("{method} {address} HTTP/1.1\r\n{kind}"), body);
    assert!(answer.status < 300 || address.contains("isolatoin"), "{address}: {}", answer.text);
    if method == "POST" && address == "/api/jobs" {
        client.events(answer.json()["id"].as_str().unwrap());
    }
    answer.head.contains("application/json").then_some(answer)
}

fn fits(wanted: &Value, told: &Value) -> bool {
    let any = Value::from("…");
    match (wanted, told) {
        (wanted, _) if *wanted == any => true,
        (Value::Array(wanted), Value::Array(told)) => {
            let open = wanted.last() == Some(&any);
            let wanted = if open { &wanted[..wanted.len() - 1] } else { &wanted[..] };
            (open || wanted.len() == told.len())
                && wanted.len() <= told.len()
                && wanted.iter().zip(told).all(|(wanted, told)| fits(wanted, told))
        }
        (Value::Object(wanted), Value::Object(told)) => {
            let open = wanted.contains_key("…");
            let mut named = wanted.iter().filter(|(name, _)| *name != "…");
            named.all(|(name, one)| told.get(name).is_some_and(|told| fits(one, told)))
                && (open || told.keys().all(|name| wanted.contains_key(name)))
        }
        (wanted, told) => wanted == told,
    }
}

#[test]
fn an_example_that_is_wrong_is_noticed() {
    let json = |text: &str| -> Value { serde_json::from_str(text).unwrap() };
    let told = json(r#"{"a": [1, 2, 3], "b": {"c": "x"}}"#);
    for right in [r#"{"a": [1, "…"], "…": 0}"#, r#"{"a": "…", "b": {"c": "x"}}"#] {
        assert!(fits(&json(right), &told), "{right}");
    }
    for wrong in [r#"{"a": [1, 2], "…": 0}"#, r#"{"a": "…"}"#, r#"{"a": [2, "…"], "b": "…"}"#]
    {
        assert!(!fits(&json(wrong), &told), "{wrong}");
    }
}

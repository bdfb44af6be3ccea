//! `crabwise serve`: the page, until it is stopped.

use crabwise_web::{Config, Server};
use serde::Serialize;

use crate::{
    args::ServeArgs,
    context::Context,
    error::{Failure, program},
};

#[derive(Serialize)]
struct Serving {
    address: String,
}

pub fn run(context: &Context, args: &ServeArgs) -> Result<(), Failure> {
    let config = Config {
        host: args.host,
        port: args.port,
        session: context.session.clone(),
        program: program(),
    };
    let failed = |error| {
        let place = format!("{}:{}", args.host, args.port);
        Failure::Input(format!("cannot listen at {place}: {error}; --port 0 takes any free port"))
    };
    let server = Server::bind(config).map_err(failed)?;
    let address = format!("http://{}/", server.address().map_err(failed)?);
    if !args.host.is_loopback() && !context.quiet {
        eprintln!(
            "warning: every machine that reaches this one can use it, and make it solve games"
        );
    }
    context.print(&Serving { address: address.clone() }, || {
        format!("Crabwise is at {address} (stop with Ctrl-C)\n")
    })?;
    server.run().map_err(|error| Failure::Input(format!("cannot go on serving: {error}")))
}

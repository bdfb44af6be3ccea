//! The methods by name, and what each of them can be asked for.

use super::EquilibriumError;
use crate::{
    exact::LpBackend,
    iterative::{
        cfr::CfrVariant,
        rcfr::{Link, Regressor},
    },
};

/// How an equilibrium is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A linear program over sequences.
    Lp,
    /// Counterfactual regret minimisation.
    Cfr,
    /// CFR+.
    CfrPlus,
    /// Linear CFR.
    Linear,
    /// Discounted CFR.
    Discounted,
    /// Predictive CFR+.
    Predictive,
    /// Monte-Carlo CFR by external sampling.
    External,
    /// Monte-Carlo CFR by outcome sampling.
    Outcome,
    /// Deep CFR.
    Deep,
    /// Regression CFR with a linear regressor.
    Regression,
    /// Regression CFR, behaviour by softmax.
    RegressionSoftmax,
    /// Regression CFR, behaviour by a power of regrets.
    RegressionPower,
    /// Regression CFR with a small network.
    RegressionNetwork,
}

/// What a method is done with.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Both players learn at the same time, not one after the other.
    pub simultaneous: bool,
    /// The order of events is forgotten: an abstraction, which may stay exploitable.
    pub order_free: bool,
    /// Mirror images are not folded.
    pub unfolded: bool,
    /// The game does not end where a player wins with certainty.
    pub whole: bool,
    /// Nothing is laid out, though it would fit: the rules are walked.
    pub walked: bool,
    /// What solves linear programs; only for [`Method::Lp`].
    pub backend: Option<LpBackend>,
    /// The seed of all chance.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            simultaneous: false,
            order_free: false,
            unfolded: false,
            whole: false,
            walked: false,
            backend: None,
            seed: 1,
        }
    }
}

/// The methods that do what only regrets of all histories can.
pub(super) const ALL_HISTORIES: &str = "cfr, cfr+, linear, discounted and pcfr+";

impl Method {
    /// All methods.
    pub const ALL: [Method; 13] = [
        Method::Lp,
        Method::Cfr,
        Method::CfrPlus,
        Method::Linear,
        Method::Discounted,
        Method::Predictive,
        Method::External,
        Method::Outcome,
        Method::Deep,
        Method::Regression,
        Method::RegressionSoftmax,
        Method::RegressionPower,
        Method::RegressionNetwork,
    ];

    /// What it is called in files, commands and messages.
    pub fn name(self) -> &'static str {
        match self {
            Method::Lp => "lp",
            Method::Cfr => "cfr",
            Method::CfrPlus => "cfr+",
            Method::Linear => "linear",
            Method::Discounted => "discounted",
            Method::Predictive => "pcfr+",
            Method::External => "external",
            Method::Outcome => "outcome",
            Method::Deep => "deep",
            Method::Regression => "regression",
            Method::RegressionSoftmax => "regression-softmax",
            Method::RegressionPower => "regression-power",
            Method::RegressionNetwork => "regression-network",
        }
    }

    /// Whether the numbers depend on a seed.
    pub fn is_random(self) -> bool {
        self.walks() || self == Method::RegressionNetwork
    }

    /// Whether the method can walk the rules of a game, and needs nothing laid out.
    pub fn walks(self) -> bool {
        matches!(self, Method::External | Method::Outcome | Method::Deep)
    }

    /// Whether the method can do what is asked for.
    pub fn suits(self, options: &Options) -> Result<(), EquilibriumError> {
        let (option, methods) = match self.variant() {
            None if options.order_free => ("order-free", ALL_HISTORIES),
            None if options.simultaneous => ("simultaneous", ALL_HISTORIES),
            _ if options.walked && !self.walks() => ("walked", "external, outcome and deep"),
            _ if options.backend.is_some() && self != Method::Lp => ("engine", "lp"),
            _ => return Ok(()),
        };
        Err(EquilibriumError::Unsuited { option, methods, method: self })
    }

    /// Which CFR it is, if it goes through all histories.
    pub(super) fn variant(self) -> Option<CfrVariant> {
        match self {
            Method::Cfr => Some(CfrVariant::Vanilla),
            Method::CfrPlus => Some(CfrVariant::Plus),
            Method::Linear => Some(CfrVariant::Linear),
            Method::Discounted => {
                Some(CfrVariant::Discounted { alpha: 1.5, beta: 0.0, gamma: 2.0 })
            }
            Method::Predictive => Some(CfrVariant::Predictive),
            _ => None,
        }
    }

    pub(super) fn regression(self, seed: u64) -> (Link, Regressor) {
        let linear = Regressor::Linear { ridge: 1e-6, every: 1 };
        match self {
            Method::RegressionSoftmax => (Link::Softmax(0.1), linear),
            Method::RegressionPower => (Link::Power(3.0), linear),
            Method::RegressionNetwork => {
                (Link::Matching, Regressor::Network { hidden: 32, rate: 0.01, epochs: 4, seed })
            }
            _ => (Link::Matching, linear),
        }
    }
}

//! Parcels through a timely dataflow.
//!
//! The dataflow has one input, an exchange and a mailbox; a round is a time. Every worker puts one letter for
//! each worker in, and a time is complete for a worker when it has a letter from each.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc, time::Duration};

use crabwise::{Communicator, Lost};
use serde::{Deserialize, Serialize};
use timely::{
    container::CapacityContainerBuilder,
    dataflow::{
        InputHandle, channels::pact, operators::Input, operators::generic::operator::Operator,
    },
    worker::Worker,
};

use crate::lines::Fate;

/// What one worker sends another in a round.
#[derive(Clone, Serialize, Deserialize)]
struct Letter {
    to: u64,
    from: u64,
    #[serde(with = "serde_bytes")]
    parcel: Vec<u8>,
}

/// The letters that have come, by round.
type Mailbox = Rc<RefCell<BTreeMap<u64, Vec<Letter>>>>;

/// A worker's place in the dataflow.
pub(crate) struct Mail {
    worker: Worker,
    input: InputHandle<u64, CapacityContainerBuilder<Vec<Letter>>>,
    mailbox: Mailbox,
    together: usize,
    fate: Fate,
}

/// How long a worker sleeps before it looks whether the others are still there.
const NAP: Duration = Duration::from_millis(200);

impl Mail {
    pub(crate) fn new(mut worker: Worker, together: usize, fate: Fate) -> Mail {
        let mut input = InputHandle::new();
        let mailbox = Mailbox::default();
        let inside = mailbox.clone();
        worker.dataflow::<u64, _, _>(|scope| {
            let letters = scope.input_from(&mut input);
            letters.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(
                pact::Exchange::new(|letter: &Letter| letter.to),
                "mailbox",
                move |_, _| {
                    move |input, _| {
                        input.for_each_time(|time, letters| {
                            let mut mailbox = inside.borrow_mut();
                            let came = mailbox.entry(*time.time()).or_default();
                            letters.for_each(|letters| came.append(letters));
                        });
                    }
                },
            );
        });
        Mail { worker, input, mailbox, together, fate }
    }

    /// Ends the dataflow once everybody has.
    pub(crate) fn close(mut self) {
        self.input.close();
        while self.worker.has_dataflows() && self.fate.lost().is_none() {
            self.worker.step_or_park(Some(NAP));
        }
        if self.fate.lost().is_some() {
            std::mem::forget(self.worker);
        }
    }

    /// Leaves a dataflow that cannot be ended, because others are gone.
    pub(crate) fn abandon(mut self) {
        // What was said last, in most cases why we go, should still arrive.
        for _ in 0..50 {
            self.worker.step_or_park(Some(Duration::from_millis(2)));
        }
        std::mem::forget(self.input);
        std::mem::forget(self.worker);
    }
}

impl Communicator for Mail {
    fn rank(&self) -> usize {
        self.worker.index()
    }

    fn size(&self) -> usize {
        self.worker.peers()
    }

    fn ranks_per_process(&self) -> usize {
        self.together
    }

    fn all_to_all(&mut self, parcels: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        let (round, me) = (*self.input.time(), self.worker.index() as u64);
        for (to, parcel) in (0..).zip(parcels) {
            self.input.send(Letter { to, from: me, parcel });
        }
        self.input.advance_to(round + 1);
        let workers = self.size();
        loop {
            let came = self.mailbox.borrow().get(&round).map_or(0, Vec::len);
            if came == workers {
                break;
            }
            if let Some(lost) = self.fate.lost() {
                return Err(lost);
            }
            self.worker.step_or_park(Some(NAP));
        }
        let mut letters = self.mailbox.borrow_mut().remove(&round).unwrap_or_default();
        letters.sort_unstable_by_key(|letter| letter.from);
        Ok(letters.into_iter().map(|letter| letter.parcel).collect())
    }
}

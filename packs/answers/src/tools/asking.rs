//! How a tool asks its host: an `async` function awaits facts, and the wire polls it when they come. A tool asks in as
//! many rounds as it has files to look at, so it is not run again from its beginning as the other jobs are.
//!
//! Invariant: nothing here waits, wakes or starts anything. A poll either ends the call or leaves asks for the host.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use crate::ask::{Ask, Fact};

/// What a tool holds of its host.
#[derive(Clone, Default)]
pub struct Host {
    slot: Rc<RefCell<Slot>>,
}

#[derive(Default)]
struct Slot {
    asks: Vec<Ask>,
    facts: Option<Vec<Fact>>,
}

impl Host {
    /// One fact for each ask, in order.
    pub async fn ask(&self, asks: Vec<Ask>) -> Vec<Fact> {
        let count = asks.len();
        if count == 0 {
            return Vec::new();
        }
        let mut asks = Some(asks);
        let mut facts = std::future::poll_fn(|_| match asks.take() {
            Some(asks) => {
                *self.slot.borrow_mut() = Slot { asks, facts: None };
                Poll::Pending
            }
            None => self.slot.borrow_mut().facts.take().map_or(Poll::Pending, Poll::Ready),
        })
        .await;
        facts.resize(count, Fact::Unknown);
        facts
    }

    pub async fn ask_one(&self, ask: Ask) -> Fact {
        self.ask(vec![ask]).await.pop().unwrap_or(Fact::Unknown)
    }
}

/// A call that may still ask.
pub struct Running<T> {
    host: Host,
    work: Pin<Box<dyn Future<Output = T>>>,
}

pub enum Step<T> {
    Need(Vec<Ask>),
    Done(T),
}

impl<T> Running<T> {
    pub fn new<F: Future<Output = T> + 'static>(work: impl FnOnce(Host) -> F) -> Running<T> {
        let host = Host::default();
        Running { work: Box::pin(work(host.clone())), host }
    }

    /// Goes on with the facts for what was asked last; with none at the beginning.
    pub fn step(&mut self, facts: Vec<Fact>) -> Step<T> {
        self.host.slot.borrow_mut().facts = Some(facts);
        match self.work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(done) => Step::Done(done),
            Poll::Pending => Step::Need(std::mem::take(&mut self.host.slot.borrow_mut().asks)),
        }
    }
}

//! What goes out: a verdict with its reason, what it saves, and effects for the host.

use crate::intent::Intent;

/// What happens to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The call runs; the model is told something beside the result. Never a permission decision.
    Advise,
    /// The call ran, and something smaller is put in the place of its result.
    Answer,
    /// The call runs untouched and nothing is said.
    Pass,
    /// The call is refused and a way on is named.
    Redirect,
    /// The call runs with other arguments. Never a permission decision.
    Rewrite,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Advise => "advise",
            Verdict::Answer => "answer",
            Verdict::Pass => "pass",
            Verdict::Redirect => "redirect",
            Verdict::Rewrite => "rewrite",
        }
    }
}

/// Why a verdict is what it is; the closed set of reason codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The person or a prefix of the command switched economy rules off (`TRIMTAB_BYPASS=1`).
    Bypassed,
    /// As much was said in this session as its limits allow.
    Capped,
    /// The client refuses this call itself.
    ClientRefuses,
    /// The output would be small, by facts.
    Cheap,
    /// An option or word that trimtab does not know: doubt is silence.
    Doubt,
    /// The configuration has calls of this kind judged whatever their size.
    EveryCall,
    /// What was said last led nowhere, several times in a row.
    GivenUp,
    /// A path that the configuration says to let alone.
    Ignored,
    /// The call came again after a refusal, or asks for a large file by itself.
    Insisted,
    /// A whole or long read of a large file.
    LargeFile,
    /// An output that was measured, or is told, to be large.
    LargeOutput,
    /// No rule concerns this call.
    NotConcerned,
    /// Switched off by configuration.
    Off,
    /// A server answers from another checkout than the session works in.
    OtherCheckout,
    /// Outside the project.
    Outside,
    /// The judgement ran out of its work limit.
    OutOfFuel,
    /// Parts of the file were never shown to this agent.
    Unseen,
    /// This advice was given before in this session and agent.
    Told,
    /// The bound of a tool that has one was left out.
    Uncapped,
    /// A fact could not be told.
    UnknownFact,
    /// An output that may be large; nobody can tell before.
    UnknownOutput,
    /// A part of the command could not be read.
    Unread,
}

impl Why {
    pub fn code(self) -> &'static str {
        match self {
            Why::Bypassed => "bypassed",
            Why::Capped => "capped",
            Why::Cheap => "cheap",
            Why::ClientRefuses => "client-refuses",
            Why::Doubt => "doubt",
            Why::EveryCall => "every-call",
            Why::GivenUp => "given-up",
            Why::Ignored => "ignored",
            Why::Insisted => "insisted",
            Why::LargeFile => "large-file",
            Why::LargeOutput => "large-output",
            Why::NotConcerned => "not-concerned",
            Why::Off => "off",
            Why::OtherCheckout => "other-checkout",
            Why::Outside => "outside",
            Why::OutOfFuel => "out-of-fuel",
            Why::Told => "told",
            Why::Uncapped => "uncapped",
            Why::UnknownFact => "unknown-fact",
            Why::UnknownOutput => "unknown-output",
            Why::Unread => "unread",
            Why::Unseen => "unseen",
        }
    }
}

/// Where a figure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    Estimated,
    Measured,
}

/// Tokens that the client would really have shown the model, minus what trimtab gave; may be negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saves {
    pub tokens: i64,
    pub basis: Basis,
}

/// The whole answer to a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub verdict: Verdict,
    pub why: Why,
    /// The rule that spoke, if one did.
    pub rule: Option<&'static crate::rules::Rule>,
    /// What the model reads.
    pub text: Option<String>,
    /// All arguments of a rewritten call.
    pub input: Option<serde_json::Value>,
    /// A call that does better, written as this caller would write it.
    pub tool: Option<String>,
    pub saves: Option<Saves>,
    /// What the call does, whatever the verdict.
    pub intents: Vec<Intent>,
    pub effects: Vec<Effect>,
}

impl Outcome {
    pub fn pass(why: Why) -> Outcome {
        Outcome {
            verdict: Verdict::Pass,
            why,
            rule: None,
            text: None,
            input: None,
            tool: None,
            saves: None,
            intents: Vec::new(),
            effects: Vec::new(),
        }
    }
}

/// What the host is to do beside handing on the verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Append a row to the records. Code and detail are from closed sets, never command text or file content.
    Record { code: &'static str, detail: Option<String> },
    /// Keep a session's memory for the next [`crate::Ask::State`].
    Save { session: String, state: String },
}

// SPDX-License-Identifier: Apache-2.0
//! Diagnoses GPU and accelerator performance traces by rules.
//!
//! ```
//! # fn main() -> Result<(), kdiag::Error> {
//! let mut context = kdiag::Context::new()?;
//! let facts = context.load([kdiag::Input::path("../../examples/traces/item_storm.json")])?;
//! let rules = context.builtin_rules(&kdiag::RuleOptions::default())?;
//! let report = context.diagnose(&facts, &rules, None)?;
//! let worst = &report.findings()[0];
//! assert_eq!((worst.rule.as_str(), worst.severity), ("host.sync-stall", kdiag::Severity::Critical));
//! # Ok(())
//! # }
//! ```
//!
//! A thin layer over libkdiag's C interface, which is in [`sys`]. A [`Context`] carries what belongs to calls: limits, a
//! deadline, the flag by which a [`Canceller`] stops them. [`Facts`] and [`Rules`] cannot change: threads share them, and
//! clones are the same thing. What calls give needs no context, and reports need neither facts nor rules.

mod builder;
mod context;
mod error;
mod input;
mod report;
mod rules;
pub mod sys;
mod text;

pub use builder::{Builder, Clock, Row, RunInfo, Value};
pub use context::{Canceller, Context, Limits};
pub use error::{Diagnostic, Error, ErrorKind, Label, Level, Place};
pub use input::{Facts, Input};
pub use report::{Finding, Location, Recommendation, Report, Severity, Subject};
pub use rules::{RuleOptions, Rules};

/// The version of the library that runs: "0.1.0".
pub fn version() -> String {
    // SAFETY: a constant text.
    unsafe { text::c_text(sys::kdiag_version()) }
}

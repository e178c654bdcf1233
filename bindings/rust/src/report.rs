// SPDX-License-Identifier: Apache-2.0
//! What a diagnosis says.

use std::borrow::Cow;
use std::mem::{size_of, zeroed};
use std::os::raw::{c_char, c_int};
use std::ptr;

use crate::context::Context;
use crate::error::Error;
use crate::input::Facts;
use crate::rules::Rules;
use crate::sys;
use crate::text::{borrowed, c_text, owned};

/// What a diagnosis says. Cannot change: threads share it.
#[derive(Debug)]
pub struct Report {
    handle: *mut sys::kdiag_report,
    findings: Vec<Finding>,
}

// SAFETY: any number of threads may use a report at once; one frees it.
unsafe impl Send for Report {}
unsafe impl Sync for Report {}

impl Drop for Report {
    fn drop(&mut self) {
        // SAFETY: it has one owner.
        unsafe { sys::kdiag_report_free(self.handle) }
    }
}

impl Context {
    /// Judges every run of the facts by every rule. `baseline`: a run of the same work when it was good, or several.
    pub fn diagnose(&mut self, facts: &Facts, rules: &Rules, baseline: Option<&Facts>) -> Result<Report, Error> {
        let baseline = baseline.map_or(ptr::null(), Facts::as_ptr);
        let mut handle = ptr::null_mut();
        // SAFETY: facts and rules outlive the call.
        self.call(|context| unsafe {
            sys::kdiag_diagnose(context, facts.as_ptr(), baseline, rules.as_ptr(), ptr::null(), &mut handle)
        })?;
        // SAFETY: the report was made, and its findings are there as long as it is.
        let findings = unsafe {
            let count = sys::kdiag_report_finding_count(handle);
            (0..count).map(|index| finding(sys::kdiag_report_finding(handle, index))).collect()
        };
        Ok(Report { handle, findings })
    }
}

impl Report {
    /// What was found, by run in the order of the inputs, then by rank, without symptoms.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The whole report, schema kdiag.report/1 (docs/report.md of kdiag): also what this crate has no types for.
    ///
    /// As the next three it is rendered at the first call and kept as long as the report; an error is a lack of memory.
    pub fn json(&self) -> Result<Cow<'_, str>, Error> {
        self.render(sys::kdiag_report_json)
    }

    /// The report for people: 100 columns, without colours, at most five findings a run.
    pub fn text(&self) -> Result<Cow<'_, str>, Error> {
        self.render(sys::kdiag_report_text)
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> Result<Cow<'_, str>, Error> {
        self.render(sys::kdiag_report_markdown)
    }

    /// The report as SARIF 2.1.0, for code scanners.
    pub fn sarif(&self) -> Result<Cow<'_, str>, Error> {
        self.render(sys::kdiag_report_sarif)
    }

    fn render(
        &self,
        render: unsafe extern "C" fn(*const sys::kdiag_report, *mut usize) -> *const c_char,
    ) -> Result<Cow<'_, str>, Error> {
        let mut size = 0;
        // SAFETY: the text lives as long as the report.
        unsafe {
            let data = render(self.handle, &mut size);
            if data.is_null() {
                return Err(Error::of_status(sys::KDIAG_ERROR_MEMORY));
            }
            Ok(borrowed(data, size))
        }
    }
}

/// How bad a finding is: a larger one is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Severity {
    Info = sys::KDIAG_SEVERITY_INFO as isize,
    Low = sys::KDIAG_SEVERITY_LOW as isize,
    Medium = sys::KDIAG_SEVERITY_MEDIUM as isize,
    High = sys::KDIAG_SEVERITY_HIGH as isize,
    Critical = sys::KDIAG_SEVERITY_CRITICAL as isize,
}

impl std::fmt::Display for Severity {
    /// As JSON has it: "critical".
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: a constant text.
        formatter.pad(&unsafe { c_text(sys::kdiag_severity_name(*self as c_int)) })
    }
}

/// Something that costs time: plain data. Times are ns, shares 0..1; None is what cannot be stated, never zero.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Id of the rule.
    pub rule: String,
    /// In a line.
    pub title: String,
    /// In a few sentences; may be empty.
    pub message: String,
    /// How bad it is.
    pub severity: Severity,
    /// Id of its run in the report.
    pub run: String,
    /// Place in its run, from 1.
    pub rank: i64,
    /// By which findings are followed over time.
    pub fingerprint: String,
    /// The part of the run that it is of.
    pub subject: Subject,
    /// What it explains.
    pub impact_ns: Option<i64>,
    /// What it explains at least.
    pub impact_low_ns: Option<i64>,
    /// The same as a share of the run's time.
    pub impact_share: Option<f64>,
    /// What mending it saves at least.
    pub gain_low_ns: Option<i64>,
    /// What mending it saves at most.
    pub gain_high_ns: Option<i64>,
    /// 0..1
    pub confidence: f64,
    /// Where it lies in the code that ran.
    pub location: Option<Location>,
    /// What to do about it.
    pub recommendations: Vec<Recommendation>,
    /// The findings that it explains.
    pub symptoms: Vec<Finding>,
}

/// The part of the run that a finding is of: a device, a kernel, ...
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Subject {
    pub kind: String,
    pub id: String,
    pub label: String,
}

/// A place in the code that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Location {
    pub file: String,
    pub function: String,
    pub line: Option<i64>,
}

/// What to do, where, what that risks, and how to see that it worked; all but the text may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Recommendation {
    pub text: String,
    /// Where to do it.
    pub place: String,
    pub risk: String,
    pub verify: String,
    pub url: String,
}

/// Copies a finding with what it explains, which explains nothing itself.
unsafe fn finding(from: *const sys::kdiag_finding) -> Finding {
    let mut info = sys::kdiag_finding_info { size: size_of::<sys::kdiag_finding_info>(), ..zeroed() };
    sys::kdiag_finding_get(from, &mut info);
    Finding {
        rule: owned(info.rule),
        title: owned(info.title),
        message: owned(info.message),
        severity: match info.severity {
            sys::KDIAG_SEVERITY_INFO => Severity::Info,
            sys::KDIAG_SEVERITY_LOW => Severity::Low,
            sys::KDIAG_SEVERITY_MEDIUM => Severity::Medium,
            sys::KDIAG_SEVERITY_HIGH => Severity::High,
            _ => Severity::Critical,
        },
        run: owned(info.run),
        rank: info.rank,
        fingerprint: owned(info.fingerprint),
        subject: Subject { kind: owned(info.subject_kind), id: owned(info.subject_id), label: owned(info.subject_label) },
        impact_ns: stated(info.impact_ns),
        impact_low_ns: stated(info.impact_low_ns),
        impact_share: (!info.impact_share.is_nan()).then_some(info.impact_share),
        gain_low_ns: stated(info.gain_low_ns),
        gain_high_ns: stated(info.gain_high_ns),
        confidence: info.confidence,
        location: (info.file.size + info.function.size > 0).then(|| Location {
            file: owned(info.file),
            function: owned(info.function),
            line: Some(info.line).filter(|line| *line > 0),
        }),
        recommendations: (0..info.recommendations).map(|index| recommendation(from, index)).collect(),
        symptoms: (0..info.symptoms).map(|index| finding(sys::kdiag_finding_symptom(from, index))).collect(),
    }
}

unsafe fn recommendation(of: *const sys::kdiag_finding, index: usize) -> Recommendation {
    let mut info = sys::kdiag_recommendation { size: size_of::<sys::kdiag_recommendation>(), ..zeroed() };
    sys::kdiag_finding_recommendation(of, index, &mut info);
    Recommendation {
        text: owned(info.text),
        place: owned(info.where_),
        risk: owned(info.risk),
        verify: owned(info.verify),
        url: owned(info.url),
    }
}

fn stated(ns: i64) -> Option<i64> {
    (ns != sys::KDIAG_ABSENT_INTEGER).then_some(ns)
}

// SPDX-License-Identifier: Apache-2.0
//! What can go wrong.

use std::fmt;
use std::io;
use std::mem::{size_of, zeroed};

use crate::sys;
use crate::text::{c_text, owned};

/// Of which kind an [`Error`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name or path that holds a NUL, or a builder that was built.
    Argument,
    /// Memory could not be had.
    Memory,
    /// No input could be read, or rows have mistakes.
    Input,
    /// Rules have mistakes.
    Rules,
    /// There is no such rule.
    NotFound,
    /// A [`Canceller`](crate::Canceller) stopped the call.
    Cancelled,
    /// The time that [`Context::set_timeout`](crate::Context::set_timeout) gives was over.
    Deadline,
    /// Inputs bring more than their [`Limits`](crate::Limits).
    Limit,
    /// The library is older than this crate.
    Unsupported,
    /// A bug of kdiag.
    Internal,
}

impl ErrorKind {
    fn of(status: sys::kdiag_status) -> ErrorKind {
        match status {
            sys::KDIAG_ERROR_ARGUMENT => ErrorKind::Argument,
            sys::KDIAG_ERROR_MEMORY => ErrorKind::Memory,
            sys::KDIAG_ERROR_INPUT => ErrorKind::Input,
            sys::KDIAG_ERROR_RULES => ErrorKind::Rules,
            sys::KDIAG_ERROR_NOT_FOUND => ErrorKind::NotFound,
            sys::KDIAG_ERROR_CANCELLED => ErrorKind::Cancelled,
            sys::KDIAG_ERROR_DEADLINE => ErrorKind::Deadline,
            sys::KDIAG_ERROR_LIMIT => ErrorKind::Limit,
            sys::KDIAG_ERROR_UNSUPPORTED => ErrorKind::Unsupported,
            _ => ErrorKind::Internal,
        }
    }
}

/// What a call could not do. Shown, it has all diagnostics with their places and advice, in several lines. Its source is
/// the error of a reader of the host.
///
/// ```
/// let mut context = kdiag::Context::new().unwrap();
/// let error = context.parse_rules("mine.yaml", "kdiag: 1\nrules:\n- rul: mine.busy\n", &Default::default()).unwrap_err();
/// assert_eq!(error.kind(), kdiag::ErrorKind::Rules);
/// let place = error.diagnostics()[0].place.as_ref().unwrap();
/// assert_eq!((place.source.as_str(), place.line, place.column), ("mine.yaml", 3, 3));
/// ```
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    text: String,
    diagnostics: Vec<Diagnostic>,
    source: Option<io::Error>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, text: String) -> Error {
        Error { kind, text, diagnostics: Vec::new(), source: None }
    }

    /// Of a function that has no context to say more.
    pub(crate) fn of_status(status: sys::kdiag_status) -> Error {
        // SAFETY: a constant text.
        Error::new(ErrorKind::of(status), format!("kdiag: {}", unsafe { c_text(sys::kdiag_status_text(status)) }))
    }

    /// # Safety
    /// The context is one whose last call gave the status.
    pub(crate) unsafe fn of_context(context: *const sys::kdiag_context, status: sys::kdiag_status) -> Error {
        Error {
            kind: ErrorKind::of(status),
            text: c_text(sys::kdiag_last_error(context)).trim_end().to_owned(),
            diagnostics: diagnostics(context),
            source: None,
        }
    }

    pub(crate) fn with_source(self, source: io::Error) -> Error {
        Error { source: Some(source), ..self }
    }

    /// Of which kind it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// What is wrong, where, and what to do about it.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|error| error as _)
    }
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Nothing was made.
    Error,
    /// Likely a mistake.
    Warning,
    /// For who wrote it.
    Note,
}

/// Where something lies. Lines and columns count from 1, in characters; offset and length are bytes of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Place {
    pub source: String,
    pub line: i64,
    pub column: i64,
    pub offset: usize,
    pub length: usize,
}

/// A place that a diagnostic marks, and what is said there, which may be nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Label {
    pub text: String,
    pub place: Option<Place>,
}

/// One thing that is wrong, where, and what to do about it (`help`). docs/errors.md and docs/notes.md of kdiag explain its
/// id. `context` says to what it belongs, such as "rule mine.busy", or is empty. The first label is its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Diagnostic {
    pub level: Level,
    pub id: String,
    pub title: String,
    pub note: String,
    pub help: String,
    pub context: String,
    pub place: Option<Place>,
    pub labels: Vec<Label>,
}

/// Those of the last call of a context.
///
/// # Safety
/// No call uses the context.
pub(crate) unsafe fn diagnostics(context: *const sys::kdiag_context) -> Vec<Diagnostic> {
    let count = sys::kdiag_diagnostic_count(context);
    (0..count).filter_map(|index| diagnostic(context, index)).collect()
}

unsafe fn diagnostic(context: *const sys::kdiag_context, index: usize) -> Option<Diagnostic> {
    let mut info = sys::kdiag_diagnostic { size: size_of::<sys::kdiag_diagnostic>(), ..zeroed() };
    if sys::kdiag_diagnostic_get(context, index, &mut info) != sys::KDIAG_OK {
        return None;
    }
    Some(Diagnostic {
        level: match info.level {
            sys::KDIAG_LEVEL_ERROR => Level::Error,
            sys::KDIAG_LEVEL_WARNING => Level::Warning,
            _ => Level::Note,
        },
        id: owned(info.id),
        title: owned(info.title),
        note: owned(info.note),
        help: owned(info.help),
        context: owned(info.context),
        place: place(info.source, info.line, info.column, info.offset, info.length),
        labels: (0..info.labels).filter_map(|label_index| label(context, index, label_index)).collect(),
    })
}

unsafe fn label(context: *const sys::kdiag_context, diagnostic: usize, index: usize) -> Option<Label> {
    let mut info = sys::kdiag_label { size: size_of::<sys::kdiag_label>(), ..zeroed() };
    if sys::kdiag_diagnostic_label(context, diagnostic, index, &mut info) != sys::KDIAG_OK {
        return None;
    }
    Some(Label { text: owned(info.text), place: place(info.source, info.line, info.column, info.offset, info.length) })
}

unsafe fn place(source: sys::kdiag_string, line: i64, column: i64, offset: usize, length: usize) -> Option<Place> {
    (line != sys::KDIAG_ABSENT_INTEGER).then(|| Place { source: owned(source), line, column, offset, length })
}

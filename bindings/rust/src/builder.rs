// SPDX-License-Identifier: Apache-2.0
//! Facts of a host that has no trace.

use std::ffi::CString;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr;

use crate::context::Context;
use crate::error::Error;
use crate::input::Facts;
use crate::sys;
use crate::text::name;

/// What the times of a run count from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Clock {
    #[default]
    None,
    UnixNs,
    LocalNs,
    Device,
}

/// What a run is of.
#[derive(Clone, Debug, Default)]
pub struct RunInfo<'a> {
    /// How reports call it.
    pub label: &'a str,
    /// What recorded it.
    pub producer: &'a str,
    /// The machine.
    pub host: &'a str,
    /// What its times count from.
    pub clock: Clock,
    /// Of the process.
    pub rank: Option<i64>,
    /// How many ranks there are.
    pub world_size: Option<i64>,
    /// Only samples, which join another input's run.
    pub telemetry: bool,
}

/// A row of a [`Builder`]: the value of columns that refer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row(sys::kdiag_row);

/// A value of a row, in base units: ns, bytes, Hz, B/s, W, degC, ratios 0..1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Value<'a> {
    Integer(i64),
    Real(f64),
    Boolean(bool),
    Text(&'a str),
    Row(Row),
}

macro_rules! values {
    ($($from:ty => $to:ident),*) => {
        $(impl<'a> From<$from> for Value<'a> {
            fn from(value: $from) -> Value<'a> {
                Value::$to(value.into())
            }
        })*
    };
}
values!(i64 => Integer, i32 => Integer, u32 => Integer, f64 => Real, bool => Boolean, &'a str => Text, Row => Row);

/// Makes facts of rows, by the names of tables and columns that docs/facts.md of kdiag lists. A mistake leaves a value out,
/// and [`build`](Builder::build) says all of them.
///
/// ```
/// # fn main() -> Result<(), kdiag::Error> {
/// let mut context = kdiag::Context::new()?;
/// let mut builder = kdiag::Builder::new("my profiler", &kdiag::RunInfo::default())?;
/// let device = builder.device(0);
/// for start in [0, 1000, 2000] {
///     let kernel = builder.add("kernels");
///     builder.set(kernel, "name", "gemm");
///     builder.set(kernel, "start", start);
///     builder.set(kernel, "dur", 800);
///     builder.set(kernel, "device", device);
/// }
/// let facts = builder.build(&mut context)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Builder {
    handle: *mut sys::kdiag_builder,
    rows: *mut sys::kdiag_rows,
    refused: Option<Error>, // a name that C cannot have
}

// SAFETY: one thread at a time, whichever it is.
unsafe impl Send for Builder {}

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: it has one owner.
        unsafe { sys::kdiag_builder_free(self.handle) }
    }
}

impl Builder {
    /// A builder without rows; reports call the input by the name.
    pub fn new(called: &str, info: &RunInfo) -> Result<Builder, Error> {
        let (called, label, producer, host) = (name(called)?, name(info.label)?, name(info.producer)?, name(info.host)?);
        let run = sys::kdiag_run_info {
            size: size_of::<sys::kdiag_run_info>(),
            label: label.as_ptr(),
            producer: producer.as_ptr(),
            host: host.as_ptr(),
            clock: match info.clock {
                Clock::None => sys::KDIAG_CLOCK_NONE,
                Clock::UnixNs => sys::KDIAG_CLOCK_UNIX_NS,
                Clock::LocalNs => sys::KDIAG_CLOCK_LOCAL_NS,
                Clock::Device => sys::KDIAG_CLOCK_DEVICE,
            },
            has_rank: info.rank.is_some().into(),
            rank: info.rank.unwrap_or(0),
            world_size: info.world_size.unwrap_or(0),
            telemetry: info.telemetry.into(),
            has_world_size: info.world_size.is_some().into(),
        };
        let mut handle = ptr::null_mut();
        // SAFETY: the texts are copied.
        Context::new()?.call(|context| unsafe { sys::kdiag_builder_new(context, called.as_ptr(), &run, &mut handle) })?;
        // SAFETY: it was made just now, and has its rows until it is built, which consumes this.
        Ok(Builder { handle, rows: unsafe { sys::kdiag_builder_rows(handle) }, refused: None })
    }

    /// Makes facts of the rows. The error has all mistakes in names, types and references.
    pub fn build(mut self, context: &mut Context) -> Result<Facts, Error> {
        if let Some(refused) = self.refused.take() {
            return Err(refused);
        }
        let mut made = ptr::null_mut();
        // SAFETY: the facts have one owner.
        context.call(|context| unsafe { sys::kdiag_builder_build(context, self.handle, ptr::null(), &mut made) })?;
        Ok(unsafe { Facts::own(made) })
    }

    /// Appends a row to "kernels", "samples", ...
    pub fn add(&mut self, table: &str) -> Row {
        let table = self.name(table);
        // SAFETY: here and below, the rows are there until they are built.
        Row(unsafe { sys::kdiag_rows_add(self.rows, table.as_ptr()) })
    }

    /// Sets a value of a row.
    pub fn set<'a>(&mut self, row: Row, column: &str, value: impl Into<Value<'a>>) {
        let column = self.name(column);
        let (rows, row, column) = (self.rows, row.0, column.as_ptr());
        unsafe {
            match value.into() {
                Value::Integer(value) => sys::kdiag_rows_set_integer(rows, row, column, value),
                Value::Real(value) => sys::kdiag_rows_set_real(rows, row, column, value),
                Value::Boolean(value) => sys::kdiag_rows_set_boolean(rows, row, column, value.into()),
                Value::Text(value) => sys::kdiag_rows_set_text(rows, row, column, value.as_ptr() as *const c_char, value.len()),
                Value::Row(value) => sys::kdiag_rows_set_row(rows, row, column, value.0),
            }
        }
    }

    /// States that a table is recorded, though it may have no rows.
    pub fn declare(&mut self, table: &str) {
        let table = self.name(table);
        unsafe { sys::kdiag_rows_declare(self.rows, table.as_ptr()) }
    }

    /// The one row of the run.
    pub fn run(&mut self) -> Row {
        Row(unsafe { sys::kdiag_rows_run(self.rows) })
    }

    /// The row of the process with a global rank.
    pub fn rank(&mut self, id: i64) -> Row {
        Row(unsafe { sys::kdiag_rows_rank(self.rows, id) })
    }

    /// The row of a device by its index in the input; it belongs to the rank of the run.
    pub fn device(&mut self, id: i64) -> Row {
        Row(unsafe { sys::kdiag_rows_device(self.rows, id) })
    }

    /// The same of a device that belongs to a row of [`rank`](Builder::rank).
    pub fn device_of(&mut self, rank: Row, id: i64) -> Row {
        Row(unsafe { sys::kdiag_rows_device_of(self.rows, rank.0, id) })
    }

    /// The row of a queue of a device.
    pub fn stream(&mut self, device: Row, id: i64) -> Row {
        Row(unsafe { sys::kdiag_rows_stream(self.rows, device.0, id) })
    }

    /// The row of a host thread; it belongs to the rank of the run.
    pub fn thread(&mut self, process: i64, id: i64) -> Row {
        Row(unsafe { sys::kdiag_rows_thread(self.rows, process, id) })
    }

    /// The row of a line of the source.
    pub fn frame(&mut self, file: &str, line: Option<i64>, function: &str) -> Row {
        let (file, function) = (self.name(file), self.name(function));
        let line = line.unwrap_or(0);
        let how = b"line\0".as_ptr().cast();
        Row(unsafe { sys::kdiag_rows_frame(self.rows, file.as_ptr(), line, function.as_ptr(), how, ptr::null()) })
    }

    fn name(&mut self, text: &str) -> CString {
        name(text).unwrap_or_else(|error| {
            self.refused.get_or_insert(error);
            CString::default()
        })
    }
}

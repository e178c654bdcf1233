// SPDX-License-Identifier: Apache-2.0
//! Traces in, facts out.

use std::any::Any;
use std::ffi::CString;
use std::io::{self, ErrorKind::Interrupted, Read};
use std::mem::{size_of, zeroed};
use std::os::raw::{c_char, c_void};
use std::os::unix::ffi::OsStrExt;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::Path;
use std::ptr;

use crate::context::Context;
use crate::error::{Error, ErrorKind};
use crate::sys;
use crate::text::name;

/// What traces say. Cannot change: threads share it, and a clone is the same thing.
#[derive(Debug)]
pub struct Facts(*mut sys::kdiag_facts);

// SAFETY: any number of threads may use facts at once.
unsafe impl Send for Facts {}
unsafe impl Sync for Facts {}

impl Facts {
    /// # Safety
    /// `made` has one owner, which is this one.
    pub(crate) unsafe fn own(made: *mut sys::kdiag_facts) -> Facts {
        Facts(made)
    }

    pub(crate) fn as_ptr(&self) -> *const sys::kdiag_facts {
        self.0
    }
}

impl Clone for Facts {
    fn clone(&self) -> Facts {
        // SAFETY: one owner more, who frees them.
        Facts(unsafe { sys::kdiag_facts_retain(self.0) })
    }
}

impl Drop for Facts {
    fn drop(&mut self) {
        // SAFETY: one owner less.
        unsafe { sys::kdiag_facts_free(self.0) }
    }
}

/// Where a trace comes from.
pub struct Input<'a> {
    name: Vec<u8>,
    origin: Origin<'a>,
}

enum Origin<'a> {
    Path,
    Memory(&'a [u8]),
    Reader(Box<dyn Read + Send + 'a>),
}

impl<'a> Input<'a> {
    /// The path of a file, a folder or an archive of traces, "-" for standard input, or "FILE#2" for the second run of any
    /// of them.
    pub fn path(path: impl AsRef<Path>) -> Input<'a> {
        Input { name: path.as_ref().as_os_str().as_bytes().to_vec(), origin: Origin::Path }
    }

    /// A trace in memory; messages call it by the name.
    pub fn memory(name: &str, bytes: &'a [u8]) -> Input<'a> {
        Input { name: name.into(), origin: Origin::Memory(bytes) }
    }

    /// A trace that a reader gives; messages call it by the name. It is read to its end by one thread at a time, which need
    /// not be that of the call. An error of it is one of the call, whose source it is.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let file = std::fs::File::open("../../examples/traces/item_storm.json")?;
    /// kdiag::Context::new()?.load([kdiag::Input::reader("upload", file)])?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn reader(name: &str, reader: impl Read + Send + 'a) -> Input<'a> {
        Input { name: name.into(), origin: Origin::Reader(Box::new(reader)) }
    }
}

impl Context {
    /// Reads traces; those that are one run are joined. What is odd in them, so that something of them is lost, stands in
    /// reports as a note of the input.
    pub fn load<'a>(&mut self, inputs: impl IntoIterator<Item = Input<'a>>) -> Result<Facts, Error> {
        let mut inputs: Vec<Input<'a>> = inputs.into_iter().collect();
        let names = inputs.iter().map(|input| name(input.name.as_slice())).collect::<Result<Vec<CString>, Error>>()?;
        let mut sources = Vec::new();
        let mut structs = Vec::with_capacity(inputs.len());
        for (input, name) in inputs.iter_mut().zip(&names) {
            // SAFETY: zero is the default of all members.
            let mut given = sys::kdiag_input { size: size_of::<sys::kdiag_input>(), name: name.as_ptr(), ..unsafe { zeroed() } };
            match &mut input.origin {
                Origin::Path => given.kind = sys::KDIAG_INPUT_PATH,
                Origin::Memory(bytes) => {
                    given.kind = sys::KDIAG_INPUT_MEMORY;
                    given.bytes = bytes.as_ptr().cast();
                    given.byte_count = bytes.len();
                }
                Origin::Reader(reader) => {
                    sources.push(Source { reader: reader.as_mut(), failure: None });
                    given.kind = sys::KDIAG_INPUT_CALLBACK;
                    given.read = Some(read);
                }
            }
            structs.push(given);
        }
        let reading = structs.iter_mut().filter(|given| given.read.is_some());
        for (given, source) in reading.zip(&mut sources) {
            given.user = (source as *mut Source).cast();
        }

        let mut made = ptr::null_mut();
        // SAFETY: names, bytes and sources outlive the call, and the sources are used by it alone.
        let result = self.call(|context| unsafe {
            sys::kdiag_facts_load_inputs(context, structs.as_ptr(), structs.len(), ptr::null(), &mut made)
        });
        // SAFETY: NULL when the call failed, which is fine for its owner.
        let facts = unsafe { Facts::own(made) };
        match sources.into_iter().find_map(|source| source.failure) {
            None => result.map(|()| facts),
            Some(Failure::Panic(panic)) => resume_unwind(panic),
            Some(Failure::Error(error)) => {
                let otherwise = || Error::new(ErrorKind::Input, format!("kdiag: an input could not be read: {error}"));
                Err(result.err().unwrap_or_else(otherwise).with_source(error))
            }
        }
    }
}

/// A reader, and how it failed.
struct Source<'r> {
    reader: &'r mut (dyn Read + Send),
    failure: Option<Failure>,
}

enum Failure {
    Error(io::Error),
    Panic(Box<dyn Any + Send>),
}

/// What the library calls: C++ is between here and the call, through which nothing may unwind.
unsafe extern "C" fn read(user: *mut c_void, buffer: *mut c_char, size: usize) -> i64 {
    let source = &mut *user.cast::<Source<'_>>();
    ptr::write_bytes(buffer, 0, size); // a reader is given bytes that can be read
    let buffer = std::slice::from_raw_parts_mut(buffer.cast::<u8>(), size);
    let reader = &mut source.reader;
    let read = catch_unwind(AssertUnwindSafe(|| loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == Interrupted => continue,
            result => return result,
        }
    }));
    source.failure = Some(match read {
        Ok(Ok(count)) if count <= size => return count as i64,
        Ok(Ok(_)) => Failure::Error(io::Error::new(io::ErrorKind::InvalidData, "a reader gave more than there is room for")),
        Ok(Err(error)) => Failure::Error(error),
        Err(panic) => Failure::Panic(panic),
    });
    -1
}

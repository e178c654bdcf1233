// SPDX-License-Identifier: Apache-2.0
//! What belongs to calls.

use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use crate::error::Error;
use crate::sys;

/// What all inputs of a call may bring together; 0: without limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Of facts.
    pub rows: u64,
    /// Of memory for them, and what one decoder may hold.
    pub bytes: u64,
    /// Bytes that come out of compressed inputs and archives.
    pub unpacked: u64,
}

/// Makes facts, rules and reports, one call at a time. What it makes does not need it any more.
#[derive(Debug)]
pub struct Context {
    handle: Arc<Handle>,
}

/// Stops the calls of a [`Context`], from any thread.
///
/// ```
/// let mut context = kdiag::Context::new().unwrap();
/// let canceller = context.canceller();
/// std::thread::spawn(move || canceller.cancel()).join().unwrap();
/// let error = context.builtin_rules(&Default::default()).unwrap_err();
/// assert_eq!(error.kind(), kdiag::ErrorKind::Cancelled);
/// context.reset();
/// assert!(context.builtin_rules(&Default::default()).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Canceller {
    handle: Arc<Handle>,
}

#[derive(Debug)]
struct Handle(*mut sys::kdiag_context);

// SAFETY: a context belongs to no thread. Its owner, a `Context`, lets one call use it at a time, since each borrows the
// owner mutably; a `Canceller` only calls what the C interface allows from any thread at any time.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the last owner is gone, so that no call runs.
        unsafe { sys::kdiag_context_free(self.0) }
    }
}

impl Canceller {
    /// Stops the call that runs, and every further one until [`Context::reset`].
    pub fn cancel(&self) {
        // SAFETY: allowed from any thread.
        unsafe { sys::kdiag_context_cancel(self.handle.0) }
    }
}

impl Context {
    /// A context whose inputs have the limits of the command kdiag: a quarter of the memory that the process may use.
    pub fn new() -> Result<Context, Error> {
        let mut handle = ptr::null_mut();
        // SAFETY: the place is there.
        match unsafe { sys::kdiag_context_new(&mut handle) } {
            sys::KDIAG_OK => {
                let mut context = Context { handle: Arc::new(Handle(handle)) };
                context.set_limits(None)?;
                Ok(context)
            }
            status => Err(Error::of_status(status)),
        }
    }

    /// What stops its calls.
    pub fn canceller(&self) -> Canceller {
        Canceller { handle: Arc::clone(&self.handle) }
    }

    /// Lets further calls run after [`Canceller::cancel`].
    pub fn reset(&mut self) {
        // SAFETY: no call runs, as it would borrow the context.
        unsafe { sys::kdiag_context_reset(self.as_ptr()) }
    }

    /// How long each further call may take; None: without limit.
    pub fn set_timeout(&mut self, timeout: Option<Duration>) {
        let milliseconds = match timeout {
            None => 0,
            Some(Duration::ZERO) => -1, // over already
            Some(timeout) => i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX).clamp(1, i64::MAX / 2),
        };
        // SAFETY: as above.
        unsafe { sys::kdiag_context_set_deadline(self.as_ptr(), milliseconds) }
    }

    /// What all inputs of each further call may bring together; None: as in a new context.
    pub fn set_limits(&mut self, limits: Option<Limits>) -> Result<(), Error> {
        let limits = limits.map(|limits| sys::kdiag_load_limits {
            size: std::mem::size_of::<sys::kdiag_load_limits>(),
            rows: limits.rows,
            bytes: limits.bytes,
            unpacked: limits.unpacked,
        });
        let given = limits.as_ref().map_or(ptr::null(), |limits| limits as *const _);
        // SAFETY: as above; the limits are copied.
        self.call(|context| unsafe { sys::kdiag_context_set_load_limits(context, given) })
    }

    /// How many threads a call may use; 0: as many as the machine has, at most 8.
    pub fn set_threads(&mut self, threads: u32) {
        // SAFETY: as above.
        unsafe { sys::kdiag_context_set_threads(self.as_ptr(), threads) }
    }

    pub(crate) fn as_ptr(&mut self) -> *mut sys::kdiag_context {
        self.handle.0
    }

    /// Calls the library, and says why it failed.
    pub(crate) fn call(&mut self, function: impl FnOnce(*mut sys::kdiag_context) -> sys::kdiag_status) -> Result<(), Error> {
        match function(self.as_ptr()) {
            sys::KDIAG_OK => Ok(()),
            // SAFETY: the call is over.
            status => Err(unsafe { Error::of_context(self.as_ptr(), status) }),
        }
    }
}

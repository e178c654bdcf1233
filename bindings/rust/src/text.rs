// SPDX-License-Identifier: Apache-2.0
//! Texts in and out of C. What comes out and is no UTF-8 is replaced.

use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::os::raw::c_char;

use crate::sys;
use crate::{Error, ErrorKind};

/// A text that ends in NUL.
///
/// # Safety
/// `text` is such a text.
pub(crate) unsafe fn c_text(text: *const c_char) -> String {
    CStr::from_ptr(text).to_string_lossy().into_owned()
}

/// # Safety
/// `text` came from the library, and what it belongs to is still there.
pub(crate) unsafe fn owned(text: sys::kdiag_string) -> String {
    borrowed(text.data, text.size).into_owned()
}

/// # Safety
/// `size` characters are at `data`, for as long as `'a`.
pub(crate) unsafe fn borrowed<'a>(data: *const c_char, size: usize) -> Cow<'a, str> {
    if size == 0 {
        return Cow::Borrowed(""); // also of what was not filled in
    }
    String::from_utf8_lossy(std::slice::from_raw_parts(data.cast(), size))
}

/// A name or path as C takes it: it ends at a NUL, so that none may be inside.
pub(crate) fn name(name: impl Into<Vec<u8>>) -> Result<CString, Error> {
    CString::new(name).map_err(|error| {
        let name = String::from_utf8_lossy(&error.into_vec()).into_owned();
        Error::new(
            ErrorKind::Argument,
            format!("kdiag: {name:?} holds a NUL character, behind which a name or path would be cut off"),
        )
    })
}

/// Names as an array of C, which points into what owns them.
pub(crate) struct Names {
    pointers: Vec<*const c_char>,
    _names: Vec<CString>,
}

impl Names {
    pub(crate) fn new<T: Into<Vec<u8>>>(names: impl IntoIterator<Item = T>) -> Result<Names, Error> {
        let names = names.into_iter().map(name).collect::<Result<Vec<_>, _>>()?;
        Ok(Names { pointers: names.iter().map(|name| name.as_ptr()).collect(), _names: names })
    }

    pub(crate) fn as_ptr(&self) -> *const *const c_char {
        self.pointers.as_ptr()
    }

    pub(crate) fn len(&self) -> usize {
        self.pointers.len()
    }
}

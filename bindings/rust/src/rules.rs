// SPDX-License-Identifier: Apache-2.0
//! Rules.

use std::mem::{size_of, zeroed};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use crate::context::Context;
use crate::error::{diagnostics, Diagnostic, Error};
use crate::sys;
use crate::text::{name, Names};

/// Rules that were checked. Cannot change: threads share them, and a clone is the same thing.
#[derive(Debug)]
pub struct Rules {
    handle: *mut sys::kdiag_rules,
    warnings: Vec<Diagnostic>,
}

// SAFETY: any number of threads may use rules at once.
unsafe impl Send for Rules {}
unsafe impl Sync for Rules {}

impl Rules {
    /// The warnings of loading them.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// How many of them are judged.
    pub fn judged(&self) -> usize {
        // SAFETY: there as long as this is.
        unsafe { sys::kdiag_rules_judged(self.handle) }
    }

    pub(crate) fn as_ptr(&self) -> *const sys::kdiag_rules {
        self.handle
    }
}

impl Clone for Rules {
    fn clone(&self) -> Rules {
        // SAFETY: one owner more, who frees them.
        Rules { handle: unsafe { sys::kdiag_rules_retain(self.handle) }, warnings: self.warnings.clone() }
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        // SAFETY: one owner less.
        unsafe { sys::kdiag_rules_free(self.handle) }
    }
}

/// Which rules are loaded and judged.
#[derive(Clone, Debug, Default)]
pub struct RuleOptions {
    /// Leaves the built-in packs out.
    pub without_builtin: bool,
    /// Refuses files with Lua rules, leaves built-in ones out.
    pub without_lua: bool,
    /// Judges rules of status incubating, too.
    pub incubating: bool,
    /// Values of parameters: ("host.sync-stall.share", "3%").
    pub set: Vec<(String, String)>,
    /// Which are judged, by patterns of their ids such as "host" and "*.sync-*"; none: all.
    pub select: Vec<String>,
    /// Which of these are not.
    pub ignore: Vec<String>,
}

impl Context {
    /// The built-in packs.
    pub fn builtin_rules(&mut self, options: &RuleOptions) -> Result<Rules, Error> {
        self.load_rules::<&Path>(&[], options)
    }

    /// Rule files and the folders of packs, beside the built-in packs.
    ///
    /// ```
    /// let mut context = kdiag::Context::new().unwrap();
    /// let rules = context.load_rules(&["../../examples/rules/loss_reads.yaml"], &Default::default()).unwrap();
    /// assert!(rules.judged() > 100);
    /// ```
    pub fn load_rules<P: AsRef<Path>>(&mut self, paths: &[P], options: &RuleOptions) -> Result<Rules, Error> {
        let names = Names::new(paths.iter().map(|path| path.as_ref().as_os_str().as_bytes()))?;
        // SAFETY: what is pointed to outlives the call.
        self.make_rules(options, |context, options, made| unsafe {
            sys::kdiag_rules_load_paths(context, names.as_ptr(), names.len(), options, made)
        })
    }

    /// A rule file from memory, beside the built-in packs; messages call it by the name.
    pub fn parse_rules(&mut self, called: &str, text: &str, options: &RuleOptions) -> Result<Rules, Error> {
        let called = name(called)?;
        // SAFETY: as above.
        self.make_rules(options, |context, options, made| unsafe {
            sys::kdiag_rules_load_text(context, called.as_ptr(), text.as_ptr().cast(), text.len(), options, made)
        })
    }

    fn make_rules(
        &mut self,
        options: &RuleOptions,
        load: impl FnOnce(*mut sys::kdiag_context, *const sys::kdiag_rule_options, *mut *mut sys::kdiag_rules) -> sys::kdiag_status,
    ) -> Result<Rules, Error> {
        let set = Names::new(options.set.iter().map(|(parameter, value)| format!("{parameter}={value}")))?;
        let select = Names::new(options.select.iter().map(String::as_str))?;
        let ignore = Names::new(options.ignore.iter().map(String::as_str))?;
        let given = sys::kdiag_rule_options {
            size: size_of::<sys::kdiag_rule_options>(),
            without_builtin: options.without_builtin.into(),
            without_lua: options.without_lua.into(),
            incubating: options.incubating.into(),
            set: set.as_ptr(),
            set_count: set.len(),
            select: select.as_ptr(),
            select_count: select.len(),
            ignore: ignore.as_ptr(),
            ignore_count: ignore.len(),
            // SAFETY: zero is the default of all members.
            ..unsafe { zeroed() }
        };
        let mut handle = ptr::null_mut();
        self.call(|context| load(context, &given, &mut handle))?;
        // SAFETY: the call is over.
        Ok(Rules { handle, warnings: unsafe { diagnostics(self.as_ptr()) } })
    }
}

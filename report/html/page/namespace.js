// SPDX-License-Identifier: Apache-2.0
// The files of this folder are one script: this one and dom.js first, start.js last. Each adds to `kdiag` what it has for
// others.
"use strict";
const kdiag = {};

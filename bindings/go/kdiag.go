// SPDX-License-Identifier: Apache-2.0

// Package kdiag diagnoses GPU and accelerator performance traces by rules.
//
//	facts, err := kdiag.Load(ctx, nil, kdiag.File("trace.json"))
//	rules, err := kdiag.LoadRules(ctx, nil, "mine.yaml") // beside the built-in ones
//	report, err := kdiag.Diagnose(ctx, nil, facts, rules)
//	for _, finding := range report.Findings { ... }
//
// It is a thin layer over libkdiag's C interface, which cgo finds by pkg-config. [Facts], [Rules] and [Report] cannot
// change, and any number of goroutines may use them at once. They hold memory of the library: Close frees it, and so does
// the garbage collector, which does not see how much it is. A ctx that is done stops the call that has it, which then
// gives an [*Error] that wraps what the ctx says.
package kdiag

// #cgo pkg-config: kdiag
// #include <kdiag/kdiag.h>
import "C"

// Version is that of the library that runs, such as "0.1.0".
func Version() string { return C.GoString(C.kdiag_version()) }

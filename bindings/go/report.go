// SPDX-License-Identifier: Apache-2.0

package kdiag

// #include <kdiag/kdiag.h>
import "C"

import (
	"context"
	"runtime"
	"unsafe"
)

// A Report is what a diagnosis says. Its findings are plain data and need no report.
type Report struct {
	Findings []Finding // by run in the order of the inputs, then by rank, without their symptoms
	handle   handle
}

// Close frees the memory that JSON, Text, Markdown and SARIF need. It gives no error.
func (report *Report) Close() error {
	report.handle.close()
	return nil
}

// DiagnoseOptions say how Diagnose works; nil are the defaults.
type DiagnoseOptions struct {
	Baseline *Facts // a run of the same work when it was good, or several; nil: none
	Threads  int    // that the call may use; 0: as many as the machine has, at most 8
}

// Diagnose judges every run of the facts by every rule. The report needs neither of them.
func Diagnose(ctx context.Context, options *DiagnoseOptions, facts *Facts, rules *Rules) (*Report, error) {
	if options == nil {
		options = &DiagnoseOptions{}
	}
	judged, err := facts.handle.use()
	if err != nil {
		return nil, err
	}
	defer facts.handle.release()
	by, err := rules.handle.use()
	if err != nil {
		return nil, err
	}
	defer rules.handle.release()
	var baseline unsafe.Pointer
	if options.Baseline != nil {
		if baseline, err = options.Baseline.handle.use(); err != nil {
			return nil, err
		}
		defer options.Baseline.handle.release()
	}

	var made *C.kdiag_report
	err = call(ctx, new(arena), func(context *C.kdiag_context) C.kdiag_status {
		C.kdiag_context_set_threads(context, C.uint(options.Threads))
		return C.kdiag_diagnose(context, (*C.kdiag_facts)(judged), (*C.kdiag_facts)(baseline), (*C.kdiag_rules)(by), nil, &made)
	})
	if err != nil {
		return nil, err
	}
	report := new(Report)
	report.handle.open(unsafe.Pointer(made), func(pointer unsafe.Pointer) { C.kdiag_report_free((*C.kdiag_report)(pointer)) })
	runtime.SetFinalizer(report, (*Report).Close)
	for index := C.size_t(0); index < C.kdiag_report_finding_count(made); index++ {
		report.Findings = append(report.Findings, findingOf(C.kdiag_report_finding(made, index)))
	}
	return report, nil
}

// JSON is the whole report, schema kdiag.report/1 (docs/report.md of kdiag): also what this package has no types for.
func (report *Report) JSON() (string, error) {
	return report.render(func(of *C.kdiag_report, size *C.size_t) *C.char { return C.kdiag_report_json(of, size) })
}

// Text is the report for people: 100 columns, without colours, at most five findings a run.
func (report *Report) Text() (string, error) {
	return report.render(func(of *C.kdiag_report, size *C.size_t) *C.char { return C.kdiag_report_text(of, size) })
}

// Markdown is the report as Markdown.
func (report *Report) Markdown() (string, error) {
	return report.render(func(of *C.kdiag_report, size *C.size_t) *C.char { return C.kdiag_report_markdown(of, size) })
}

// SARIF is the report as SARIF 2.1.0, for code scanners.
func (report *Report) SARIF() (string, error) {
	return report.render(func(of *C.kdiag_report, size *C.size_t) *C.char { return C.kdiag_report_sarif(of, size) })
}

func (report *Report) render(render func(*C.kdiag_report, *C.size_t) *C.char) (string, error) {
	pointer, err := report.handle.use()
	if err != nil {
		return "", err
	}
	defer report.handle.release()
	var size C.size_t
	data := render((*C.kdiag_report)(pointer), &size)
	if data == nil {
		return "", &Error{Status: ErrMemory}
	}
	return utf8(unsafe.Pointer(data), size), nil
}

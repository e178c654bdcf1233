// SPDX-License-Identifier: Apache-2.0

package kdiag

// #include <kdiag/kdiag.h>
import "C"

import (
	"strings"
	"unsafe"
)

// A Status says of which kind an error is: errors.Is(err, kdiag.ErrRules).
type Status int

const (
	ErrArgument    Status = C.KDIAG_ERROR_ARGUMENT    // a name or path that holds a NUL
	ErrMemory      Status = C.KDIAG_ERROR_MEMORY      // memory could not be had
	ErrInput       Status = C.KDIAG_ERROR_INPUT       // no input could be read, or rows have mistakes
	ErrRules       Status = C.KDIAG_ERROR_RULES       // rules have mistakes
	ErrNotFound    Status = C.KDIAG_ERROR_NOT_FOUND   // there is no such rule
	ErrCancelled   Status = C.KDIAG_ERROR_CANCELLED   // the ctx of the call is done, also by its deadline
	ErrLimit       Status = C.KDIAG_ERROR_LIMIT       // inputs bring more than LoadOptions.Limits
	ErrUnsupported Status = C.KDIAG_ERROR_UNSUPPORTED // the library is older than this package
	ErrInternal    Status = C.KDIAG_ERROR_INTERNAL    // a bug of kdiag
)

// Error is what kdiag calls the status: "no input could be read".
func (status Status) Error() string { return C.GoString(C.kdiag_status_text(C.kdiag_status(status))) }

// An Error is what a call could not do. It is its [Status], and wraps what the ctx of the call or a reader of the host
// says: errors.Is(err, kdiag.ErrCancelled) and errors.Is(err, context.DeadlineExceeded) hold of the same error.
type Error struct {
	Status      Status
	Diagnostics []Diagnostic // what is wrong, where, and what to do about it
	text        string
	cause       error
}

// Error has all diagnostics, with their places and advice, in several lines.
func (err *Error) Error() string {
	if err.text == "" {
		return err.Status.Error()
	}
	return err.text
}

// Unwrap gives the error of the ctx or of a reader of the host; else nil.
func (err *Error) Unwrap() error { return err.cause }

// Is holds of the status of the error.
func (err *Error) Is(target error) bool { return target == err.Status }

// A Level says how much a diagnostic matters.
type Level int

const (
	LevelError   Level = C.KDIAG_LEVEL_ERROR
	LevelWarning Level = C.KDIAG_LEVEL_WARNING
	LevelNote    Level = C.KDIAG_LEVEL_NOTE
)

// A Place is where something lies in a file or another input. Lines and columns count from 1, in characters; Line is 0
// where there is no place. Offset and Length are bytes of the source.
type Place struct {
	Source         string
	Line, Column   int
	Offset, Length int
}

// A Label is a place that a diagnostic marks, and what is said there; Text may be empty.
type Label struct {
	Place
	Text string
}

// A Diagnostic is one thing that is wrong, where, and what to do about it (Help). docs/errors.md and docs/notes.md of
// kdiag explain its ID. Context says to what it belongs, such as
// "rule mine.busy", or is empty. The first label is the place of the diagnostic.
type Diagnostic struct {
	Place
	Level                          Level
	ID, Title, Note, Help, Context string
	Labels                         []Label
}

// diagnosticsOf copies those of the last call of a context.
func diagnosticsOf(context *C.kdiag_context) []Diagnostic {
	var found []Diagnostic
	for index := C.size_t(0); index < C.kdiag_diagnostic_count(context); index++ {
		info := C.kdiag_diagnostic{size: C.sizeof_kdiag_diagnostic}
		if C.kdiag_diagnostic_get(context, index, &info) != C.KDIAG_OK {
			break
		}
		found = append(found, Diagnostic{
			Place: place(info.source, info.line, info.column, info.offset, info.length),
			Level: Level(info.level),
			ID:    text(info.id), Title: text(info.title), Note: text(info.note), Help: text(info.help),
			Context: text(info.context),
			Labels:  labelsOf(context, index, info.labels),
		})
	}
	return found
}

func labelsOf(context *C.kdiag_context, diagnostic, count C.size_t) []Label {
	var found []Label
	for index := C.size_t(0); index < count; index++ {
		info := C.kdiag_label{size: C.sizeof_kdiag_label}
		if C.kdiag_diagnostic_label(context, diagnostic, index, &info) != C.KDIAG_OK {
			break
		}
		found = append(found, Label{place(info.source, info.line, info.column, info.offset, info.length), text(info.text)})
	}
	return found
}

func place(source C.kdiag_string, line, column C.int64_t, offset, length C.size_t) Place {
	if line == C.KDIAG_ABSENT_INTEGER {
		return Place{Source: text(source)}
	}
	return Place{text(source), int(line), int(column), int(offset), int(length)}
}

// text copies a text of the library; what is no UTF-8 is replaced.
func text(from C.kdiag_string) string {
	return utf8(unsafe.Pointer(from.data), from.size)
}

func utf8(data unsafe.Pointer, size C.size_t) string {
	return strings.ToValidUTF8(string(unsafe.Slice((*byte)(data), int(size))), "\uFFFD")
}

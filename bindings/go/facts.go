// SPDX-License-Identifier: Apache-2.0

package kdiag

/*
#include <kdiag/kdiag.h>

extern int64_t kdiagRead(uintptr_t source, char *buffer, size_t size);

static int64_t read_source(void *user, char *buffer, size_t size) { return kdiagRead((uintptr_t)user, buffer, size); }

// Go has no pointers that are numbers.
static void set_source(kdiag_input *input, uintptr_t source) {
  input->kind = KDIAG_INPUT_CALLBACK;
  input->read = read_source;
  input->user = (void *)source;
}
*/
import "C"

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/cgo"
	"unsafe"
)

// Facts are what traces say. Any number of goroutines may use them at once.
type Facts struct{ handle handle }

// Close frees the facts as soon as no call uses them; reports of them stay. It gives no error.
func (facts *Facts) Close() error {
	facts.handle.close()
	return nil
}

func newFacts(made *C.kdiag_facts) *Facts {
	facts := new(Facts)
	facts.handle.open(unsafe.Pointer(made), func(pointer unsafe.Pointer) { C.kdiag_facts_free((*C.kdiag_facts)(pointer)) })
	runtime.SetFinalizer(facts, (*Facts).Close)
	return facts
}

// An Input is where a trace comes from: File or Reader.
type Input struct {
	name   string
	reader io.Reader
}

// File is the trace at a path: a file, a folder or an archive of traces, "-" for standard input, or "FILE#2" for the
// second run of any of them.
func File(path string) Input { return Input{name: path} }

// Reader is a trace that a reader gives, in memory by bytes.NewReader; messages call it by the name. It is read by one
// goroutine at a time, to its end, during the call alone. An error of it is one of the call, which wraps it.
func Reader(name string, reader io.Reader) Input { return Input{name, reader} }

// Limits are what all inputs of a call may bring together; 0: without limit.
type Limits struct {
	Rows     uint64 // of facts
	Bytes    uint64 // of memory for them, and what one decoder may hold
	Unpacked uint64 // bytes that come out of compressed inputs and archives
}

// LoadOptions say how Load works; nil are the defaults.
type LoadOptions struct {
	Limits  *Limits // nil: those of the command kdiag, a quarter of the memory that the process may use
	Threads int     // that the call may use; 0: as many as the machine has, at most 8
}

// Load reads traces; those that are one run are joined. What is odd in them, so that something of them is lost, stands
// in reports as a note of the input.
func Load(ctx context.Context, options *LoadOptions, inputs ...Input) (*Facts, error) {
	if options == nil {
		options = &LoadOptions{}
	}
	arguments := new(arena)
	defer arguments.free()
	first := (*C.kdiag_input)(arguments.block(C.size_t(len(inputs)) * C.sizeof_kdiag_input))
	structs := unsafe.Slice(first, len(inputs))
	sources := make([]*source, 0, len(inputs))
	for index, input := range inputs {
		structs[index].size = C.sizeof_kdiag_input
		structs[index].name = arguments.name(input.name)
		if input.reader == nil {
			structs[index].kind = C.KDIAG_INPUT_PATH
			continue
		}
		reading := &source{Input: input}
		handle := cgo.NewHandle(reading)
		defer handle.Delete()
		C.set_source(&structs[index], C.uintptr_t(handle))
		sources = append(sources, reading)
	}

	var made *C.kdiag_facts
	err := call(ctx, arguments, func(context *C.kdiag_context) C.kdiag_status {
		if status := limit(context, options.Limits); status != C.KDIAG_OK {
			return status
		}
		C.kdiag_context_set_threads(context, C.uint(options.Threads))
		return C.kdiag_facts_load_inputs(context, first, C.size_t(len(inputs)), nil, &made)
	})
	for _, source := range sources {
		if source.panicked != nil {
			C.kdiag_facts_free(made)
			panic(source.panicked)
		}
		if source.err != nil {
			C.kdiag_facts_free(made)
			return nil, source.failure(err)
		}
	}
	if err != nil {
		return nil, err
	}
	return newFacts(made), nil
}

func limit(context *C.kdiag_context, limits *Limits) C.kdiag_status {
	if limits == nil {
		return C.kdiag_context_set_load_limits(context, nil)
	}
	return C.kdiag_context_set_load_limits(context, &C.kdiag_load_limits{
		size: C.sizeof_kdiag_load_limits,
		rows: C.uint64_t(limits.Rows), bytes: C.uint64_t(limits.Bytes), unpacked: C.uint64_t(limits.Unpacked),
	})
}

// A source is an input that the library reads by kdiagRead.
type source struct {
	Input
	err      error // of the reader
	panicked any   // what it panicked with
}

// failure is the error of a call whose reader failed: with what the library says of it, if that could use nothing else.
func (reading *source) failure(err error) error {
	failure, said := err.(*Error)
	if !said {
		failure = &Error{Status: ErrInput, text: fmt.Sprintf("kdiag: %s: %v", reading.name, reading.err)}
	}
	failure.cause = reading.err
	return failure
}

//export kdiagRead
func kdiagRead(handle C.uintptr_t, buffer *C.char, size C.size_t) (got C.int64_t) {
	reading := cgo.Handle(handle).Value().(*source)
	defer func() { // what is between here and Load is C++, through which nothing may be thrown
		if panicked := recover(); panicked != nil {
			reading.panicked, got = panicked, -1
		}
	}()
	count, err := io.ReadAtLeast(reading.reader, unsafe.Slice((*byte)(unsafe.Pointer(buffer)), int(size)), 1)
	if err != nil && err != io.EOF {
		reading.err = err
		return -1
	}
	return C.int64_t(count)
}

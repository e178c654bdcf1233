// SPDX-License-Identifier: Apache-2.0

package kdiag

// #include <stdlib.h>
// #include <kdiag/kdiag.h>
import "C"

import (
	"context"
	"fmt"
	"strings"
	"unsafe"
)

// call calls the library with a context of its own, which it cancels when ctx is done. The arena has the arguments: the
// library is not called when it refused one.
func call(ctx context.Context, arguments *arena, function func(*C.kdiag_context) C.kdiag_status) error {
	if arguments.refused != "" {
		return &Error{Status: ErrArgument, text: arguments.refused}
	}
	var handle *C.kdiag_context
	if status := C.kdiag_context_new(&handle); status != C.KDIAG_OK {
		return &Error{Status: Status(status)}
	}
	defer C.kdiag_context_free(handle)

	if ctx.Err() != nil { // the goroutine might come too late
		C.kdiag_context_cancel(handle)
	}
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ctx.Done():
			C.kdiag_context_cancel(handle)
		case <-done:
		}
	}()
	status := function(handle)
	close(done)
	<-watched // only then the handle may go

	if status == C.KDIAG_OK {
		return nil
	}
	failure := &Error{
		Status:      Status(status),
		Diagnostics: diagnosticsOf(handle),
		text:        strings.TrimRight(C.GoString(C.kdiag_last_error(handle)), "\n"),
	}
	if failure.Status == ErrCancelled {
		failure.cause = ctx.Err()
	}
	return failure
}

// An arena has what C points to: it keeps no pointers to memory of Go.
type arena struct {
	blocks  []unsafe.Pointer
	refused string // why an argument cannot be had in C
}

func (memory *arena) free() {
	for _, block := range memory.blocks {
		C.free(block)
	}
	memory.blocks = nil
}

// name is a name or path as C takes it: it ends at a NUL, so that none may be inside.
func (memory *arena) name(name string) *C.char {
	if strings.IndexByte(name, 0) >= 0 {
		memory.refuse(fmt.Sprintf("kdiag: %q holds a NUL character, behind which a name or path would be cut off", name))
	}
	return memory.text(name)
}

// text is a copy of a text.
func (memory *arena) text(text string) *C.char {
	copied := C.CString(text)
	memory.blocks = append(memory.blocks, unsafe.Pointer(copied))
	return copied
}

// refuse keeps the first reason.
func (memory *arena) refuse(why string) {
	if memory.refused == "" {
		memory.refused = why
	}
}

// names are several of them.
func (memory *arena) names(names []string) (**C.char, C.size_t) {
	if len(names) == 0 {
		return nil, 0
	}
	size := C.size_t(unsafe.Sizeof((*C.char)(nil)))
	first := (**C.char)(memory.block(C.size_t(len(names)) * size))
	copied := unsafe.Slice(first, len(names))
	for index, name := range names {
		copied[index] = memory.name(name)
	}
	return first, C.size_t(len(names))
}

// block is memory of C, all zero; cgo ends the program where there is none.
func (memory *arena) block(size C.size_t) unsafe.Pointer {
	block := C.calloc(1, size)
	memory.blocks = append(memory.blocks, block)
	return block
}

// SPDX-License-Identifier: Apache-2.0

package kdiag

import (
	"fmt"
	"os"
	"sync"
	"unsafe"
)

// errClosed is what is said of facts, rules and reports that were closed.
var errClosed = fmt.Errorf("kdiag: %w", os.ErrClosed)

// A handle owns memory of the library, which is freed when it is closed and no call uses it any more.
type handle struct {
	mutex   sync.Mutex
	pointer unsafe.Pointer
	free    func(unsafe.Pointer)
	users   int // calls, and the owner until it closes
	closed  bool
}

// open makes pointer the handle's.
func (h *handle) open(pointer unsafe.Pointer, free func(unsafe.Pointer)) {
	h.pointer, h.free, h.users = pointer, free, 1
}

// use gives the pointer to a call, which gives it back by release.
func (h *handle) use() (unsafe.Pointer, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.closed {
		return nil, errClosed
	}
	h.users++
	return h.pointer, nil
}

func (h *handle) release() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.users--
	if h.users == 0 {
		h.free(h.pointer)
	}
}

func (h *handle) close() {
	h.mutex.Lock()
	closed := h.closed
	h.closed = true
	h.mutex.Unlock()
	if !closed {
		h.release()
	}
}

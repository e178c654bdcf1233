// SPDX-License-Identifier: Apache-2.0

package kdiag

/*
#include <kdiag/kdiag.h>

static void set_text(kdiag_rows *rows, kdiag_row row, const char *column, _GoString_ text) {
  kdiag_rows_set_text(rows, row, column, _GoStringPtr(text), _GoStringLen(text));
}
*/
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// A Clock says what the times of a run count from.
type Clock int

const (
	ClockNone    Clock = C.KDIAG_CLOCK_NONE
	ClockUnixNS  Clock = C.KDIAG_CLOCK_UNIX_NS
	ClockLocalNS Clock = C.KDIAG_CLOCK_LOCAL_NS
	ClockDevice  Clock = C.KDIAG_CLOCK_DEVICE
)

// RunInfo says what a run is of.
type RunInfo struct {
	Label, Producer, Host string
	Clock                 Clock
	Rank                  *int // of the process; nil: not stated
	WorldSize             int  // how many ranks there are; 0: not known
	Telemetry             bool // only samples, which join another input's run
}

// A Row is a row of a builder: the value of columns that refer to it.
type Row struct{ row C.kdiag_row }

// Values are those of a row by column, in base units (ns, bytes, Hz, B/s, W, degC, ratios 0..1): an int, int64,
// float64, bool, string, time.Duration or Row; nil leaves a value out.
type Values map[string]any

// A Builder makes facts of the rows of a host that has no trace, by the names of tables and columns that docs/facts.md of
// kdiag lists. A mistake leaves a value out, and Build says all of them. One goroutine at a time may use a builder.
type Builder struct {
	builder *C.kdiag_builder
	rows    *C.kdiag_rows      // nil once it is closed
	names   map[string]*C.char // in memory
	memory  arena
}

// NewBuilder makes a builder without rows; reports call the input by the name.
func NewBuilder(name string, info RunInfo) (*Builder, error) {
	arguments := new(arena)
	defer arguments.free()
	run := C.kdiag_run_info{
		size:  C.sizeof_kdiag_run_info,
		label: arguments.name(info.Label), producer: arguments.name(info.Producer), host: arguments.name(info.Host),
		clock: C.int(info.Clock), telemetry: flag(info.Telemetry),
		world_size: C.int64_t(info.WorldSize), has_world_size: C.int64_t(flag(info.WorldSize > 0)),
	}
	if info.Rank != nil {
		run.has_rank, run.rank = 1, C.int64_t(*info.Rank)
	}
	called := arguments.name(name)
	builder := &Builder{names: map[string]*C.char{}}
	err := call(context.Background(), arguments, func(context *C.kdiag_context) C.kdiag_status {
		return C.kdiag_builder_new(context, called, &run, &builder.builder)
	})
	if err != nil {
		return nil, err
	}
	builder.rows = C.kdiag_builder_rows(builder.builder)
	runtime.SetFinalizer(builder, (*Builder).Close)
	return builder, nil
}

// Close frees the rows of a builder that was not built. It gives no error.
func (builder *Builder) Close() error {
	C.kdiag_builder_free(builder.builder)
	builder.builder, builder.rows = nil, nil
	builder.memory.free()
	builder.names = nil
	return nil
}

// Build makes facts of the rows and closes the builder. The error has all mistakes in names, types and references.
func (builder *Builder) Build(ctx context.Context) (*Facts, error) {
	defer builder.Close()
	var made *C.kdiag_facts
	err := call(ctx, &builder.memory, func(context *C.kdiag_context) C.kdiag_status {
		return C.kdiag_builder_build(context, builder.builder, nil, &made)
	})
	if err != nil {
		return nil, err
	}
	return newFacts(made), nil
}

// Add appends a row to "kernels", "samples", ...
func (builder *Builder) Add(table string, values Values) Row {
	row := builder.row(func(rows *C.kdiag_rows) C.kdiag_row { return C.kdiag_rows_add(rows, builder.name(table)) })
	builder.Set(row, values)
	return row
}

// Set sets values of a row.
func (builder *Builder) Set(row Row, values Values) {
	rows := builder.rows
	for name, value := range values {
		column := builder.name(name)
		switch value := value.(type) {
		case nil:
		case int:
			C.kdiag_rows_set_integer(rows, row.row, column, C.int64_t(value))
		case int64:
			C.kdiag_rows_set_integer(rows, row.row, column, C.int64_t(value))
		case time.Duration:
			C.kdiag_rows_set_integer(rows, row.row, column, C.int64_t(value))
		case float64:
			C.kdiag_rows_set_real(rows, row.row, column, C.double(value))
		case bool:
			C.kdiag_rows_set_boolean(rows, row.row, column, flag(value))
		case string:
			C.set_text(rows, row.row, column, value)
		case Row:
			C.kdiag_rows_set_row(rows, row.row, column, value.row)
		default:
			builder.memory.refuse(fmt.Sprintf("kdiag: %s cannot be of type %T", name, value))
		}
	}
	runtime.KeepAlive(builder)
}

// Declare states that a table is recorded, though it may have no rows.
func (builder *Builder) Declare(table string) {
	C.kdiag_rows_declare(builder.rows, builder.name(table))
	runtime.KeepAlive(builder)
}

// Run is the one row of the run.
func (builder *Builder) Run() Row {
	return builder.row(func(rows *C.kdiag_rows) C.kdiag_row { return C.kdiag_rows_run(rows) })
}

// Rank is the row of the process with a global rank.
func (builder *Builder) Rank(id int) Row {
	return builder.row(func(rows *C.kdiag_rows) C.kdiag_row { return C.kdiag_rows_rank(rows, C.int64_t(id)) })
}

// Device is the row of a device by its index in the input; it belongs to the rank of the run.
func (builder *Builder) Device(id int) Row {
	return builder.row(func(rows *C.kdiag_rows) C.kdiag_row { return C.kdiag_rows_device(rows, C.int64_t(id)) })
}

// DeviceOf is the same of a device that belongs to a row of Rank.
func (builder *Builder) DeviceOf(rank Row, id int) Row {
	return builder.row(func(rows *C.kdiag_rows) C.kdiag_row {
		return C.kdiag_rows_device_of(rows, rank.row, C.int64_t(id))
	})
}

// Stream is the row of a queue of a device.
func (builder *Builder) Stream(device Row, id int) Row {
	return builder.row(func(rows *C.kdiag_rows) C.kdiag_row {
		return C.kdiag_rows_stream(rows, device.row, C.int64_t(id))
	})
}

// Thread is the row of a host thread; it belongs to the rank of the run.
func (builder *Builder) Thread(process, id int) Row {
	return builder.row(func(rows *C.kdiag_rows) C.kdiag_row {
		return C.kdiag_rows_thread(rows, C.int64_t(process), C.int64_t(id))
	})
}

// Frame is the row of a line of the source; line 0: not known.
func (builder *Builder) Frame(file string, line int, function string) Row {
	return builder.row(func(rows *C.kdiag_rows) C.kdiag_row {
		return C.kdiag_rows_frame(rows, builder.name(file), C.int64_t(line), builder.name(function), builder.name("line"), nil)
	})
}

// row asks for a row; the builder must not be finalized meanwhile.
func (builder *Builder) row(of func(*C.kdiag_rows) C.kdiag_row) Row {
	defer runtime.KeepAlive(builder)
	return Row{of(builder.rows)}
}

// name is a name in C, which is kept: it comes again with the next row. Of a closed builder there is none.
func (builder *Builder) name(name string) *C.char {
	known, found := builder.names[name]
	if !found && builder.rows != nil {
		known = builder.memory.name(name)
		builder.names[name] = known
	}
	return known
}

// SPDX-License-Identifier: Apache-2.0

package kdiag

// #include <kdiag/kdiag.h>
import "C"

import (
	"context"
	"runtime"
	"unsafe"
)

// Rules are rules that were checked. Any number of goroutines may use them at once.
type Rules struct {
	Warnings []Diagnostic // of loading them
	handle   handle
}

// Close frees the rules as soon as no call uses them. It gives no error.
func (rules *Rules) Close() error {
	rules.handle.close()
	return nil
}

// Judged is how many of the rules are judged; 0 once they are closed.
func (rules *Rules) Judged() int {
	pointer, err := rules.handle.use()
	if err != nil {
		return 0
	}
	defer rules.handle.release()
	return int(C.kdiag_rules_judged((*C.kdiag_rules)(pointer)))
}

// RuleOptions say which rules are loaded and judged; nil are the defaults.
type RuleOptions struct {
	WithoutBuiltin bool              // leaves the built-in packs out
	WithoutLua     bool              // refuses files with Lua rules, leaves built-in ones out
	Incubating     bool              // judges rules of status incubating, too
	Set            map[string]string // values of parameters: {"host.sync-stall.share": "3%"}
	Select, Ignore []string          // which are judged, by patterns of ids such as "host" and "*.sync-*"; none selected: all
}

// LoadRules loads rule files and the folders of packs beside the built-in packs; without paths those alone.
func LoadRules(ctx context.Context, options *RuleOptions, paths ...string) (*Rules, error) {
	arguments := new(arena)
	defer arguments.free()
	names, count := arguments.names(paths)
	return loadRules(ctx, arguments, options,
		func(context *C.kdiag_context, options *C.kdiag_rule_options, made **C.kdiag_rules) C.kdiag_status {
			return C.kdiag_rules_load_paths(context, names, count, options, made)
		})
}

// ParseRules loads a rule file from memory; messages call it by the name.
func ParseRules(ctx context.Context, options *RuleOptions, name, text string) (*Rules, error) {
	arguments := new(arena)
	defer arguments.free()
	called, content := arguments.name(name), arguments.text(text)
	return loadRules(ctx, arguments, options,
		func(context *C.kdiag_context, options *C.kdiag_rule_options, made **C.kdiag_rules) C.kdiag_status {
			return C.kdiag_rules_load_text(context, called, content, C.size_t(len(text)), options, made)
		})
}

func loadRules(ctx context.Context, arguments *arena, options *RuleOptions,
	load func(*C.kdiag_context, *C.kdiag_rule_options, **C.kdiag_rules) C.kdiag_status) (*Rules, error) {
	if options == nil {
		options = &RuleOptions{}
	}
	wanted := C.kdiag_rule_options{
		size:            C.sizeof_kdiag_rule_options,
		without_builtin: flag(options.WithoutBuiltin), without_lua: flag(options.WithoutLua), incubating: flag(options.Incubating),
	}
	pairs := make([]string, 0, len(options.Set))
	for parameter, value := range options.Set {
		pairs = append(pairs, parameter+"="+value)
	}
	wanted.set, wanted.set_count = arguments.names(pairs)
	// `select` is a word of Go.
	wanted._select, wanted.select_count = arguments.names(options.Select)
	wanted.ignore, wanted.ignore_count = arguments.names(options.Ignore)

	var made *C.kdiag_rules
	var warnings []Diagnostic
	err := call(ctx, arguments, func(context *C.kdiag_context) C.kdiag_status {
		status := load(context, &wanted, &made)
		if status == C.KDIAG_OK {
			warnings = diagnosticsOf(context)
		}
		return status
	})
	if err != nil {
		return nil, err
	}
	rules := &Rules{Warnings: warnings}
	rules.handle.open(unsafe.Pointer(made), func(pointer unsafe.Pointer) { C.kdiag_rules_free((*C.kdiag_rules)(pointer)) })
	runtime.SetFinalizer(rules, (*Rules).Close)
	return rules, nil
}

func flag(value bool) C.int {
	if value {
		return 1
	}
	return 0
}

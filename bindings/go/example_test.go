// SPDX-License-Identifier: Apache-2.0

package kdiag_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"kdiag.invalid/kdiag"
)

func ExampleDiagnose() {
	ctx := context.Background()
	facts, err := kdiag.Load(ctx, nil, kdiag.File("../../examples/traces/item_storm.json"))
	if err != nil {
		log.Fatal(err)
	}
	rules, err := kdiag.LoadRules(ctx, &kdiag.RuleOptions{Select: []string{"host"}})
	if err != nil {
		log.Fatal(err)
	}
	report, err := kdiag.Diagnose(ctx, nil, facts, rules)
	if err != nil {
		log.Fatal(err)
	}
	for _, finding := range report.Findings {
		fmt.Printf("%s (%v): %s\n", finding.Rule, finding.Severity, finding.Title)
	}
	// Output: host.sync-stall (critical): The host waits for the device in aten::item
}

func ExampleLoad() {
	file, err := os.Open("../../examples/traces/item_storm.json") // or the body of an answer, or what a buffer has
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	_, err = kdiag.Load(context.Background(), &kdiag.LoadOptions{Limits: &kdiag.Limits{Rows: 50}}, kdiag.Reader("upload", file))
	fmt.Println(errors.Is(err, kdiag.ErrLimit))
	// Output: true
}

func ExampleParseRules() {
	_, err := kdiag.ParseRules(context.Background(), nil, "mine.yaml", `kdiag: 1
pack: {name: mine, version: 0.1.0}
rules:
- rule: mine.busy
  title: The device is busy
  when: busy(kernls) / run.wall > 90%
`)
	var failure *kdiag.Error
	if errors.As(err, &failure) {
		wrong := failure.Diagnostics[0]
		fmt.Printf("%s:%d:%d: %s: %s\n", wrong.Source, wrong.Line, wrong.Column, wrong.Title, wrong.Labels[0].Text)
	}
	// Output: mine.yaml:6:14: unknown name 'kernls': did you mean 'kernels'?
}

func ExampleBuilder() {
	builder, err := kdiag.NewBuilder("my profiler", kdiag.RunInfo{Clock: kdiag.ClockDevice})
	if err != nil {
		log.Fatal(err)
	}
	for start := 0; start < 5000; start += 1000 {
		builder.Add("kernels", kdiag.Values{"name": "gemm", "start": start, "dur": 800, "device": builder.Device(0)})
	}
	facts, err := builder.Build(context.Background()) // says all mistakes in names and types at once
	if err != nil {
		log.Fatal(err)
	}
	defer facts.Close()
}

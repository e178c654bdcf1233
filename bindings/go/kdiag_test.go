// SPDX-License-Identifier: Apache-2.0

package kdiag_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"kdiag.invalid/kdiag"
)

const (
	trace = "../../examples/traces/item_storm.json"
	rule  = "../../examples/rules/loss_reads.yaml"
)

var background = context.Background()

// manyKernels fires on what TestBuilder builds.
const manyKernels = `kdiag: 1
pack: {name: mine, version: 0.1.0}
rules:
- rule: mine.many-kernels
  title: ${count(kernels)} kernels on ${device.name}
  for_each: device
  when: count(kernels) > 2
  severity: medium
  impact: sum(kernels, dur)
  recommend:
    - text: Make them one.
`

func must[T any](t testing.TB, value T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func contents(t testing.TB) []byte {
	t.Helper()
	bytes, err := os.ReadFile(trace)
	return must(t, bytes, err)
}

func builtin(t testing.TB) *kdiag.Rules {
	t.Helper()
	rules, err := kdiag.LoadRules(background, nil)
	return must(t, rules, err)
}

func load(t testing.TB, inputs ...kdiag.Input) *kdiag.Facts {
	t.Helper()
	facts, err := kdiag.Load(background, nil, inputs...)
	return must(t, facts, err)
}

func diagnose(t testing.TB, facts *kdiag.Facts, rules *kdiag.Rules) *kdiag.Report {
	t.Helper()
	report, err := kdiag.Diagnose(background, nil, facts, rules)
	return must(t, report, err)
}

// failed is the kdiag.Error that err is of a status.
func failed(t *testing.T, err error, status kdiag.Status) *kdiag.Error {
	t.Helper()
	var failure *kdiag.Error
	if !errors.As(err, &failure) || !errors.Is(err, status) {
		t.Fatalf("want %q, got %v", status, err)
	}
	return failure
}

func TestFileAndMemoryAreJudgedAlike(t *testing.T) {
	rules := builtin(t)
	file := diagnose(t, load(t, kdiag.File(trace)), rules)
	memory := diagnose(t, load(t, kdiag.Reader(trace, bytes.NewReader(contents(t)))), rules)
	pieces := diagnose(t, load(t, kdiag.Reader(trace, iotest.OneByteReader(bytes.NewReader(contents(t))))), rules)

	worst := file.Findings[0]
	if worst.Rule != "host.sync-stall" || worst.Severity != kdiag.SeverityCritical || worst.Severity.String() != "critical" {
		t.Errorf("the worst finding is %s, %v", worst.Rule, worst.Severity)
	}
	if worst.Impact == nil || *worst.Impact < 13*time.Millisecond || *worst.Impact > 14*time.Millisecond {
		t.Errorf("it explains %v", worst.Impact)
	}
	if worst.Message == "" || worst.Rank != 1 || worst.Subject.Kind == "" || !strings.HasPrefix(worst.Fingerprint, "v1:") {
		t.Errorf("it says %+v", worst)
	}
	if len(worst.Recommendations) == 0 || !strings.HasPrefix(worst.Recommendations[0].Text, "Keep the value on the device") {
		t.Errorf("it advises %+v", worst.Recommendations)
	}
	if worst.Location == nil || worst.Location.File != "train.py" || worst.Location.Line != 57 {
		t.Errorf("it lies in %+v", worst.Location)
	}
	if len(worst.Symptoms) != 1 || worst.Symptoms[0].Rule != "gpu.low-utilization" {
		t.Errorf("it explains %+v", worst.Symptoms)
	}
	var document struct {
		Schema   string
		Findings []struct{ Fingerprint string }
	}
	text, err := file.JSON()
	if err := json.Unmarshal([]byte(must(t, text, err)), &document); err != nil || document.Schema != "kdiag.report/1" {
		t.Fatalf("%v of %q", err, document.Schema)
	}
	for index, finding := range file.Findings {
		if document.Findings[index].Fingerprint != finding.Fingerprint ||
			memory.Findings[index].Fingerprint != finding.Fingerprint || pieces.Findings[index].Fingerprint != finding.Fingerprint {
			t.Errorf("finding %d has several fingerprints", index)
		}
	}
	for form, render := range map[string]func() (string, error){"Verdict": file.Text, "# ": file.Markdown, `"2.1.0"`: file.SARIF} {
		if text, err := render(); err != nil || !strings.Contains(text, form) {
			t.Errorf("%v of a report without %q: %.80s", err, form, text)
		}
	}
}

func TestRulesAreChosen(t *testing.T) {
	rules, err := kdiag.LoadRules(background, nil, rule)
	if report := diagnose(t, load(t, kdiag.File(trace)), must(t, rules, err)); report.Findings[0].Rule != "training.loss-reads" {
		t.Errorf("the worst finding is %s", report.Findings[0].Rule)
	}
	rules, err = kdiag.LoadRules(background, &kdiag.RuleOptions{
		Select: []string{"host.sync-stall", "gpu"}, Ignore: []string{"gpu"}, Set: map[string]string{"host.sync-stall.share": "90%"},
	})
	if must(t, rules, err).Judged() != 1 {
		t.Errorf("%d rules are judged", rules.Judged())
	}
	if report := diagnose(t, load(t, kdiag.File(trace)), rules); len(report.Findings) != 0 {
		t.Errorf("found below its threshold: %+v", report.Findings)
	}
	rules, err = kdiag.ParseRules(background, &kdiag.RuleOptions{WithoutBuiltin: true}, "mine.yaml", manyKernels)
	if must(t, rules, err).Judged() != 1 {
		t.Errorf("%d rules are judged", rules.Judged())
	}
}

func TestMistakesHavePlacesAndAdvice(t *testing.T) {
	text := strings.Replace(manyKernels, "sum(kernels, dur)", "sum(kernels, dour)", 1)
	_, err := kdiag.ParseRules(background, nil, "mine.yaml", text)
	failure := failed(t, err, kdiag.ErrRules)
	wrong := failure.Diagnostics[0]
	if wrong.Source != "mine.yaml" || wrong.Line != 9 || wrong.Column != 24 || text[wrong.Offset:wrong.Offset+wrong.Length] != "dour" {
		t.Errorf("the place is %+v", wrong.Place)
	}
	if wrong.Level != kdiag.LevelError || wrong.ID == "" || wrong.Title == "" || wrong.Context != "rule mine.many-kernels" {
		t.Errorf("it is %+v", wrong)
	}
	if advice := wrong.Help + wrong.Labels[0].Text; !strings.Contains(advice, "'dur'") {
		t.Errorf("the advice is %q", advice)
	}
	if !strings.Contains(err.Error(), "mine.yaml:9:24") {
		t.Errorf("the error says %v", err)
	}
}

func TestInputsThatCannotBeRead(t *testing.T) {
	_, err := kdiag.Load(background, nil, kdiag.File("none.json"))
	if failure := failed(t, err, kdiag.ErrInput); !strings.Contains(failure.Error(), "none.json") || failure.Diagnostics[0].Line != 0 {
		t.Errorf("the error says %+v", failure)
	}
	_, err = kdiag.Load(background, nil, kdiag.File("a\x00b"))
	failed(t, err, kdiag.ErrArgument)
	_, err = kdiag.Load(background, nil)
	failed(t, err, kdiag.ErrInput)
	_, err = kdiag.Load(background, &kdiag.LoadOptions{Limits: &kdiag.Limits{Rows: 10}}, kdiag.File(trace))
	failed(t, err, kdiag.ErrLimit)
	facts, err := kdiag.Load(background, &kdiag.LoadOptions{Limits: &kdiag.Limits{}, Threads: 1}, kdiag.File(trace))
	must(t, facts, err)
}

func TestErrorsOfReadersAreThoseOfTheCall(t *testing.T) {
	broken := errors.New("the line is down")
	half := bytes.NewReader(contents(t)[:1000])
	_, err := kdiag.Load(background, nil, kdiag.Reader("remote", io.MultiReader(half, iotest.ErrReader(broken))))
	if failed(t, err, kdiag.ErrInput); !errors.Is(err, broken) {
		t.Errorf("the cause is lost in %v", err)
	}
	// Beside an input that can be read, too.
	_, err = kdiag.Load(background, nil, kdiag.File(trace), kdiag.Reader("remote", iotest.ErrReader(broken)))
	if failed(t, err, kdiag.ErrInput); !errors.Is(err, broken) {
		t.Errorf("the cause is lost in %v", err)
	}
	defer func() {
		if panicked := recover(); panicked != "of the host" {
			t.Errorf("recovered %v", panicked)
		}
	}()
	kdiag.Load(background, nil, kdiag.Reader("remote", panicking{}))
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("of the host") }

// An endless trace that ends its context; to a call that does not stop it ends all the same.
type endless struct {
	cancel func()
	begun  time.Time
}

func (reader *endless) Read(buffer []byte) (int, error) {
	if reader.begun.IsZero() {
		reader.begun = time.Now()
		return copy(buffer, `{"traceEvents": [`), nil
	}
	if reader.cancel(); time.Since(reader.begun) > 5*time.Second {
		return 0, io.EOF
	}
	for index := range buffer {
		buffer[index] = ' '
	}
	return len(buffer), nil
}

func TestContextsStopCalls(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	_, err := kdiag.Load(ctx, nil, kdiag.Reader("endless", &endless{cancel: cancel}))
	if failed(t, err, kdiag.ErrCancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("the context is lost in %v", err)
	}
	ctx, cancel = context.WithTimeout(background, 50*time.Millisecond)
	defer cancel()
	_, err = kdiag.Load(ctx, nil, kdiag.Reader("endless", &endless{cancel: func() {}}))
	if failed(t, err, kdiag.ErrCancelled); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the deadline is lost in %v", err)
	}
	// One that is done already.
	if _, err = kdiag.Diagnose(ctx, nil, load(t, kdiag.File(trace)), builtin(t)); !errors.Is(err, kdiag.ErrCancelled) {
		t.Errorf("judged in spite of %v: %v", ctx.Err(), err)
	}
	if _, err = kdiag.LoadRules(ctx, nil); !errors.Is(err, kdiag.ErrCancelled) {
		t.Errorf("rules in spite of %v: %v", ctx.Err(), err)
	}
}

func TestBuilder(t *testing.T) {
	rank := 3
	builder, err := kdiag.NewBuilder("my profiler", kdiag.RunInfo{
		Label: "training", Producer: "mine", Host: "node7", Clock: kdiag.ClockDevice, Rank: &rank, WorldSize: 8})
	must(t, builder, err)
	device := builder.DeviceOf(builder.Rank(rank), 0)
	builder.Set(device, kdiag.Values{"name": "H100"})
	stream := builder.Stream(device, 7)
	op := builder.Add("ops", kdiag.Values{"name": "step", "start": 0, "dur": 9 * time.Microsecond,
		"thread": builder.Thread(1, 2), "frame": builder.Frame("train.py", 42, "step")})
	for start := int64(0); start < 5000; start += 1000 {
		builder.Add("kernels", kdiag.Values{"name": "gemm\x00\xff", "start": start, "dur": 800 * time.Nanosecond,
			"device": device, "stream": stream, "op": op, "occupancy": 0.5, "bytes_moved": nil})
	}
	builder.Declare("copies")
	builder.Set(builder.Run(), kdiag.Values{"label": "training"})
	facts, err := builder.Build(background)
	must(t, facts, err)
	rules, err := kdiag.ParseRules(background, &kdiag.RuleOptions{WithoutBuiltin: true}, "mine.yaml", manyKernels)
	report := diagnose(t, facts, must(t, rules, err))
	if len(report.Findings) != 1 || report.Findings[0].Title != "5 kernels on H100" || *report.Findings[0].Impact != 4*time.Microsecond {
		t.Errorf("found %+v", report.Findings)
	}
	_, err = builder.Build(background)
	failed(t, err, kdiag.ErrArgument)
	builder.Add("kernels", kdiag.Values{"name": "late"})
}

func TestBuildersSayAllMistakes(t *testing.T) {
	builder, err := kdiag.NewBuilder("mine", kdiag.RunInfo{})
	must(t, builder, err).Add("kernels", kdiag.Values{"nam": "gemm", "dur": "long", "start": kdiag.Row{}})
	_, err = builder.Build(background)
	if failure := failed(t, err, kdiag.ErrInput); len(failure.Diagnostics) != 3 || !strings.Contains(failure.Error(), "'name'") {
		t.Errorf("the error says %v", failure)
	}
	for _, value := range []kdiag.Values{{"name": 1i}, {"na\x00me": 1}} {
		builder, err = kdiag.NewBuilder("mine", kdiag.RunInfo{})
		must(t, builder, err).Add("kernels", value)
		_, err = builder.Build(background)
		failed(t, err, kdiag.ErrArgument)
	}
	_, err = kdiag.NewBuilder("mine", kdiag.RunInfo{Host: "a\x00b"})
	failed(t, err, kdiag.ErrArgument)
}

func TestBaselinesSayWhatChanged(t *testing.T) {
	facts := load(t, kdiag.File(trace))
	report, err := kdiag.Diagnose(background, &kdiag.DiagnoseOptions{Baseline: facts, Threads: 1}, facts, builtin(t))
	text, err := must(t, report, err).JSON()
	if !strings.Contains(must(t, text, err), `"comparison"`) {
		t.Error("nothing was compared")
	}
}

func TestWhatIsClosedCannotBeUsed(t *testing.T) {
	facts, rules := load(t, kdiag.File(trace)), builtin(t)
	report := diagnose(t, facts, rules)
	facts.Close()
	facts.Close()
	rules.Close()
	report.Close()
	if _, err := kdiag.Diagnose(background, nil, facts, rules); !errors.Is(err, os.ErrClosed) {
		t.Errorf("judged closed facts: %v", err)
	}
	if _, err := kdiag.Diagnose(background, nil, load(t, kdiag.File(trace)), rules); !errors.Is(err, os.ErrClosed) {
		t.Errorf("judged by closed rules: %v", err)
	}
	if _, err := report.JSON(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("rendered a closed report: %v", err)
	}
	if rules.Judged() != 0 || len(report.Findings) == 0 {
		t.Error("closed rules are judged, or findings went with their report")
	}
}

func TestGoroutinesShareFactsAndRules(t *testing.T) {
	facts, rules := load(t, kdiag.File(trace)), builtin(t)
	texts := make([]string, 8)
	var judging sync.WaitGroup
	for index := range texts {
		judging.Add(1)
		go func(text *string) {
			defer judging.Done()
			report, err := kdiag.Diagnose(background, nil, facts, rules)
			if err == nil {
				*text, err = report.Text()
			}
			if err != nil {
				t.Error(err)
			}
		}(&texts[index])
	}
	judging.Wait()
	for _, text := range texts {
		if text != texts[0] || text == "" {
			t.Errorf("reports differ: %s and %s", text, texts[0])
		}
	}
}

// Facts that are closed while they are judged are freed afterwards.
func TestClosingWaitsForCalls(t *testing.T) {
	facts, rules := load(t, kdiag.File(trace)), builtin(t)
	judged := make(chan error)
	for range [4]int{} {
		go func() {
			_, err := kdiag.Diagnose(background, nil, facts, rules)
			judged <- err
		}()
	}
	time.Sleep(time.Millisecond)
	facts.Close()
	for range [4]int{} {
		if err := <-judged; err != nil && !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	}
}

// In a process of its own with one heap: those of many threads grow for a while, though nothing is lost.
func inOneHeap(t *testing.T, rounds func()) {
	t.Helper()
	if os.Getenv("MALLOC_ARENA_MAX") == "1" {
		rounds()
		return
	}
	again := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	again.Env = append(os.Environ(), "MALLOC_ARENA_MAX=1")
	if said, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
}

func TestAHundredLoadsTakeNoMemory(t *testing.T) {
	inOneHeap(t, func() {
		var before int
		for round := 0; round < 120; round++ {
			if round == 20 {
				before = residentKiB(t)
			}
			facts, rules := load(t, kdiag.File(trace)), builtin(t)
			report := diagnose(t, facts, rules)
			if _, err := report.JSON(); err != nil {
				t.Fatal(err)
			}
			report.Close()
			rules.Close()
			facts.Close()
		}
		if grown := residentKiB(t) - before; grown > 3072 { // a hundred of the smallest, the facts, are 5 MiB
			t.Errorf("a hundred rounds took %d KiB", grown)
		}
	})
}

func TestTheGarbageCollectorClosesToo(t *testing.T) {
	inOneHeap(t, func() {
		before := residentKiB(t)
		for range [20]int{} {
			diagnose(t, load(t, kdiag.File(trace)), builtin(t))
			runtime.GC()
		}
		if grown := residentKiB(t) - before; grown > 40<<10 { // rules are 4 MiB
			t.Errorf("twenty rounds took %d KiB", grown)
		}
	})
}

// residentKiB is how much memory the process has, without what Go keeps for later.
func residentKiB(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/statm")
	pages, numberErr := strconv.Atoi(strings.Fields(string(must(t, text, err)))[1])
	return must(t, pages, numberErr) * os.Getpagesize() >> 10
}

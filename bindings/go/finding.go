// SPDX-License-Identifier: Apache-2.0

package kdiag

// #include <kdiag/kdiag.h>
import "C"

import (
	"math"
	"time"
)

// A Severity says how bad a finding is: a larger one is worse.
type Severity int

const (
	SeverityInfo     Severity = C.KDIAG_SEVERITY_INFO
	SeverityLow      Severity = C.KDIAG_SEVERITY_LOW
	SeverityMedium   Severity = C.KDIAG_SEVERITY_MEDIUM
	SeverityHigh     Severity = C.KDIAG_SEVERITY_HIGH
	SeverityCritical Severity = C.KDIAG_SEVERITY_CRITICAL
)

// String is the severity as JSON has it: "critical".
func (severity Severity) String() string { return C.GoString(C.kdiag_severity_name(C.int(severity))) }

// A Finding is something that costs time. What cannot be stated is nil, never zero.
type Finding struct {
	Rule, Title, Message string
	Severity             Severity
	Run                  string // id of its run in the report
	Rank                 int    // place in its run, from 1
	Fingerprint          string // by which findings are followed over time
	Subject              Subject
	Impact, ImpactLow    *time.Duration // that it explains, and at least
	ImpactShare          *float64       // of the run's time, 0..1
	GainLow, GainHigh    *time.Duration // that mending it saves
	Confidence           float64        // 0..1
	Location             *Location
	Recommendations      []Recommendation
	Symptoms             []Finding // that it explains
}

// A Subject is the part of the run that a finding is of: a device, a kernel, ...
type Subject struct{ Kind, ID, Label string }

// A Location is a place in the code that ran; Line is 0 where it is not known.
type Location struct {
	File, Function string
	Line           int
}

// A Recommendation is what to do, where, what that risks, and how to see that it worked; all but Text may be empty.
type Recommendation struct{ Text, Where, Risk, Verify, URL string }

// findingOf copies a finding with what it explains, which explains nothing itself.
func findingOf(from *C.kdiag_finding) Finding {
	info := C.kdiag_finding_info{size: C.sizeof_kdiag_finding_info}
	C.kdiag_finding_get(from, &info)
	finding := Finding{
		Rule: text(info.rule), Title: text(info.title), Message: text(info.message),
		Severity: Severity(info.severity), Run: text(info.run), Rank: int(info.rank), Fingerprint: text(info.fingerprint),
		Subject: Subject{text(info.subject_kind), text(info.subject_id), text(info.subject_label)},
		Impact:  duration(info.impact_ns), ImpactLow: duration(info.impact_low_ns), ImpactShare: share(info.impact_share),
		GainLow: duration(info.gain_low_ns), GainHigh: duration(info.gain_high_ns),
		Confidence: float64(info.confidence),
		Location:   location(&info),
	}
	for index := C.size_t(0); index < info.recommendations; index++ {
		advice := C.kdiag_recommendation{size: C.sizeof_kdiag_recommendation}
		C.kdiag_finding_recommendation(from, index, &advice)
		finding.Recommendations = append(finding.Recommendations, Recommendation{
			text(advice.text), text(advice.where), text(advice.risk), text(advice.verify), text(advice.url)})
	}
	for index := C.size_t(0); index < info.symptoms; index++ {
		finding.Symptoms = append(finding.Symptoms, findingOf(C.kdiag_finding_symptom(from, index)))
	}
	return finding
}

func duration(ns C.int64_t) *time.Duration {
	if ns == C.KDIAG_ABSENT_INTEGER {
		return nil
	}
	stated := time.Duration(ns)
	return &stated
}

func share(value C.double) *float64 {
	if math.IsNaN(float64(value)) {
		return nil
	}
	stated := float64(value)
	return &stated
}

func location(info *C.kdiag_finding_info) *Location {
	if info.file.size == 0 && info.function.size == 0 {
		return nil
	}
	found := &Location{File: text(info.file), Function: text(info.function)}
	if info.line > 0 {
		found.Line = int(info.line)
	}
	return found
}

// SPDX-License-Identifier: Apache-2.0
//! What embedders rely on.

use std::error::Error as _;
use std::io::{self, Cursor, Read};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread;
use std::time::{Duration, Instant};

use kdiag::{
    Builder, Canceller, Clock, Context, Error, ErrorKind, Facts, Input, Level, Limits, Report, RuleOptions, Rules, RunInfo,
    Severity,
};

const TRACE: &str = "../../examples/traces/item_storm.json";
const RULE: &str = "../../examples/rules/loss_reads.yaml";

/// Fires on what `build` makes.
const MANY_KERNELS: &str = r#"kdiag: 1
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
"#;

fn context() -> Context {
    Context::new().unwrap()
}

fn contents() -> Vec<u8> {
    std::fs::read(TRACE).unwrap()
}

fn load() -> Facts {
    context().load([Input::path(TRACE)]).unwrap()
}

fn builtin() -> Rules {
    context().builtin_rules(&RuleOptions::default()).unwrap()
}

fn alone() -> RuleOptions {
    RuleOptions { without_builtin: true, ..Default::default() }
}

fn diagnose(facts: &Facts, rules: &Rules) -> Report {
    context().diagnose(facts, rules, None).unwrap()
}

fn load_from(reader: impl Read + Send) -> Result<Facts, Error> {
    context().load([Input::reader("remote", reader)])
}

#[test]
fn files_memory_and_readers_are_judged_alike() {
    let (bytes, rules) = (contents(), builtin());
    let file = diagnose(&load(), &rules);
    let memory = diagnose(&context().load([Input::memory("memory", &bytes)]).unwrap(), &rules);
    let reader = diagnose(&load_from(Cursor::new(&bytes)).unwrap(), &rules);

    let worst = &file.findings()[0];
    assert_eq!((worst.rule.as_str(), worst.severity, worst.rank), ("host.sync-stall", Severity::Critical, 1));
    assert!(worst.severity > Severity::High && worst.severity.to_string() == "critical");
    assert!((13_000_000..14_000_000).contains(&worst.impact_ns.unwrap()));
    assert!(!worst.message.is_empty() && !worst.subject.kind.is_empty() && worst.fingerprint.starts_with("v1:"));
    assert!(worst.recommendations[0].text.starts_with("Keep the value on the device"));
    let location = worst.location.as_ref().unwrap();
    assert_eq!((location.file.as_str(), location.line), ("train.py", Some(57)));
    assert_eq!(worst.symptoms[0].rule, "gpu.low-utilization");

    let json = file.json().unwrap();
    assert!(json.contains("kdiag.report/1") && json.contains(&worst.fingerprint));
    assert!(file.text().unwrap().contains("Verdict") && file.markdown().unwrap().contains("# "));
    assert!(file.sarif().unwrap().contains("2.1.0"));
    let fingerprints = |report: &Report| report.findings().iter().map(|finding| finding.fingerprint.clone()).collect::<Vec<_>>();
    assert_eq!(fingerprints(&file), fingerprints(&memory));
    assert_eq!(fingerprints(&file), fingerprints(&reader));
}

#[test]
fn rules_are_chosen() {
    let facts = load();
    let rules = context().load_rules(&[RULE], &RuleOptions::default()).unwrap();
    assert_eq!(diagnose(&facts, &rules).findings()[0].rule, "training.loss-reads");
    let options = RuleOptions {
        select: vec!["host.sync-stall".into(), "gpu".into()],
        ignore: vec!["gpu".into()],
        set: vec![("host.sync-stall.share".into(), "90%".into())],
        ..Default::default()
    };
    let rules = context().builtin_rules(&options).unwrap();
    assert_eq!(rules.clone().judged(), 1);
    assert!(diagnose(&facts, &rules).findings().is_empty());
    let rules = context().parse_rules("mine.yaml", MANY_KERNELS, &alone()).unwrap();
    assert_eq!((rules.judged(), rules.warnings().len()), (1, 0));
}

#[test]
fn mistakes_have_places_and_advice() {
    let text = MANY_KERNELS.replace("dur)", "dour)");
    let error = context().parse_rules("mine.yaml", &text, &RuleOptions::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Rules);
    assert!(error.to_string().contains("mine.yaml:9:24"), "{error}");
    let wrong = &error.diagnostics()[0];
    let place = wrong.place.as_ref().unwrap();
    assert_eq!((place.source.as_str(), place.line, place.column), ("mine.yaml", 9, 24));
    assert_eq!(&text[place.offset..place.offset + place.length], "dour");
    assert_eq!((wrong.level, wrong.context.as_str()), (Level::Error, "rule mine.many-kernels"));
    assert!(!wrong.id.is_empty() && !wrong.title.is_empty());
    assert!(wrong.labels[0].text.contains("'dur'"), "{wrong:?}");
}

#[test]
fn inputs_that_cannot_be_read() {
    let error = context().load([Input::path("none.json")]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("none.json") && error.diagnostics()[0].place.is_none() && error.source().is_none());
    assert_eq!(context().load([Input::path("a\0b")]).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(context().load([]).unwrap_err().kind(), ErrorKind::Input);

    let mut context = context();
    context.set_limits(Some(Limits { rows: 10, ..Default::default() })).unwrap();
    assert_eq!(context.load([Input::path(TRACE)]).unwrap_err().kind(), ErrorKind::Limit);
    context.set_limits(Some(Limits::default())).unwrap();
    context.set_threads(1);
    context.load([Input::path(TRACE)]).unwrap();
}

/// Fails, or panics.
struct Broken(bool);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        assert!(!self.0, "of the host");
        Err(io::Error::new(io::ErrorKind::ConnectionReset, "the line is down"))
    }
}

#[test]
fn errors_of_readers_are_those_of_the_call() {
    let says_why = |error: Error| {
        assert_eq!(error.kind(), ErrorKind::Input);
        assert_eq!(error.source().unwrap().to_string(), "the line is down");
    };
    says_why(load_from(Cursor::new(&contents()[..1000]).chain(Broken(false))).unwrap_err());
    // Beside an input that can be read, too.
    says_why(context().load([Input::path(TRACE), Input::reader("remote", Broken(false))]).unwrap_err());
    let panic = catch_unwind(AssertUnwindSafe(|| load_from(Broken(true)))).unwrap_err();
    assert_eq!(*panic.downcast_ref::<&str>().unwrap(), "of the host");
}

/// A trace without an end, which a call that does not stop sees all the same.
struct Endless<F> {
    begun: Option<Instant>,
    at_read: F,
}

impl<F: FnMut()> Read for Endless<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let head = b"{\"traceEvents\": [";
        match self.begun {
            None => {
                self.begun = Some(Instant::now());
                buffer[..head.len()].copy_from_slice(head);
                Ok(head.len())
            }
            Some(begun) if begun.elapsed() > Duration::from_secs(5) => Ok(0),
            Some(_) => {
                (self.at_read)();
                buffer.fill(b' ');
                Ok(buffer.len())
            }
        }
    }
}

#[test]
fn calls_are_stopped() {
    let mut context = context();
    let canceller = context.canceller();
    let endless = Endless { begun: None, at_read: move || canceller.cancel() };
    assert_eq!(context.load([Input::reader("endless", endless)]).unwrap_err().kind(), ErrorKind::Cancelled);
    let (facts, rules) = (load(), builtin());
    assert_eq!(context.diagnose(&facts, &rules, None).unwrap_err().kind(), ErrorKind::Cancelled);
    context.reset();
    context.diagnose(&facts, &rules, None).unwrap();

    for timeout in [Duration::from_millis(50), Duration::ZERO] {
        context.set_timeout(Some(timeout));
        let endless = Endless { begun: None, at_read: || () };
        assert_eq!(context.load([Input::reader("endless", endless)]).unwrap_err().kind(), ErrorKind::Deadline);
    }
    context.set_timeout(Some(Duration::MAX));
    context.load([Input::path(TRACE)]).unwrap();
}

#[test]
fn facts_of_the_host() {
    let info = RunInfo {
        label: "training",
        producer: "mine",
        host: "node7",
        clock: Clock::Device,
        rank: Some(3),
        world_size: Some(8),
        ..Default::default()
    };
    let mut builder = Builder::new("my profiler", &info).unwrap();
    let rank = builder.rank(3);
    let device = builder.device_of(rank, 0);
    builder.set(device, "name", "H100");
    let (stream, thread, frame) = (builder.stream(device, 7), builder.thread(1, 2), builder.frame("train.py", Some(42), "step"));
    let op = builder.add("ops");
    builder.set(op, "name", "step");
    builder.set(op, "start", 0);
    builder.set(op, "dur", 9000);
    builder.set(op, "thread", thread);
    builder.set(op, "frame", frame);
    for start in (0..5000).step_by(1000) {
        let kernel = builder.add("kernels");
        builder.set(kernel, "name", "gemm\0é");
        builder.set(kernel, "start", start);
        builder.set(kernel, "dur", 800i64);
        builder.set(kernel, "device", device);
        builder.set(kernel, "stream", stream);
        builder.set(kernel, "op", op);
        builder.set(kernel, "occupancy", 0.5);
    }
    builder.declare("copies");
    let run = builder.run();
    builder.set(run, "label", "training");
    let facts = thread::spawn(move || builder.build(&mut context())).join().unwrap().unwrap();
    let rules = context().parse_rules("mine.yaml", MANY_KERNELS, &alone()).unwrap();
    let report = diagnose(&facts, &rules);
    assert_eq!(report.findings().len(), 1);
    let found = &report.findings()[0];
    assert_eq!((found.title.as_str(), found.impact_ns, found.severity), ("5 kernels on H100", Some(4000), Severity::Medium));
}

#[test]
fn builders_say_all_mistakes() {
    let mut builder = Builder::new("mine", &RunInfo::default()).unwrap();
    let kernel = builder.add("kernels");
    builder.set(kernel, "nam", "gemm");
    builder.set(kernel, "dur", "long");
    builder.set(kernel, "device", kernel);
    let error = builder.build(&mut context()).unwrap_err();
    assert_eq!((error.kind(), error.diagnostics().len()), (ErrorKind::Input, 3), "{error}");
    assert!(error.to_string().contains("'name'"), "{error}");

    let mut builder = Builder::new("mine", &RunInfo::default()).unwrap();
    builder.add("ker\0nels");
    assert_eq!(builder.build(&mut context()).unwrap_err().kind(), ErrorKind::Argument);
    assert_eq!(Builder::new("mi\0ne", &RunInfo::default()).unwrap_err().kind(), ErrorKind::Argument);
}

#[test]
fn baselines_say_what_changed() {
    let facts = load();
    let report = context().diagnose(&facts, &builtin(), Some(&facts)).unwrap();
    assert!(report.json().unwrap().contains("\"comparison\""));
}

#[test]
fn threads_share_facts_rules_and_reports() {
    fn may_be_shared<T: Send + Sync>() {}
    may_be_shared::<Error>();
    may_be_shared::<Canceller>();
    let (facts, rules) = (load(), builtin());
    let report = diagnose(&facts, &rules);
    thread::scope(|scope| {
        for _ in 0..8 {
            let (facts, rules) = (facts.clone(), rules.clone());
            let report = &report;
            scope.spawn(move || assert_eq!(diagnose(&facts, &rules).text().unwrap(), report.text().unwrap()));
        }
        drop((facts, rules)); // the clones stay
    });
}

// SPDX-License-Identifier: Apache-2.0
//! A hundred loads, judgements and unloads take no memory: alone in its program, as other tests would.

use kdiag::{Context, Input, RuleOptions};

fn resident_kib() -> i64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<i64>().unwrap() * 4
}

#[test]
fn a_hundred_rounds() {
    let mut before = 0;
    for round in 0..120 {
        if round == 20 {
            before = resident_kib();
        }
        let mut context = Context::new().unwrap();
        let facts = context.load([Input::path("../../examples/traces/item_storm.json")]).unwrap();
        let rules = context.builtin_rules(&RuleOptions::default()).unwrap();
        let report = context.diagnose(&facts.clone(), &rules.clone(), None).unwrap();
        assert!(!report.json().unwrap().is_empty());
    }
    let grown = resident_kib() - before;
    assert!(grown < 3072, "a hundred rounds took {grown} KiB"); // a hundred of the smallest, the facts, are 5 MiB
}

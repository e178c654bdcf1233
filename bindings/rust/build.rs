// SPDX-License-Identifier: Apache-2.0
//! Finds libkdiag by pkg-config: PKG_CONFIG_PATH names the folder of the kdiag.pc of a build tree or another prefix.

use std::process::{exit, Command};

fn main() {
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let answer = Command::new("pkg-config").args(["--libs", "kdiag >= 0.1"]).output();
    let flags = match answer {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        Ok(output) => fail(&String::from_utf8_lossy(&output.stderr)),
        Err(error) => fail(&format!("pkg-config: {error}")),
    };
    for flag in flags.split_whitespace() {
        if let Some(folder) = flag.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(library) = flag.strip_prefix("-l") {
            println!("cargo:rustc-link-lib={library}");
        } else {
            println!("cargo:rustc-link-arg={flag}");
        }
    }
}

fn fail(why: &str) -> ! {
    eprintln!("{why}\nkdiag: install libkdiag-dev, or let PKG_CONFIG_PATH name the folder of its kdiag.pc");
    exit(1)
}

//! Finds the C library: in the folder that PLOTENGINE_LIB_DIR names, else by pkg-config.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=PLOTENGINE_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=dylib=plotengine");
    if env::var_os("CARGO_FEATURE_VECTORS").is_some() {
        println!("cargo:rustc-link-lib=dylib=jansson");
    }
    if let Some(folder) = env::var_os("PLOTENGINE_LIB_DIR") {
        println!("cargo:rustc-link-search=native={}", folder.to_string_lossy());
        return;
    }
    let asked = Command::new("pkg-config").args(["--libs-only-L", "plotengine"]).output();
    match asked {
        Ok(answer) if answer.status.success() => {
            for folder in String::from_utf8_lossy(&answer.stdout).split_whitespace() {
                println!("cargo:rustc-link-search=native={}", folder.trim_start_matches("-L"));
            }
        }
        _ => panic!(
            "the library was not found: name its folder in PLOTENGINE_LIB_DIR, \
             or the folder of plotengine.pc in PKG_CONFIG_PATH"
        ),
    }
}

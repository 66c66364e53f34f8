internal import ArgumentParser

/// `--quiet`, which every command has (Tests/tool/check.py makes sure of it).
struct QuietOption: ParsableArguments {
  @Flag(
    name: [.customShort("q"), .customLong("quiet")],
    help: "Only results and errors: no warnings, no progress, no word that all is well.")
  var isOn = false
}

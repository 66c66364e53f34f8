public import PlotCore

extension Engine {
  /// Takes a reading of the host's clocks. Before the engine is initialized it is kept for its start.
  public func setClock(monotonic: Milliseconds, boot: String, at time: Milliseconds) throws(EngineError) {
    guard Timestamp.range.contains(monotonic) else {
      throw EngineError(
        argument: "monotonic_ms", expected: "milliseconds since the device was started, 0 or more",
        found: "\(monotonic)")
    }
    guard (1...255).contains(boot.utf8.count) else {
      throw EngineError(argument: "boot_id", expected: "a text of 1 to 255 bytes", found: "\(boot.utf8.count) bytes")
    }
    let reading = ClockReading(wall: time, monotonic: monotonic, boot: boot)
    if try holdForStart(reading) { return }
    try input(.clock(reading), .info, "clock: \(monotonic) ms since the start \"\(boot)\"")
  }
}

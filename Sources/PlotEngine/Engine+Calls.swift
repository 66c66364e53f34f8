// Made from docs/calls.json by scripts/call_tables.py: do not edit.
// swift-format-ignore-file

public import PlotCore

extension Engine {
  /// The app has come to the foreground (true), or gone to the background (false); remembered.
  public func setForeground(_ foreground: Bool, at time: Milliseconds) throws(EngineError) {
    try input(.foreground(foreground, at: time), .info, foreground ? "in the foreground" : "in the background")
  }

  /// There is a network (true), or there is none (false); remembered.
  public func setNetwork(_ available: Bool, at time: Milliseconds) throws(EngineError) {
    try input(.network(available, at: time), .info, available ? "network on" : "network off")
  }
}

// Made from docs/calls.json by scripts/call_tables.py: do not edit.
// swift-format-ignore-file

internal import PlotEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Engine {
  /// The app has come to the foreground (true), or gone to the background (false); remembered.
  public func setForeground(_ foreground: Bool, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.setForeground(foreground, at: at) }
  }

  /// There is a network (true), or there is none (false); remembered.
  public func setNetwork(_ available: Bool, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.setNetwork(available, at: at) }
  }

  /// Forgets the person, in memory and in the store's bytes, the feed and the time zone too; settings stay.
  public func clearAllData(at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.clearAllData(at: at) }
  }

  /// Whether places are followed.
  public var isEnabled: Bool {
    get throws(PlotError) { try attempt { () throws(EngineError) in try core.isEnabled() } }
  }
}

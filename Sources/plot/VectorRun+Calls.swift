// Made from docs/calls.json by scripts/call_tables.py: do not edit.
// swift-format-ignore-file

import FoundationEssentials
internal import PlotDocuments
internal import PlotEngineKit

extension VectorRun {
  /// Takes an input that bindings only hand over; false for all others.
  func handOver(_ name: String, _ value: JSONValue, _ engine: Engine, at time: Date) throws -> Bool {
    switch name {
    case "foreground":
      try value.allow("time value")
      try engine.setForeground(value.flag("value"), at: time)
    case "network":
      try value.allow("time value")
      try engine.setNetwork(value.flag("value"), at: time)
    case "clearAllData":
      try value.allow("time")
      try engine.clearAllData(at: time)
    default: return false
    }
    return true
  }
}

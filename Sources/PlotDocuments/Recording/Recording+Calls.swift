// Made from docs/calls.json by scripts/call_tables.py: do not edit.
// swift-format-ignore-file

import PlotCore

extension Input {
  /// The value of the key `input` of the inputs that bindings only hand over; empty for all others.
  var handedOverName: String {
    switch self {
    case .foreground: "foreground"
    case .network: "network"
    case .clearAllData: "clear-all-data"
    default: ""
    }
  }

  /// The other keys of these.
  func writeHandedOver(to json: inout JSONText) {
    switch self {
    case .foreground(let foreground, _):
      json.member("foreground", foreground)
    case .network(let available, _):
      json.member("available", available)
    default: break
    }
  }
}

extension RecordingReader {
  /// One of these inputs; nil for all others.
  func handedOver(_ root: Node, _ name: String, at time: Milliseconds) throws(DocumentError) -> Input? {
    switch name {
    case "foreground": .foreground(try boolean(root, "foreground"), at: time)
    case "network": .network(try boolean(root, "available"), at: time)
    case "clear-all-data": .clearAllData(at: time)
    default: nil
    }
  }
}

internal import PlotCore
internal import PlotDocuments

/// Events as they are sent.
extension Sync {
  /// Events of one request.
  static let batchLimit = 500
  /// Bytes of one request.
  static let batchBytes = 256 << 10

  /// The keys of places and advertising ids in an event record (docs/events.md).
  private static let places = ["latitude", "longitude"]
  private static let advertising = ["advertisingIdentifier", "limitAdTracking"]

  /// As many of these as one request may have, each without what the app does not want to be sent.
  static func fitting(
    _ events: [(sequence: Int64, json: String)], _ includes: Set<SyncSettings.Inclusion>
  ) -> [(sequence: Int64, json: String)] {
    let left =
      (includes.contains(.coordinates) ? [] : places)
      + (includes.contains(.advertisingIdentifier) ? [] : advertising)
    var fitting: [(sequence: Int64, json: String)] = []
    var bytes = 0
    for event in events {
      let json = without(left, event.json)
      bytes += json.utf8.count + 1
      if bytes > batchBytes, !fitting.isEmpty { break }
      fitting.append((event.sequence, json))
    }
    return fitting
  }

  private static func without(_ keys: [String], _ json: String) -> String {
    guard !keys.isEmpty, case .object(let members)? = try? JSONValue(parsing: Array(json.utf8)) else { return json }
    return JSONValue.object(members.filter { !keys.contains($0.key) }).text
  }

  /// The batch was acknowledged: when nothing is left, nothing is hurried any more.
  public mutating func sent(left: Int) { if left == 0 { sendsAll = false } }
}

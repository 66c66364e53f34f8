import CPlotEngine
import Foundation
import Testing

/// A host that knows the engine only through include/plotengine.h, and writes down what it is told.
final class Phone {
  struct Failure: Error, Equatable, CustomStringConvertible {
    var status: Int32
    var message: String
    var line: Int32 = 0
    var column: Int32 = 0
    var pointer = ""
    var expected = ""
    var found = ""

    var description: String { "\(status): \(message)" }
  }

  let engine: OpaquePointer
  var events: [String] = []
  var shown: [String] = []
  var opened: [String] = []
  var log: [String] = []
  var batches: [UInt64] = []
  /// Called for a filter's batch; without it the batch stays open.
  var filter: ((Phone, UInt64, OpaquePointer) -> Void)?
  var showStatus: Int32 = PLOT_OK

  init() throws {
    engine = try take { plot_engine_new($0, $1) }
  }

  deinit { plot_engine_free(engine) }

  private var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func from(_ pointer: UnsafeMutableRawPointer?) -> Phone {
    Unmanaged<Phone>.fromOpaque(pointer!).takeUnretainedValue()
  }

  func listen(filter: Bool = false) throws {
    try check {
      plot_engine_set_event_callback(
        engine, { me, _, json, _, _ in Phone.from(me).events.append(String(cString: json!)) }, me, nil, $0)
    }
    try check {
      plot_engine_set_show_callback(
        engine,
        { me, _, item in
          var message: UnsafePointer<CChar>?
          plot_item_get_string(item, PLOT_KEY_MESSAGE, &message)
          if Phone.from(me).showStatus == PLOT_OK { Phone.from(me).shown.append(String(cString: message!)) }
          return Phone.from(me).showStatus
        }, me, nil, $0)
    }
    try check {
      plot_engine_set_open_callback(
        engine, { me, _, action, uri, _ in Phone.from(me).opened.append("\(action) \(String(cString: uri!))") }, me,
        nil,
        $0)
    }
    guard filter else { return }
    try check {
      plot_engine_set_filter_callback(
        engine,
        { me, _, token, list in
          let phone = Phone.from(me)
          phone.batches.append(token)
          phone.filter?(phone, token, list!)
        }, me, nil, $0)
    }
  }

  func start(_ config: String = pinned, store: String? = nil, at time: Int64 = 0) throws {
    let config = try early(config)
    defer { plot_config_free(config) }
    try check { plot_engine_init(engine, time, config, store, $0) }
  }

  func feed(_ json: String, at time: Int64 = 0) throws {
    let feed = try take { plot_feed_parse(json, json.utf8.count, $0, $1) }
    defer { plot_feed_free(feed) }
    try check { plot_engine_set_feed(engine, time, feed, $0) }
  }

  func fix(_ time: Int64, _ latitude: Double, _ longitude: Double, accuracy: Double = 0) throws {
    try check { plot_engine_update_location(engine, time, latitude, longitude, accuracy, -1, -1, $0) }
  }

  func advance(_ time: Int64) throws { try check { plot_engine_advance(engine, time, $0) } }

  var wakeup: Int64 {
    get throws {
      var time: Int64 = 0
      try check { plot_engine_next_wakeup(engine, &time, $0) }
      return time
    }
  }

  /// A list as JSON.
  func list(_ get: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws
    -> String
  {
    let list = try take(get)
    defer { plot_list_free(list) }
    return try text { plot_list_to_json(list, $0, $1) }
  }

  var sent: [[String: Any]] {
    get throws {
      let json = try list { plot_engine_get_sent_notifications(engine, $0, $1) }
      return try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]] ?? []
    }
  }

  /// The values of a key of the events of one kind.
  func values(_ key: String, of kind: String) throws -> [String] {
    try events.map { try record($0) }.filter { $0["event"] as? String == kind }.map { "\($0[key] ?? "")" }
  }
}

func record(_ json: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
}

/// A configuration for tests whose times count from 0, which an engine takes only when it is told to.
/// The default of the first releases, so that tests do not change with it.
let pinned = pinnedConfig("")

/// The same with more members of the configuration.
func pinnedConfig(_ more: String) -> String {
  #"{"publicToken": "t", "engine": {"noise": "default-1", "initial": "none"}\#(more)}"#
}

func early(_ config: String = pinned) throws -> OpaquePointer {
  var text = config
  let own = #""earliestTime": 0"#
  if let engine = text.range(of: #""engine": {"#) {
    text.insert(contentsOf: "\(own), ", at: engine.upperBound)
  } else if let end = text.lastIndex(of: "}") {
    text.insert(contentsOf: #", "engine": {\#(own)}"#, at: end)
  }
  return try take { plot_config_parse(text, text.utf8.count, $0, $1) }
}

/// Runs a call, and turns its error into a `Failure` with the error's own words.
func check(_ call: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws {
  var error: OpaquePointer?
  let status = call(&error)
  defer { plot_error_free(error) }
  guard status != PLOT_OK else {
    #expect(error == nil)
    return
  }
  #expect(plot_error_get_status(error) == status)
  throw Phone.Failure(
    status: status, message: String(cString: plot_error_get_message(error)), line: plot_error_get_line(error),
    column: plot_error_get_column(error), pointer: String(cString: plot_error_get_pointer(error)),
    expected: String(cString: plot_error_get_expected(error)), found: String(cString: plot_error_get_found(error)))
}

/// Runs a call that gives an object.
func take(
  _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
) throws -> OpaquePointer {
  var object: OpaquePointer? = OpaquePointer(bitPattern: 1)
  do {
    try check { call(&object, $0) }
  } catch {
    #expect(object == nil)
    throw error
  }
  return try #require(object)
}

func text(
  _ call: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
) throws -> String {
  let string = try take(call)
  defer { plot_string_free(string) }
  let result = String(cString: plot_string_get(string))
  #expect(result.utf8.count == plot_string_get_length(string))
  return result
}

/// The failure that a body ends in.
func failure(_ body: () throws -> Void) throws -> Phone.Failure {
  do {
    try body()
  } catch let failure as Phone.Failure {
    return failure
  }
  Issue.record("nothing failed")
  return Phone.Failure(status: PLOT_OK, message: "")
}

/// One circle of 100 m at 52.36 north, 4.885 east, and some campaigns on it.
func museum(_ campaigns: String...) -> String {
  let region =
    #"{"id": "museum", "type": "geofence", "name": "Museum shop", "latitude": 52.36, "longitude": 4.885, "radius": 100}"#
  return #"{"version": 1, "regions": [\#(region)], "campaigns": [\#(campaigns.joined(separator: ","))]}"#
}

func notification(_ id: String, _ more: String = "") -> String {
  #"{"id": "\#(id)", "type": "notification", "message": "\#(id) at {{name}}", "data": "https://example.org/\#(id)", "regions": ["museum"]\#(more)}"#
}

/// A file name of its own in a temporary folder.
func temporary(_ name: String) -> String {
  FileManager.default.temporaryDirectory.appendingPathComponent("plot-\(UUID().uuidString)-\(name)").path
}

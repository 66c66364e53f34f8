public import PlotDocuments

/// Facts about a device that its host gives (docs/sync.md, Facts).
public struct SyncFacts: Equatable, Sendable {
  static let keys = ["platform", "platformVersion", "appVersion", "language", "pushToken"]

  var values: [(key: String, value: String)] = []

  public init() {}

  /// Reads the JSON of a host.
  public init(parsing text: [UInt8]) throws(DocumentError) {
    func fault(_ pointer: String, _ expected: String, _ found: String) -> DocumentError {
      DocumentError(line: 1, column: 1, pointer: pointer, expected: expected, found: found)
    }
    guard case .object(let members) = try JSONValue(parsing: text) else {
      throw fault("", "an object, as in {\"platform\": \"android\"}", "another type of value")
    }
    for (key, value) in members {
      guard Self.keys.contains(key) else {
        throw fault("/\(key)", "one of \(Self.keys.joined(separator: ", "))", "\"\(key)\"")
      }
      // The value may name the device: no error quotes it.
      guard case .string(let text) = value, (1...4096).contains(text.utf8.count) else {
        throw fault("/\(key)", "a text of 1 to 4096 bytes", "another value")
      }
    }
    for key in Self.keys {
      if case .string(let text)? = members.first(where: { $0.key == key })?.value { values.append((key, text)) }
    }
  }

  public static func == (a: SyncFacts, b: SyncFacts) -> Bool {
    a.values.elementsEqual(b.values) { $0.key == $1.key && $0.value == $1.value }
  }

  var hasPushToken: Bool { values.contains { $0.key == "pushToken" } }

  /// The body of a registration.
  func body(_ context: SyncContext) -> String {
    let own = [("engineVersion", context.version), ("timeZone", context.timeZone)]
    return JSONValue.object((values.map { ($0.key, $0.value) } + own).map { ($0.0, .string($0.1)) }).text
  }
}

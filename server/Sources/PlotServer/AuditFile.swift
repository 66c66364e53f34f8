internal import Foundation
internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

/// The changes of all apps in a file, a line of JSON each, for those who keep logs elsewhere (docs/server.md, Drafts). The file itself says which are in it,
/// so that a server that starts again goes on with it.
actor AuditFile {
  /// Transactions may end in another order than their changes are numbered: so far back each is looked for.
  static let window: Int64 = 1000
  private static let atOnce: Int64 = 500

  private let path: String
  /// Those of the window that are in the file; nil until it was read.
  private var written: Set<Int64>?
  private var newest: Int64 = 0

  init(path: String) { self.path = path }

  /// Writes what is not in the file yet; gives how many.
  @discardableResult
  func follow(_ storage: any SQLDatabase) async throws -> Int {
    var known = try written ?? read()
    var count = 0
    while true {
      let start = max(0, newest - Self.window)
      let limit = Self.atOnce + Self.window
      // The objects before and after are read only of those that are new.
      let keys = try await storage.read { try $0.auditKeys(after: start, limit: limit) }
      guard let first = keys.first(where: { !known.contains($0) }) else { break }
      let new = try await storage.read { try $0.audit(after: first - 1, limit: limit) }
        .filter { !known.contains($0.record.key) }
      try append(new.map { Self.line($0.app, $0.record) }.joined())
      known.formUnion(new.map(\.record.key))
      newest = known.max() ?? newest
      known = known.filter { $0 > newest - Self.window }
      written = known
      count += new.count
    }
    written = known
    return count
  }

  private static func line(_ app: String, _ record: AuditRecord) -> String {
    guard case .object(let members) = record.json else { return "" }
    return JSONValue.object([("app", .string(app))] + members).text + "\n"
  }

  private func append(_ text: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      // Its owner alone may read it: it has names of people.
      guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
        throw StorageError.failed("auditFile: \(path): cannot be made")
      }
    }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.synchronize()
  }

  /// The changes at the end of the file. A line that was cut off is ended first.
  private func read() throws -> Set<Int64> {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let data = try Data(contentsOf: URL(filePath: path))
    if let last = data.last, last != UInt8(ascii: "\n") { try append("\n") }
    var found: Set<Int64> = []
    for line in data.split(separator: UInt8(ascii: "\n")).suffix(2 * Int(Self.window)) {
      if case .integer(let key)? = (try? JSONValue(parsing: Array(line)))?["change"] { found.insert(key) }
    }
    newest = found.max() ?? 0
    return found.filter { $0 > newest - Self.window }
  }
}

extension AuditRecord {
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("change", .integer(key)), ("time", .string(Timestamp.text(time))), ("actor", .string(actor)),
      ("action", .string(action)), ("object", .string(object)),
    ]
    for (key, json) in [("before", before), ("after", after)] {
      if let json, let value = try? JSONValue(parsing: Array(json.utf8)) { members.append((key, value)) }
    }
    return .object(members)
  }
}

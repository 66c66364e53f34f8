internal import Logging
internal import PlotCore
internal import PlotDocuments

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The log: a line of JSON each, to standard error.
struct JSONLog: LogHandler {
  var label: String
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  init(label: String, level: Logger.Level) {
    self.label = label
    logLevel = level
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var members: [(key: String, value: JSONValue)] = [
      ("time", .string(Timestamp.text(now()))), ("level", .string(event.level.rawValue)),
      ("message", .string("\(event.message)")),
    ]
    for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key }
    ) {
      members.append((key, .string("\(value)")))
    }
    let line = Array((JSONValue.object(members).text + "\n").utf8)
    unsafe line.withUnsafeBytes { bytes in unsafe _ = write(2, bytes.baseAddress, bytes.count) }
  }
}

internal import PlotCore
internal import PlotDocuments

/// The forms of a feed that a client may ask for.
public enum FeedForm: String, CaseIterable, Sendable {
  case json
  case compiled

  public var mediaType: String {
    switch self {
    case .json: "application/json"
    case .compiled: "application/vnd.plotengine.feed; version=\(Self.compiledVersion)"
    }
  }

  /// The version of the compiled form (docs/feed-file.md).
  public static let compiledVersion = Feed.compiledVersion

  /// The form that an `Accept` header asks for; nil for none that there is.
  static func asked(_ accept: String?) -> FeedForm? {
    guard let accept, !accept.isEmpty else { return .json }
    var takesAny = false
    for part in accept.lowercased().split(separator: ",") {
      let fields = part.split(separator: ";").map { $0.filter { $0 != " " } }
      guard let type = fields.first, !fields.contains(where: { $0 == "q=0" || $0.hasPrefix("q=0.0") }) else { continue }
      switch type {
      case "application/vnd.plotengine.feed":
        // Another version of the form is another form.
        let version = fields.first { $0.hasPrefix("version=") }.map { $0.dropFirst(8) }
        if version == nil || version.map(String.init) == String(compiledVersion) { return .compiled }
      case "application/json", "application/*", "*/*": takesAny = true
      default: break
      }
    }
    return takesAny ? .json : nil
  }
}

extension String {
  /// Whether an `Accept-Encoding` header takes gzip.
  var takesGzip: Bool {
    split(separator: ",").contains { part in
      let fields = part.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
      return (fields.first == "gzip" || fields.first == "*") && !fields.contains { $0 == "q=0" || $0 == "q=0.0" }
    }
  }
}

/// Files that a notification carries: one that the system refuses would keep the whole notification from being shown.
extension Attachment {
  /// Why it will not do; nil when it does. `inspect` nil: its file is not looked at.
  func fault(in folder: String?, _ inspect: (any FileInspector)?) -> Reason? {
    guard let path = LocalFile.path(of: url, folder: folder) else { return .attachmentUnreadable }
    let type = fileType(path)
    guard let kind = AttachmentKind(type) else { return .attachmentKind }
    guard let inspect else { return nil }
    guard let facts = inspect.facts(of: path) else { return .attachmentUnreadable }
    return facts.size > kind.limit ? .attachmentSize : nil
  }

  /// The inputs of `fault`.
  func inputs(_ fault: Reason?, in folder: String?, _ inspect: (any FileInspector)?) -> Inputs {
    let path = LocalFile.path(of: url, folder: folder) ?? ""
    let type = fileType(path)
    switch fault {
    case .attachmentKind: return ["type": .text(type ?? "")]
    case .attachmentSize:
      return [
        "size": inspect?.facts(of: path).map { .integer($0.size) },
        "limit": AttachmentKind(type).map { .integer($0.limit) },
      ]
    default: return [:]
    }
  }

  private func fileType(_ path: String) -> String? { type?.lowercased() ?? LocalFile.fileExtension(of: path) }
}

/// Apple's formats and limits. A megabyte is taken as 1,000,000 bytes: what passes here passes there.
enum AttachmentKind: CaseIterable {
  case audio, image, movie

  /// Nil for a file that is none of them.
  init?(_ type: String?) {
    guard let kind = Self.allCases.first(where: { $0.extensions.contains(type ?? "") }) else { return nil }
    self = kind
  }

  var extensions: [String] {
    switch self {
    case .audio: ["aiff", "aif", "wav", "mp3", "m4a"]
    case .image: ["jpg", "jpeg", "gif", "png"]
    case .movie: ["mpg", "mpeg", "mp2", "mp4", "avi"]
    }
  }

  /// Bytes.
  var limit: Int64 {
    switch self {
    case .audio: 5_000_000
    case .image: 10_000_000
    case .movie: 50_000_000
    }
  }
}

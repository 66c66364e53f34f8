/// Files that a notification carries, checked just before it is shown: an attachment that the system refuses would keep the whole
/// notification from being shown (seed 000), so it is left out, and the text goes on.
extension Machine {
  /// The item without the attachments that will not do; a decision for each.
  mutating func checked(_ item: Item) -> Item {
    var good: [Attachment] = []
    for attachment in item.content.attachments {
      let fault = fault(of: attachment)
      record(
        item, .attachment, fault == nil ? .pass : .drop, fault ?? .attached, attachment.id,
        inputs: settings.recordsDecisions ? inputs(fault, attachment) : nil)
      if fault == nil { good.append(attachment) }
    }
    var item = item
    item.content.attachments = good
    return item
  }

  private func inputs(_ fault: Reason?, _ attachment: Attachment) -> Inputs {
    let path = LocalFile.path(of: attachment.url, folder: settings.attachmentFolder) ?? ""
    let type = attachment.type?.lowercased() ?? LocalFile.fileExtension(of: path)
    switch fault {
    case .attachmentKind: return ["type": .text(type ?? "")]
    case .attachmentSize:
      let kind = AttachmentKind.allCases.first { $0.extensions.contains(type ?? "") }
      return [
        "size": settings.inspect?.facts(of: path).map { .integer($0.size) }, "limit": kind.map { .integer($0.limit) },
      ]
    default: return [:]
    }
  }

  private func fault(of attachment: Attachment) -> Reason? {
    guard let path = LocalFile.path(of: attachment.url, folder: settings.attachmentFolder) else {
      return .attachmentUnreadable
    }
    let type = attachment.type?.lowercased() ?? LocalFile.fileExtension(of: path)
    guard let kind = AttachmentKind.allCases.first(where: { $0.extensions.contains(type ?? "") }) else {
      return .attachmentKind
    }
    guard let inspect = settings.inspect else { return nil }
    guard let facts = inspect.facts(of: path) else { return .attachmentUnreadable }
    return facts.size > kind.limit ? .attachmentSize : nil
  }
}

/// Apple's formats and limits (seed 000 refers to them). A megabyte is taken as 1,000,000 bytes: what passes here passes there.
enum AttachmentKind: CaseIterable {
  case audio, image, movie

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

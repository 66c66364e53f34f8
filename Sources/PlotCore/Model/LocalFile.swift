/// The system's facts about a file that can be read.
public struct FileFacts: Equatable, Sendable {
  public var size: Int64

  public init(size: Int64) { self.size = size }
}

/// An inspector of files for the machine.
public protocol FileInspector: Sendable {
  /// The facts about a file; nil when it cannot be read.
  func facts(of path: String) -> FileFacts?
}

/// A closure that does.
public struct FileInspection: FileInspector {
  private let inspect: @Sendable (_ path: String) -> FileFacts?

  public init(_ inspect: @escaping @Sendable (_ path: String) -> FileFacts?) { self.inspect = inspect }

  public func facts(of path: String) -> FileFacts? { inspect(path) }
}

/// The path that an attachment's `url` means.
enum LocalFile {
  /// A path as it is, a `file:` URL decoded; a relative path lies in `folder`, and may not leave it. Nil for everything else.
  static func path(of url: String, folder: String?) -> String? {
    if let scheme = scheme(of: url) {
      guard scheme == "file" else { return nil }
      return decoded(url.utf8.dropFirst(5))
    }
    guard !url.isEmpty, !url.utf8.contains(0) else { return nil }
    if url.utf8.first == UInt8(ascii: "/") { return url }
    guard let folder, !folder.isEmpty,
      !url.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) })
    else { return nil }
    return folder + "/" + url
  }

  /// The format that the last part of a path has: what follows its last dot, in small letters.
  static func fileExtension(of path: String) -> String? {
    let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? ""[...].utf8
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return String(name[name.index(after: dot)...])?.lowercased()
  }

  /// The part before a colon that comes before any slash, in small letters.
  private static func scheme(of url: String) -> String? {
    guard let end = url.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
      url.utf8[end] == UInt8(ascii: ":")
    else { return nil }
    return url[..<end].lowercased()
  }

  /// RFC 8089: no host, or this one; RFC 3986: percent-encoding, and nothing from a `?` or `#` on.
  private static func decoded(_ rest: Substring.UTF8View) -> String? {
    var path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if path.starts(with: "//".utf8) {
      let host = path.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
      guard host.isEmpty || String(host)?.lowercased() == "localhost" else { return nil }
      path = path.dropFirst(2 + host.count)
    }
    guard path.first == UInt8(ascii: "/") else { return nil }
    var bytes: [UInt8] = []
    while let byte = path.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = path.popFirst().flatMap(digit), let low = path.popFirst().flatMap(digit), high + low > 0 else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

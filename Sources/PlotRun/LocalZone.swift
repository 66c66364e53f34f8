internal import Glibc

/// The time zone of the system.
enum LocalZone {
  private static let folder = "zoneinfo/"

  /// Its IANA name: that of `TZ`, or of what `/etc/localtime` leads to; UTC where neither says it.
  static var name: String { name(variable: Environment["TZ"], link: "/etc/localtime") }

  static func name(variable: String?, link path: String) -> String {
    if let variable {
      let bare = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
      return zone(in: bare) ?? bare
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe readlink(path, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? zone(in: String(decoding: bytes[..<count], as: UTF8.self)) ?? "UTC" : "UTC"
  }

  private static func zone(in path: String) -> String? {
    path.firstRange(of: folder).map { String(path[$0.upperBound...]) }
  }
}

import Foundation

/// The text of an XML file in UTF-8, as libxml2 reads it without converting anything itself: some versions of it (2.9.14
/// among them) crash when a fault is told, or the parser stopped, while a converter of theirs still holds bytes.
enum XMLText {
  /// By the names that IANA has for them, in lower case; a converter that Foundation has on every platform.
  private static let encodings: [String: String.Encoding] = [
    "utf-8": .utf8, "us-ascii": .ascii, "ascii": .ascii, "iso-8859-1": .isoLatin1, "iso-8859-2": .isoLatin2,
    "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1252": .windowsCP1252,
    "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254, "shift_jis": .shiftJIS, "utf-16": .utf16,
    "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
  ]
  private static let expectedEncoding =
    "UTF-8, UTF-16, US-ASCII, ISO-8859-1 or -2, windows-1250 to -1254, or Shift_JIS"
  /// A declaration is looked for in so many characters.
  private static let longestDeclaration = 1_024
  private static let blank = UInt8(ascii: " ")

  /// The document in UTF-8, with blanks where its declaration was, so that lines and columns stay as they are. Bytes that
  /// are said to be UTF-8 are not looked at: the parser says where they are not.
  ///
  /// - Throws: `TrackError` for an encoding that is not known, bytes that are not of it, and a declaration that is none.
  static func utf8(_ data: Data) throws(TrackError) -> Data {
    let wide = wideEncoding(of: data)
    var text = wide == nil ? data : try converted(data, from: wide!, at: .file)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    if text.starts(with: mark) { text = Data(text.dropFirst(mark.count)) }
    guard !text.prefix(4).contains(0) else {
      throw TrackError(at: .position(line: 1, column: 1), expected: "text", found: "a zero byte")
    }
    guard let declaration = try declaration(in: text) else { return text }
    if wide == nil, let name = declaration.encoding {
      guard let encoding = encodings[name.lowercased()], !isWide(encoding) else {
        throw TrackError(
          at: declaration.place, expected: expectedEncoding,
          found: encodings[name.lowercased()] == nil ? TrackError.quote(name) : "bytes that are not \(name)")
      }
      if encoding != .utf8 { text = try converted(text, from: encoding, at: declaration.place) }
    }
    // In every encoding that comes here the declaration's characters are a byte each, before and after.
    for index in text.indices.prefix(declaration.length) where text[index] != 0x0A && text[index] != 0x0D {
      text[index] = blank
    }
    return text
  }

  private static func isWide(_ encoding: String.Encoding) -> Bool {
    [.utf16, .utf16LittleEndian, .utf16BigEndian].contains(encoding)
  }

  /// UTF-16, told by its byte order mark, or by the zero byte beside the first `<` (XML 1.0, appendix F).
  private static func wideEncoding(of data: Data) -> String.Encoding? {
    if data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF]) { return .utf16 }
    if data.starts(with: [0x3C, 0x00]) { return .utf16LittleEndian }
    if data.starts(with: [0x00, 0x3C]) { return .utf16BigEndian }
    return nil
  }

  private static func converted(
    _ data: Data, from encoding: String.Encoding, at place: TrackError.Place
  ) throws(TrackError) -> Data {
    guard !isWide(encoding) || data.count.isMultiple(of: 2), let text = String(data: data, encoding: encoding) else {
      throw TrackError(
        at: place, expected: "text in the file's encoding", found: "bytes that are not text in the file's encoding")
    }
    return Data(text.utf8)
  }

  private struct Declaration {
    /// The encoding's name, and where it stands; nil without one.
    var encoding: String?
    var place = TrackError.Place.position(line: 1, column: 1)
    /// In bytes, from the start of the text.
    var length: Int
  }

  /// The XML declaration (XML 1.0, section 2.8) that the text begins with; nil when it begins otherwise.
  private static func declaration(in text: Data) throws(TrackError) -> Declaration? {
    // A character for each byte, so that what is found has its place in the bytes.
    let head = String(String.UnicodeScalarView(text.prefix(longestDeclaration).map { Unicode.Scalar($0) }))
    let start = #/<\?xml[ \t\r\n]/#.matchingSemantics(.unicodeScalar)
    guard head.prefixMatch(of: start) != nil else { return nil }
    let whole =
      #/<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[0-9]+"|'1\.[0-9]+')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([A-Za-z][A-Za-z0-9._\-]*)"|'([A-Za-z][A-Za-z0-9._\-]*)'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/#
      .matchingSemantics(.unicodeScalar)
    guard let match = head.prefixMatch(of: whole) else {
      let line = head.prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }
      throw TrackError(
        at: .position(line: 1, column: 1), expected: "an XML declaration", found: TrackError.quote(String(line)))
    }
    var declaration = Declaration(length: head[match.range].unicodeScalars.count)
    if let name = match.1 ?? match.2 {
      let before = head[..<name.startIndex].unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      declaration.encoding = String(name)
      declaration.place = .position(line: before.count, column: (before.last?.count ?? 0) + 1)
    }
    return declaration
  }
}

internal import CExpat
import FoundationEssentials

/// Goes through an XML document by expat, part by part.
///
/// The document is in UTF-8, UTF-16, US-ASCII or ISO-8859-1, of which expat knows, or in one of `encodings`. It may declare no entities.
@safe final class XMLReader {
  enum Part {
    /// A start tag; of an empty element, too.
    case start(name: String, attributes: [String: String])
    /// Some of the text of an element, which may come in several parts.
    case text(String)
    case end
    /// Where nothing more can be read; the parser has stopped.
    case fault(Fault)
  }

  enum Fault {
    case ended
    case tagMismatch
    case entityDeclared(String)
    case entityUnknown
    case encodingUnknown
    case textAfterEnd
    /// In expat's words.
    case other(String)
  }

  /// Of one byte a character, by their names in lower case: those of which Foundation has a table on every platform.
  private static let encodings: [String: String.Encoding] = [
    "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
    "windows-1252": .windowsCP1252, "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
  ]
  /// expat counts the bytes of a call in 32 bits.
  private static let chunk = 1 << 20

  private let parser: XML_Parser
  private let take: (Part, XMLReader) -> Void
  private var isStopped = false

  /// `take` gets the parts, and the reader, which says where they are.
  init(_ take: @escaping (Part, XMLReader) -> Void) {
    self.take = take
    unsafe parser = XML_ParserCreate(nil)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser, { unsafe reader($0).start($1, $2) }, { (data, _) in unsafe reader(data).give(.end) })
    unsafe XML_SetCharacterDataHandler(parser) { (data, bytes, count) in
      let text = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
      unsafe reader(data).give(.text(String(decoding: text, as: UTF8.self)))
    }
    unsafe XML_SetEntityDeclHandler(parser) { (data, name, _, _, _, _, _, _, _) in
      unsafe reader(data).stop(.entityDeclared(String(cString: name!)))
    }
    unsafe XML_SetSkippedEntityHandler(parser) { (data, _, _) in unsafe reader(data).stop(.entityUnknown) }
    unsafe XML_SetUnknownEncodingHandler(
      parser, { (_, name, encoding) in unsafe XMLReader.fill(encoding!, String(cString: name!)) }, nil)
  }

  deinit { unsafe XML_ParserFree(parser) }

  /// Line and column, from 1, of the part that was given last, or of the fault.
  var place: TrackError.Place {
    unsafe .position(
      line: Int(XML_GetCurrentLineNumber(parser)), column: Int(XML_GetCurrentColumnNumber(parser)) + 1)
  }

  /// Gives all parts, until the document ends, a part is a fault, or `stop` is called.
  func read(_ data: Data) {
    var rest = data[...]
    repeat {
      let bytes = rest.prefix(Self.chunk)
      rest = rest.dropFirst(bytes.count)
      let status = unsafe bytes.withUnsafeBytes {
        unsafe XML_Parse(parser, $0.baseAddress, Int32($0.count), rest.isEmpty ? 1 : 0)
      }
      guard status == XML_STATUS_OK else {
        return stop(fault)
      }
    } while !rest.isEmpty
  }

  /// No part comes any more.
  func stop() {
    isStopped = true
    unsafe _ = XML_StopParser(parser, 0)
  }

  private func stop(_ fault: Fault) {
    give(.fault(fault))
    stop()
  }

  private func give(_ part: Part) {
    if !isStopped { take(part, self) }
  }

  private func start(_ name: UnsafePointer<XML_Char>?, _ pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
    var attributes: [String: String] = [:]
    var next = unsafe pairs
    while let pair = unsafe next, let name = unsafe pair[0], let value = unsafe pair[1] {
      unsafe attributes[String(cString: name)] = unsafe String(cString: value)
      unsafe next = pair + 2
    }
    unsafe give(.start(name: String(cString: name!), attributes: attributes))
  }

  private var fault: Fault {
    let code = unsafe XML_GetErrorCode(parser)
    switch code {
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR, XML_ERROR_UNCLOSED_CDATA_SECTION:
      return .ended
    case XML_ERROR_TAG_MISMATCH: return .tagMismatch
    case XML_ERROR_UNDEFINED_ENTITY: return .entityUnknown
    case XML_ERROR_UNKNOWN_ENCODING: return .encodingUnknown
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: return .textAfterEnd
    default: return .other(unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)")
    }
  }

  /// Tells expat the characters of an encoding's bytes.
  private static func fill(_ encoding: UnsafeMutablePointer<XML_Encoding>, _ name: String) -> Int32 {
    guard let known = encodings[name.lowercased()] else { return Int32(XML_STATUS_ERROR.rawValue) }
    unsafe withUnsafeMutableBytes(of: &encoding.pointee.map) { bytes in
      let map = unsafe bytes.assumingMemoryBound(to: Int32.self)
      for byte in 0..<256 {
        let character = String(data: Data([UInt8(byte)]), encoding: known)?.unicodeScalars.first
        unsafe map[byte] = character.map { Int32($0.value) } ?? -1
      }
    }
    unsafe (encoding.pointee.data, encoding.pointee.convert, encoding.pointee.release) = (nil, nil, nil)
    return Int32(XML_STATUS_OK.rawValue)
  }
}

private func reader(_ data: UnsafeMutableRawPointer?) -> XMLReader {
  unsafe Unmanaged.fromOpaque(data!).takeUnretainedValue()
}

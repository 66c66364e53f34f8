internal import CZlib

/// gzip (RFC 1952), whole texts at once.
enum Gzip {
  enum Fault: Error, Equatable {
    /// More bytes than the caller takes.
    case tooLarge
    /// No gzip, or a part of one.
    case damaged
  }

  private static let format: Int32 = 15 + 16

  /// The smallest that zlib makes; the same bytes for the same input.
  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    let version = ZLIB_VERSION
    guard
      unsafe deflateInit2_(
        &stream, 9, Z_DEFLATED, format, 9, Z_DEFAULT_STRATEGY, version, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { unsafe _ = deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
    var input = bytes
    let (inputCount, outputCount) = (UInt32(input.count), UInt32(output.count))
    let left: UInt32 = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = inputCount
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = outputCount
        unsafe _ = deflate(&stream, Z_FINISH)
        return unsafe stream.avail_out
      }
    }
    output.removeLast(Int(left))
    return output
  }

  /// Unpacks, up to `limit` bytes: a small input may hold a thousand times as much.
  static func decompress(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    var stream = unsafe z_stream()
    guard unsafe inflateInit2_(&stream, format, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .damaged
    }
    defer { unsafe _ = inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let inputCount = UInt32(input.count)
    let pieceCount = UInt32(piece.count)
    let fault: Fault? = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = inputCount
      while true {
        let (status, left): (Int32, UInt32) = unsafe piece.withUnsafeMutableBufferPointer { piece in
          unsafe stream.next_out = piece.baseAddress
          unsafe stream.avail_out = pieceCount
          return unsafe (inflate(&stream, Z_NO_FLUSH), stream.avail_out)
        }
        output.append(contentsOf: piece.prefix(Int(pieceCount - left)))
        if output.count > limit { return .tooLarge }
        if status == Z_STREAM_END { return unsafe stream.avail_in == 0 ? nil : .damaged }
        guard status == Z_OK, left < pieceCount else { return .damaged }
      }
    }
    if let fault { throw fault }
    return output
  }
}

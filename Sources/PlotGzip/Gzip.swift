internal import CZlib

/// gzip (RFC 1952), whole texts at once.
public enum Gzip {
  public enum Fault: Error, Equatable {
    /// More bytes than the caller takes.
    case tooLarge
    /// No gzip, or a part of one.
    case damaged
  }

  private static let format: Int32 = 15 + 16

  /// The smallest that zlib makes; the same bytes for the same input.
  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    let version = ZLIB_VERSION
    guard
      unsafe deflateInit2_(
        &stream, 9, Z_DEFLATED, format, 9, Z_DEFAULT_STRATEGY, version, Int32(clamping: MemoryLayout<z_stream>.size))
        == Z_OK
    else { return [] }
    defer { unsafe _ = deflateEnd(&stream) }
    var output = [UInt8](repeating: 0, count: Int(clamping: unsafe deflateBound(&stream, UInt(clamping: bytes.count))))
    var input = bytes
    let (inputCount, outputCount) = (UInt32(clamping: input.count), UInt32(clamping: output.count))
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
    output.removeLast(Int(clamping: left))
    return output
  }

  /// Whether the bytes begin as those of gzip.
  public static func isPacked(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// Unpacks, up to `limit` bytes: a small input may hold a thousand times as much. Packed texts one after another are one.
  public static func decompress(_ bytes: [UInt8], limit: Int) throws(Fault) -> [UInt8] {
    guard bytes.count < Int(clamping: UInt32.max) else { throw .tooLarge }
    var stream = unsafe z_stream()
    guard unsafe inflateInit2_(&stream, format, ZLIB_VERSION, Int32(clamping: MemoryLayout<z_stream>.size)) == Z_OK
    else {
      throw .damaged
    }
    defer { unsafe _ = inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    let inputCount = UInt32(clamping: input.count)
    let pieceCount = UInt32(clamping: piece.count)
    let fault: Fault? = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = inputCount
      while true {
        let (status, left): (Int32, UInt32) = unsafe piece.withUnsafeMutableBufferPointer { piece in
          unsafe stream.next_out = piece.baseAddress
          unsafe stream.avail_out = pieceCount
          return unsafe (inflate(&stream, Z_NO_FLUSH), stream.avail_out)
        }
        output.append(contentsOf: piece.prefix(Int(clamping: pieceCount - left)))
        if output.count > limit { return .tooLarge }
        if status == Z_STREAM_END {
          if unsafe stream.avail_in == 0 { return nil }
          guard unsafe inflateReset(&stream) == Z_OK else { return .damaged }
          continue
        }
        guard status == Z_OK, left < pieceCount else { return .damaged }
      }
    }
    if let fault { throw fault }
    return output
  }
}

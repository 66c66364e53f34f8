internal import Glibc

/// The result of one read of a descriptor.
nonisolated enum Reading {
  case bytes(ArraySlice<UInt8>)
  /// There is nothing yet.
  case nothing
  case end
  case failed(SystemFault)

  /// Reads what there is, at most 64 KiB.
  static func of(_ descriptor: Int32) -> Reading {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    if count > 0 { return .bytes(bytes[..<count]) }
    if count == 0 { return .end }
    return errno == EAGAIN || errno == EINTR ? .nothing : .failed(SystemFault("receive"))
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

enum PostgresSocket {
  /// Whether there is something to read within so many milliseconds.
  static func wait(_ socket: Int32, _ milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, milliseconds) > 0
  }
}

internal import CRunLibraries
internal import Glibc
internal import PlotEngineKit

/// The socket by which other processes of the same user speak to a running instance: a line of JSON in, a line of JSON out.
final class ControlSocket {
  private static let longestRequest = 1 << 20
  private static let limit = 32
  /// Milliseconds that a client has for its request.
  private static let patience: Int64 = 10_000

  let path: String
  private let loop: EventLoop
  private let journal: Journal
  private let answer: (JSONObject) -> JSONObject
  private let descriptor: Int32
  private var source: LoopSource?
  private var clients: [Int32: Client] = [:]

  /// Takes the place of a socket that an earlier process has left; the caller holds the instance's lock.
  init(
    _ path: String, _ loop: EventLoop, _ journal: Journal, answer: @escaping (JSONObject) -> JSONObject
  ) throws(SystemFault) {
    self.path = path
    self.loop = loop
    self.journal = journal
    self.answer = answer
    let (address, size) = try Self.address(path)
    _ = unsafe unlink(path)
    descriptor = Glibc.socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SystemFault("socket") }
    let mask = umask(0o077)
    let bound = unsafe Self.with(address) { unsafe bind(descriptor, $0, size) }
    let code = errno
    umask(mask)
    do throws(SystemFault) {
      guard bound == 0 else { throw SystemFault(path, code: code) }
      guard listen(descriptor, 16) == 0 else { throw SystemFault(path) }
      source = try loop.watch(owning: descriptor, EPOLLIN.rawValue) { [weak self] _ in self?.accept() }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  func close() {
    source = nil
    clients = [:]
    _ = unsafe unlink(path)
  }

  nonisolated fileprivate static func address(_ path: String) throws(SystemFault) -> (sockaddr_un, socklen_t) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard bytes.count < place.count else { return false }
      unsafe place.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw SystemFault(path, code: ENAMETOOLONG) }
    return (address, socklen_t(MemoryLayout<sockaddr_un>.size))
  }

  nonisolated fileprivate static func with<R>(_ address: sockaddr_un, _ body: (UnsafePointer<sockaddr>) -> R) -> R {
    unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0) }
    }
  }

  private func accept() {
    let client = Glibc.accept(descriptor, nil, nil)
    guard client >= 0 else { return }
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    _ = fcntl(client, F_SETFL, O_NONBLOCK)
    var peer = plot_peer()
    var size = socklen_t(MemoryLayout<plot_peer>.size)
    let isKnown = unsafe getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
    guard isKnown, peer.uid == getuid() || peer.uid == 0, clients.count < Self.limit else {
      if isKnown, peer.uid != getuid() { journal.warning("control socket: user \(peer.uid) is refused") }
      Glibc.close(client)
      return
    }
    do throws(SystemFault) {
      clients[client] = try Client(client, self)
    } catch {
      Glibc.close(client)
    }
  }

  private func respond(_ line: [UInt8]) -> [UInt8] {
    let object: JSONObject
    do throws(PlotError) {
      object = answer(try JSONObject(parsing: String(decoding: line, as: UTF8.self)))
    } catch {
      object = ["error": .string(error.message)]
    }
    return Array(object.text.utf8) + [0x0A]
  }

  /// One connection.
  private final class Client {
    private let descriptor: Int32
    private unowned let server: ControlSocket
    private var source: LoopSource?
    private var timer: LoopTimer?
    private var lines = LineSplitter(limit: longestRequest)
    private var pending: ArraySlice<UInt8> = []

    init(_ descriptor: Int32, _ server: ControlSocket) throws(SystemFault) {
      self.descriptor = descriptor
      self.server = server
      timer = try server.loop.timer { [weak self] in self?.end() }
      timer?.set(after: patience)
      source = try server.loop.watch(owning: descriptor, EPOLLIN.rawValue) { [weak self] events in
        self?.proceed(events)
      }
    }

    private func end() { server.clients[descriptor] = nil }

    private func proceed(_ events: UInt32) {
      guard pending.isEmpty else { return write() }
      switch Reading.of(descriptor) {
      case .bytes(let bytes): for line in lines.add(bytes) { pending += server.respond(line) }
      case .nothing: return
      case .end, .failed: return end()
      }
      if lines.overlong > 0 { return end() }
      if !pending.isEmpty {
        timer?.set(after: patience)
        write()
      }
    }

    private func write() {
      while !pending.isEmpty {
        let count = unsafe pending.withUnsafeBytes {
          unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { break }
        guard count > 0 else { return end() }
        pending = pending.dropFirst(count)
      }
      source?.setEvents(pending.isEmpty ? EPOLLIN.rawValue : EPOLLOUT.rawValue)
    }
  }
}

/// Speaks to a running instance.
public nonisolated enum ControlClient {
  private static let patience = 10

  /// Sends a request, a JSON object on one line, and gives the answer.
  public static func ask(_ request: String, name: String) throws -> String {
    guard let folder = RuntimeFolder.path else { throw SystemFault("XDG_RUNTIME_DIR is not set", code: 0) }
    let path = "\(folder)/\(name).sock"
    let (address, size) = try ControlSocket.address(path)
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw SystemFault("socket") }
    defer { Glibc.close(socket) }
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      unsafe setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    guard unsafe ControlSocket.with(address, { unsafe connect(socket, $0, size) }) == 0 else {
      guard errno == ENOENT || errno == ECONNREFUSED else { throw SystemFault(path) }
      throw NotRunning(name: name, path: path)
    }
    let bytes = Array(request.utf8) + [0x0A]
    guard
      unsafe bytes.withUnsafeBytes({ unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) })
        == bytes.count
    else { throw SystemFault(path) }
    var splitter = LineSplitter(limit: 64 << 20)
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { throw SystemFault(path, code: count == 0 ? ECONNRESET : errno) }
      if let line = splitter.add(part[..<count]).first { return String(decoding: line, as: UTF8.self) }
    }
  }

  /// Nothing runs under the name.
  public nonisolated struct NotRunning: Error, CustomStringConvertible {
    public var name: String
    public var path: String
    public var description: String { "no plot run named \"\(name)\" is running: nothing listens at \(path)" }
  }
}

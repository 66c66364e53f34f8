internal import CRunLibraries
internal import Glibc
internal import PlotEngineKit

/// Positions from gpsd, over its socket. The connection is made again when it ends.
final class SourceGPSD {
  /// Where gpsd listens.
  struct Address: Equatable {
    var host: String
    var port: UInt16

    static let standard = Address(host: "127.0.0.1", port: 2947)

    init(host: String, port: UInt16) {
      self.host = host
      self.port = port
    }

    /// `ADDRESS[:PORT]`: an IP address, one of version 6 in brackets, or localhost. Names are not looked up: that could take any time.
    init?(_ text: String) {
      var host = Substring(text)
      var port = Self.standard.port
      let end = host.first == "[" ? host.firstIndex(of: "]") : host.startIndex
      guard let end else { return nil }
      if let colon = host[end...].lastIndex(of: ":") {
        guard let number = UInt16(host[host.index(after: colon)...]), number > 0 else { return nil }
        port = number
        host = host[..<colon]
      }
      if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
      self.init(host: host == "localhost" ? "127.0.0.1" : String(host), port: port)
      guard information != nil else { return nil }
    }

    fileprivate var information: [UInt8]? {
      var hints = unsafe addrinfo()
      unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
      unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var found: UnsafeMutablePointer<addrinfo>?
      guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0, let first = unsafe found else { return nil }
      defer { unsafe freeaddrinfo(found) }
      let bytes = unsafe UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen))
      return unsafe Array(bytes)
    }
  }

  private static let watch = Array(#"?WATCH={"enable":true,"json":true};"#.utf8) + [0x0A]
  /// The longest report: gpsd has none above 10,240 bytes.
  private static let longestLine = 16_384

  private let address: Address
  private let loop: EventLoop
  private let journal: Journal
  private let take: (PlaceReport) -> Void
  private var socket: Int32 = -1
  private var source: LoopSource?
  private var retry: LoopTimer?
  private var backoff = Backoff(longest: 60_000)
  private var lines = LineSplitter(limit: longestLine)
  private var reader = GPSDReader()
  private var absence = Complaint()
  private var nonsense = Complaint()
  /// No more reports are read until this is false.
  var isPaused = false {
    didSet { if isPaused != oldValue, state == "connected" { source?.setEvents(isPaused ? 0 : EPOLLIN.rawValue) } }
  }
  private(set) var state = "not connected"
  private(set) var fixes = 0
  /// Lines that were no reports.
  private(set) var faults = 0

  init(
    _ address: Address, _ loop: EventLoop, _ journal: Journal, _ take: @escaping (PlaceReport) -> Void
  ) throws(SystemFault) {
    self.address = address
    self.loop = loop
    self.journal = journal
    self.take = take
    retry = try loop.timer { [weak self] in self?.connect() }
  }

  isolated deinit { hangUp() }

  func connect() {
    hangUp()
    guard let bytes = address.information else { return fail("no such address") }
    let family = bytes.count == MemoryLayout<sockaddr_in6>.size ? AF_INET6 : AF_INET
    socket = Glibc.socket(
      family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return fail("\(SystemFault("socket"))") }
    do {
      source = try loop.watch(owning: socket, EPOLLOUT.rawValue) { [weak self] events in self?.proceed(events) }
    } catch {
      close(socket)
      return fail("\(error)")
    }
    // A gpsd that has gone without a word is noticed.
    var on: Int32 = 1
    unsafe setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, socklen_t(MemoryLayout<Int32>.size))
    let result = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.connect(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard result == 0 || errno == EINPROGRESS else { return fail("\(SystemFault("connect"))") }
  }

  private func proceed(_ events: UInt32) {
    if state != "connected", events & EPOLLOUT.rawValue != 0 {
      var code: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size)
      guard code == 0 else { return fail("\(SystemFault("connect", code: code))") }
      let sent = unsafe Self.watch.withUnsafeBytes {
        unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent == Self.watch.count else { return fail("\(SystemFault("send"))") }
      state = "connected"
      source?.setEvents(isPaused ? 0 : EPOLLIN.rawValue)
      return
    }
    receive()
  }

  private func receive() {
    switch Reading.of(socket) {
    case .bytes(let bytes): readLines(in: bytes)
    case .nothing: return
    case .end: fail("it has closed the connection")
    case .failed(let fault): fail("\(fault)")
    }
  }

  private func readLines(in bytes: ArraySlice<UInt8>) {
    let overlong = lines.overlong
    for line in lines.add(bytes) { read(line) }
    if lines.overlong > overlong {
      faults += lines.overlong - overlong
      complain("expected reports of at most \(Self.longestLine) bytes, found a longer line")
    }
  }

  private func read(_ line: [UInt8]) {
    do throws(PlotError) {
      switch try reader.read(line) {
      case .place(let report):
        nonsense.end()
        fixes += 1
        take(report)
      case .version(let release):
        absence.end()
        backoff.reset()
        journal.info("gpsd: connected to release \(release) at \(address.host):\(address.port)")
      case .error(let message): complain(message)
      case .noFix, .other: break
      }
    } catch {
      faults += 1
      complain(error.message)
    }
  }

  private func complain(_ text: String) {
    if nonsense.isNew(text) { journal.warning("gpsd: \(text)") }
  }

  private func fail(_ why: String) {
    hangUp()
    if absence.isNew(why) {
      journal.info("gpsd: no reports from \(address.host):\(address.port): \(why); trying again")
    }
    retry?.set(after: backoff.delay())
  }

  private func hangUp() {
    source = nil
    state = "not connected"
    lines = LineSplitter(limit: Self.longestLine)
  }
}

#if os(Linux)
  import FoundationEssentials
  internal import Glibc

  /// HTTP/1.1 for one browser on this machine: one request after another, each on a connection of its own. It listens on 127.0.0.1 only, and takes only
  /// requests that name it so, so that no page of another site reaches it by a name of its own.
  final class LoopbackServer {
    struct Request {
      var method: String
      var path: String
      /// By their names in small letters.
      var headers: [String: String]
      var body: [UInt8]
    }

    struct Response {
      var status = 200
      var type = "application/json"
      var body: [UInt8]
      var headers: [String] = []
    }

    static let bodyLimit = 64 << 20
    private static let headLimit = 64 << 10
    private let descriptor: Int32
    let port: UInt16

    /// Listens; port 0 takes a free one.
    init(port wanted: UInt16) throws {
      let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      descriptor = socket
      var on: Int32 = 1
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = wanted.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          unsafe socket >= 0 && bind(socket, pointer, size) == 0 && listen(socket, 16) == 0
            && getsockname(socket, pointer, &size) == 0
        }
      }
      port = UInt16(bigEndian: address.sin_port)
      guard isListening else {
        let reason = unsafe String(cString: strerror(errno))
        var fault = InputFault("port \(wanted) of this machine cannot be listened on: \(reason)")
        fault.status = .io
        throw fault
      }
    }

    deinit { close(descriptor) }

    /// Whether control-C was pressed, or somebody else has asked the process to end.
    nonisolated(unsafe) private static var isEnding: sig_atomic_t = 0

    /// Answers requests until the process is asked to end.
    func serve(_ answer: (Request) -> Response) {
      for number in [SIGINT, SIGTERM, SIGHUP] { signal(number) { _ in unsafe LoopbackServer.isEnding = 1 } }
      while unsafe Self.isEnding == 0 {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, 300) > 0 else { continue }
        let connection = accept(descriptor, nil, nil)
        if connection < 0 { continue }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        // Nobody keeps the others waiting.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
          unsafe setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        if let response = respond(connection, answer) { Self.send(response, connection) }
        close(connection)
      }
    }

    private func respond(_ connection: Int32, _ answer: (Request) -> Response) -> Response? {
      guard let request = Self.read(connection) else { return nil }
      guard ["127.0.0.1:\(port)", "localhost:\(port)"].contains(request.headers["host"] ?? "") else {
        return Response(status: 403, type: "text/plain", body: Array("another host\n".utf8))
      }
      return answer(request)
    }

    /// Nil for what is no request, or too large a one.
    private static func read(_ connection: Int32) -> Request? {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      func more() -> Bool {
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(connection, $0.baseAddress, $0.count, 0) }
        if count > 0 { bytes += buffer.prefix(count) }
        return count > 0
      }
      let end: [UInt8] = [13, 10, 13, 10]
      var searched = 0
      var head: Int?
      while head == nil {
        guard bytes.count <= headLimit, more() else { return nil }
        while searched + 4 <= bytes.count {
          if bytes[searched..<(searched + 4)].elementsEqual(end) {
            head = searched
            break
          }
          searched += 1
        }
      }
      guard let head else { return nil }
      let lines = String(decoding: bytes[..<head], as: UTF8.self).split(separator: "\r\n")
      let words = lines.first?.split(separator: " ") ?? []
      guard words.count == 3 else { return nil }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].drop { $0 == " " }.description
      }
      let length = headers["content-length"].flatMap { Int($0) } ?? 0
      guard (0...bodyLimit).contains(length), headers["transfer-encoding"] == nil else { return nil }
      while bytes.count < head + 4 + length { guard more() else { return nil } }
      return Request(
        method: String(words[0]), path: String(words[1].prefix { $0 != "?" }), headers: headers,
        body: Array(bytes[(head + 4)..<(head + 4 + length)]))
    }

    private static func send(_ response: Response, _ connection: Int32) {
      let lines =
        [
          "HTTP/1.1 \(response.status) \(response.status < 400 ? "OK" : "Refused")",
          "Content-Type: \(response.type); charset=utf-8",
          "Content-Length: \(response.body.count)", "Connection: close", "Cache-Control: no-store",
          "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
          "Cross-Origin-Resource-Policy: same-origin",
        ] + response.headers
      var bytes = (Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + response.body)[...]
      while !bytes.isEmpty {
        let sent = unsafe bytes.withUnsafeBytes {
          unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent > 0 else { return }
        bytes = bytes.dropFirst(sent)
      }
    }
  }
#endif

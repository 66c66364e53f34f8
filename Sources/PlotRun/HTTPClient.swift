internal import CRunLibraries
internal import Glibc

/// Requests by libcurl on the event loop.
@safe final class HTTPClient {
  struct Answer {
    /// 0 when there was none.
    var status: Int
    /// Why there was none; empty with a status.
    var fault: String
    /// The header `Retry-After` in seconds, where it is a number.
    var retryAfter: Int64?
  }

  private let multi: OpaquePointer
  private let loop: EventLoop
  private var timer: LoopTimer?
  private var sockets: [Int32: LoopSource] = [:]
  /// By the address of the request's handle.
  private var requests: [UInt: Request] = [:]

  init(_ loop: EventLoop) throws(SystemFault) {
    self.loop = loop
    if let fault = unsafe plot_load_curl() { throw unsafe SystemFault(String(cString: fault), code: ENOPKG) }
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    guard let multi = unsafe curl_multi_init() else { throw SystemFault("libcurl", code: ENOMEM) }
    unsafe self.multi = OpaquePointer(multi)
    timer = try loop.timer { [weak self] in self?.act(CURL_SOCKET_TIMEOUT, 0) }
    unsafe plot_curl_multi_set(
      multi,
      { _, socket, wanted, context, _ in
        unsafe Unmanaged<HTTPClient>.fromOpaque(context!).takeUnretainedValue().watch(socket, wanted)
        return 0
      },
      { _, milliseconds, context in
        let client = unsafe Unmanaged<HTTPClient>.fromOpaque(context!).takeUnretainedValue()
        client.timer?.set(after: milliseconds < 0 ? nil : Int64(milliseconds))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  isolated deinit {
    for request in requests.values { unsafe request.abandon(UnsafeMutableRawPointer(multi)) }
    unsafe curl_multi_cleanup(UnsafeMutableRawPointer(multi))
  }

  /// Posts a body. `completion` is called once, after at most `timeout` seconds.
  func post(
    _ url: String, _ body: [UInt8], headers: [String], timeout: Int, _ completion: @escaping (Answer) -> Void
  ) {
    guard let request = Request(url, body, headers: headers, timeout: timeout, completion) else {
      return completion(Answer(status: 0, fault: "out of memory"))
    }
    requests[unsafe UInt(bitPattern: request.easy)] = request
    unsafe curl_multi_add_handle(UnsafeMutableRawPointer(multi), request.easy)
  }

  private func watch(_ socket: Int32, _ wanted: Int32) {
    guard wanted != CURL_POLL_REMOVE else {
      sockets[socket] = nil
      return
    }
    let isIn = wanted == CURL_POLL_IN || wanted == CURL_POLL_INOUT
    let isOut = wanted == CURL_POLL_OUT || wanted == CURL_POLL_INOUT
    let events = (isIn ? EPOLLIN.rawValue : 0) | (isOut ? EPOLLOUT.rawValue : 0)
    if let source = sockets[socket] { return source.setEvents(events) }
    sockets[socket] = try? loop.watch(socket, events) { [weak self] events in
      let isIn = events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0 ? CURL_CSELECT_IN : 0
      let isOut = events & EPOLLOUT.rawValue != 0 ? CURL_CSELECT_OUT : 0
      self?.act(socket, isIn | isOut | (events & EPOLLERR.rawValue != 0 ? CURL_CSELECT_ERR : 0))
    }
  }

  private func act(_ socket: Int32, _ events: Int32) {
    var running: Int32 = 0
    unsafe curl_multi_socket_action(UnsafeMutableRawPointer(multi), socket, events, &running)
    var easy: UnsafeMutableRawPointer?
    var result = CURLE_OK
    while unsafe plot_curl_ended(UnsafeMutableRawPointer(multi), &easy, &result) != 0 {
      guard let ended = unsafe easy, let request = requests.removeValue(forKey: UInt(bitPattern: ended)) else {
        continue
      }
      unsafe curl_multi_remove_handle(UnsafeMutableRawPointer(multi), ended)
      request.end(result)
    }
  }

  /// One request. libcurl reads the body and the headers from here while it lasts.
  @safe private final class Request {
    let easy: UnsafeMutableRawPointer
    private let completion: (Answer) -> Void
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let body: UnsafeMutableBufferPointer<CChar>
    private var retryAfter: Int64?

    init?(
      _ url: String, _ bytes: [UInt8], headers: [String], timeout: Int, _ completion: @escaping (Answer) -> Void
    ) {
      guard let easy = unsafe curl_easy_init() else { return nil }
      unsafe self.easy = easy
      self.completion = completion
      unsafe body = .allocate(capacity: bytes.count + 1)
      unsafe _ = body.initialize(from: bytes.map { CChar(bitPattern: $0) } + [0])
      for header in headers { unsafe self.headers = unsafe curl_slist_append(self.headers, header) }
      unsafe plot_curl_set_text(easy, CURLOPT_URL, url)
      unsafe plot_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
      unsafe plot_curl_set_text(easy, CURLOPT_USERAGENT, "plotengine")
      unsafe plot_curl_set_number(easy, CURLOPT_POST, 1)
      unsafe plot_curl_set_number(easy, CURLOPT_POSTFIELDSIZE, bytes.count)
      unsafe plot_curl_set_pointer(easy, CURLOPT_POSTFIELDS, body.baseAddress)
      unsafe plot_curl_set_pointer(easy, CURLOPT_HTTPHEADER, self.headers)
      unsafe plot_curl_set_number(easy, CURLOPT_TIMEOUT, timeout)
      unsafe plot_curl_set_number(easy, CURLOPT_CONNECTTIMEOUT, min(10, timeout))
      unsafe plot_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
      // The body of the answer is of no use; a megabyte of it is read, so that the connection can be used again.
      unsafe plot_curl_set_number(easy, CURLOPT_MAXFILESIZE, 1 << 20)
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe plot_curl_set_reader(
        easy, CURLOPT_WRITEFUNCTION, { _, size, count, _ in size * count }, CURLOPT_WRITEDATA, nil)
      unsafe plot_curl_set_reader(
        easy, CURLOPT_HEADERFUNCTION,
        { bytes, size, count, context in
          let line = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
          let parts = line.split(separator: ":", maxSplits: 1)
          if parts.count == 2, parts[0].lowercased() == "retry-after" {
            let request = unsafe Unmanaged<Request>.fromOpaque(context!).takeUnretainedValue()
            request.retryAfter = Int64(parts[1].filter { !$0.isWhitespace })
          }
          return size * count
        }, CURLOPT_HEADERDATA, context)
    }

    isolated deinit {
      unsafe curl_easy_cleanup(easy)
      unsafe curl_slist_free_all(headers)
      unsafe body.deallocate()
    }

    func end(_ result: CURLcode) {
      let status = unsafe Int(plot_curl_response_code(easy))
      // An answer that was longer than what is read is an answer.
      let isAnswered = status >= 100 && (result == CURLE_OK || result == CURLE_FILESIZE_EXCEEDED)
      completion(
        isAnswered
          ? Answer(status: status, fault: "", retryAfter: retryAfter)
          : Answer(status: 0, fault: unsafe String(cString: curl_easy_strerror(result))))
    }

    func abandon(_ multi: UnsafeMutableRawPointer) { unsafe curl_multi_remove_handle(multi, easy) }
  }
}

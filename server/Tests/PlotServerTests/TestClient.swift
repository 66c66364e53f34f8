import NIOCore
import NIOHTTP1
import NIOPosix

/// A client of HTTP/1.1, with a connection for each request, which gets the bytes as they were sent.
enum TestClient {
  struct Head: Sendable {
    var status: Int
    var headers: HTTPHeaders
  }

  /// Pieces of a body, as they come.
  struct Body {
    fileprivate var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator

    /// Nil at the end.
    mutating func next() async throws -> ByteBuffer? {
      while let part = try await parts.next() {
        switch part {
        case .body(let piece): return piece
        case .end: return nil
        case .head: continue
        }
      }
      return nil
    }
  }

  private typealias Channel = NIOAsyncChannel<HTTPClientResponsePart, HTTPPart<HTTPRequestHead, ByteBuffer>>

  /// Sends a request and gives its answer to `read`; then the connection is closed.
  static func exchange<T>(
    _ port: Int, _ method: HTTPMethod, _ path: String, _ headers: [(String, String)], _ body: [UInt8]?,
    _ read: (Head, inout Body) async throws -> T
  ) async throws -> T {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(Buffers())
          return try Channel(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var head = HTTPRequestHead(version: .http1_1, method: method, uri: path)
      head.headers = HTTPHeaders([("Host", "127.0.0.1:\(port)"), ("Connection", "close")] + headers)
      if let body { head.headers.add(name: "Content-Length", value: "\(body.count)") }
      var request: [HTTPPart<HTTPRequestHead, ByteBuffer>] = [.head(head)]
      if let body, !body.isEmpty { request.append(.body(ByteBuffer(bytes: body))) }
      request.append(.end(nil))
      // All at once, for an answer to the head alone would close the connection under the rest.
      try await outbound.write(contentsOf: request)
      var parts = inbound.makeAsyncIterator()
      guard case .head(let answer)? = try await parts.next() else { throw TestFault("no answer to \(path)") }
      var rest = Body(parts: parts)
      return try await read(Head(status: Int(answer.status.code), headers: answer.headers), &rest)
    }
  }

  /// Bodies as buffers, for `IOData` cannot be sent from one task to another.
  private final class Buffers: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = HTTPPart<HTTPRequestHead, ByteBuffer>
    typealias OutboundOut = HTTPClientRequestPart

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      let part: HTTPClientRequestPart =
        switch unwrapOutboundIn(data) {
        case .head(let head): .head(head)
        case .body(let buffer): .body(.byteBuffer(buffer))
        case .end(let trailers): .end(trailers)
        }
      context.write(wrapOutboundOut(part), promise: promise)
    }
  }
}

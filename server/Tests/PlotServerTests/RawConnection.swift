import NIOCore
import NIOPosix

/// A connection that says what it likes.
enum RawConnection {
  /// Sends a text, then pieces with pauses, and gives all that came until the other side closed, or ten seconds were over.
  static func exchange(_ port: Int, _ text: String, then pieces: [String], every pause: Duration) async throws -> String
  {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      // The other side may have closed already, which is an answer, too.
      try? await outbound.write(ByteBuffer(string: text))
      let writer = Task {
        for piece in pieces {
          try await Task.sleep(for: pause)
          try await outbound.write(ByteBuffer(string: piece))
        }
      }
      let limit = Task {
        try await Task.sleep(for: .seconds(10))
        try await channel.channel.close().get()
      }
      var found = ""
      do { for try await piece in inbound { found += String(buffer: piece) } } catch {}
      writer.cancel()
      limit.cancel()
      return found
    }
  }
}

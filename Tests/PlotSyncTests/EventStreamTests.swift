import Testing

@testable import PlotSync

@Suite struct EventStreamTests {
  static let text = Array(
    "\u{FEFF}: open\n\nid: 2\r\nevent: feed\r\ndata: {\"a\":\ndata: 1}\r\rdata:x\n\nevent: none\n\n".utf8)
  static let wanted = [
    EventStream.Message(event: "feed", data: "{\"a\":\n1}", id: "2"), EventStream.Message(data: "x"),
  ]

  @Test func messages() {
    var stream = EventStream()
    #expect(stream.take(Self.text) == Self.wanted)
  }

  @Test func itIsTheSameInAnyPieces() {
    for size in 1...Self.text.count {
      var stream = EventStream()
      var found: [EventStream.Message] = []
      for start in stride(from: 0, to: Self.text.count, by: size) {
        found += stream.take(Array(Self.text[start..<min(start + size, Self.text.count)]))
      }
      #expect(found == Self.wanted, "\(size)")
    }
  }

  @Test func aLineThatNeverEndsTakesNoMemory() {
    var stream = EventStream()
    for _ in 0..<3 { #expect(stream.take([UInt8](repeating: 0x61, count: EventStream.limit)) == []) }
    #expect(stream.isBroken)
  }
}

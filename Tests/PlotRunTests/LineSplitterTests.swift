import Testing

@testable import PlotRun

@Suite struct LineSplitterTests {
  @Test func cutsWhateverThePieces() {
    var splitter = LineSplitter(limit: 8)
    var lines: [String] = []
    for piece in ["a", "b\r", "\n\n", "12345678\n1234", "56789\nc", "\nlast"] {
      lines += splitter.add(piece.utf8).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(lines == ["ab", "12345678", "c"])
    #expect(splitter.overlong == 1)
    #expect(splitter.finish().map { String(decoding: $0, as: UTF8.self) } == "last")
    #expect(splitter.finish() == nil)
  }
}

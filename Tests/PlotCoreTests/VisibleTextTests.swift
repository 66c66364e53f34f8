import PlotCore
import Testing

@Suite struct VisibleTextTests {
  @Test(arguments: [
    ("", ""), ("plain \\n é 東京 🙂", "plain \\n é 東京 🙂"), ("a\nb\r\tc", "a\\nb\\r\\tc"),
    ("\u{1B}[31m\u{0}", "\\u001b[31m\\u0000"),
    ("\u{7F}\u{80}\u{9B}31m\u{9F}\u{A0}", "\\u007f\\u0080\\u009b31m\\u009f\u{A0}"),
    ("\u{202E}txt\u{2066}\u{200F}\u{61C}", "\\u202etxt\\u2066\\u200f\\u061c"),
    ("a\u{2028}b\u{2029}", "a\\u2028b\\u2029"),
  ])
  func whatSteersIsWrittenOut(_ text: String, _ expected: String) {
    #expect(text.visible == expected)
    #expect(expected.visible == expected)
  }

  @Test func lineEndsMayStay() {
    #expect("a\nb\u{1B}".visible(keepsLines: true) == "a\nb\\u001b")
    #expect("a\r\nb".visible(keepsLines: true) == "a\\r\nb")
  }
}

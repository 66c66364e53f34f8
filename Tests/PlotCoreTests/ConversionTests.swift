import PlotCore
import Testing

@Suite struct ConversionTests {
  @Test(
    arguments: [
      (0, 0), (-0.9, 0), (1.9, 1), (-5.5, -5), (0x1p53, 1 << 53), (0x1.fffffffffffffp62, .max - 1023), (0x1p63, .max),
      (1e300, .max), (.infinity, .max), (-0x1p63, .min), (-1e300, .min), (-.infinity, .min), (.nan, 0),
    ] as [(Double, Int64)])
  func aDoubleIsTakenAsFarAsItFits(_ value: Double, _ expected: Int64) {
    #expect(Int64(saturating: value) == expected)
    #expect(Int(saturating: value) == Int(expected))
    // Whatever the width, the nearest that it has.
    #expect(Int32(saturating: value) == Int32(clamping: expected))
    #expect(Int16(saturating: value) == Int16(clamping: expected))
    #expect(Int8(saturating: value) == Int8(clamping: expected))
    #expect(UInt8(saturating: value) == UInt8(clamping: expected))
    #expect(UInt32(saturating: value) == UInt32(clamping: expected))
  }

  @Test func theGreatestIntegersHaveNoSign() {
    #expect(UInt64(saturating: 0x1p63) == 1 << 63)
    #expect(UInt64(saturating: 0x1.8p63) == 3 << 62)
    #expect(UInt64(saturating: 0x1p64) == .max)
    #expect(UInt64(saturating: -1) == 0)
  }
}

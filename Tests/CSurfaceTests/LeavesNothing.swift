import CPlotEngine
import Testing

/// Each test ends with no more objects of the library alive than it began with: none.
struct LeavesNothing: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let before = plot_live_objects()
    try await function()
    #expect(plot_live_objects() == before)
  }
}

extension Trait where Self == LeavesNothing {
  static var leavesNothing: Self { LeavesNothing() }
}

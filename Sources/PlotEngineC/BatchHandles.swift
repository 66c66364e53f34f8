internal import CPlotEngine
internal import PlotCore
internal import PlotEngine

/// Records, as the header has them.
@safe final class EffectsHandle: Handle {
  let count: Int
  /// Nil for none.
  let records: UnsafePointer<plot_effect>?

  init(_ effects: [BatchEffect]) {
    count = effects.count
    guard count > 0 else {
      unsafe records = nil
      return
    }
    let memory = UnsafeMutablePointer<plot_effect>.allocate(capacity: count)
    for (index, effect) in effects.enumerated() {
      unsafe memory[index] = plot_effect(
        time_ms: effect.time, number: effect.number, fix: effect.fix, device: effect.device,
        kind: effect.kind.number, detail: effect.detail, region: effect.region, campaign: effect.campaign)
    }
    unsafe records = UnsafePointer(memory)
  }

  deinit { unsafe records?.deallocate() }
}

/// Identifiers, each with a NUL at its end, at addresses of their own.
@safe final class IdentifierTexts {
  private let bytes: UnsafeMutablePointer<CChar>
  private let starts: [Int]

  init(_ identifiers: some Sequence<Identifier>) {
    var starts: [Int] = []
    var length = 0
    for identifier in identifiers {
      starts.append(length)
      length += identifier.text.utf8.count + 1
    }
    unsafe bytes = UnsafeMutablePointer<CChar>.allocate(capacity: max(length, 1))
    var next = 0
    for identifier in identifiers {
      for byte in identifier.text.utf8 {
        unsafe bytes[next] = CChar(bitPattern: byte)
        next += 1
      }
      unsafe bytes[next] = 0
      next += 1
    }
    self.starts = starts
  }

  deinit { unsafe bytes.deallocate() }

  /// NULL for a position out of range.
  subscript(position: Size) -> UnsafePointer<CChar>? {
    guard let position = position.position(below: starts.count) else { return nil }
    return unsafe UnsafePointer(bytes + starts[position])
  }
}

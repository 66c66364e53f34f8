internal import CPlotEngine
internal import PlotCore
internal import PlotEngine

/// Records, as the header has them.
@safe final class RecordsHandle<Record: BitwiseCopyable>: Handle {
  let count: Int
  /// Nil for none.
  let records: UnsafePointer<Record>?

  init<Value>(_ values: [Value], _ record: (Value) -> Record) {
    count = values.count
    guard count > 0 else {
      unsafe records = nil
      return
    }
    let memory = UnsafeMutablePointer<Record>.allocate(capacity: count)
    for (index, value) in values.enumerated() { unsafe memory[index] = record(value) }
    unsafe records = UnsafePointer(memory)
  }

  deinit { unsafe records?.deallocate() }
}

typealias EffectsHandle = RecordsHandle<plot_effect>
typealias PairsHandle = RecordsHandle<plot_pair>

extension RecordsHandle<plot_effect> {
  convenience init(_ effects: [BatchEffect]) {
    self.init(effects) { effect in
      plot_effect(
        time_ms: effect.time, number: effect.number, fix: effect.fix, device: effect.device,
        kind: effect.kind.number, detail: effect.detail, region: effect.region, campaign: effect.campaign)
    }
  }
}

extension RecordsHandle<plot_pair> {
  convenience init(_ pairs: [Roaming.Pair]) {
    self.init(pairs) { pair in
      plot_pair(
        time_ms: pair.time, metres: pair.metres, first: pair.devices.0, second: pair.devices.1,
        fix: pair.fix.map { UInt32(truncatingIfNeeded: $0) } ?? .max, kind: pair.kind.rawValue)
    }
  }
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

internal import CPrefetch

/// From a `Double` to an integer, without a trap.
///
/// The integers' own `init(_: Double)` ends the process on NaN, on an infinity and on what does not fit, and numbers come
/// from documents, files and hosts. The package uses `init(saturating:)`, or `init(exactly:)` where a value that does not
/// fit is a fault. The declarations below take the place of the bare form: it is deprecated, and warnings are errors
/// (Tests/rooms/conversions.py).
extension FixedWidthInteger {
  /// The integer part of `value`; the nearest limit of the type where that does not fit, and 0 for NaN.
  package init(saturating value: Double) {
    // As a `Double` the greatest integer may be one too many, which is the first that does not fit.
    if value >= Double(Self.max) {
      self = .max
    } else if value > Double(Self.min) {
      let part = value < 0x1p63 ? plot_integer_part(value) : plot_integer_part(value - 0x1p63) ^ .min
      self = Self(truncatingIfNeeded: part)
    } else {
      self = value.isNaN ? 0 : .min
    }
  }
}

extension Int {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension Int8 {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension Int16 {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension Int32 {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension Int64 {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension UInt {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension UInt8 {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension UInt16 {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension UInt32 {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

extension UInt64 {
  @available(*, deprecated, message: "traps on a value that does not fit; use init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
}

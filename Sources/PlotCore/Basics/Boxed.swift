/// Values behind one reference: a copy counts one, however many texts they have. They are copied before they are changed, if somebody
/// else has them, too.
public struct Boxed<Values: Equatable & Sendable>: Equatable, Sendable, CustomStringConvertible {
  @usableFromInline final class Box: @unchecked Sendable {
    // Nobody changes a box that has two owners, so nobody need be watched.
    @exclusivity(unchecked) @usableFromInline var values: Values

    @usableFromInline init(_ values: consuming Values) { unsafe self.values = values }
  }

  @usableFromInline var box: Box

  public init(_ values: consuming Values) { box = Box(values) }

  @inlinable
  public var values: Values {
    _read { yield unsafe box.values }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = unsafe Box(box.values) }
      yield unsafe &box.values
    }
  }

  public static func == (a: Boxed, b: Boxed) -> Bool { unsafe a.box === b.box || a.box.values == b.box.values }

  public var description: String { unsafe "\(box.values)" }
}

/// A type whose values are behind one reference. Each is read as a property of its own.
@dynamicMemberLookup
public protocol BoxedValues: CustomStringConvertible {
  associatedtype Values: Equatable & Sendable
  var boxed: Boxed<Values> { get set }
}

extension BoxedValues {
  @inlinable
  public subscript<Value>(dynamicMember path: KeyPath<Values, Value>) -> Value {
    _read { yield boxed.values[keyPath: path] }
  }

  /// To change them.
  public var values: Values {
    _read { yield boxed.values }
    _modify { yield &boxed.values }
  }
}

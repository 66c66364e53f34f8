internal import CJansson

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A value of a JSON tree. It cannot be kept: it is gone, at the latest, with the reader whose tree it is in.
@safe struct Node: ~Escapable {
  enum Kind {
    case object, array, string, integer, real, boolean, null
  }

  @unsafe let value: UnsafeMutablePointer<json_t>

  /// A tree that `owner` frees when it goes.
  @unsafe @_lifetime(borrow owner)
  init(_ value: UnsafeMutablePointer<json_t>, of owner: borrowing JSONReader) { unsafe self.value = value }

  /// A value in the same tree.
  @unsafe @_lifetime(copy other)
  init(_ value: UnsafeMutablePointer<json_t>, beside other: borrowing Node) { unsafe self.value = value }

  @inline(__always)
  private var type: json_type { unsafe value.pointee.type }

  var kind: Kind {
    switch type {
    case JSON_OBJECT: .object
    case JSON_ARRAY: .array
    case JSON_STRING: .string
    case JSON_INTEGER: .integer
    case JSON_REAL: .real
    case JSON_TRUE, JSON_FALSE: .boolean
    default: .null
    }
  }

  var isObject: Bool { type == JSON_OBJECT }
  var isArray: Bool { type == JSON_ARRAY }
  var isString: Bool { type == JSON_STRING }
  var isNull: Bool { type == JSON_NULL }

  /// Nil for what is no boolean.
  var boolean: Bool? {
    switch type {
    case JSON_TRUE: true
    case JSON_FALSE: false
    default: nil
    }
  }

  /// Nil for what is no integer.
  var integer: Int64? { type == JSON_INTEGER ? Int64(unsafe json_integer_value(value)) : nil }

  /// Any number; nil for what is none.
  var number: Double? { type == JSON_INTEGER || type == JSON_REAL ? unsafe json_number_value(value) : nil }

  /// The bytes of a string; none for another value.
  var utf8: Span<UInt8> {
    @_lifetime(copy self)
    get {
      let start = unsafe UnsafeRawPointer(json_string_value(value))?.assumingMemoryBound(to: UInt8.self)
      let bytes = unsafe UnsafeBufferPointer(start: start, count: json_string_length(value))
      return unsafe _overrideLifetime(bytes.span, copying: self)
    }
  }

  /// A string; empty for another value.
  var text: String { String(copying: utf8) }

  // MARK: Arrays and objects

  /// How many elements an array, or members an object has; 0 for another value.
  var count: Int { isArray ? unsafe json_array_size(value) : unsafe json_object_size(value) }

  /// An element of an array.
  @_lifetime(copy self)
  func element(_ index: Int) -> Node? {
    guard let found = unsafe json_array_get(value, index) else { return nil }
    return unsafe Node(found, beside: self)
  }

  /// The value of a key of an object.
  @_lifetime(copy self)
  func member(_ key: String) -> Node? {
    guard let found = unsafe json_object_get(value, key) else { return nil }
    return unsafe Node(found, beside: self)
  }

  /// The members of an object, in their order.
  @inline(__always)
  func forEachMember<E>(_ body: (_ key: Span<UInt8>, _ value: Node) throws(E) -> Void) throws(E) {
    var iterator = unsafe json_object_iter(value)
    while let current = unsafe iterator {
      if let key = unsafe json_object_iter_key(current), let member = unsafe json_object_iter_value(current) {
        let start = unsafe UnsafeRawPointer(key).assumingMemoryBound(to: UInt8.self)
        let bytes = unsafe UnsafeBufferPointer(start: start, count: strlen(key))
        unsafe try body(bytes.span, Node(member, beside: self))
      }
      unsafe iterator = json_object_iter_next(value, current)
    }
  }
}

extension String {
  /// A text of UTF-8 bytes. Short ones are not looked through twice.
  init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { bytes in
      guard bytes.count < 16 else { return unsafe String(decoding: bytes, as: UTF8.self) }
      return unsafe String(unsafeUninitializedCapacity: bytes.count) { text in
        unsafe text.initialize(fromContentsOf: bytes)
      }
    }
  }
}

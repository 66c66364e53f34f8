internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Runs a call: status and error out.
func attempt(_ error: ErrorOut, _ body: () throws -> Void) -> Int32 {
  if let error = unsafe error { unsafe error.pointee = nil }
  do {
    try body()
    return Status.ok.rawValue
  } catch let caught {
    let failure = EngineError(caught)
    if let error = unsafe error { unsafe error.pointee = ErrorHandle(failure).retained() }
    return failure.status.rawValue
  }
}

/// Runs a call that gives an object to the caller; NULL when it fails.
func give(_ out: Out, _ error: ErrorOut, _ body: () throws -> Handle) -> Int32 {
  if let out = unsafe out { unsafe out.pointee = nil }
  return unsafe attempt(error) {
    guard let out = unsafe out else { throw EngineError(argument: "out", expected: "a pointer", found: "NULL") }
    unsafe out.pointee = try body().retained()
  }
}

/// Runs a call that gives a value to the caller, in the parameter of this name; `fallback` when it fails.
func give<T>(
  _ out: UnsafeMutablePointer<T>?, _ name: String = "out", or fallback: T, _ error: ErrorOut, _ body: () throws -> T
) -> Int32 {
  if let out = unsafe out { unsafe out.pointee = fallback }
  return unsafe attempt(error) {
    guard let out = unsafe out else { throw EngineError(argument: name, expected: "a pointer", found: "NULL") }
    unsafe out.pointee = try body()
  }
}

/// Runs a call on an engine.
func call(_ engine: OpaquePointer?, _ error: ErrorOut, _ body: (Engine) throws -> Void) -> Int32 {
  unsafe attempt(error) {
    let handle: EngineHandle = unsafe try needed(engine, "engine")
    try body(handle.engine)
  }
}

/// A text argument: neither NULL nor bad UTF-8, and not too long.
func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(EngineError) -> String {
  guard let pointer = unsafe pointer else { throw EngineError(argument: name, expected: "a text", found: "NULL") }
  // The end is looked for no further than a text may be long.
  let count = unsafe strnlen(pointer, TextLimit.bytes + 1)
  guard count <= TextLimit.bytes else {
    throw EngineError(argument: name, expected: "a text of at most \(TextLimit.bytes) bytes", found: "a longer one")
  }
  guard let text = unsafe String(validatingCString: pointer) else {
    throw EngineError(argument: name, expected: "UTF-8 text", found: "bytes that are not UTF-8")
  }
  return text
}

/// `length` bytes of a document, which may have no more than `limit`. The length is checked before anything is copied.
func bytes(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: String, most limit: Int, lengthName: String = "length"
) throws -> [UInt8] {
  guard let pointer = unsafe pointer else { throw EngineError(argument: name, expected: "a text", found: "NULL") }
  let count = try Size(length).length(lengthName, most: limit)
  return unsafe Array(UnsafeRawBufferPointer(start: pointer, count: count))
}

/// Reads the document of a file; its faults begin with the path.
func read<T>(_ path: String, _ body: (String) throws -> T) throws -> T {
  try DocumentError.naming(path) { try body(path) }
}

/// Converts a value of a fix: NaN stands for an unknown value.
@inline(__always)
func known(_ value: Double, or unknown: Double) -> Double { value.isNaN ? unknown : value }

/// A callback's `user_data`, with the engine it is for. Its end is the one call of `destroy`.
@safe final class Registration: @unchecked Sendable {
  let engine: OpaquePointer?
  let userData: UnsafeMutableRawPointer?
  private let destroy: plot_destroy_fn?

  init(_ engine: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ destroy: plot_destroy_fn?) {
    unsafe self.engine = engine
    unsafe self.userData = userData
    unsafe self.destroy = destroy
  }

  deinit { unsafe destroy?(userData) }
}

/// Registers a callback; `make` is nil to remove one.
func setCallback<T: Sendable>(
  _ path: any (WritableKeyPath<Callbacks, T?> & Sendable), _ registration: Registration, _ error: ErrorOut,
  _ make: ((Registration) -> T)?
) -> Int32 {
  unsafe call(registration.engine, error) { engine in try engine.setCallback(path, make?(registration)) }
}

/// The items of an answer; none for NULL.
func kept(_ list: OpaquePointer?) -> [Kept] {
  (unsafe object(list) as ListHandle?)?.items.map(\.kept) ?? []
}

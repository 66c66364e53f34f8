internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

public typealias ErrorOut = UnsafeMutablePointer<OpaquePointer?>?
public typealias Out = UnsafeMutablePointer<OpaquePointer?>?

/// The object behind a C pointer. Objects are counted, so that a test can see that all were freed.
class Handle {
  static let live = Atomic<Int64>(0)

  init() { Self.live.add(1, ordering: .relaxed) }

  deinit { Self.live.subtract(1, ordering: .relaxed) }

  /// A pointer that owns this object.
  final func retained() -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque())
  }

  /// A pointer that is good as long as the object lives.
  final var borrowed: OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
  }

  static func free(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return }
    unsafe Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(pointer)).release()
  }
}

/// The object behind a pointer; nil for NULL.
func object<T: Handle>(_ pointer: OpaquePointer?, _ type: T.Type = T.self) -> T? {
  guard let pointer = unsafe pointer else { return nil }
  return unsafe Unmanaged<T>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// The object behind a pointer that must not be NULL.
func needed<T: Handle>(_ pointer: OpaquePointer?, _ name: String) throws(EngineError) -> T {
  guard let object: T = unsafe object(pointer) else {
    throw EngineError(argument: name, expected: "a pointer", found: "NULL")
  }
  return object
}

final class EngineHandle: Handle {
  let engine = Engine()

  /// `Engine.takeFast` without counting a reference.
  static func takeFast(_ pointer: OpaquePointer?, _ fix: Fix) -> FastAnswer {
    guard let pointer = unsafe pointer else { return .notAsked }
    return unsafe Unmanaged<EngineHandle>.fromOpaque(UnsafeRawPointer(pointer))
      ._withUnsafeGuaranteedRef { $0.engine.takeFast(fix) }
  }

  /// The same, with what an index has said of the fix.
  static func takeFast(_ pointer: OpaquePointer?, _ fix: Fix, known: KnownPlaces) -> FastAnswer {
    guard let pointer = unsafe pointer else { return .notAsked }
    return unsafe Unmanaged<EngineHandle>.fromOpaque(UnsafeRawPointer(pointer))
      ._withUnsafeGuaranteedRef { $0.engine.takeFast(fix, known: known) }
  }

  /// Asks for what a fix looks at that changes nothing.
  static func prefetch(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return }
    unsafe Unmanaged<EngineHandle>.fromOpaque(UnsafeRawPointer(pointer))
      ._withUnsafeGuaranteedRef { $0.engine.prefetch(448) }
  }

  /// Counts a reference to an engine that runs, until `Handle.free`. Returns why there is none.
  static func hold(_ pointer: OpaquePointer) -> EngineError? {
    let handle = unsafe Unmanaged<EngineHandle>.fromOpaque(UnsafeRawPointer(pointer))
    let refusal = unsafe handle._withUnsafeGuaranteedRef { handle -> EngineError? in
      do throws(EngineError) {
        try handle.engine.checkRunning()
        return nil
      } catch {
        return error
      }
    }
    if refusal == nil { _ = unsafe handle.retain() }
    return refusal
  }
}

final class ReplayHandle: Handle {
  let replay = Replay()
}

final class ConfigHandle: Handle {
  let configuration: Configuration
  let warnings: [CText]

  init(_ configuration: Configuration) {
    self.configuration = configuration
    warnings = configuration.warnings.map(CText.init)
  }
}

final class FeedHandle: Handle {
  let feed: Feed
  private let regionTexts = AtomicLazyReference<IdentifierTexts>()
  private let campaignTexts = AtomicLazyReference<IdentifierTexts>()

  init(_ feed: Feed) { self.feed = feed }

  /// The ids, as C texts; made when they are first asked for.
  var regionIds: IdentifierTexts {
    regionTexts.load() ?? regionTexts.storeIfNil(IdentifierTexts(feed.regions.ids))
  }
  var campaignIds: IdentifierTexts {
    campaignTexts.load() ?? campaignTexts.storeIfNil(IdentifierTexts(feed.campaigns.ids))
  }
}

final class StringHandle: Handle {
  let text: CText

  init(_ text: String) { self.text = CText(text) }
  init(bytes: [UInt8]) { self.text = CText(bytes: bytes) }
}

final class ErrorHandle: Handle {
  let error: EngineError
  let message: CText
  let pointer: CText
  let expected: CText
  let found: CText
  /// Where it is another one than that of the kind.
  private let ownCure: CText?

  private var texts: StaticText.OfKind { StaticText.kinds[error.kind]! }
  var kind: StaticText { texts.name }
  var page: StaticText { texts.page }
  var cure: UnsafePointer<CChar> { unsafe ownCure?.pointer ?? texts.cure.pointer }

  init(_ error: EngineError) {
    self.error = error
    message = CText(error.message)
    pointer = CText(error.pointer)
    expected = CText(error.expected)
    found = CText(error.found)
    ownCure = error.cure == error.kind.cure ? nil : CText(error.cure)
  }
}

final class ItemHandle: Handle {
  private(set) var item: HostItem
  /// Items of a filter's batch, and copies, may be edited.
  let isEditable: Bool
  /// The content as the engine gave it: its user info outlives all edits.
  private let original: Content
  /// Behind a lock, for reading an item is no change to whoever reads it, on whatever threads.
  private let texts = Lock<[String: CText]>([:])

  init(_ item: HostItem, isEditable: Bool) {
    self.item = item
    self.isEditable = isEditable
    original = item.content
  }

  convenience init(_ item: Item, isEditable: Bool) { self.init(.occurrence(item), isEditable: isEditable) }

  /// A copy, which may be edited.
  init(copying handle: ItemHandle) {
    item = handle.item
    isEditable = true
    original = handle.original
  }

  func value(_ key: String) -> Item.Value? {
    item.members.first { $0.key == key }?.value
  }

  /// The text of a key, at an address that is good until the key is set or the item freed.
  func text(_ key: String, _ value: String) -> CText {
    texts.withLock { texts in
      if let text = texts[key] { return text }
      let text = CText(value)
      texts[key] = text
      return text
    }
  }

  /// Runs an edit of `key`.
  func edit(_ key: String, _ body: (inout HostItem) throws(HostItem.SetError) -> Void) throws(EngineError) {
    guard isEditable else {
      throw EngineError(
        .readOnlyKey, "\(key): this item cannot be changed; only items of a filter's batch, and copies, can")
    }
    do throws(HostItem.SetError) {
      try body(&item)
    } catch {
      throw EngineError(error, key)
    }
    item.content = item.content.keepingUserInfo(of: original)
    texts.withLock { $0 = [:] }
  }

  var kept: Kept { item.kept }
}

extension EngineError {
  init(_ error: HostItem.SetError, _ key: String) {
    switch error {
    case .readOnly: self.init(.readOnlyKey, "\(key): this key cannot be set; the content of a notification can")
    case .unknown: self.init(.notFound, "\(key): an item has no such key")
    case .empty: self.init(argument: key, expected: "a text that is not empty", found: "an empty one")
    case .wrongType(let held): self = .wrongType(key, held, isSet: true)
    case .outOfRange(let expected, let found): self.init(argument: key, expected: expected, found: found)
    case .always: self.init(argument: "key", expected: "a key that may be absent", found: key)
    case .document(let fault): self.init(fault)
    }
  }
}

final class ListHandle: Handle {
  var items: [ItemHandle]

  init(_ items: [HostItem], isEditable: Bool) {
    self.items = items.map { ItemHandle($0, isEditable: isEditable) }
  }

  init(_ items: [Item], isEditable: Bool) {
    self.items = items.map { ItemHandle($0, isEditable: isEditable) }
  }
}

/// A text with a NUL at its end, at an address of its own.
@safe final class CText: @unchecked Sendable {
  let address: UnsafeMutablePointer<CChar>
  let length: Int

  convenience init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  init(bytes: [UInt8]) {
    length = bytes.count
    unsafe address = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe address[index] = CChar(bitPattern: byte) }
    unsafe address[bytes.count] = 0
  }

  deinit { unsafe address.deallocate() }

  var pointer: UnsafePointer<CChar> { unsafe UnsafePointer(address) }
}

/// Texts that live as long as the process.
@safe struct StaticText: @unchecked Sendable {
  let text: CText

  init(_ text: String) { self.text = CText(text) }

  static let empty = StaticText("")
  static let version = StaticText(Version.text)
  static let unknownStatus = StaticText("PLOT_UNKNOWN_STATUS")
  static let statuses: [Int32: StaticText] = Dictionary(
    uniqueKeysWithValues: Status.allCases.map { ($0.rawValue, StaticText($0.name)) })

  /// The texts of a kind of errors: an error makes none of its own for them.
  struct OfKind {
    let name: StaticText
    let page: StaticText
    let cure: StaticText
  }
  static let kinds: [ErrorKind: OfKind] = Dictionary(
    uniqueKeysWithValues: ErrorKind.allCases.map {
      ($0, OfKind(name: StaticText($0.rawValue), page: StaticText($0.page), cure: StaticText($0.cure)))
    })

  var pointer: UnsafePointer<CChar> { unsafe text.pointer }
}

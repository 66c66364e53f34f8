internal import PlotDocuments
internal import PlotEngine

/// Why a call has failed. Nothing has changed, except where ``Code-swift.struct/storeInDoubt`` says otherwise.
public struct PlotError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure. New codes may appear.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number in `plotengine.h`; it never changes.
    public let rawValue: Int32

    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// An argument is out of its range, or has the wrong form; ``PlotError/argument`` names it.
    public static let invalidArgument = Code(.invalidArgument)
    /// The engine has not been started.
    public static let notInitialized = Code(.notInitialized)
    /// The engine has been started before.
    public static let alreadyInitialized = Code(.alreadyInitialized)
    /// The engine is closed.
    public static let closed = Code(.closed)
    /// The time of a fix or a sighting is before that of an earlier one.
    public static let outOfOrder = Code(.outOfOrder)
    /// A document does not have the form that it should have; ``PlotError/line`` says where.
    public static let invalidDocument = Code(.invalidDocument)
    /// A file cannot be read or written.
    public static let ioError = Code(.ioError)
    /// The store cannot be written.
    public static let storeFailed = Code(.storeFailed)
    /// The store is damaged.
    public static let storeDamaged = Code(.storeDamaged)
    /// Another engine has the store open.
    public static let storeBusy = Code(.storeBusy)
    /// The store may only be read.
    public static let storeReadOnly = Code(.storeReadOnly)
    /// A newer version of this package has written the store.
    public static let storeNewer = Code(.storeNewer)
    /// There is no such thing.
    public static let notFound = Code(.notFound)
    /// A value of an item may not be changed.
    public static let readOnlyKey = Code(.readOnlyKey)
    /// A value has another type.
    public static let wrongType = Code(.wrongType)
    /// No batch has this token.
    public static let unknownToken = Code(.unknownToken)
    /// The batch has been answered, or its deadline has passed.
    public static let alreadyAnswered = Code(.alreadyAnswered)
    /// An item is not in the batch, or is there twice.
    public static let unknownItem = Code(.unknownItem)
    /// The store may or may not have what was written: the next start will show.
    public static let storeInDoubt = Code(.storeInDoubt)

    init(_ status: Status) { self.init(rawValue: status.rawValue) }

    /// The name of the number in `plotengine.h`, such as `PLOT_NOT_FOUND`.
    public var description: String { Status(rawValue: rawValue)?.name ?? "\(rawValue)" }
  }

  /// Which error it is.
  public var code: Code
  /// One sentence for people.
  public var message: String
  /// The place in a text, from 1; 0 where there is none.
  public var line = 0
  /// In bytes, from 1; 0 where there is none.
  public var column = 0
  /// A JSON pointer to the value in a document.
  public var pointer = ""
  /// The expected value; empty where the message says all.
  public var expected = ""
  /// The value that was found instead.
  public var found = ""
  /// More than the code, where a document is at fault: `unknown-key`, for example (docs/errors.md).
  public private(set) var kind: String
  /// The page of this kind, such as `docs/errors.md#unknown-key`.
  public var page: String { "docs/errors.md#\(kind)" }
  /// One sentence: what to do about it.
  public private(set) var cure: String
  /// The name of the argument that is wrong; empty where none is.
  public var argument = ""
  /// The message in the words of `plotengine.h`, as test vectors have it.
  package private(set) var original: String

  /// An error of the app's own, such as a handler throws.
  public init(_ code: Code, _ message: String, argument: String = "", expected: String = "", found: String = "") {
    self.code = code
    self.argument = argument
    self.message = message
    original = message
    self.expected = expected
    self.found = found
    let kind = ErrorKind(Status(rawValue: code.rawValue) ?? .invalidArgument)
    self.kind = kind.rawValue
    cure = kind.cure
  }

  public var description: String { "\(code): \(message)" }

  init(_ error: EngineError) {
    self.init(Code(error.status), Self.translated(error.message), expected: error.expected, found: error.found)
    original = error.message
    kind = error.kind.rawValue
    cure = error.cure
    line = error.line
    column = error.column
    pointer = error.pointer
    argument = Self.arguments[error.argument] ?? error.argument
    if argument != error.argument, message.hasPrefix(error.argument) {
      message = argument + message.dropFirst(error.argument.count)
    }
  }

  init(_ error: DocumentError) { self.init(EngineError(error)) }

  /// From whatever the modules below throw.
  init(_ error: any Error) {
    self = error as? PlotError ?? PlotError(EngineError(error))
  }

  /// The arguments that have another name here than in `plotengine.h`.
  private static let arguments = [
    "time_ms": "date", "monotonic_ms": "uptime", "boot_id": "boot", "time_zone": "timeZone", "action_id": "action",
    "major_id": "majorId", "minor_id": "minorId", "limit_tracking": "limitsTracking", "seconds": "period",
  ]

  private static let names = CallName.inSwift + [(name: "NULL", swift: "nil")]

  /// A message with the names of this module for the functions that it names, but for what it quotes.
  private static func translated(_ message: String) -> String {
    var result = ""
    var isQuoted = false
    for part in message.split(separator: "\"", omittingEmptySubsequences: false) {
      if isQuoted {
        result += "\"\(part)\""
      } else {
        result += names.reduce(String(part)) { Self.replacing($0, $1.name, $1.swift) }
      }
      isQuoted.toggle()
    }
    return result
  }

  private static func replacing(_ text: String, _ name: String, _ other: String) -> String {
    var result = ""
    var rest = Substring(text)
    while let range = rest.firstRange(of: name) {
      result += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

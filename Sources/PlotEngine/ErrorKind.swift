// Made from docs/errors.json by scripts/error_tables.py: do not edit.
// swift-format-ignore-file

/// The kind of an error (docs/errors.md). Kinds are only added.
public enum ErrorKind: String, CaseIterable, Sendable {
  /// A value of the call is missing, out of its range, or not of the form that it should have.
  case invalidArgument = "invalid-argument"
  /// The engine has not been started, or its start has failed.
  case notInitialized = "not-initialized"
  /// The engine has been started before.
  case alreadyInitialized = "already-initialized"
  /// The engine is closed.
  case closed = "closed"
  /// A fix, or a sighting of a beacon, is older than one that the engine has taken already.
  case outOfOrder = "out-of-order"
  /// A value in a document cannot be used: it has another type or form, or is out of its range. Or the text is no JSON.
  case invalidValue = "invalid-value"
  /// An object lacks a key that it must have.
  case missingKey = "missing-key"
  /// An object has a key that nothing reads, mostly a slip of the pen.
  case unknownKey = "unknown-key"
  /// A text is none of the words that may stand there.
  case unknownWord = "unknown-word"
  /// Something is there twice that may be there once: a key of an object, an id, a name.
  case duplicate = "duplicate"
  /// A region is named that the feed does not have.
  case unknownRegion = "unknown-region"
  /// A campaign or a group has no region, so it can never happen.
  case noRegions = "no-regions"
  /// An end does not come after its start.
  case endBeforeStart = "end-before-start"
  /// A file could not be read or written.
  case ioError = "io-error"
  /// The store could not be opened, read or written.
  case storeFailed = "store-failed"
  /// The file is no store, or it is damaged. It was left as it is.
  case storeDamaged = "store-damaged"
  /// Another engine has the store open, in this process or another one.
  case storeBusy = "store-busy"
  /// The file of the store cannot be written.
  case storeReadOnly = "store-read-only"
  /// A newer version of the library has written the store. It was left as it is.
  case storeNewer = "store-newer"
  /// There is no such key, notification, campaign, region, list or property.
  case notFound = "not-found"
  /// The key of an item says when and where it happens, and cannot be set.
  case readOnlyKey = "read-only-key"
  /// The key holds a value of another type.
  case wrongType = "wrong-type"
  /// No batch has this token.
  case unknownToken = "unknown-token"
  /// The batch has been answered, or its deadline has passed.
  case alreadyAnswered = "already-answered"
  /// An item of the answer is not in the batch, or is there twice.
  case unknownItem = "unknown-item"
  /// The call was refused, and the disk could neither keep the change nor drop it.
  case storeInDoubt = "store-in-doubt"

  /// The page of the kind.
  public var page: String { "docs/errors.md#\(rawValue)" }

  public var cure: String {
    switch self {
    case .invalidArgument: "Look at the argument that the message names, and give a value as it says."
    case .notInitialized: "Start the engine first, with its configuration."
    case .alreadyInitialized: "Make what comes before the start earlier, or use a new engine."
    case .closed: "Make a new engine; with the same store it goes on where this one ended."
    case .outOfOrder: "Give fixes in the order of their times. For fixes that come late, see maxLateness in docs/noise.md."
    case .invalidValue: "Look at the place that the message names, and write what it expects."
    case .missingKey: "Add the key; the page of the document has an example."
    case .unknownKey: "Correct the key, or begin it with x- if it is your own."
    case .unknownWord: "Use one of the words that the message lists."
    case .duplicate: "Remove one of the two, or give it an id of its own."
    case .unknownRegion: "Correct the id, or add the region."
    case .noRegions: "Name one region at least."
    case .endBeforeStart: "Exchange the two, or correct the year or the hour."
    case .ioError: "Look at the path, at the permissions and at the space on the disk."
    case .storeFailed: "Look at the space on the disk and at the permissions of the folder; then try again."
    case .storeDamaged: "Set engine.damagedStore to setAside, so that the engine starts with a new store and keeps what can still be read."
    case .storeBusy: "Close the other engine, or give this one a store of its own."
    case .storeReadOnly: "Give this user the right to write to the file and its folder."
    case .storeNewer: "Use that version, or a later one."
    case .notFound: "Look at the id; lists and feeds change, so it may have been there before."
    case .readOnlyKey: "Set content only: message, data, title and what docs/items.md marks so."
    case .wrongType: "Use the call for the type that the message names."
    case .unknownToken: "Use the token that the callback was given; one of a test is forgotten with the process."
    case .alreadyAnswered: "Answer each batch once and in time; engine.filterDeadline gives more of it."
    case .unknownItem: "Answer with items of this batch, each once."
    case .storeInDoubt: "Call again: the next call that is stored settles it."
    }
  }

  /// Of an error of which no more is known than its status.
  public init(_ status: Status) {
    self =
      switch status {
      case .ok: .invalidArgument
      case .invalidArgument: .invalidArgument
      case .notInitialized: .notInitialized
      case .alreadyInitialized: .alreadyInitialized
      case .closed: .closed
      case .outOfOrder: .outOfOrder
      case .invalidDocument: .invalidValue
      case .ioError: .ioError
      case .storeFailed: .storeFailed
      case .storeDamaged: .storeDamaged
      case .storeBusy: .storeBusy
      case .storeReadOnly: .storeReadOnly
      case .storeNewer: .storeNewer
      case .notFound: .notFound
      case .readOnlyKey: .readOnlyKey
      case .wrongType: .wrongType
      case .unknownToken: .unknownToken
      case .alreadyAnswered: .alreadyAnswered
      case .unknownItem: .unknownItem
      case .storeInDoubt: .storeInDoubt
      }
  }
}

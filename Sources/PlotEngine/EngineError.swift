public import PlotCore
public import PlotDocuments
internal import PlotFiles
internal import PlotStore

/// The statuses of include/plotengine.h; the numbers never change.
public enum Status: Int32, CaseIterable, Sendable {
  case ok = 0
  case invalidArgument = 1
  case notInitialized = 2
  case alreadyInitialized = 3
  case closed = 4
  case outOfOrder = 5
  case invalidDocument = 6
  case ioError = 7
  case storeFailed = 8
  case storeDamaged = 9
  case storeBusy = 10
  case storeReadOnly = 11
  case storeNewer = 12
  case notFound = 13
  case readOnlyKey = 14
  case wrongType = 15
  case unknownToken = 16
  case alreadyAnswered = 17
  case unknownItem = 18
  case storeInDoubt = 19
}

/// Why a call has failed; nothing has changed. With `storeInDoubt` a restart may find the change made all the same.
public struct EngineError: Error, Equatable, Sendable {
  public var status: Status
  /// One sentence for people.
  public var message: String
  /// The place in a text; 0 and empty where there is none.
  public var line = 0
  public var column = 0
  public var pointer = ""
  public var expected = ""
  public var found = ""
  /// The argument that is wrong, by its name; empty where none is.
  public private(set) var argument = ""
  /// More than the status, where a document is at fault (docs/errors.md).
  public private(set) var kind: ErrorKind
  /// One sentence: what to do about it.
  public private(set) var cure: String
  /// The page of the kind.
  public var page: String { kind.page }

  public init(_ status: Status, _ message: String) {
    self.status = status
    self.message = message
    kind = ErrorKind(status)
    cure = kind.cure
  }

  public init(argument name: String, expected: String, found: String) {
    self.init(.invalidArgument, "\(name): expected \(expected), found \(found)")
    argument = name
    self.expected = expected
    self.found = found
  }

  /// The same, with the call or the document that it is about before it.
  public func of(_ name: String) -> EngineError {
    var error = self
    error.message = "\(name): \(message)"
    return error
  }

  public init(_ error: DocumentError) {
    self.init(.invalidDocument, error.message)
    line = error.line
    column = error.column
    pointer = error.pointer
    expected = error.expected
    found = error.found
    kind =
      switch error.kind {
      case .value: .invalidValue
      case .missingKey: .missingKey
      case .unknownKey: .unknownKey
      case .unknownWord: .unknownWord
      case .duplicate: .duplicate
      case .unknownRegion: .unknownRegion
      case .noRegions: .noRegions
      case .endBeforeStart: .endBeforeStart
      }
    cure = error.nearest.map { "Write \"\($0)\"." } ?? kind.cure
  }

  init(_ error: StoreError) {
    let status: Status =
      switch error.kind {
      case .failed: .storeFailed
      case .damaged: .storeDamaged
      case .busy: .storeBusy
      case .readOnly: .storeReadOnly
      case .newer: .storeNewer
      case .inDoubt: .storeInDoubt
      }
    self.init(status, error.message)
  }

  init(_ error: InputError, at time: Milliseconds) {
    switch error {
    case .invalid(let name, let expected, let found): self.init(argument: name, expected: expected, found: found)
    case .overtaken(let newest, let isFix):
      let what = isFix ? "fix" : "sighting"
      self.init(
        .outOfOrder,
        "the \(what) of \(Timestamp.text(time)) is not newer than the newest \(what), \(Timestamp.text(newest))")
      expected = "a time after \(Timestamp.text(newest))"
      found = Timestamp.text(time)
    case .outOfOrder(let newest, let limit):
      self.init(
        .outOfOrder, "the fix of \(Timestamp.text(time)) is older than the newest input, \(Timestamp.text(newest))")
      if let limit, newest - time > limit {
        message +=
          "; if that time was wrong, give \(CallName.setClock) the true one: what lies beyond the clocks moves back to it"
      }
      expected = "a time of \(Timestamp.text(newest)) or later"
      found = Timestamp.text(time)
    case .ahead(let latest, let isByClock):
      self.init(
        argument: "time_ms",
        expected:
          "at most \(Timestamp.text(latest)), \(isByClock ? "engine.maxAhead after what the clock shows" : "31 days after the newest input")",
        found: Timestamp.text(time))
      message += "; if it is right, tell \(CallName.setClock) first"
    case .unknownToken: self.init(.unknownToken, "no batch has this token")
    case .alreadyAnswered: self.init(.alreadyAnswered, "the batch has been answered, or its deadline has passed")
    case .unknownItem(let match):
      self.init(.unknownItem, "the item \"\(match)\" is not in the batch, or is there twice")
    case .unknownAction(let action): self.init(.notFound, "the notification has no action \"\(action)\"")
    case .unknownRegion(let region): self.init(.notFound, "the feed has no region \"\(region)\"")
    case .unknownTrip(let trip): self.init(.notFound, "no trip \"\(trip)\" is on")
    case .unknownCampaign(let campaign): self.init(.notFound, "the feed has no campaign \"\(campaign)\"")
    case .noPosition:
      self.init(.notFound, "no position is given, and no fix is known; the plan depends on where the device is")
    case .unknownMatch(let match):
      self.init(.notFound, "no notification on the screen or in the sent list has the matchIdentifier \"\(match)\"")
    }
  }

  /// From whatever the rooms below throw.
  public init(_ error: any Error, at time: Milliseconds = 0) {
    switch error {
    case let error as EngineError: self = error
    case let error as DocumentError: self.init(error)
    case let error as FileError: self.init(.ioError, error.message)
    case let error as StoreError: self.init(error)
    case let error as InputError: self.init(error, at: time)
    default: self.init(.invalidArgument, "\(error)")
    }
  }
}

public import PlotCore

/// Finds in a configuration and a feed what is wrong, or most likely not what was meant (docs/lint.md). Each rule is
/// one function; the rules
/// read documents, and decide nothing.
public struct Lint {
  /// Nil when there is none, or it cannot be read.
  var configuration: Configuration?
  var configurationReader: JSONReader?
  var feed: FeedSurvey?
  var feedReader: JSONReader?
  /// Nil when nothing is to be said about what is over.
  let time: Milliseconds?

  private var drafts: [Draft] = []
  private var faults: [Finding] = []

  /// A finding without its place.
  private struct Draft {
    var code: LintCode
    var document: Finding.Document
    var path: [PathStep]
    var sentence: String
    var remedy: String?
  }

  /// A text to be checked.
  public enum Text: Sendable {
    case bytes([UInt8])
    /// A text that could not be taken, such as one that is too long.
    case refused(DocumentError)
  }

  /// Rules that compare places with each other are left out beyond so many.
  static let pairLimit = 20_000

  /// All findings, in the order of the texts, the configuration first. `time`: milliseconds since 1970 for what is
  /// over by then; nil to leave
  /// that out.
  public static func findings(
    configuration: [UInt8]?, feed: [UInt8]?, at time: Milliseconds? = nil
  ) -> [Finding] {
    findings(configuration: configuration.map { .bytes($0) }, feed: feed.map { .bytes($0) }, at: time)
  }

  /// `done` hears after each part of the work how many of `partCount` are done.
  public static func findings(
    configuration: Text?, feed: Text?, at time: Milliseconds? = nil, done: (Int) -> Void = { _ in }
  ) -> [Finding] {
    var lint = Lint(time: time)
    switch configuration {
    case .bytes(let text): lint.read(configuration: text)
    case .refused(let fault): lint.report(fault, in: .configuration, .syntax)
    case nil: break
    }
    switch feed {
    case .bytes(let text): lint.read(feed: text)
    case .refused(let fault): lint.report(fault, in: .feed, .syntax)
    case nil: break
    }
    done(1)
    lint.checkConfiguration()
    if lint.feed != nil {
      for (index, check) in checks.enumerated() {
        check(&lint)
        done(index + 2)
      }
    }
    return lint.inOrder()
  }

  /// The checks of a feed that could be read.
  private static let checks: [@Sendable (inout Lint) -> Void] = [
    { $0.checkTimes() }, { $0.checkLimits() }, { $0.checkScreen() }, { $0.checkRegions() }, { $0.checkPlan() },
    { $0.checkSteps() }, { $0.checkSegments() }, { $0.checkTexts() }, { $0.checkMessages() },
  ]

  /// Reading, each check, and putting in order.
  public static var partCount: Int { checks.count + 2 }

  /// Which of the two a text is, by its keys; also when it has a fault. Nil when that does not show.
  public static func document(of text: [UInt8]) -> Finding.Document? {
    let text = text.withoutByteOrderMark
    let ofFeed = ["regions", "campaigns"]
    let ofConfiguration = Property.all.map(\.name) + ["engine"]
    guard let reader = try? JSONReader(text) else {
      func has(_ key: String) -> Bool {
        let key = Array("\"\(key)\"".utf8)
        return text.indices.contains { text[$0] == key[0] && text[$0...].starts(with: key) }
      }
      return ofFeed.contains(where: has) ? .feed : ofConfiguration.contains(where: has) ? .configuration : nil
    }
    guard reader.root.isObject else { return nil }
    let keys = reader.keys(reader.root)
    return ofFeed.contains(where: keys.contains)
      ? .feed : ofConfiguration.contains(where: keys.contains) ? .configuration : nil
  }

  private init(time: Milliseconds?) { self.time = time }

  // MARK: Reporting

  mutating func report(
    _ code: LintCode, _ document: Finding.Document, _ path: [PathStep], _ sentence: String,
    remedy: String? = nil
  ) {
    drafts.append(Draft(code: code, document: document, path: path, sentence: sentence, remedy: remedy))
  }

  /// Of the feed.
  mutating func report(_ code: LintCode, _ path: [PathStep], _ sentence: String, remedy: String? = nil) {
    report(code, .feed, path, sentence, remedy: remedy)
  }

  mutating func report(_ code: LintCode, campaign: Int, _ keys: String..., sentence: String, remedy: String? = nil) {
    report(code, [.key("campaigns"), .index(campaign)] + keys.map { .key($0) }, sentence, remedy: remedy)
  }

  mutating func report(_ code: LintCode, region: Int, _ keys: String..., sentence: String, remedy: String? = nil) {
    report(code, [.key("regions"), .index(region)] + keys.map { .key($0) }, sentence, remedy: remedy)
  }

  private func inOrder() -> [Finding] {
    var findings = faults
    for (document, reader) in [(Finding.Document.configuration, configurationReader), (.feed, feedReader)] {
      guard let reader else { continue }
      let own = drafts.filter { $0.document == document }
      let places = Places(own.map(\.path), in: reader.text)
      for draft in own {
        let place = places.place(draft.path)
        findings.append(
          Finding(
            code: draft.code, document: document, pointer: place.pointer, line: place.line, column: place.column,
            sentence: draft.sentence, remedy: draft.remedy ?? draft.code.remedy))
      }
    }
    let codes = Dictionary(uniqueKeysWithValues: LintCode.allCases.enumerated().map { ($1, $0) })
    return findings.enumerated().sorted { a, b in
      if a.element.document != b.element.document { return a.element.document < b.element.document }
      let (mine, others) = ((a.element.line, a.element.column), (b.element.line, b.element.column))
      if mine != others { return mine < others }
      let (code, other) = (codes[a.element.code] ?? 0, codes[b.element.code] ?? 0)
      return code == other ? a.offset < b.offset : code < other
    }.map(\.element)
  }

  // MARK: Reading

  private mutating func report(_ fault: DocumentError, in document: Finding.Document, _ code: LintCode) {
    let place = fault.pointer.isEmpty ? "The document" : fault.pointer
    let sentence =
      switch code {
      case .unknownKey: "\(place): there is \(fault.found)."
      default: "\(place): expected \(fault.expected), found \(fault.found)."
      }
    var remedy = code.remedy
    if code == .unknownKey, let nearest = fault.nearest { remedy = "Write \"\(nearest)\", or leave it out." }
    faults.append(
      Finding(
        code: code, document: document, pointer: fault.pointer, line: fault.line, column: fault.column,
        sentence: sentence, remedy: remedy))
  }

  /// Without a byte-order mark.
  private mutating func stripped(_ text: [UInt8], _ document: Finding.Document) -> [UInt8] {
    guard text.hasByteOrderMark else { return text }
    faults.append(
      Finding(
        code: .byteOrderMark, document: document, pointer: "", line: 1, column: 1,
        sentence: "The text of the \(document.rawValue) begins with a byte-order mark.",
        remedy: LintCode.byteOrderMark.remedy))
    return text.withoutByteOrderMark
  }

  private mutating func reader(
    _ text: [UInt8], _ document: Finding.Document, limit: Int, _ make: ([UInt8]) throws(DocumentError) -> JSONReader
  ) -> JSONReader? {
    let text = stripped(text, document)
    do throws(DocumentError) {
      try DocumentError.checkSize(of: text, most: limit)
      return try make(text)
    } catch {
      report(error, in: document, .syntax)
      return nil
    }
  }

  /// How many faults of a feed are findings.
  private static let faultLimit = 1000

  private mutating func read(feed text: [UInt8]) {
    feedReader = reader(text, .feed, limit: Feed.sizeLimit) { (text) throws(DocumentError) in
      try JSONReader(text, nullIsAbsent: false)
    }
    guard let feedReader else { return }
    let survey = FeedReader(feedReader).survey(faultLimit: Self.faultLimit)
    for fault in survey.faults { report(fault, in: .feed, fault.code) }
    feed = survey
  }

  private mutating func read(configuration text: [UInt8]) {
    configurationReader = reader(text, .configuration, limit: Configuration.sizeLimit) { (text) throws(DocumentError) in
      try JSONReader(text, hidesStrings: true)
    }
    guard let reader = configurationReader else { return }
    while true {
      do throws(DocumentError) {
        configuration = try Configuration(reading: reader)
        return
      } catch {
        report(error, in: .configuration, error.code)
        let part = Self.part(of: error)
        guard let part, reader.skipped.insert(part).inserted else { return }
      }
    }
  }

  /// The property that has a fault.
  private static func part(of fault: DocumentError) -> String? {
    let steps = fault.pointer.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard steps.count > 1 else { return nil }
    var depth = steps[1] == "engine" && steps.count > 2 ? 3 : 2
    if depth == 3, ["capabilities", "beacons"].contains(steps[2]), steps.count > 3 { depth = 4 }
    return steps.prefix(depth).joined(separator: "/")
  }

  /// Whether a property of the configuration was read.
  func isRead(_ pointer: String) -> Bool {
    guard configuration != nil, let skipped = configurationReader?.skipped else { return false }
    return !skipped.contains { pointer.hasPrefix($0) }
  }
}

extension FeedSurvey {
  /// The campaigns that were read, with their numbers in the document.
  var known: [(index: Int, campaign: Campaign)] {
    campaigns.enumerated().compactMap { index, campaign in campaign.map { (index, $0) } }
  }

  /// The regions of a campaign that were read; nil when one was left out.
  func allRegions(of campaign: Campaign) -> [Region]? {
    let found = regions(of: campaign)
    return found.count == campaign.regions.count ? found : nil
  }

  func regions(of campaign: Campaign) -> [Region] { campaign.regions.compactMap { regions[$0] } }
}

extension Campaign {
  var isNotification: Bool { self.kind != .geotrigger }

  /// Between its start and its end, where it has both.
  var span: Milliseconds? {
    if let start = self.start, let end = self.end { end - start } else { nil }
  }

  /// For sentences.
  var title: String { "campaign \"\(id.text)\"" }
}

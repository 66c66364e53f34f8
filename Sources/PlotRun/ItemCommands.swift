internal import PlotEngineKit

/// Runs the user's commands for items: a process for each item, which gets it as JSON on its standard input.
///
/// - A filter writes the notification to show, changed or not; `true` shows it as it is, and nothing or `false` leaves it out.
/// - A geotrigger handler has handled the geotrigger when it ends with status 0, whatever it writes but `false`.
final class ItemCommands {
  enum Kind: String {
    case filter, geotrigger
  }

  /// The configuration's rules for answers.
  struct Terms {
    /// Milliseconds until an answer is too late.
    var deadline: Int64
    /// A notification without an answer is shown as it is, and not left out.
    var showsOriginal: Bool
  }

  /// The answer of a command about an item.
  enum Answer: Equatable {
    case item(String)
    case leftOut
    /// It has failed, or has written something else; and why.
    case none(String)
  }

  private struct Batch {
    var kind: Kind
    var items: [String]
    let terms: Terms
    var answers: [Int: Answer] = [:]
    var completion: ([String]?) -> Void
  }

  private struct Place: Hashable {
    var token: UInt64
    var index: Int
  }

  private static let limit = 8

  private let commands: [Kind: String]
  private let loop: EventLoop
  private let journal: Journal
  private var batches: [UInt64: Batch] = [:]
  private var running: [Place: ChildCommand] = [:]
  private var waiting: [Place] = []

  init(_ commands: [Kind: String], _ loop: EventLoop, _ journal: Journal) {
    self.commands = commands
    self.loop = loop
    self.journal = journal
  }

  /// Batches that wait.
  var count: Int { batches.count }

  /// Calls `completion` with the items that are shown or were handled; with nil when no command of the batch has answered. A batch that is asked
  /// about already, as one that is offered again after a restart of the engine, is asked about once.
  func ask(
    _ kind: Kind, _ token: UInt64, _ items: [String], _ terms: Terms, completion: @escaping ([String]?) -> Void
  ) {
    guard batches[token] == nil else { return }
    batches[token] = Batch(kind: kind, items: items, terms: terms, completion: completion)
    waiting += items.indices.map { Place(token: token, index: $0) }
    proceed()
  }

  private func proceed() {
    while running.count < Self.limit, !waiting.isEmpty {
      let place = waiting.removeFirst()
      guard let batch = batches[place.token], let command = commands[batch.kind] else { continue }
      do throws(SystemFault) {
        running[place] = try ChildCommand(
          command, input: Array((batch.items[place.index] + "\n").utf8), timeout: batch.terms.deadline, loop
        ) { [weak self] outcome in
          self?.running[place] = nil
          self?.took(Self.answer(batch.kind, batch.items[place.index], outcome), place)
        }
      } catch {
        took(.none("\(error)"), place)
      }
    }
  }

  /// Interprets an outcome as an answer about an item.
  static func answer(_ kind: Kind, _ item: String, _ outcome: ChildCommand.Outcome) -> Answer {
    switch (kind, outcome) {
    case (_, .failed(let why)): return .none(why)
    case (.filter, .status(let status)): return .none("it ended with status \(status)")
    // It was tried, and may be tried again.
    case (.geotrigger, .status): return .leftOut
    case (.geotrigger, .lines(let lines)):
      return lines.count == 1 && String(decoding: lines[0], as: UTF8.self) == "false" ? .leftOut : .item(item)
    case (.filter, .lines(let lines)):
      guard lines.count < 2 else { return .none("expected one notification or nothing, found \(lines.count) lines") }
      let text = lines.first.map { String(decoding: $0, as: UTF8.self) } ?? "false"
      if text == "true" { return .item(item) }
      if text == "false" { return .leftOut }
      do throws(PlotError) {
        let answered = try PlotNotification(json: text)
        guard try answered.matchIdentifier == PlotNotification(json: item).matchIdentifier else {
          return .none(
            "expected the notification that it was given, found \(answered.matchIdentifier ?? "one without a matchIdentifier")"
          )
        }
        return .item(text)
      } catch {
        return .none(error.message)
      }
    }
  }

  private func took(_ answer: Answer, _ place: Place) {
    guard var batch = batches[place.token] else { return }
    batch.answers[place.index] = answer
    batches[place.token] = batch
    if case .none(let why) = answer { journal.warning("\(batch.kind.rawValue) command: \(why)") }
    if batch.answers.count == batch.items.count {
      batches[place.token] = nil
      batch.completion(result(of: batch))
    }
    proceed()
  }

  private func result(of batch: Batch) -> [String]? {
    var items: [String] = []
    var answered = 0
    for (index, original) in batch.items.enumerated() {
      switch batch.answers[index] {
      case .item(let item): items.append(item)
      case .leftOut: break
      default:
        if batch.kind == .filter, batch.terms.showsOriginal { items.append(original) }
        continue
      }
      answered += 1
    }
    return answered == 0 ? nil : items
  }
}

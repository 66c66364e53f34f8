internal import PlotEngineKit

/// Posts the events of the engine's outbox to a URL, one after another.
///
/// An event leaves the outbox when the server has answered that it has it (2xx), or that it will never take it (410, 422). Otherwise the event is
/// posted again, later and later, with the same id. The outbox is in the store, so that it survives the process.
final class Webhook {
  struct Options {
    var url: String
    /// A token for the header `Authorization`, as `Bearer`.
    var token: String?
    /// The name of the device in the ids of events.
    var device: String
  }

  private static let timeout = 30
  /// Milliseconds until the next try, at the least, also where the server asks for none.
  private static let soonest: Int64 = 200

  private let options: Options
  private let client: HTTPClient
  private let journal: Journal
  /// The engine of now; nil before its start.
  private let engine: () -> Engine?
  private var timer: LoopTimer?
  private var isPosting = false
  private var isWaiting = false
  private var backoff = Backoff(longest: 300_000)
  private var complaint = Complaint()
  private(set) var delivered = 0
  private(set) var refused = 0
  private var lost = 0

  init(
    _ options: Options, _ loop: EventLoop, _ journal: Journal, engine: @escaping () -> Engine?
  ) throws(SystemFault) {
    self.options = options
    self.journal = journal
    self.engine = engine
    client = try HTTPClient(loop)
    timer = try loop.timer { [weak self] in
      self?.isWaiting = false
      self?.proceed()
    }
  }

  /// The id of an event: the same each time it is posted. A store that was made anew counts its events from 1 again, hence the time.
  static func id(_ event: Event, device: String) -> String {
    "\(device)-\(event.time.milliseconds)-\(event.sequence)"
  }

  /// Posts the next event, when none is under way. Call it after everything that may lead to events.
  func proceed() {
    guard !isPosting, !isWaiting, let engine = engine() else { return }
    let pending: PendingEvents
    do throws(PlotError) {
      pending = try engine.pendingEvents(limit: 1)
    } catch {
      return journal.error("webhook: the events cannot be read: \(error.message)")
    }
    if pending.lost > lost {
      journal.warning("webhook: \(pending.lost) events were lost: engine.events.limit was reached")
    }
    lost = pending.lost
    guard let event = pending.events.first else { return }
    isPosting = true
    var headers = [
      "Content-Type: application/json", "Idempotency-Key: \(Self.id(event, device: options.device))", "Expect:",
    ]
    if let token = options.token { headers.append("Authorization: Bearer \(token)") }
    client.post(options.url, Array(event.json.utf8), headers: headers, timeout: Self.timeout) { [weak self] answer in
      self?.isPosting = false
      self?.took(answer, event)
    }
  }

  private func took(_ answer: HTTPClient.Answer, _ event: Event) {
    switch answer.status {
    case 200..<300: delivered += 1
    case 410, 422:
      refused += 1
      journal.warning("webhook: the server refuses event \(event.sequence) for good (\(answer.status)): \(event.name)")
    default:
      let why = answer.status == 0 ? answer.fault : "it answers \(answer.status)"
      if complaint.isNew(why) { journal.warning("webhook: \(options.url): \(why); trying again") }
      isWaiting = true
      let own = backoff.delay()
      timer?.set(after: answer.retryAfter.map { max(Self.soonest, min($0, 86_400) * 1000) } ?? own)
      return
    }
    complaint.end()
    backoff.reset()
    do throws(PlotError) {
      try engine()?.acknowledgeEvents(through: event.sequence)
    } catch {
      return journal.error("webhook: event \(event.sequence) cannot be acknowledged: \(error.message)")
    }
    proceed()
  }
}

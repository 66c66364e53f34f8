/// Fixes that the system hands over together, minutes after they were made (docs/batch.md, One moment): all are weighed before anyone is told.
extension Machine {
  /// The work that is put off until the last of the fixes has been weighed.
  struct Handover: Sendable {
    /// When they are handed over: what the host is asked to do counts from here.
    var time: Milliseconds
    /// The last fix is being weighed, or what has become due since.
    var isAtEnd = false
    /// Notifications whose trigger has come, moment by moment.
    var moments: [(candidates: [Candidate], isAtEnd: Bool)] = []
    /// Dwellings about which the app is asked at the enter.
    var askedAtEnter: [Candidate] = []
  }

  /// Takes fixes of one device in one moment, in any order and perhaps twice. A fix that is too old, or ahead of the clocks, is left out and listed in the
  /// output. Throws `ahead`, and then nothing has changed.
  public mutating func handOver(_ fixes: [Fix], at time: Milliseconds) throws(InputError) -> Output {
    try checkTime(time)
    output.restart()
    handover = Handover(time: time)
    let sorted = fixes.indices.sorted { (fixes[$0].time, $0) < (fixes[$1].time, $1) }
    let order = sorted.indices.filter { $0 == 0 || fixes[sorted[$0]] != fixes[sorted[$0 - 1]] }.map { sorted[$0] }
    for index in order {
      handover?.isAtEnd = index == order.last
      do throws(InputError) {
        try weigh(handedOver: fixes[index])
      } catch {
        if let decision = decision(about: error) { record(decision) }
        output.refused.append((index, error))
      }
      output.fixEnds.append((index, output.effects.count))
    }
    handover?.isAtEnd = true
    proceed(to: time)
    endHandover()
    return finish()
  }

  private mutating func weigh(handedOver fix: Fix) throws(InputError) {
    if takeFast(fix) { return }
    if let fault = fix.fault { throw fault }
    try checkTime(fix.time)
    try checkOrder(fix)
    weighInFull(fix)
    if output.hasChanged { schedule() }
    prepareFastPath()
  }

  /// Puts off the notifications among candidates, and gives what remains.
  mutating func putOff(_ candidates: [Candidate]) -> [Candidate] {
    guard let isAtEnd = handover?.isAtEnd else { return candidates }
    let later = candidates.filter { $0.campaign.kind != .geotrigger }
    if !later.isEmpty { handover?.moments.append((later, isAtEnd)) }
    return later.isEmpty ? candidates : candidates.filter { $0.campaign.kind == .geotrigger }
  }

  /// The same of dwellings about which the app is asked at the enter; false where none is put off.
  mutating func putOff(askedAtEnter candidates: [Candidate]) -> Bool {
    guard handover != nil else { return false }
    handover?.askedAtEnter += candidates
    return true
  }

  /// Takes on what was put off, but for what is over.
  private mutating func endHandover() {
    guard let ended = handover.take() else { return }
    pump(droppingOver: true)
    askAtEnter(ended.askedAtEnter.filter { isOn($0.visit, at: $0.region.id) })
    for moment in ended.moments {
      consider(
        moment.candidates.filter { candidate in
          guard isOver(candidate, isAtEnd: moment.isAtEnd) else { return true }
          record(candidate, .trigger, .drop, .over)
          return false
        })
    }
  }

  /// Whether a notification comes too late to be of use.
  private func isOver(_ candidate: Candidate, isAtEnd: Bool) -> Bool {
    isOver(candidate.campaign, candidate.visit, at: candidate.region.id, isAtEnd: isAtEnd)
  }

  /// The same of one that waits for its turn: it has come before, and is no news for having been passed or approached.
  func isOver(_ item: Item) -> Bool {
    guard !item.isMessage, item.visit != nil, let campaign = feed.campaign(item.campaign) else { return false }
    return isOver(campaign, item.visit, at: item.region, isAtEnd: true)
  }

  /// A passage or an approach is new only at the last fix.
  private func isOver(_ campaign: Campaign, _ visit: String?, at region: Identifier, isAtEnd: Bool) -> Bool {
    if campaign.showsLate { return false }
    switch campaign.trigger {
    case .exit, .absent, .trip: return false
    case .approaching: return !isAtEnd
    case .enter, .dwelling, .inside: return !(isAtEnd && campaign.countsPassages) && !isOn(visit, at: region)
    }
  }
}

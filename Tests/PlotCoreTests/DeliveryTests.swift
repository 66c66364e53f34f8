import PlotTesting
import Testing

@testable import PlotCore

/// Repeating, global cooldown, and the host's answer.
@Suite struct DeliveryTests {
  static let away = north(5000)
  static let minute: Milliseconds = 60_000

  /// Enters and leaves once a minute; the names of the events about notifications at each enter.
  static func visits(_ count: Int, _ machine: inout Machine) throws -> [[String]] {
    var all: [[String]] = []
    for number in 0..<Int64(count) {
      let time = number * minute
      all.append(try machine.fixShowing(time, origin).filter { $0.item != nil }.names)
      _ = try machine.fix(time + 1000, away)
    }
    return all
  }

  @Test func onceOnly() throws {
    var machine = machine([circle("a")], [notification("c")])
    #expect(try Self.visits(3, &machine) == [["notification-shown c"], [], []])
    let output = try machine.fix(500_000, origin)
    #expect(output.events.names == ["region-enter a"])
    #expect(output.reasons("c") == [.triggered, .valid, .anytime, .matched, .onceOnly])
    #expect(output.last("c")?.verdict == .drop && output.last("c")?.nextPossible == nil)
  }

  @Test func onceForEachRegion() throws {
    var machine = machine([circle("a"), circle("b")], [notification("c", at: [0, 1])])
    #expect(try Self.visits(2, &machine) == [["notification-shown c", "notification-shown c"], []])
    #expect(machine.state.history.sentNotifications.map(\.identifier) == ["c;a", "c;b"])
  }

  @Test func resend() throws {
    var machine = machine([circle("a")], [notification("c", repeatRule: .always)])
    #expect(
      try Self.visits(3, &machine) == [["notification-shown c"], ["notification-shown c"], ["notification-shown c"]])
    let matches = machine.state.history.sentNotifications.compactMap(\.matchIdentifier)
    #expect(Set(matches).count == 3)
  }

  @Test func ownCooldown() throws {
    var machine = machine([circle("a")], [notification("c", repeatRule: .after(2 * Self.minute))])
    let shown = ["notification-shown c"]
    #expect(try Self.visits(5, &machine) == [shown, [], shown, [], shown])
    let output = try machine.fix(5 * Self.minute, origin)
    #expect(output.last("c")?.reason == .campaignCooldown)
    #expect(output.last("c")?.nextPossible == 6 * Self.minute)
  }

  @Test func geotriggersRepeatAsNotificationsDo() throws {
    var machine = machine(
      [circle("a")],
      [geotrigger("once"), geotrigger("each", repeatRule: .always), geotrigger("hour", repeatRule: .after(3_600_000))])
    #expect(
      try Self.visits(2, &machine) == [
        ["geotrigger once", "geotrigger each", "geotrigger hour"], ["geotrigger each"],
      ])
    #expect(machine.state.history.sentGeotriggers.allSatisfy { $0.sent?.answered == $0.sent?.date })
    #expect(machine.state.history.sentGeotriggers.map(\.campaign.text) == ["once", "each", "hour", "each"])
  }

  @Test func globalCooldown() throws {
    var machine = machine(
      [circle("a")], [notification("c", repeatRule: .always), geotrigger("g", repeatRule: .always)])
    _ = machine.setCooldownPeriod(2 * Self.minute, at: 0)
    let both = ["geotrigger g", "notification-shown c"]
    #expect(try Self.visits(4, &machine) == [both, ["geotrigger g"], both, ["geotrigger g"]])
    let output = try machine.fix(4 * Self.minute - 1, origin)
    #expect(output.last("c")?.reason == .globalCooldown)
    #expect(output.last("c")?.step == .cooldown)
    #expect(output.last("c")?.nextPossible == 4 * Self.minute)
    #expect(output.shows.isEmpty)
  }

  @Test func globalCooldownWithinOneInstant() throws {
    var machine = machine([circle("a")], [notification("c"), notification("d")])
    _ = machine.setCooldownPeriod(1000, at: 0)
    let output = try machine.fix(0, origin)
    #expect(output.shows.map(\.campaign.text) == ["c"])
    #expect(output.last("d")?.reason == .noFilter, "it waits until it is known whether c was shown")
    let confirmed = try machine.confirm(output.shows[0].matchIdentifier ?? "", shown: true)
    #expect(confirmed.events.names == ["notification-shown c"])
    #expect(confirmed.last("d")?.reason == .globalCooldown)
    #expect(confirmed.shows.isEmpty)
    // An item that the cooldown dropped is not used up.
    _ = try machine.fix(1, Self.away)
    #expect(try machine.fix(1000, origin).shows.map(\.campaign.text) == ["d"])
  }

  @Test func whenTheFirstCannotBeShownTheNextIsTried() throws {
    var machine = machine([circle("a")], [notification("c"), notification("d"), notification("e")])
    _ = machine.setCooldownPeriod(Self.minute, at: 0)
    let output = try machine.fix(0, origin)
    let failed = try machine.confirm(output.shows[0].matchIdentifier ?? "", shown: false)
    #expect(failed.events.names == ["notification-failed c"])
    #expect(failed.shows.map(\.campaign.text) == ["d"])
    let shown = try machine.confirm(failed.shows[0].matchIdentifier ?? "", shown: true)
    #expect(shown.events.names == ["notification-shown d"])
    #expect(shown.shows.isEmpty && shown.last("e")?.reason == .globalCooldown)
    #expect(shown.last("e")?.nextPossible == Self.minute)
    #expect(machine.state.delivery.pending.isEmpty && machine.state.delivery.intents.isEmpty)
  }

  @Test func whatWaitsForTheOneBeforeItIsInFlight() throws {
    var machine = machine([circle("a")], [notification("c"), notification("d", repeatRule: .always)])
    _ = machine.setCooldownPeriod(Self.minute, at: 0)
    let output = try machine.fix(0, origin)
    _ = try machine.fix(1, Self.away)
    #expect(try machine.fix(2, origin).last("d")?.reason == .inFlight)
    let failed = try machine.confirm(output.shows[0].matchIdentifier ?? "", shown: false)
    #expect(failed.shows.map(\.campaign.text) == ["d"])
  }

  @Test func globalCooldownComesAfterTheFilter() throws {
    var machine = machine([circle("a")], [notification("c"), notification("d")]) { $0.hasFilter = true }
    _ = machine.setCooldownPeriod(Self.minute, at: 0)
    let batch = try #require(try machine.fix(0, origin).asks.first)
    #expect(batch.items.map(\.campaign.text) == ["c", "d"])
    let output = try machine.answerFilter(batch.token, [batch.items[1].kept, batch.items[0].kept], at: 10)
    #expect(output.shows.map(\.campaign.text) == ["d"])
    #expect(output.reasons("c") == [.kept])
    let confirmed = try machine.confirm(output.shows[0].matchIdentifier ?? "", shown: true)
    #expect(confirmed.reasons("c") == [.globalCooldown])
    #expect(output.reasons("d") == [.kept, .allowed])
  }

  @Test func notShownIsNotUsedUp() throws {
    var machine = machine([circle("a")], [notification("c")])
    _ = machine.setCooldownPeriod(60 * Self.minute, at: 0)
    let output = try machine.fix(0, origin)
    #expect(
      output.reasons("c") == [.triggered, .valid, .anytime, .matched, .allowed, .filled, .noFilter, .allowed])
    #expect(machine.state.delivery.intents.map(\.identifier) == ["c;a"])
    #expect(machine.state.history.sentNotifications.isEmpty && machine.state.history.lastShown.isEmpty)
    let failed = try machine.confirm(output.shows[0].matchIdentifier ?? "", shown: false)
    #expect(failed.events.names == ["notification-failed c"])
    #expect(failed.reasons("c") == [.showFailed])
    #expect(machine.state.delivery.intents.isEmpty && machine.state.history.sentNotifications.isEmpty)
    #expect(machine.state.history.lastShown.isEmpty && machine.state.history.lastNotification == nil)
    _ = try machine.fix(1000, Self.away)
    #expect(try machine.fixShowing(2000, origin).names == ["region-enter a", "notification-shown c"])
    #expect(machine.state.history.lastNotification == 2000)
    #expect(machine.state.history.sentNotifications.first?.sent == Item.Sent(date: 2000, answered: nil))
  }

  @Test func whatWaitsForTheHostIsInFlight() throws {
    var machine = machine([circle("a")], [notification("c", repeatRule: .always)])
    let first = try machine.fix(0, origin)
    _ = try machine.fix(1000, Self.away)
    let second = try machine.fix(2000, origin)
    #expect(second.last("c")?.reason == .inFlight)
    #expect(second.shows.isEmpty)
    #expect(try machine.confirmAll(first).map(\.time) == [2000])
    _ = try machine.fix(3000, Self.away)
    #expect(try machine.fix(4000, origin).shows.count == 1)
  }

  @Test func whatWaitsForTheFilterIsInFlight() throws {
    var machine = machine([circle("a")], [notification("c", repeatRule: .always)]) { $0.hasFilter = true }
    let first = try #require(try machine.fix(0, origin).asks.first)
    _ = try machine.fix(1000, Self.away)
    let second = try machine.fix(2000, origin)
    #expect(second.last("c")?.reason == .inFlight && second.asks.isEmpty)
    _ = try machine.answerFilter(first.token, [], at: 3000)
    _ = try machine.fix(4000, Self.away)
    #expect(try machine.fix(5000, origin).asks.map(\.token) == [2])
  }

  @Test func confirmingWhatIsNotThere() throws {
    var machine = machine([circle("a")], [notification("c")])
    let output = try machine.fix(0, origin)
    let match = output.shows[0].matchIdentifier ?? ""
    _ = try machine.confirm(match, shown: true)
    for unknown in [match, "", "c;a"] {
      #expect(throws: InputError.unknownMatch(unknown)) { try machine.confirm(unknown, shown: true) }
    }
  }

  @Test func contentIsFilledForEachRegion() throws {
    let fields = [CustomField(name: "offer", value: "tea")]
    var machine = machine(
      [circle("a", fields: fields), circle("b")],
      [notification("c", at: [0, 1], message: "{{name}}: {{Offer}}", data: "https://example.org/{{offer}}")])
    let output = try machine.fix(0, origin)
    #expect(output.shows.map(\.message) == ["Place a: tea"])
    #expect(output.shows.map(\.data) == ["https://example.org/tea"])
    let missing = output.decisions.first { $0.reason == .missingField }
    #expect(missing?.region == Identifier("b") && missing?.detail == "Offer" && missing?.verdict == .drop)
  }

  @Test func opening() throws {
    var machine = machine([circle("a")], [notification("c")])
    _ = try machine.fixShowing(0, origin)
    let match = machine.state.history.sentNotifications[0].matchIdentifier ?? ""
    let first = try machine.open(match, at: 5000)
    #expect(first.events.map(\.kind) == [.notificationOpened])
    #expect(first.opens.map(\.sent?.answered) == [5000])
    let second = try machine.open(match, at: 9000)
    #expect(second.events.map(\.time) == [9000])
    #expect(second.opens.map(\.sent?.answered) == [5000], "the first opening stays")
    #expect(second.changes.count == 1, "only the time of the last opening")
    #expect(machine.state.history.lastOpened == [Identifier("c"): 9000])
    #expect(machine.state.history.sentNotifications[0].sent == Item.Sent(date: 0, answered: 5000))
    #expect(throws: InputError.unknownMatch("nothing")) { try machine.open("nothing", at: 9000) }
  }

  @Test func segmentationFollowsTheDevice() throws {
    var machine = machine([circle("a")], [notification("c", segmentation: equals("premium", .boolean(true)))])
    let missing = try machine.fix(0, origin).last("c")
    #expect(missing?.reason == .propertyMissing && missing?.detail == "premium")
    _ = try machine.fix(1000, Self.away)
    _ = machine.setProperty(Identifier("premium"), .boolean(false), at: 1000)
    #expect(try machine.fix(2000, origin).last("c")?.reason == .propertyDiffers)
    _ = try machine.fix(3000, Self.away)
    _ = machine.setProperty(Identifier("premium"), .boolean(true), at: 3000)
    #expect(try machine.fix(4000, origin).shows.count == 1)
    _ = machine.setProperty(Identifier("premium"), nil, at: 5000)
    #expect(machine.state.host.properties.isEmpty)
  }

  @Test func recoveredNotificationsCountAsShown() throws {
    var machine = machine([circle("a")], [notification("c")])
    _ = try machine.fix(1000, origin)
    let output = machine.recover(at: 90_000)
    #expect(output.events.map(\.recovered) == [true])
    #expect(output.events.map(\.time) == [1000], "at the last time that the engine knew of")
    #expect(machine.state.delivery.intents.isEmpty)
    #expect(machine.state.history.lastShown.values.map { $0 } == [1000])
    #expect(machine.state.newest == 90_000)
  }
}

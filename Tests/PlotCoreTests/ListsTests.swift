import PlotTesting
import Testing

@testable import PlotCore

@Suite struct ListsTests {
  @Test func loadedItemsStandInTheOrderOfTheFeedThenOfTheirEdges() throws {
    let regions = [
      circle("far", north(5000), radius: 10), beacon("beacon"), circle("big", north(3000), radius: 2900),
      circle("near", north(500), radius: 100), circle("here", radius: 50),
    ]
    let campaigns = [
      notification("c", at: [0, 1, 2, 3, 4]), geotrigger("g", at: [3, 4]), notification("d", at: [3, 4]),
    ]
    var machine = machine(regions, campaigns)
    let unordered = ["c;far", "c;beacon", "c;big", "c;near", "c;here", "d;near", "d;here"]
    #expect(machine.loaded(geotriggers: false, limit: 0).map(\.identifier) == unordered)
    #expect(machine.loaded(geotriggers: false, limit: 2).map(\.identifier) == ["c;far", "c;beacon"])
    #expect(machine.loaded(geotriggers: true, limit: 0).map(\.identifier) == ["g;near", "g;here"])
    _ = try machine.fix(0, origin)
    let ordered = ["c;here", "d;here", "c;big", "c;near", "d;near", "c;far", "c;beacon"]
    #expect(machine.loaded(geotriggers: false, limit: 0).map(\.identifier) == ordered)
    #expect(machine.loaded(geotriggers: false, limit: 3).map(\.identifier) == Array(ordered.prefix(3)))
    #expect(machine.loaded(geotriggers: false, limit: 100).count == 7)
    #expect(machine.loaded(geotriggers: true, limit: 1).map(\.identifier) == ["g;here"])
  }

  @Test func aLoadedPlaceholderWithoutFieldStaysAsItIsWritten() {
    let fields = [CustomField(name: "offer", value: "tea")]
    let machine = machine(
      [circle("a", fields: fields), circle("b")],
      [notification("c", at: [0, 1], message: "{{offer}}!", data: "{{ nothing }}")])
    let items = machine.loaded(geotriggers: false, limit: 0)
    #expect(items.map(\.message) == ["tea!", "{{offer}}!"])
    #expect(items.map(\.data) == ["{{ nothing }}", "{{ nothing }}"])
  }

  @Test func theLastHundredSentAreKept() throws {
    var machine = machine(
      [circle("a")], [notification("c", repeatRule: .always), geotrigger("g", repeatRule: .always)])
    var matches: [String] = []
    for number in Int64(0)..<105 {
      let events = try machine.fixShowing(number * 10, origin)
      matches += events.filter { $0.kind == .notificationShown }.compactMap { $0.item?.matchIdentifier }
      _ = try machine.fix(number * 10 + 5, north(5000))
    }
    #expect(machine.state.history.sentNotifications.compactMap(\.matchIdentifier) == Array(matches.suffix(100)))
    #expect(machine.state.history.sentNotifications.map(\.sent?.date) == (5..<105).map { $0 * 10 })
    #expect(machine.state.history.sentGeotriggers.count == 100)
    #expect(machine.state.history.sentGeotriggers.first?.sent == Item.Sent(date: 50, answered: 50))
  }

  @Test func clearingForgetsNoRule() throws {
    var machine = machine([circle("a")], [notification("c"), geotrigger("g")])
    _ = try machine.fixShowing(0, origin)
    #expect(machine.clearSent(isGeotrigger: false, at: 1).changes.count == 1)
    #expect(machine.state.history.sentNotifications.isEmpty && machine.state.history.sentGeotriggers.count == 1)
    _ = machine.clearSent(isGeotrigger: true, at: 1)
    #expect(machine.state.history.sentGeotriggers.isEmpty)
    _ = try machine.fix(2, north(5000))
    let output = try machine.fix(3, origin)
    #expect(output.last("c")?.reason == .onceOnly && output.last("g")?.reason == .onceOnly)
  }

  @Test func matchRangeIsTheRadiusRounded() {
    let machine = machine(
      [circle("a", radius: 99.5), circle("b", radius: 0.4), beacon("c")], [notification("n", at: [0, 1, 2])])
    #expect(machine.loaded(geotriggers: false, limit: 0).map(\.matchRange) == [100, 0, 30])
    #expect(BeaconRange.allCases.map(\.meters) == [1, 2, 30])
  }
}

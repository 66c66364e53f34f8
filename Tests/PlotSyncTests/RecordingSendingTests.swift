import PlotCore
import PlotDocuments
import Testing

@testable import PlotSync

/// Recordings to which a person has agreed (docs/sync.md, Recordings).
@Suite struct RecordingSendingTests {
  private static let lines = #"{"recording":2}"#

  /// A device whose requests for the feed are answered, up to the next other one.
  private func next(_ device: inout Device) throws -> SyncRequest {
    while true {
      let request = try device.next()
      guard request.kind == .feed else { return request }
      device.answerWithFeed(request)
    }
  }

  private func registered() throws -> Device {
    var device = Device()
    try device.begin()
    device.sync.send(recording: Self.lines)
    let request = try next(&device)
    #expect(request.method == "PUT" && request.kind == .installation, "who sends one is registered first")
    device.answer(request, 201, ["Content-Type": Device.json], #"{"secret":"s"}"#)
    return device
  }

  @Test func itIsSentOnceAndAgainAfterAFailure() throws {
    var device = try registered()
    var request = try next(&device)
    #expect(request.url.hasSuffix("/device/v1/recordings") && request.body == Self.lines)
    #expect(request["Plot-Consent"] == "recordings" && request["Plot-Secret"] == "s")
    #expect(request["Content-Type"] == "application/x-ndjson")
    #expect(request.recorded.text.contains(#""kind":"recording""#) && !request.recorded.text.contains(Self.lines))
    let before = device.now
    device.answer(request, 503)
    #expect(device.sync.recordingStatus == .waiting && device.sync.saved.failures == 1)
    request = try next(&device)
    #expect(request.kind == .recording && device.now > before)
    device.answer(request, 204)
    #expect(device.sync.recordingStatus == .sent && device.sync.recording == nil && device.sync.saved.failures == 0)
    for _ in 0..<5 {
      let request = try device.next()
      #expect(request.kind == .feed)
      device.answer(request, 304, Device.headers(1))
    }
  }

  @Test(arguments: [(403, "no-recordings"), (403, "no-consent"), (413, "too-large"), (422, "invalid-recording")])
  func oneThatIsRefusedIsGivenUp(_ status: Int, _ kind: String) throws {
    var device = try registered()
    let request = try next(&device)
    device.refuse(request, status, kind)
    #expect(device.sync.recordingStatus == .refused && device.sync.recording == nil && device.sync.status == .idle)
    #expect(try device.next().kind == .feed, "all else goes on")
  }

  @Test func anotherOneTakesItsPlaceAndNoOtherProcessHasIt() throws {
    var device = try registered()
    let request = try next(&device)
    device.sync.send(recording: "other")
    device.answer(request, 204)
    #expect(device.sync.recordingStatus == .waiting, "the answer is about the one before")
    #expect(try next(&device).body == "other")
    #expect(!device.sync.saved.text.contains("other"))
    device.sync.clear(at: device.now)
    #expect(device.sync.recording == nil && device.sync.recordingStatus == .none)
  }

  @Test func aServiceThatHasForgottenTheInstallationGetsItWithTheNewOne() throws {
    var device = try registered()
    device.refuse(try next(&device), 403, "unknown-installation")
    let request = try next(&device)
    #expect(request.kind == .installation)
    device.answer(request, 201, ["Content-Type": Device.json], #"{"secret":"t"}"#)
    #expect(try next(&device)["Plot-Secret"] == "t")
  }
}

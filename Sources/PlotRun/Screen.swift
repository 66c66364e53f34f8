internal import Glibc
internal import PlotEngineKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Shows notifications by `org.freedesktop.Notifications`, and without a desktop as lines of text.
///
/// The server numbers what it shows. Which number has which notification is remembered in a file of the session's runtime folder, so that the
/// next process can still replace it and take it off.
final class Screen {
  private static let server = Bus.Target(
    service: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
    interface: "org.freedesktop.Notifications")
  /// How long the server may take for an answer; the host does nothing else meanwhile.
  private static let patience: Int64 = 3000
  /// One that has not answered is not asked again for so long.
  private static let pause: Int64 = 60_000
  /// `NotificationClosed`: the person has dismissed it.
  private static let dismissed: Int64 = 2

  private let mode: RunOptions.ScreenMode
  private let bus: Bus?
  private let journal: Journal
  private let appName: String
  private let memory: String?
  private var ids: [String: UInt32] = [:]
  private var capabilities: Set<String> = []
  /// Of those that are to be closed: the numbers whose place another notification may take within the same input, by correlation key.
  private var leaving: [String: UInt32] = [:]
  private var silentSince: Int64?
  private var complaint = Complaint()
  /// The user opens, chooses an action of, or dismisses a notification, by its match identifier.
  var onOpen: (String) -> Void = { _ in }
  var onAction: (String, String) -> Void = { _, _ in }
  var onDismiss: (String) -> Void = { _ in }
  /// The time that lines of text have.
  var clock: () -> Date = { Date() }

  init(_ mode: RunOptions.ScreenMode, _ bus: Bus?, _ journal: Journal, appName: String, memory: String?) {
    self.mode = mode
    self.bus = mode == .terminal ? nil : bus
    self.journal = journal
    self.appName = appName
    self.memory = memory
    guard let bus = self.bus else { return }
    bus.follow(connected: { [weak self] in self?.meet() }, disconnected: {})
    bus.watchOwner(of: Self.server.service) { [weak self] owner in
      // Another server shows nothing of what this one did.
      self?.ids = [:]
      self?.leaving = [:]
      self?.silentSince = nil
      if owner != nil { self?.meet() }
    }
    bus.subscribe(.init(sender: nil, path: Self.server.path, interface: Self.server.interface, member: "ActionInvoked"))
    {
      [weak self] _, values in
      guard values.count == 2, let id = values[0].integer, let action = values[1].text else { return }
      self?.acted(id, action)
    }
    bus.subscribe(
      .init(sender: nil, path: Self.server.path, interface: Self.server.interface, member: "NotificationClosed")
    ) { [weak self] _, values in
      guard values.count == 2, let id = values[0].integer, let reason = values[1].integer else { return }
      self?.closed(id, reason)
    }
  }

  var isDesktop: Bool { bus?.isConnected == true && silentSince == nil }

  /// Whether it is known if there is a desktop, and what an earlier process has shown there.
  var isKnown: Bool { bus.map { $0.isAbsent || isMet } ?? true }
  private var isMet = false

  private func meet() {
    bus?.call(Self.server, "GetCapabilities") { [weak self] answer in
      guard let self else { return }
      guard case .success(let values) = answer else {
        isMet = true
        return
      }
      capabilities = Set((values.first?.array ?? []).compactMap(\.text))
      bus?.call(.bus, "GetNameOwner", [.text(Self.server.service)]) { [weak self] answer in
        if case .success(let values) = answer, let owner = values.first?.text { self?.recall(owner) }
        self?.isMet = true
      }
    }
  }

  // MARK: What the engine wants

  func show(_ notification: PlotNotification, replacing: String?) -> Bool {
    let key = notification.matchIdentifier ?? notification.identifier
    if let bus, bus.isConnected, !isSilent {
      do throws(BusFault) {
        let before = notification.correlationKey.flatMap { leaving.removeValue(forKey: $0) }
        let old = ids[key] ?? replacing.flatMap { ids[$0] } ?? before ?? 0
        let values = try bus.callNow(
          Self.server, "Notify", arguments(notification, replacing: old), timeout: Self.patience)
        guard let id = values.first?.integer.flatMap({ UInt32(exactly: $0) }), id > 0 else {
          throw BusFault(name: "", message: "Notify: expected a number, found \(values)")
        }
        complaint.end()
        if let replacing { ids[replacing] = nil }
        ids[key] = id
        remember()
        return true
      } catch {
        failed(error)
      }
    }
    if mode == .desktop { return false }
    let title = notification.title.map { "\($0): " } ?? ""
    journal.show("\(time)  shown    \(title)\(notification.message)")
    return true
  }

  func remove(_ notification: PlotNotification) -> Bool {
    let key = notification.matchIdentifier ?? notification.identifier
    guard let id = ids.removeValue(forKey: key) else {
      if mode != .desktop, bus?.isConnected != true { journal.show("\(time)  removed  \(notification.message)") }
      return true
    }
    remember()
    if let correlation = notification.correlationKey, leaving[correlation] == nil {
      leaving[correlation] = id
    } else {
      close(id)
    }
    return true
  }

  /// Closes those whose place no other has taken. To be called after each input.
  func closeReplaced() {
    let left = leaving.values
    leaving = [:]
    for id in left { close(id) }
  }

  private func close(_ id: UInt32) {
    bus?.call(Self.server, "CloseNotification", [.unsigned(id)]) { [weak self] answer in
      if case .failure(let fault) = answer { self?.journal.debug("notifications: \(id) is not closed: \(fault)") }
    }
  }

  private var time: String {
    let time = clock().formatted(.iso8601.time(includingFractionalSeconds: false))
    return String(time.prefix(8))
  }

  private var isSilent: Bool {
    guard let since = silentSince else { return false }
    if EventLoop.uptime() - since < Self.pause { return true }
    silentSince = nil
    return false
  }

  private func failed(_ fault: BusFault) {
    if complaint.isNew("\(fault)") {
      journal.warning("notifications: \(mode == .desktop ? "not shown" : "shown as text"): \(fault)")
    }
    let isLate =
      fault.name.hasSuffix(".NoReply") || fault.name.hasSuffix(".Timeout") || fault.name.hasSuffix(".TimedOut")
    if isLate { silentSince = EventLoop.uptime() }
  }

  private func arguments(_ notification: PlotNotification, replacing old: UInt32) -> [BusArgument] {
    let summary = notification.title ?? notification.message
    var body = [notification.subtitle, notification.title == nil ? notification.body : notification.message]
      .compactMap { $0 }.joined(separator: "\n")
    if capabilities.contains("body-markup") { body = Self.escaped(body) }
    var actions = ["default", "Open"]
    for action in notification.actions { actions += [action.id, action.title] }
    var hints: [(String, BusArgument)] = [("desktop-entry", .text(appName)), ("category", .text("presence"))]
    // For those who look at the bus: which one it is.
    if let match = notification.matchIdentifier { hints.append(("x-plotengine-match", .text(match))) }
    if let image = notification.attachments.first(where: { Self.isImage($0) }) {
      hints.append(("image-path", .text(image.url)))
    }
    if notification.isSilent { hints.append(("suppress-sound", .boolean(true))) }
    return [
      .text(Self.sendable(appName)), .unsigned(old), .text(""), .text(Self.sendable(summary)),
      .text(Self.sendable(body)),
      .texts(actions.map(Self.sendable)), .options(hints),
      // It stays until the person or the engine takes it off.
      .integer(0),
    ]
  }

  /// D-Bus has no texts with zero bytes.
  private static func sendable(_ text: String) -> String { text.filter { $0 != "\0" } }

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
    return result
  }

  private static func isImage(_ attachment: Attachment) -> Bool {
    let type = attachment.type ?? attachment.url.split(separator: ".").last.map(String.init) ?? ""
    return ["png", "jpg", "jpeg", "gif", "svg", "webp"].contains(type.lowercased())
  }

  // MARK: What the person does

  private func acted(_ id: Int64, _ action: String) {
    guard let key = ids.first(where: { $0.value == id })?.key, let number = ids.removeValue(forKey: key) else { return }
    remember()
    // Most servers close it by themselves. That it closes is no dismissal.
    close(number)
    if action == "default" { onOpen(key) } else { onAction(key, action) }
  }

  private func closed(_ id: Int64, _ reason: Int64) {
    guard let key = ids.first(where: { $0.value == id })?.key else { return }
    ids[key] = nil
    remember()
    if reason == Self.dismissed { onDismiss(key) }
  }

  // MARK: Numbers, from process to process

  private var owner: String?

  /// More notifications on a screen are not remembered: the engine knows 500.
  private static let limit = 512

  private func remember() {
    // The server's numbers grow.
    while ids.count > Self.limit, let oldest = ids.min(by: { $0.value < $1.value }) { ids[oldest.key] = nil }
    guard let memory, let owner else { return }
    let numbers: JSONObject = JSONObject(ids.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })
    let object: JSONObject = ["server": .string(owner), "ids": .object(numbers)]
    do throws(SystemFault) { try RuntimeFolder.replace(memory, with: object.text) } catch {
      journal.debug("notifications: \(error)")
    }
  }

  private func recall(_ owner: String) {
    let server = "\(bus?.identity ?? "") \(owner)"
    self.owner = server
    guard let memory, let text = RuntimeFolder.read(memory), let object = try? JSONObject(parsing: text),
      object["server"]?.string == server
    else { return }
    for (key, id) in object["ids"]?.object ?? [:] where ids[key] == nil {
      ids[key] = id.integer.flatMap { UInt32(exactly: $0) }
    }
  }
}

internal import CRunLibraries
internal import Glibc

/// A value of D-Bus; variants stand for what is in them.
indirect enum BusValue: Equatable {
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case double(Double)
  /// A string, an object path or a signature.
  case text(String)
  case bytes([UInt8])
  case array([BusValue])
  case dictionary([BusEntry])
  case structure([BusValue])

  struct BusEntry: Equatable {
    var key: BusValue
    var value: BusValue
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var array: [BusValue]? { if case .array(let values) = self { values } else { nil } }
  var dictionary: [BusEntry]? { if case .dictionary(let entries) = self { entries } else { nil } }
  var structure: [BusValue]? { if case .structure(let values) = self { values } else { nil } }
  var double: Double? { if case .double(let number) = self { number } else { nil } }
  var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .unsigned(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The value of a text key in a dictionary.
  subscript(key: String) -> BusValue? { dictionary?.first { $0.key == .text(key) }?.value }
}

/// A value to be sent, with its type.
indirect enum BusArgument {
  case text(String)
  case unsigned(UInt32)
  case integer(Int32)
  case boolean(Bool)
  case variant(BusArgument)
  /// Of texts.
  case texts([String])
  /// Of texts to variants.
  case options([(String, BusArgument)])

  fileprivate var signature: String {
    switch self {
    case .text: "s"
    case .unsigned: "u"
    case .integer: "i"
    case .boolean: "b"
    case .variant: "v"
    case .texts: "as"
    case .options: "a{sv}"
    }
  }
}

/// A call was answered with an error, or not at all.
struct BusFault: Error, CustomStringConvertible {
  /// Such as `org.freedesktop.DBus.Error.ServiceUnknown`.
  var name: String
  var message: String

  var description: String { message.isEmpty ? name : message }

  init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// Of sd-bus: an error that a peer has sent.
  init(_ error: sd_bus_error) {
    unsafe name = error.name.map { unsafe String(cString: $0) } ?? ""
    unsafe message = error.message.map { unsafe String(cString: $0) } ?? ""
  }

  /// A message that cannot be written or read.
  init(_ fault: SystemFault) {
    self.init(name: "org.freedesktop.DBus.Error.InvalidArgs", message: "\(fault)")
  }

  static let disconnected = BusFault(name: "org.freedesktop.DBus.Error.Disconnected", message: "the bus has gone")
}

/// A message bus, by sd-bus. It is opened again, later and later, when it is not there or goes away.
@safe final class Bus {
  enum Kind: String {
    case system, session
  }

  /// The object and interface that a method is called on.
  struct Target {
    var service: String
    var path: String
    var interface: String

    func with(_ interface: String) -> Target { Target(service: service, path: path, interface: interface) }

    static let bus = Target(
      service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
  }

  let kind: Kind
  private let loop: EventLoop
  private let journal: Journal
  private var bus: OpaquePointer?
  private(set) var isConnected = false
  /// The newest try has failed.
  private(set) var isAbsent = false
  private var retry: LoopTimer?
  private var backoff = Backoff(longest: 300_000)
  private var complaint = Complaint()
  private var subscriptions: [Subscription] = []
  private var calls: [ObjectIdentifier: Call] = [:]
  private var onConnect: [() -> Void] = []
  private var onDisconnect: [() -> Void] = []

  init(_ kind: Kind, _ loop: EventLoop, _ journal: Journal) throws(SystemFault) {
    self.kind = kind
    self.loop = loop
    self.journal = journal
    retry = try loop.timer { [weak self] in self?.open() }
  }

  isolated deinit { drop() }

  /// Calls `connected` each time the bus is there, and `disconnected` when it has gone.
  func follow(connected: @escaping () -> Void, disconnected: @escaping () -> Void) {
    onConnect.append(connected)
    onDisconnect.append(disconnected)
  }

  // MARK: Connection

  private var address: String? {
    switch kind {
    case .system: return Environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
    case .session:
      if let address = Environment["DBUS_SESSION_BUS_ADDRESS"] { return address }
      return Environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" }
    }
  }

  func open() {
    drop()
    guard let address else { return failed("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set") }
    do {
      try start(address)
    } catch {
      failed("\(error)")
    }
  }

  private func start(_ address: String) throws(SystemFault) {
    var new: OpaquePointer?
    try SystemFault.check(unsafe sd_bus_new(&new), address)
    unsafe bus = new
    try SystemFault.check(unsafe sd_bus_set_address(new, address), address)
    unsafe sd_bus_set_bus_client(new, 1)
    unsafe sd_bus_set_connected_signal(new, 1)
    unsafe sd_bus_set_exit_on_disconnect(new, 0)
    try SystemFault.check(unsafe sd_bus_start(new), address)
    try SystemFault.check(unsafe sd_bus_attach_event(new, loop.handle, 0), address)
    let local = Signal(
      sender: nil, path: "/org/freedesktop/DBus/Local", interface: "org.freedesktop.DBus.Local", member: "Connected")
    add(Subscription(local) { [weak self] _, _ in self?.hasConnected() })
    var gone = local
    gone.member = "Disconnected"
    add(Subscription(gone) { [weak self] _, _ in self?.failed("the connection has ended") })
    for subscription in subscriptions { unsafe subscription.install(new) }
  }

  /// The two that every connection has.
  private var local: [Subscription] = []

  private func add(_ subscription: Subscription) {
    local.append(subscription)
    unsafe subscription.install(bus)
  }

  private func hasConnected() {
    complaint.end()
    backoff.reset()
    isConnected = true
    isAbsent = false
    for action in onConnect { action() }
  }

  private func failed(_ why: String) {
    if complaint.isNew(why) { journal.info("no \(kind.rawValue) bus: \(why); trying again") }
    let wasConnected = isConnected
    isConnected = false
    isAbsent = true
    let waiting = calls.values
    calls = [:]
    for call in waiting { call.completion(.failure(.disconnected)) }
    if wasConnected { for action in onDisconnect { action() } }
    // Not here: this may be within a callback of the connection.
    retry?.set(after: backoff.delay())
  }

  private func drop() {
    isConnected = false
    calls = [:]
    for subscription in subscriptions + local { subscription.uninstall() }
    local = []
    guard let old = unsafe bus else { return }
    unsafe bus = nil
    unsafe sd_bus_detach_event(old)
    unsafe sd_bus_close_unref(old)
  }

  // MARK: Signals

  struct Signal {
    var sender: String?
    var path: String?
    var interface: String
    var member: String
  }

  /// Calls `handler` with the path and the values of each such signal, whenever the bus is there.
  @discardableResult
  func subscribe(_ signal: Signal, _ handler: @escaping (String, [BusValue]) -> Void) -> Subscription {
    let subscription = Subscription(signal, handler)
    subscriptions.append(subscription)
    if unsafe bus != nil { unsafe subscription.install(bus) }
    return subscription
  }

  func unsubscribe(_ subscription: Subscription) {
    subscription.uninstall()
    subscriptions.removeAll { $0 === subscription }
  }

  /// Calls `handler` with the owner of a service's name when that changes; nil for none.
  func watchOwner(of service: String, _ handler: @escaping (String?) -> Void) {
    let signal = Signal(
      sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged")
    subscribe(signal) { _, values in
      guard values.count == 3, values[0].text == service, let owner = values[2].text else { return }
      handler(owner.isEmpty ? nil : owner)
    }
  }

  @safe final class Subscription {
    private let signal: Signal
    private let handler: (String, [BusValue]) -> Void
    private var slot: OpaquePointer?

    fileprivate init(_ signal: Signal, _ handler: @escaping (String, [BusValue]) -> Void) {
      self.signal = signal
      self.handler = handler
    }

    isolated deinit { uninstall() }

    fileprivate func install(_ bus: OpaquePointer?) {
      uninstall()
      let context = unsafe Unmanaged.passUnretained(self).toOpaque()
      unsafe sd_bus_match_signal_async(
        bus, &slot, signal.sender, signal.path, signal.interface, signal.member,
        { message, context, _ in
          let subscription = unsafe Unmanaged<Subscription>.fromOpaque(context!).takeUnretainedValue()
          if let message = unsafe message, let values = unsafe try? BusReader.values(of: message) {
            subscription.handler(unsafe BusReader.path(of: message), values)
          }
          return 0
        }, nil, context)
    }

    fileprivate func uninstall() {
      unsafe sd_bus_slot_unref(slot)
      unsafe slot = nil
    }
  }

  // MARK: Calls

  @safe fileprivate final class Call {
    let completion: (Result<[BusValue], BusFault>) -> Void
    weak var bus: Bus?
    var slot: OpaquePointer?

    init(_ bus: Bus, _ completion: @escaping (Result<[BusValue], BusFault>) -> Void) {
      self.bus = bus
      self.completion = completion
    }

    isolated deinit { unsafe sd_bus_slot_unref(slot) }
  }

  private func message(_ target: Target, _ member: String, _ arguments: [BusArgument]) throws(BusFault) -> OpaquePointer
  {
    guard isConnected, let bus = unsafe bus else { throw .disconnected }
    var message: OpaquePointer?
    do throws(SystemFault) {
      try SystemFault.check(
        unsafe sd_bus_message_new_method_call(bus, &message, target.service, target.path, target.interface, member),
        member)
      for argument in arguments { try unsafe BusWriter.append(argument, to: message) }
    } catch {
      unsafe sd_bus_message_unref(message)
      throw BusFault(error)
    }
    return unsafe message!
  }

  /// Calls a method; `completion` gets the answer, or an error after `timeout` milliseconds.
  func call(
    _ target: Target, _ member: String, _ arguments: [BusArgument] = [], timeout: Int64 = 25_000,
    _ completion: @escaping (Result<[BusValue], BusFault>) -> Void
  ) {
    let sent: OpaquePointer
    do throws(BusFault) { unsafe sent = try message(target, member, arguments) } catch {
      return completion(.failure(error))
    }
    defer { unsafe sd_bus_message_unref(sent) }
    let call = Call(self, completion)
    let context = unsafe Unmanaged.passUnretained(call).toOpaque()
    let result = unsafe sd_bus_call_async(
      bus, &call.slot, sent,
      { message, context, _ in
        let call = unsafe Unmanaged<Call>.fromOpaque(context!).takeUnretainedValue()
        guard call.bus?.calls.removeValue(forKey: ObjectIdentifier(call)) != nil else { return 0 }
        call.completion(unsafe BusReader.answer(message!))
        return 0
      }, context, UInt64(timeout) * 1000)
    if result < 0 { return completion(.failure(BusFault(name: "", message: "\(SystemFault(member, code: result))"))) }
    calls[ObjectIdentifier(call)] = call
  }

  /// Calls a method and waits for its answer, at most `timeout` milliseconds.
  func callNow(
    _ target: Target, _ member: String, _ arguments: [BusArgument] = [], timeout: Int64
  ) throws(BusFault) -> [BusValue] {
    let sent = try unsafe message(target, member, arguments)
    defer { unsafe sd_bus_message_unref(sent) }
    var fault = unsafe sd_bus_error()
    defer { unsafe sd_bus_error_free(&fault) }
    var reply: OpaquePointer?
    let result = unsafe sd_bus_call(bus, sent, UInt64(timeout) * 1000, &fault, &reply)
    defer { unsafe sd_bus_message_unref(reply) }
    guard result >= 0, let reply = unsafe reply else {
      throw unsafe fault.name == nil
        ? BusFault(name: "", message: "\(SystemFault(member, code: result))") : BusFault(fault)
    }
    do throws(SystemFault) { return try unsafe BusReader.values(of: reply) } catch {
      throw BusFault(error)
    }
  }

  /// Sets a property.
  func set(
    _ target: Target, _ property: String, _ value: BusArgument,
    _ completion: @escaping (Result<[BusValue], BusFault>) -> Void
  ) {
    call(
      target.with("org.freedesktop.DBus.Properties"), "Set",
      [.text(target.interface), .text(property), .variant(value)],
      completion)
  }

  /// A name for the bus: another one after it was started anew.
  var identity: String? {
    var id = sd_id128_t()
    guard isConnected, unsafe sd_bus_get_bus_id(bus, &id) >= 0 else { return nil }
    return unsafe withUnsafeBytes(of: &id) { unsafe Array($0).hexadecimal }
  }
}

/// Reads messages.
private enum BusReader {
  /// More values than this in one message are a fault: nothing that we read has so many.
  private static let limit = 20_000
  private static let depth = 16

  static func path(of message: OpaquePointer) -> String {
    unsafe sd_bus_message_get_path(message).map { unsafe String(cString: $0) } ?? ""
  }

  static func answer(_ message: OpaquePointer) -> Result<[BusValue], BusFault> {
    if unsafe sd_bus_message_is_method_error(message, nil) > 0, let error = unsafe sd_bus_message_get_error(message) {
      return unsafe .failure(BusFault(error.pointee))
    }
    do throws(SystemFault) {
      return .success(try unsafe values(of: message))
    } catch {
      return .failure(BusFault(error))
    }
  }

  static func values(of message: OpaquePointer) throws(SystemFault) -> [BusValue] {
    var budget = limit
    return try unsafe rest(of: message, &budget, depth)
  }

  /// The values up to the end of the container.
  private static func rest(
    of message: OpaquePointer, _ budget: inout Int, _ depth: Int
  ) throws(SystemFault) -> [BusValue] {
    var values: [BusValue] = []
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    while try SystemFault.check(unsafe sd_bus_message_peek_type(message, &type, &contents), "a message") > 0 {
      budget -= 1
      guard budget > 0, depth > 0 else { throw SystemFault("a message with too many values", code: EMSGSIZE) }
      values.append(try unsafe value(of: message, type, contents, &budget, depth))
    }
    return values
  }

  private static func value(
    of message: OpaquePointer, _ type: CChar, _ contents: UnsafePointer<CChar>?, _ budget: inout Int, _ depth: Int
  ) throws(SystemFault) -> BusValue {
    func letter(_ scalar: Unicode.Scalar) -> CChar { CChar(scalar.value) }
    func basic<T: BitwiseCopyable>(_ start: T) throws(SystemFault) -> T {
      var value = start
      try SystemFault.check(unsafe sd_bus_message_read_basic(message, type, &value), "a value of a message")
      return value
    }
    switch type {
    case letter("y"): return .unsigned(UInt64(try basic(UInt8(0))))
    case letter("b"): return .boolean(try basic(Int32(0)) != 0)
    case letter("n"): return .integer(Int64(try basic(Int16(0))))
    case letter("q"): return .unsigned(UInt64(try basic(UInt16(0))))
    case letter("i"): return .integer(Int64(try basic(Int32(0))))
    case letter("u"): return .unsigned(UInt64(try basic(UInt32(0))))
    case letter("x"): return .integer(try basic(Int64(0)))
    case letter("t"): return .unsigned(try basic(UInt64(0)))
    case letter("d"): return .double(try basic(0.0))
    case letter("s"), letter("o"), letter("g"):
      let text = unsafe try basic(nil as UnsafePointer<CChar>?)
      return unsafe .text(text.map { unsafe String(cString: $0) } ?? "")
    case letter("a"), letter("v"), letter("r"), letter("e"):
      let isDictionary = unsafe type == letter("a") && contents?.pointee == letter("{")
      if unsafe type == letter("a") && contents?.pointee == letter("y") {
        var bytes: UnsafeRawPointer?
        var count = 0
        try SystemFault.check(unsafe sd_bus_message_read_array(message, letter("y"), &bytes, &count), "bytes")
        return unsafe .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      }
      try SystemFault.check(unsafe sd_bus_message_enter_container(message, type, contents), "a message")
      let inside = try unsafe rest(of: message, &budget, depth - 1)
      try SystemFault.check(unsafe sd_bus_message_exit_container(message), "a message")
      if type == letter("v") { return inside.first ?? .structure([]) }
      if isDictionary {
        return .dictionary(
          inside.compactMap {
            guard let pair = $0.structure, pair.count == 2 else { return nil }
            return .init(key: pair[0], value: pair[1])
          })
      }
      return type == letter("a") ? .array(inside) : .structure(inside)
    default:
      // A descriptor, of which we have no use.
      try SystemFault.check(unsafe sd_bus_message_skip(message, nil), "a value of a message")
      return .structure([])
    }
  }
}

/// Writes the arguments of a call.
private enum BusWriter {
  static func append(_ argument: BusArgument, to message: OpaquePointer?) throws(SystemFault) {
    func check(_ result: Int32) throws(SystemFault) { try SystemFault.check(result, "an argument") }
    func container(_ type: String, _ contents: String, _ body: () throws(SystemFault) -> Void) throws(SystemFault) {
      try check(unsafe sd_bus_message_open_container(message, CChar(type.utf8.first!), contents))
      try body()
      try check(unsafe sd_bus_message_close_container(message))
    }
    switch argument {
    case .text(let text):
      // A text ends at its first zero byte, and sd-bus takes none that is not UTF-8: Swift's are.
      try check(unsafe text.withCString { unsafe sd_bus_message_append_basic(message, CChar(0x73), $0) })
    case .unsigned(var number): try check(unsafe sd_bus_message_append_basic(message, CChar(0x75), &number))
    case .integer(var number): try check(unsafe sd_bus_message_append_basic(message, CChar(0x69), &number))
    case .boolean(let flag):
      var number: Int32 = flag ? 1 : 0
      try check(unsafe sd_bus_message_append_basic(message, CChar(0x62), &number))
    case .variant(let inside):
      try container("v", inside.signature) { () throws(SystemFault) in try unsafe append(inside, to: message) }
    case .texts(let texts):
      try container("a", "s") { () throws(SystemFault) in
        for text in texts { try unsafe append(.text(text), to: message) }
      }
    case .options(let options):
      try container("a", "{sv}") { () throws(SystemFault) in
        for (key, value) in options {
          try container("e", "sv") { () throws(SystemFault) in
            try unsafe append(.text(key), to: message)
            try unsafe append(.variant(value), to: message)
          }
        }
      }
    }
  }
}

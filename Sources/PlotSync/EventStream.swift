/// Reads server-sent events (WHATWG HTML, 9.2.6) from bytes as they come.
struct EventStream: Sendable {
  struct Message: Equatable, Sendable {
    var event = ""
    var data = ""
    var id: String?
  }

  /// A line and the data of a message have at most so many bytes: what is longer is no message of ours.
  static let limit = 1 << 16

  private var line: [UInt8] = []
  private var message = Message()
  private var hasData = false
  private var endedWithReturn = false
  private var isFirst = true
  /// A line or message was too long.
  private(set) var isBroken = false

  mutating func take(_ bytes: [UInt8]) -> [Message] {
    var messages: [Message] = []
    for byte in bytes {
      if isBroken { break }
      defer { endedWithReturn = byte == 0x0D }
      if byte == 0x0A, endedWithReturn { continue }
      guard byte == 0x0A || byte == 0x0D else {
        line.append(byte)
        isBroken = line.count > Self.limit
        continue
      }
      if let message = endLine() { messages.append(message) }
    }
    return messages
  }

  private mutating func endLine() -> Message? {
    defer { line = [] }
    if isFirst {
      isFirst = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    guard !line.isEmpty else {
      defer { (message, hasData) = (Message(), false) }
      return hasData ? message : nil
    }
    let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count > 1 ? parts[1] : []
    if value.first == 0x20 { value.removeFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: parts[0], as: UTF8.self) {
    case "event": message.event = text
    case "data":
      message.data += hasData ? "\n" + text : text
      hasData = true
      isBroken = message.data.utf8.count > Self.limit
    case "id": message.id = text
    default: break
    }
    return nil
  }
}

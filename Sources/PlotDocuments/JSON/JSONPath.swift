/// A step on the way to a value.
enum PathStep: Equatable {
  case key(String)
  case index(Int)
}

/// The way to a value in a JSON text.
struct JSONPath: Equatable {
  var steps: [PathStep] = []

  /// RFC 6901.
  var pointer: String {
    steps.map { step in
      switch step {
      case .index(let index): return "/\(index)"
      case .key(let key):
        var escaped = "/"
        for character in key {
          switch character {
          case "~": escaped += "~0"
          case "/": escaped += "~1"
          default: escaped.append(character)
          }
        }
        return escaped
      }
    }.joined()
  }

  /// Line and column, each from 1, of a byte in a text.
  static func place(of offset: Int, in text: [UInt8]) -> (line: Int, column: Int) {
    var line = 1
    var start = 0
    for position in 0..<min(offset, text.count) where text[position] == 0x0A {
      line += 1
      start = position + 1
    }
    return (line, min(offset, text.count) - start + 1)
  }

  /// Where the value begins in a text that is known to be good JSON; the nearest value around it when a key on the way is written with
  /// escapes.
  func offset(in text: [UInt8]) -> Int {
    var walker = Walker(text: text)
    walker.skipSpace()
    for step in steps {
      let start = walker.position
      guard walker.enter(step) else { return start }
    }
    return walker.position
  }

  struct Walker {
    let text: [UInt8]
    var position = 0

    var byte: UInt8 { position < text.count ? text[position] : 0 }

    mutating func skipSpace() {
      while [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    /// Goes from the start of an object or array to the start of one of its values.
    mutating func enter(_ step: PathStep) -> Bool {
      let closing: UInt8 = byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
      position += 1
      var index = 0
      while true {
        skipSpace()
        guard position < text.count, byte != closing else { return false }
        switch step {
        case .index(let wanted):
          if index == wanted { return true }
        case .key(let wanted):
          let start = position + 1
          skipString()
          let isWanted = text[start..<max(start, position - 1)].elementsEqual(wanted.utf8)
          skipSpace()
          position += 1
          skipSpace()
          if isWanted { return true }
        }
        skipValue()
        skipSpace()
        if byte == UInt8(ascii: ",") { position += 1 }
        index += 1
      }
    }

    mutating func skipString() {
      position += 1
      while position < text.count, byte != 0x22 { position += byte == 0x5C ? 2 : 1 }
      position += 1
    }

    mutating func skipValue() {
      var depth = 0
      repeat {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          position += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          position += 1
        case 0x22: skipString()
        case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: position += 1
        default:
          while position < text.count, !Array(",:]} \t\n\r".utf8).contains(byte) { position += 1 }
        }
      } while depth > 0 && position < text.count
    }
  }
}

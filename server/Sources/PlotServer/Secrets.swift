internal import FoundationEssentials
internal import NIOPosix
internal import PlotServerStorage
internal import PlotSync

/// Tokens, keys and secrets, and the hashes by which they are known.
enum Secrets {
  /// URL-safe text of so many random bytes.
  static func random(_ prefix: String, bytes count: Int = 24) -> String {
    prefix + base64URL(Cryptography.random(count))
  }

  static func base64URL(_ bytes: [UInt8]) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }

  static func bytes(base64URL text: String) -> [UInt8]? {
    let plain = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)).map { Array($0) }
  }

  static func sha256(_ bytes: [UInt8]) -> [UInt8] { Hashes.sha256(bytes) }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool { Cryptography.areEqual(a, b) }

  /// The hash of a private key or a password: scrypt with N 32768, r 8, p 1 (RFC 7914). It takes a tenth of a second, on a thread for such work.
  static func scrypt(_ key: String, salt: [UInt8]) async throws -> [UInt8] {
    let hash = try await NIOThreadPool.singleton.runIfActive {
      Cryptography.scrypt(Array(key.utf8), salt: salt, n: 32768, r: 8, p: 1)
    }
    guard let hash else { throw StorageError.unavailable("there is no memory to check a key") }
    return hash
  }
}

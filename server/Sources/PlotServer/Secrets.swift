internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials

/// Tokens, keys and secrets, and the hashes by which they are known.
enum Secrets {
  /// URL-safe text of so many random bytes.
  static func random(_ prefix: String, bytes count: Int = 24) -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return prefix + base64URL(bytes)
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

  static func sha256(_ bytes: some DataProtocol) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Takes as long for any two texts of one length.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for index in a.indices { difference |= a[index] ^ b[index] }
    return difference == 0
  }

  /// The hash of a private key: scrypt with N 32768, r 8, p 1 (RFC 7914).
  static func scrypt(_ key: String, salt: [UInt8]) throws -> [UInt8] {
    unsafe try KDF.Scrypt.deriveKey(
      from: Data(key.utf8), salt: Data(salt), outputByteCount: 32, rounds: 32768, blockSize: 8, parallelism: 1,
      maxMemory: 64 << 20
    ).withUnsafeBytes { bytes in unsafe Array(bytes) }
  }
}

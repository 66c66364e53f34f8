internal import CSodium

/// Hashes, signatures and base64: libsodium.
public enum Hashes {
  private static let isReady: Bool = sodium_init() >= 0

  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    unsafe _ = crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    return hash
  }

  /// The first bytes of SHA-256, in hexadecimal.
  static func name(_ bytes: [UInt8], count: Int = 16) -> String { hexadecimal(sha256(bytes).prefix(count)) }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }

  /// Base64 with `-` and `_`, without padding (RFC 4648, 5); nil for another text.
  public static func bytes(base64URL text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: text.utf8.count)
    var count = 0
    let status = unsafe sodium_base642bin(
      &bytes, bytes.count, text, text.utf8.count, nil, &count, nil, Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING))
    return status == 0 ? Array(bytes.prefix(count)) : nil
  }

  // MARK: Ed25519 (RFC 8032)

  /// The public half of a private key, which has 32 bytes; nil for another length.
  public static func publicKey(seed: [UInt8]) -> [UInt8]? {
    guard isReady, seed.count == 32 else { return nil }
    var (publicKey, secret) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 64))
    return unsafe crypto_sign_seed_keypair(&publicKey, &secret, seed) == 0 ? publicKey : nil
  }

  /// `seed`: the private key, 32 bytes; nil for another length.
  public static func signature(_ message: [UInt8], seed: [UInt8]) -> [UInt8]? {
    guard isReady, seed.count == 32 else { return nil }
    var (publicKey, secret) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 64))
    var signature = [UInt8](repeating: 0, count: 64)
    guard unsafe crypto_sign_seed_keypair(&publicKey, &secret, seed) == 0,
      unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), secret) == 0
    else { return nil }
    return signature
  }

  public static func isSignature(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard isReady, signature.count == 64, publicKey.count == 32 else { return false }
    return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
  }
}

internal import CSodium
internal import PlotSync

/// libsodium: hashes, signatures and random bytes.
enum Cryptography {
  /// Must be called before anything else; more often does no harm.
  private static let isReady: Bool = sodium_init() >= 0

  static func random(_ count: Int) -> [UInt8] {
    precondition(isReady, "libsodium does not start")
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe randombytes_buf(&bytes, count)
    return bytes
  }

  /// HMAC-SHA-256 (RFC 2104).
  static func authentication(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    var hash = [UInt8](repeating: 0, count: 32)
    unsafe _ = crypto_auth_hmacsha256_init(&state, key, key.count)
    unsafe _ = crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    unsafe _ = crypto_auth_hmacsha256_final(&state, &hash)
    return hash
  }

  /// scrypt (RFC 7914); nil when there is no memory for it.
  static func scrypt(_ password: [UInt8], salt: [UInt8], n: UInt64, r: UInt32, p: UInt32) -> [UInt8]? {
    var hash = [UInt8](repeating: 0, count: 32)
    let status = unsafe crypto_pwhash_scryptsalsa208sha256_ll(
      password, password.count, salt, salt.count, n, r, p, &hash, hash.count)
    return status == 0 ? hash : nil
  }

  // MARK: Ed25519 (RFC 8032)

  /// A private key is the seed of 32 bytes.
  static func signingKey(seed: [UInt8]) -> (privateKey: [UInt8], publicKey: [UInt8])? {
    Hashes.publicKey(seed: seed).map { (seed, $0) }
  }

  /// Takes as long for any two texts of one length.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return unsafe sodium_memcmp(a, b, a.count) == 0
  }
}

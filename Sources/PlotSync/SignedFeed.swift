/// The bytes that a publication's signature is about (docs/sync-protocol.md, Signatures), and Ed25519 (RFC 8032) over them.
public struct SignedFeed: Sendable {
  public var app: String
  public var publication: Int64
  /// Milliseconds since 1970.
  public var issued: Int64
  public var mediaType: String
  /// SHA-256 of the body before any content encoding.
  public var digest: [UInt8]

  public init(app: String, publication: Int64, issued: Int64, mediaType: String, body: [UInt8]) {
    (self.app, self.publication, self.issued, self.mediaType) = (app, publication, issued, mediaType)
    digest = Hashes.sha256(body)
  }

  public static let mark = Array("PLOTSIGN".utf8)

  /// Mark, format 1, then each field; numbers with the highest byte first, texts behind their length in two bytes.
  public var bytes: [UInt8] {
    var bytes = Self.mark + [1]
    func add(_ text: String) {
      let count = UInt16(truncatingIfNeeded: text.utf8.count)
      bytes += [UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
      bytes += Array(text.utf8)
    }
    func add(_ number: Int64) {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> Int64(shift)))
      }
    }
    add(app)
    add(publication)
    add(issued)
    add(mediaType)
    return bytes + digest
  }

  /// `privateKey`: 32 bytes; nil for another length.
  public func signature(_ privateKey: [UInt8]) -> [UInt8]? { Hashes.signature(bytes, seed: privateKey) }

  public func isSigned(_ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    Hashes.isSignature(signature, of: bytes, by: publicKey)
  }

  /// The id of a key: of its public half.
  public static func keyId(_ publicKey: [UInt8]) -> String { Hashes.name(publicKey, count: 8) }
}

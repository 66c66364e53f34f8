internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage
internal import PlotSync

/// Signatures of a publication that were made elsewhere, by a key that never was at the server (docs/server.md, Keys elsewhere).
public struct DetachedSignatures: Equatable, Sendable {
  public var app: String
  public var publication: Int64
  /// Milliseconds since 1970.
  public var issued: Int64
  /// The id of the key.
  public var key: String
  public var json: [UInt8]
  public var compiled: [UInt8]

  /// Signs a feed as the publication of this number.
  public init(
    of feed: [UInt8], app: String, publication: Int64, issued: Int64, privateKey: [UInt8]
  ) throws {
    guard let pair = Cryptography.signingKey(seed: privateKey) else {
      throw StorageError.failed("expected a private key of 32 bytes, found \(privateKey.count)")
    }
    let compiled = try Feed.parse(feed).compiled()
    func signed(_ form: FeedForm, _ body: [UInt8]) -> [UInt8] {
      // The key is one: its public half was made of it.
      SignedFeed(app: app, publication: publication, issued: issued, mediaType: form.mediaType, body: body)
        .signature(privateKey) ?? []
    }
    (self.app, self.publication, self.issued) = (app, publication, issued)
    key = SignedFeed.keyId(pair.publicKey)
    json = signed(.json, feed)
    self.compiled = signed(.compiled, compiled)
  }

  /// Reads the text that `text` gives.
  public init(parsing text: [UInt8]) throws {
    let document = try JSONValue(parsing: text)
    func word(_ key: String) throws -> String {
      guard case .string(let word)? = document[key] else {
        throw PublicationFault.invalid(
          key: "signatures", expected: "a string as /\(key)", found: document[key]?.text ?? "no such key")
      }
      return word
    }
    func number(_ key: String) throws -> Int64 {
      guard case .integer(let number)? = document[key] else {
        throw PublicationFault.invalid(
          key: "signatures", expected: "an integer as /\(key)", found: document[key]?.text ?? "no such key")
      }
      return number
    }
    func bytes(_ key: String) throws -> [UInt8] {
      guard let bytes = Secrets.bytes(base64URL: try word(key)), bytes.count == 64 else {
        throw PublicationFault.invalid(
          key: "signatures", expected: "64 bytes in base64 as /\(key)", found: try word(key))
      }
      return bytes
    }
    (app, publication, issued) = (try word("app"), try number("publication"), try number("issued"))
    (key, json, compiled) = (try word("key"), try bytes("json"), try bytes("compiled"))
  }

  public var text: String {
    JSONValue.object([
      ("app", .string(app)), ("publication", .integer(publication)), ("issued", .integer(issued)),
      ("key", .string(key)), ("json", .string(Secrets.base64URL(json))),
      ("compiled", .string(Secrets.base64URL(compiled))),
    ]).text
  }

  /// A new private key, for a file that stays where it is, and its public half.
  public static func makeKey() -> (privateKey: [UInt8], publicKey: [UInt8])? {
    Cryptography.signingKey(seed: Cryptography.random(32))
  }
}

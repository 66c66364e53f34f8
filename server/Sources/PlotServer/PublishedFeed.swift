internal import HTTPTypes
internal import Hummingbird
internal import PlotServerStorage

/// A publication, ready to be sent: bytes and headers of each representation, made once.
struct PublishedFeed: Sendable {
  struct Representation: Sendable {
    /// Strong: of the form, the content encoding, and the publication, which the headers tell of.
    var etag: String
    var body: ByteBuffer
    var headers: HTTPFields
    /// The headers of a 304, which has no body.
    var unchanged: HTTPFields
  }

  let number: Int64
  let share: Int64
  let spread: Int64
  private let digest: String
  /// By form, without and with gzip.
  private let json: (plain: Representation, gzip: Representation)
  private let compiled: (plain: Representation, gzip: Representation)

  init(_ publication: PublicationRecord, _ revision: RevisionRecord, app: AppRecord) {
    number = publication.number
    share = publication.share
    spread = publication.spread
    digest = revision.digest
    let name = "\(publication.number)-\(revision.digest.prefix(16))"
    func made(
      _ form: FeedForm, _ bytes: [UInt8], _ digest: String, _ signature: [UInt8]?, isZipped: Bool
    ) -> Representation {
      let etag = "\"\(name)-\(form.rawValue)\(isZipped ? "-gzip" : "")\""
      var headers: HTTPFields = [
        .contentType: form.mediaType, .eTag: etag, .cacheControl: "private, no-cache",
        .vary: "Accept, Accept-Encoding, Plot-Installation", .plotPublication: String(publication.number),
        .plotIssued: String(publication.issued), .plotPollAfter: String(app.pollAfter),
        .plotDigest: digest,
      ]
      if let signature, let key = publication.signingKey {
        headers[.plotSignature] = Secrets.base64URL(signature)
        headers[.plotSignatureKey] = key
      }
      // The answer that devices get most: what it leaves out is about a body that it does not have.
      let unchanged: HTTPFields = [
        .eTag: etag, .cacheControl: headers[.cacheControl]!, .vary: headers[.vary]!,
        .plotPublication: headers[.plotPublication]!, .plotPollAfter: headers[.plotPollAfter]!,
      ]
      if isZipped { headers[.contentEncoding] = "gzip" }
      return Representation(etag: etag, body: ByteBuffer(bytes: bytes), headers: headers, unchanged: unchanged)
    }
    let bytes = revision.representations
    // Of what a client reads, whatever the encoding on the way.
    func announced(_ body: [UInt8]) -> String { "sha-256=\(Secrets.base64URL(Secrets.sha256(body)))" }
    let (jsonDigest, compiledDigest) = (announced(bytes.json), announced(bytes.compiled))
    json = (
      made(.json, bytes.json, jsonDigest, publication.jsonSignature, isZipped: false),
      made(.json, bytes.jsonGzip, jsonDigest, publication.jsonSignature, isZipped: true)
    )
    compiled = (
      made(.compiled, bytes.compiled, compiledDigest, publication.compiledSignature, isZipped: false),
      made(.compiled, bytes.compiledGzip, compiledDigest, publication.compiledSignature, isZipped: true)
    )
  }

  func representation(_ form: FeedForm, zipped: Bool) -> Representation {
    switch form {
    case .json: zipped ? json.gzip : json.plain
    case .compiled: zipped ? compiled.gzip : compiled.plain
    }
  }

  /// Whether an installation has this publication. Which share it is in depends on the revision and on its id alone: a wider share has the same
  /// installations, and more.
  func isFor(_ installation: String?) -> Bool {
    if share >= 100 { return true }
    guard let installation, !installation.isEmpty else { return false }
    let hash = Secrets.sha256(Array("\(digest)\n\(installation)".utf8))
    let number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return number % 100 < UInt64(share)
  }
}

extension HTTPField.Name {
  static let plotPublication = Self("Plot-Publication")!
  static let plotIssued = Self("Plot-Issued")!
  static let plotDigest = Self("Plot-Digest")!
  static let plotPollAfter = Self("Plot-Poll-After")!
  static let plotSignature = Self("Plot-Signature")!
  static let plotSignatureKey = Self("Plot-Signature-Key")!
  static let plotInstallation = Self("Plot-Installation")!
  static let plotSecret = Self("Plot-Secret")!
  static let lastEventId = Self("Last-Event-ID")!
  static let idempotencyKey = Self("Idempotency-Key")!
}

import Foundation
import PlotDocuments
import PlotSync
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Keys that sign, at the server and elsewhere.
@Suite struct SignatureTests {
  /// RFC 8032, section 7.1, test 2.
  @Test func ed25519AsInTheRFC() throws {
    let seed = try #require(Self.bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
    let pair = try #require(Cryptography.signingKey(seed: seed))
    #expect(
      Secrets.hexadecimal(pair.publicKey) == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    let signature = try #require(Hashes.signature([0x72], seed: seed))
    #expect(
      Secrets.hexadecimal(signature)
        == "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    #expect(Hashes.isSignature(signature, of: [0x72], by: pair.publicKey))
    #expect(!Hashes.isSignature(signature, of: [0x73], by: pair.publicKey))
  }

  /// RFC 7914, section 12.
  @Test func scryptAsInTheRFC() throws {
    let hash = try #require(
      Cryptography.scrypt(Array("password".utf8), salt: Array("NaCl".utf8), n: 1024, r: 8, p: 16))
    #expect(Secrets.hexadecimal(hash) == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
  }

  static func bytes(_ hexadecimal: String) -> [UInt8]? {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 }
  }

  @Test(arguments: TestDatabase.allCases) func aKeyElsewhereSignsEachPublication(_ database: TestDatabase) async throws
  {
    try await TestServer.with(database) { server in
      let pair = try #require(DetachedSignatures.makeKey())
      let key = try await Apps.addPublicKey(Apps.text(pair.publicKey), ofApp: "shop", server.storage) {
        server.clock.now
      }
      let publisher = Publisher(server.storage) { server.clock.now }
      let feed = ManagementTests.small
      func fault(_ request: PublicationRequest, _ feed: [UInt8] = ManagementTests.small) async -> String {
        do {
          _ = try await publisher.publish(feed, toApp: "shop", request)
          return ""
        } catch {
          return "\(error)"
        }
      }
      // Without, with another number, of another feed, by another key.
      #expect(await fault(PublicationRequest()).contains("signatures by the key \(key) for the publication 1"))
      var request = PublicationRequest()
      request.signatures = try DetachedSignatures(
        of: feed, app: "shop", publication: 2, issued: 5, privateKey: pair.privateKey)
      #expect(await fault(request).contains("the publication 1"))
      request.signatures = try DetachedSignatures(
        of: feed, app: "shop", publication: 1, issued: 5, privateKey: pair.privateKey)
      #expect(await fault(request, TestServer.feed ?? []).contains("those of another one"))
      let other = try #require(DetachedSignatures.makeKey())
      request.signatures = try DetachedSignatures(
        of: feed, app: "shop", publication: 1, issued: 5, privateKey: other.privateKey)
      #expect(await fault(request).contains("the key \(key)"))
      request.at = server.clock.now + 1000
      #expect(await fault(request).contains("no schedule"))
      request.at = nil
      // The right ones, by way of their text. Nothing of the tries has stayed: the number is still 1.
      let made = try DetachedSignatures(of: feed, app: "shop", publication: 1, issued: 5, privateKey: pair.privateKey)
      request.signatures = try DetachedSignatures(parsing: Array(made.text.utf8))
      #expect(request.signatures == made)
      #expect(try await publisher.publish(feed, toApp: "shop", request).publication?.number == 1)
      _ = try await server.node.service.directory.refresh()
      let answer = try await server.feed()
      #expect(
        answer.headers.first(name: "Plot-Issued") == "5" && answer.headers.first(name: "Plot-Signature-Key") == key)
      let signed = SignedFeed(app: "shop", publication: 1, issued: 5, mediaType: "application/json", body: answer.body)
      let signature = try #require(Secrets.bytes(base64URL: answer.headers.first(name: "Plot-Signature") ?? ""))
      #expect(signed.isSigned(signature, by: pair.publicKey))
    }
  }
}

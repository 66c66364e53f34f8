import Foundation
import PlotGzip
import PlotSync
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Parts of the service by themselves.
@Suite struct PartsTests {
  @Test func gzipComesBack() throws {
    for count in [0, 1, 100, 70_000, 3_000_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 5) }
      let packed = Gzip.compress(bytes)
      #expect(packed == Gzip.compress(bytes))
      #expect(try Gzip.decompress(packed, limit: count) == bytes)
      if count > 0 { #expect(throws: Gzip.Fault.tooLarge) { try Gzip.decompress(packed, limit: count - 1) } }
      #expect(throws: Gzip.Fault.damaged) { try Gzip.decompress(Array(packed.dropLast(3)), limit: count) }
    }
    #expect(throws: Gzip.Fault.damaged) { try Gzip.decompress([], limit: 10) }
  }

  /// The layout of docs/sync-protocol.md, byte for byte.
  @Test func signedBytesAreThoseOfThePage() {
    let signed = SignedFeed(app: "shop", publication: 258, issued: 1, mediaType: "a/b", body: Array("abc".utf8))
    #expect(
      Secrets.hexadecimal(signed.bytes)
        == "504c4f545349474e01" + "000473686f70" + "0000000000000102" + "0000000000000001" + "0003612f62"
        + "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  /// RFC 7914, section 12, checks the library; this checks that ours is the one with these parameters.
  @Test func keysAreHashedBySaltAndKey() async throws {
    let hash = try await Secrets.scrypt("key", salt: [1])
    let (again, salted, other) = (
      try await Secrets.scrypt("key", salt: [1]), try await Secrets.scrypt("key", salt: [2]),
      try await Secrets.scrypt("kez", salt: [1])
    )
    #expect(hash.count == 32 && hash == again && hash != salted && hash != other)
    #expect(Secrets.areEqual(hash, hash) && !Secrets.areEqual(hash, Array(hash.dropLast())))
  }

  @Test func aBucketFillsUpAgain() {
    let limiter = Limiter<String>(rate: 2, burst: 3)
    #expect((0..<5).map { _ in limiter.take("a", at: 0) } == [nil, nil, nil, 1, 1])
    #expect(limiter.take("b", at: 0) == nil && limiter.isEmpty("a", at: 0) && !limiter.isEmpty("a", at: 500))
    #expect(limiter.take("a", at: 500) == nil && limiter.take("a", at: 500) != nil)
    // A clock that goes back gives nothing.
    #expect(limiter.take("a", at: 0) != nil)
    #expect(Limiter<String>(rate: 0, burst: 1).take("a", at: 0) == nil)
  }

  @Test func settingsOfFileAndEnvironment() throws {
    var settings = ServerConfiguration()
    try settings.take(file: Array(#"{"port": 9000, "trustsProxy": true, "logLevel": "debug"}"#.utf8))
    try settings.take(environment: ["PLOT_SERVER_PORT": "9001", "DATABASE_URL": "postgresql://x", "PATH": "/bin"])
    #expect(
      settings.port == 9001 && settings.trustsProxy && settings.databaseURL == "postgresql://x"
        && settings.logLevel == "debug")
    func fault(_ body: () throws -> Void) -> String? {
      do {
        try body()
        return nil
      } catch { return (error as? SettingFault)?.message }
    }
    #expect(
      fault { try settings.take(file: Array(#"{"prot": 1}"#.utf8)) }?.hasPrefix("/prot: expected one of host, port")
        == true)
    #expect(
      fault { try settings.take(file: Array(#"{"port": 70000}"#.utf8)) }
        == "/port: expected an integer from 0 to 65535, found 70000")
    #expect(
      fault { try settings.take(environment: ["PLOT_SERVER_TRUSTS_PROXY": "yes"]) }
        == "PLOT_SERVER_TRUSTS_PROXY: expected true or false, found \"yes\"")
    #expect(fault { try settings.take(file: Array("[]".utf8)) } == "expected an object of settings")
    #expect(ServerConfiguration.variable("databaseURL") == "PLOT_SERVER_DATABASE_URL")
  }

  /// A certificate without its key would mean a server that speaks plain HTTP behind a URL that says https.
  @Test func certificateAndKeyGoTogether() throws {
    func fault(_ certificate: String?, _ key: String?) -> String {
      var settings = ServerConfiguration()
      (settings.certificate, settings.certificateKey) = (certificate, key)
      do { try settings.check() } catch { return String(error.message.prefix { $0 != ":" }) }
      return "none"
    }
    #expect(
      fault(nil, nil) == "none" && fault("c.pem", nil) == "certificate" && fault(nil, "k.pem") == "certificateKey")
    #if TLS
      #expect(fault("c.pem", "k.pem") == "none")
    #else
      #expect(fault("c.pem", "k.pem") == "certificate")
    #endif
  }

  @Test func etagsOfAList() {
    #expect(DeviceRoutes.matches("\"a\"", "\"a\"") && DeviceRoutes.matches("\"b\" ,  W/\"a\"", "\"a\""))
    #expect(!DeviceRoutes.matches("\"ab\"", "\"a\"") && !DeviceRoutes.matches("a", "\"a\""))
  }

  @Test func formsOfAnAcceptHeader() {
    #expect(
      FeedForm.asked(nil) == .json && FeedForm.asked("*/*") == .json && FeedForm.asked("text/html, */*;q=0.1") == .json)
    #expect(FeedForm.asked("application/json, application/vnd.plotengine.feed") == .compiled)
    #expect(
      FeedForm.asked("application/vnd.plotengine.feed; version=999") == nil
        && FeedForm.asked("application/json;q=0") == nil)
    #expect("gzip, br".takesGzip && "br, gzip;q=0.5".takesGzip && !"gzip;q=0".takesGzip && !"".takesGzip)
  }

  @Test func metricsAsText() {
    let metrics = ServerMetrics()
    metrics.request(route: "/a", status: 200, seconds: 0.003)
    metrics.request(route: "/a", status: 200, seconds: 20)
    metrics.count("plot_server_events_total", "result=\"accepted\"", by: 5)
    let lines = metrics.text(gauges: [("g", "A gauge.", 7)]).split(separator: "\n").map(String.init)
    for line in [
      #"plot_server_requests_total{route="/a",status="200"} 2"#, #"plot_server_events_total{result="accepted"} 5"#,
      #"plot_server_request_seconds_bucket{route="/a",le="0.005"} 1"#,
      #"plot_server_request_seconds_bucket{route="/a",le="10.0"} 1"#,
      #"plot_server_request_seconds_bucket{route="/a",le="+Inf"} 2"#, "g 7",
    ] { #expect(lines.contains(line), "\(line)") }
  }
}

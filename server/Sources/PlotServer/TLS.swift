internal import HummingbirdCore

#if TLS
  internal import HummingbirdTLS
  internal import NIOSSL
#endif

/// The only file that knows of TLS: a build without the trait of this name has little more than half to do.
extension HTTPServerBuilder {
  #if TLS
    static let speaksTLS = true

    /// The same server behind TLS 1.2 or later. `certificate` and `key` are PEM files.
    func withTLS(certificate: String, key: String) throws -> HTTPServerBuilder {
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
        privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      tls.minimumTLSVersion = .tlsv12
      return try .tls(self, tlsConfiguration: tls)
    }
  #else
    static let speaksTLS = false

    /// Settings that ask for TLS have been refused before (`ServerConfiguration.check`).
    func withTLS(certificate: String, key: String) throws -> HTTPServerBuilder {
      preconditionFailure("built without TLS")
    }
  #endif
}

internal import ArgumentParser
internal import Foundation
internal import PlotCore
internal import PlotDocuments
internal import PlotServer
internal import PlotServerStorage

struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign a feed with a key that never is at the server.",
    discussion: """
      Needs no database and no network. Prints the signatures, for plot-server publish --signatures. The number is that of the \
      publication to be made: one more than the newest one.
      """)

  @Option(
    help: "Make a new private key in this file, and print its public half; nothing is signed.", completion: .file())
  var makeKey: String?

  @Option(help: "The file with the private key.", completion: .file())
  var key: String?

  @Option(help: "The id of the app.")
  var app: String?

  @Option(help: "The number of the publication.")
  var publication: Int64?

  @Argument(help: "A campaign feed.", completion: .file(extensions: ["json"]))
  var feed: String?

  func run() throws {
    if let makeKey {
      guard let pair = DetachedSignatures.makeKey() else { throw Fault("no key can be made") }
      guard !FileManager.default.fileExists(atPath: makeKey) else { throw Fault("\(makeKey): is there already") }
      guard
        FileManager.default.createFile(
          atPath: makeKey, contents: Data(pair.privateKey), attributes: [.posixPermissions: 0o600])
      else { throw Fault("\(makeKey): cannot be written") }
      print(Apps.text(pair.publicKey))
      return
    }
    guard let key, let app, let publication, let feed else {
      throw ValidationError("expected --key, --app, --publication and a feed, or --make-key")
    }
    do {
      print(
        try DetachedSignatures(
          of: Files.read(feed), app: app, publication: publication, issued: now(), privateKey: Files.read(key)
        ).text)
    } catch let error as DocumentError {
      throw Fault("\(feed): \(error.message)")
    } catch let error as StorageError {
      throw Fault("\(key): \(error.message)")
    }
  }
}

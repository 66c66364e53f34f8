import FoundationEssentials
internal import PlotDocuments
internal import PlotEngine
internal import PlotFiles

/// A fault of a file, with the file's name before it.
struct InputFault: LocalizedError, CustomStringConvertible {
  var description: String
  var errorDescription: String? { description }
  /// `io` when it is a store that cannot be written.
  var status = ExitStatus.input

  init(_ description: String) {
    self.description = description
  }

  /// An error of the engine or of a reader about `file`.
  init(_ file: String, _ error: any Error) {
    switch error {
    case let error as DocumentError: self.init("\(file): \(error.message)")
    case let error as FileError: self.init(error.message)
    case let error as EngineError:
      self.init(error.message.hasPrefix(file) ? error.message : "\(file): \(error.message)")
      if [.ioError, .storeFailed, .storeReadOnly].contains(error.status) { status = .io }
    case let error as InputFault: self = error
    case let error as JSONLinesError:
      self.init(error.description)
      status = ExitStatus(error)
    default: self.init("\(error)")
    }
  }

  /// Runs `body` for a file.
  static func of<T>(_ file: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as OutputError { throw error } catch { throw InputFault(file, error) }
  }
}

package import Foundation

/// The root of the project, from the place of this file.
package let projectRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// Real tracks with independent answers, in a folder beside the project where they are there. Nobody who has the project alone has them: then
/// the tests that need them are left out, and say so.
package let realTraces = projectRoot.deletingLastPathComponent().appendingPathComponent("shared/data")
package let hasRealTraces = FileManager.default.fileExists(atPath: realTraces.path)

/// A temporary folder of a test, which is deleted with the object.
package final class Folder: Sendable {
  package let url = FileManager.default.temporaryDirectory.appendingPathComponent("plot-\(UUID().uuidString)")

  package init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }

  deinit { try? FileManager.default.removeItem(at: url) }

  package func path(_ name: String = "store.db") -> String { url.path + "/" + name }

  /// All files of the folder with their bytes.
  package func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      contents[name] = try Data(contentsOf: url.appendingPathComponent(name))
    }
    return contents
  }
}

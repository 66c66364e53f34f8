internal import Foundation
internal import Mustache
internal import PlotDocuments
internal import PlotGzip

/// The files of the dashboard (`server/web`), read once: templates, texts of each language, and what browsers load.
public struct DashboardAssets: Sendable {
  let library: MustacheLibrary
  /// By language, then by key.
  let texts: [String: [String: String]]
  /// Of the feed's objects, for their forms.
  let schema: ObjectSchema
  /// By name.
  let files: [String: File]
  /// Shown by maps below the regions, as GeoJSON.
  let background: File?
  /// The site that pictures of maps come from; nil for none.
  let tileOrigin: String?

  struct File: Sendable {
    var type: String
    var body: [UInt8]
    var zipped: [UInt8]
    var etag: String

    init(_ type: String, _ body: [UInt8]) {
      (self.type, self.body) = (type, body)
      zipped = Gzip.compress(body)
      etag = "\"\(Secrets.hexadecimal(Secrets.sha256(body).prefix(12)))\""
    }
  }

  private static let types = [
    "css": "text/css; charset=utf-8", "json": "application/json", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
  ]

  /// Throws `SettingFault` where a file is missing or cannot be read.
  public init(folder: String, tiles: String? = nil, background: String? = nil) throws {
    let root = URL(filePath: folder, directoryHint: .isDirectory)
    func fault(_ path: URL, _ reason: String) -> SettingFault { SettingFault("web: \(path.path): \(reason)") }
    func contents(_ name: String) throws -> [URL] {
      let place = name.isEmpty ? root : root.appending(path: name)
      guard let found = try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil) else {
        throw fault(place, "expected a folder of the dashboard, found none")
      }
      return found.sorted { $0.path < $1.path }
    }
    func bytes(_ path: URL) throws -> [UInt8] {
      guard let data = try? Data(contentsOf: path) else { throw fault(path, "cannot be read") }
      return Array(data)
    }
    var templates: [String: MustacheTemplate] = [:]
    for path in try contents("templates") where path.pathExtension == "mustache" {
      do {
        templates[path.deletingPathExtension().lastPathComponent] = try MustacheTemplate(
          string: String(decoding: try bytes(path), as: UTF8.self))
      } catch let error as MustacheTemplate.ParserError { throw fault(path, "\(error)") }
    }
    library = MustacheLibrary(templates: templates)
    var texts: [String: [String: String]] = [:]
    for language in People.languages {
      let path = root.appending(path: "texts/\(language).json")
      guard let found = try? JSONDecoder().decode([String: String].self, from: Data(try bytes(path))) else {
        throw fault(path, "expected an object of texts")
      }
      texts[language] = found
    }
    self.texts = texts
    let path = root.appending(path: "feed.schema.json")
    guard let document = try? JSONValue(parsing: try bytes(path)), let schema = ObjectSchema(document) else {
      throw fault(path, "expected the schema of a campaign feed")
    }
    self.schema = schema
    var files: [String: File] = [:]
    // Fetched when this was built; without it there are no maps.
    let fetched = FileManager.default.fileExists(atPath: root.appending(path: "vendor").path)
    for path in try contents("") + (fetched ? try contents("vendor") : []) {
      guard let type = Self.types[path.pathExtension] else { continue }
      files[path.lastPathComponent] = File(type, try bytes(path))
    }
    self.files = files
    self.background = try background.map { place in
      let body = try bytes(URL(filePath: place))
      do { _ = try JSONValue(parsing: body) } catch let error as DocumentError {
        throw SettingFault("mapBackground: \(place): \(error.message)")
      }
      return File("application/geo+json", body)
    }
    tileOrigin = try tiles.map { template in
      guard let url = URL(string: template.replacing(/[{][a-z]+[}]/, with: "0")), let host = url.host(),
        let scheme = url.scheme, ["http", "https"].contains(scheme), !host.contains(where: { " ;,'".contains($0) }),
        ["{z}", "{x}", "{y}"].allSatisfy(template.contains)
      else {
        throw SettingFault("mapTiles: expected a URL as https://HOST/{z}/{x}/{y}.png, found \(template)")
      }
      return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
    }
  }
}

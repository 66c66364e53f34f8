internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import PlotDocuments
internal import PlotServerStorage

/// Regions, campaigns, categories, lists and settings of the draft, as lists and forms. Each form has every key of the feed's object.
extension DashboardRoutes {
  private static let page: Int64 = 50

  func addObjects(to router: Router<ServerContext>) {
    for kind in DraftObject.Kind.allCases {
      let path = "dashboard/:app/\(kind.list)"
      if kind != .settings { router.get("\(path)") { try await list(kind, $0, $1) } }
      router.get("\(path)/edit") { try await edit(kind, $0, $1) }
      router.post("\(path)/save") { try await save(kind, $0, $1) }
      router.post("\(path)/remove") { try await remove(kind, $0, $1) }
    }
  }

  private static func path(_ manager: Manager, _ kind: DraftObject.Kind) -> String {
    "/dashboard/\(manager.app.id)/\(kind.list)"
  }

  /// RFC 3986, section 2.3.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")

  /// A text as a value of a query.
  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// A value of a form, which writes a space as a plus; nil for an empty text.
  static func parameter(_ request: Request, _ key: String) -> String? {
    for pair in (request.uri.query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == key else { continue }
      let text = parts[1].replacing("+", with: " ").removingPercentEncoding
      return text?.isEmpty == false ? text : nil
    }
    return nil
  }

  // MARK: Lists

  private func list(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    try await answer(request, context) { page, manager, _ in
      let query = Self.parameter(request, "q")
      let after = try request.number("after", -1...Int64.max, "the place of a page") ?? -1
      let (found, count) = try await service.drafts.read(app: manager.app.id) { session, app, _ in
        let found =
          try query.map {
            try session.draftObjects(containing: $0, ofApp: app.key, kind: kind, after: after, limit: Self.page)
          } ?? session.draftObjects(kind, ofApp: app.key, after: after, limit: Self.page)
        return (found, try session.draftCount(kind, ofApp: app.key))
      }
      let path = Self.path(manager, kind)
      var values: [String: Any] = [
        "path": path, "query": query ?? "", "count": String(count), "mayEdit": manager.may(.edit),
        "objects": found.map { object in
          let value = try? JSONValue(parsing: Array(object.json.utf8))
          return [
            "id": object.id, "link": "\(path)/edit?id=\(Self.encoded(object.id))", "summary": Self.summary(value),
          ]
        },
      ]
      if found.count == Self.page, let last = found.last {
        values["next"] = "\(path)?after=\(last.position)" + (query.map { "&q=\(Self.encoded($0))" } ?? "")
      }
      if Self.parameter(request, "removed") != nil { values["notice"] = page.text("removedNotice") }
      return try page.response("objects", title: page.text(kind.list), part: kind.list, values)
    }
  }

  /// A line about an object: its text, and the start of what makes it come.
  private static func summary(_ value: JSONValue?) -> String {
    let text = value?["message"]?.string ?? value?["name"]?.string ?? ""
    let rest = [value?["type"]?.string, value?["trigger"]?.string].compactMap { $0 }.joined(separator: ", ")
    return [text.count <= 100 ? text : text.prefix(99) + "…", rest].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  // MARK: Forms

  private func object(_ kind: DraftObject.Kind, _ id: String, _ manager: Manager) async throws -> DraftObject? {
    try await service.drafts.read(app: manager.app.id) { session, app, _ in
      try session.draftObject(kind, id, ofApp: app.key)
    }
  }

  private func edit(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    try await answer(request, context) { page, manager, _ in
      let id = kind == .settings ? "" : Self.parameter(request, "id")
      let object = if let id { try await self.object(kind, id, manager) } else { nil as DraftObject? }
      guard object != nil || id == nil || kind == .settings else {
        throw RequestFault(.notFound, "not-found", page.text("noObject"))
      }
      let form = ObjectForm(fields: assets.schema.fields[kind] ?? [])
      let texts = form.texts(of: (object?.json).flatMap { try? JSONValue(parsing: Array($0.utf8)) } ?? .object([]))
      let notice = Self.parameter(request, "saved") == nil ? nil : page.text("savedNotice")
      return try self.form(kind, page, manager, id: object?.id, version: object?.version, texts, notice: notice)
    }
  }

  /// `fault` is of the whole; `faults` are of fields.
  private func form(
    _ kind: DraftObject.Kind, _ page: DashboardPage, _ manager: Manager, id: String?, version: Int64?,
    _ texts: [String: String], status: HTTPResponse.Status = .ok, notice: String? = nil, fault: String? = nil,
    faults: [String: String] = [:]
  ) throws -> Response {
    let all = (assets.schema.fields[kind] ?? []).map { field -> [String: Any] in
      let text = texts[field.key] ?? ""
      var values: [String: Any] = [
        "key": field.key, "name": ObjectForm.prefix + field.key, "help": field.help, "value": text,
        "isRequired": field.isRequired, "isOpen": field.isRequired || !text.isEmpty || faults[field.key] != nil,
      ]
      values["fieldFault"] = faults[field.key]
      // The id of what is there is what it is known by.
      values["isFixed"] = field.key == "id" && version != nil
      func options(_ words: [String]) -> [[String: Any]] {
        let standard = field.standard.map { "\(page.text("standard")) \($0)" } ?? ""
        let empty =
          field.isRequired && !text.isEmpty
          ? [] : [["value": "", "word": standard, "isCurrent": text.isEmpty] as [String: Any]]
        // A value that is no word of the list is shown, so that nothing is lost by looking at it.
        let all = words + (text.isEmpty || words.contains(text) ? [] : [text])
        return empty + all.map { ["value": $0, "word": $0, "isCurrent": $0 == text] }
      }
      values["rows"] = String(min(12, max(2, text.count { $0.isNewline } + 1)))
      switch field.kind {
      case .text(let isLong): values[isLong ? "isLong" : "isText"] = true
      case .number:
        values["isNumber"] = true
      case .flag: values["options"] = options(["true", "false"])
      case .choice(let words):
        values["options"] = options(words)
      case .list, .json: values["isLong"] = true
      }
      values["hasOptions"] = values["options"] != nil
      values["isList"] = if case .list = field.kind { true } else { false }
      return values
    }
    let first = Set(Self.first[kind] ?? [])
    let isOpen = { (field: [String: Any]) in
      (field["isOpen"] as? Bool ?? false) || first.contains(field["key"] as? String ?? "")
    }
    var values: [String: Any] = [
      "path": Self.path(manager, kind), "fields": all.filter(isOpen), "moreFields": all.filter { !isOpen($0) },
      "mayEdit": manager.may(.edit), "isThere": version != nil && kind != .settings,
      "version": version.map(String.init) ?? "", "id": id ?? "", "isList": kind != .settings,
      "hasPreview": kind == .campaign,
    ]
    values["notice"] = notice
    values["fault"] = fault
    let title = kind == .settings ? page.text("settings") : id.map { "\($0)" } ?? page.text("newObject")
    return try page.response("object", title: title, part: kind.list, status: status, values)
  }

  /// The fields that most people fill in, also where they are empty.
  private static let first: [DraftObject.Kind: [String]] = [
    .region: ["name", "latitude", "longitude", "radius"],
    .campaign: ["message", "name", "trigger", "dwellingMinutes", "start", "end", "resend"],
  ]

  private func save(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    try await answer(request, context, may: .edit) { page, manager, fields in
      let form = ObjectForm(fields: assets.schema.fields[kind] ?? [])
      var entered = fields
      let version = Int64(fields["version"] ?? "")
      let id = version == nil ? fields[ObjectForm.prefix + "id"] ?? "" : fields["id"] ?? ""
      if version != nil, kind != .settings { entered[ObjectForm.prefix + "id"] = id }
      let texts = Dictionary(form.fields.map { ($0.key, entered[ObjectForm.prefix + $0.key] ?? "") }) { first, _ in
        first
      }
      func again(
        _ status: HTTPResponse.Status, fault: String? = nil, _ faults: [String: String] = [:]
      ) throws -> Response {
        try self.form(
          kind, page, manager, id: version == nil ? nil : id, version: version, texts, status: status,
          fault: fault ?? page.text("notSaved"), faults: faults)
      }
      do {
        let old = try await object(kind, kind == .settings ? "" : id, manager)
        let value = try form.object(entered, old: (old?.json).flatMap { try? JSONValue(parsing: Array($0.utf8)) })
        _ = try await service.drafts.apply(
          [DraftEdit(kind, kind == .settings ? "" : id, .put(value), version.map { .version($0) } ?? .isNew)],
          toApp: manager.app.id, by: manager.actor)
      } catch let fault as ObjectForm.Fault {
        return try again(.unprocessableContent, [fault.key: fault.message])
      } catch DraftFault.refused(let error) {
        let key = error.pointer.split(separator: "/").first.map(String.init) ?? ""
        guard form.fields.contains(where: { $0.key == key }) else {
          return try again(.unprocessableContent, fault: "\(page.text("notSaved")) \(error.message)")
        }
        return try again(.unprocessableContent, [key: error.message])
      } catch DraftFault.changedSince {
        return try again(.conflict, fault: page.text(version == nil ? "idTaken" : "objectChanged"))
      } catch DraftFault.inUse(_, _, let user, _) {
        return try again(.conflict, fault: "\(page.text("inUse")) \(user)")
      }
      return DashboardPage.redirect(
        to: "\(Self.path(manager, kind))/edit?saved=1" + (kind == .settings ? "" : "&id=\(Self.encoded(id))"))
    }
  }

  private func remove(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    try await answer(request, context, may: .edit) { page, manager, fields in
      do {
        _ = try await service.drafts.apply(
          [DraftEdit(kind, fields["id"] ?? "", .remove, .version(Int64(fields["version"] ?? "") ?? -1))],
          toApp: manager.app.id, by: manager.actor)
      } catch let error as DraftFault {
        let text =
          switch error {
          case .inUse(_, _, let user, _): "\(page.text("inUse")) \(user)"
          case .notFound: page.text("noObject")
          default: page.text("objectChanged")
          }
        throw RequestFault(.conflict, "conflict", text)
      }
      return DashboardPage.redirect(to: "\(Self.path(manager, kind))?removed=1")
    }
  }
}

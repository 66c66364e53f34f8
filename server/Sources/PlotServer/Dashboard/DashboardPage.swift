internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PlotCore
internal import PlotServerStorage

/// A page that is made: for whom, in which language, of which app. Every value goes through the templates, which escape it.
struct DashboardPage: Sendable {
  let assets: DashboardAssets
  let language: String
  var signedIn: SignedIn?
  var manager: Manager?

  /// The parts of an app, in their order.
  private static let parts = [
    ("", "overview"), ("/map", "map"), ("/regions", "regions"), ("/campaigns", "campaigns"),
    ("/categories", "categories"),
    ("/lists", "lists"),
    ("/settings/edit", "settings"), ("/walk", "walk"), ("/publish", "publish"), ("/statistics", "statistics"),
    ("/why", "why"), ("/audit", "audit"), ("/people", "people"), ("/webhooks", "webhooks"),
  ]

  /// A text of the dashboard in the language of the person.
  func text(_ key: String) -> String { assets.texts[language]?[key] ?? key }

  func response(
    _ template: String, title: String, part: String? = nil, status: HTTPResponse.Status = .ok,
    _ values: [String: Any] = [:]
  ) throws -> Response {
    var context: [String: Any] = values
    context["t"] = assets.texts[language] ?? [:]
    context["language"] = language
    context["title"] = title
    if let signedIn {
      context["person"] = ["name": signedIn.person.name]
      context["formToken"] = signedIn.formToken
    }
    if let manager {
      context["app"] =
        ["id": manager.app.id, "name": manager.app.name, "role": text(manager.role.rawValue)] as [String: Any]
      context["nav"] = Self.parts.filter { !["people", "webhooks"].contains($0.1) || manager.may(.administer) }.map {
        path, key in
        ["path": path, "text": text(key), "isCurrent": key == part, "app": manager.app.id] as [String: Any]
      }
    }
    guard let html = assets.library.render(context, withTemplate: template) else {
      throw RequestFault(.internalServerError, "internal", "the dashboard has no template \(template)")
    }
    var headers = Self.headers
    headers[.contentSecurityPolicy] = Self.policy(tiles: assets.tileOrigin)
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }

  private static let headers: HTTPFields = [
    .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .init("Referrer-Policy")!: "same-origin",
  ]

  /// Nothing but our own files and the pictures of maps is loaded, and no other site shows a page in a frame. The worker of a map is a blob of its
  /// own script, and its controls have pictures in its own style sheet.
  static func policy(tiles: String?) -> String {
    let ours = "'self'" + (tiles.map { " \($0)" } ?? "")
    return "default-src 'none'; style-src 'self'; script-src 'self'; worker-src blob:; img-src \(ours) data: blob:;"
      + " connect-src \(ours); form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }

  /// To another page of the dashboard, after a form.
  static func redirect(to path: String, cookie: String? = nil) -> Response {
    var headers: HTTPFields = [.location: path, .cacheControl: "no-store"]
    if let cookie { headers[.setCookie] = cookie }
    return Response(status: .seeOther, headers: headers)
  }
}

/// Regions as a picture: north is up, and a degree of longitude is as wide as it is in the middle.
struct RegionPicture {
  private static let width = 800.0
  private static let margin = 20.0
  static let most = 5000

  struct Place {
    var id: String
    var name: String
    var latitude: Double
    var longitude: Double
    /// In metres.
    var radius: Double
  }

  /// Nil where there is nothing to draw, or too much.
  static func values(_ places: [Place], label: String) -> [String: Any]? {
    guard let first = places.first, places.count <= most else { return nil }
    // Across the antimeridian by the shorter way.
    let east = places.map { place -> Double in
      let turn = place.longitude - first.longitude
      return turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    }
    let north = places.map(\.latitude)
    let middle = (north.min()! + north.max()!) / 2
    let metres = 111_195.0
    let wide = max(0.1, cos(middle * .pi / 180)) * metres
    let (x, y) = (east.map { $0 * wide }, north.map { -$0 * metres })
    let reach = places.map(\.radius).max()!
    let (left, right) = (x.min()! - reach, x.max()! + reach)
    let (top, bottom) = (y.min()! - reach, y.max()! + reach)
    let scale = (width - 2 * margin) / max(right - left, bottom - top, 1)
    func rounded(_ value: Double) -> String { String((value * 10).rounded() / 10) }
    // From a point of the picture back to its place: degrees of the upper left corner, and units in a degree.
    let (across, down) = (wide * scale, metres * scale)
    return [
      "west": String(first.longitude + left / wide - margin / across), "across": String(across),
      "north": String(margin / down - top / metres), "down": String(down),
      "label": label, "width": rounded((right - left) * scale + 2 * margin),
      "height": rounded((bottom - top) * scale + 2 * margin),
      "places": places.indices.map { index in
        [
          "id": places[index].id, "name": places[index].name, "longitude": String(places[index].longitude),
          "latitude": String(places[index].latitude), "x": rounded((x[index] - left) * scale + margin),
          "y": rounded((y[index] - top) * scale + margin), "r": rounded(max(2, places[index].radius * scale)),
        ] as [String: Any]
      },
    ]
  }
}

public import PlotCore
internal import PlotDocuments

/// The body of a feed's answer, read by the reader and the lint. This takes time, and needs nothing of the engine.
public struct FeedAnswer: Sendable {
  let feed: Feed?
  /// Why it is refused.
  let fault: String?

  public init(_ body: [UInt8], at time: Milliseconds) {
    let errors = Lint.findings(configuration: nil, feed: body, at: time).filter { $0.severity == .error }
    if let first = errors.first {
      // The reader's own sentences name the place; the lint's do not.
      let isPlaced = first.pointer.isEmpty || first.sentence.hasPrefix("\(first.pointer):")
      (feed, fault) = (nil, isPlaced ? first.sentence : "\(first.pointer): \(first.sentence)")
      return
    }
    do throws(DocumentError) {
      (feed, fault) = (try Feed.parse(body), nil)
    } catch {
      (feed, fault) = (nil, error.message)
    }
  }
}

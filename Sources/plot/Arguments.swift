public import ArgumentParser
public import PlotCore
public import PlotDocuments
internal import PlotStory

extension NoisePolicy: ExpressibleByArgument {
  public init?(argument: String) {
    guard let policy = NoisePolicy.preset(argument) else { return nil }
    self = policy
  }

  public static var allValueStrings: [String] { presets.map(\.name) }

  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

extension InitialPolicy: ExpressibleByArgument {}

extension TravelTime.Mode: ExpressibleByArgument {}

extension MapPicture.Theme: ExpressibleByArgument {}

extension JSONEdit: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

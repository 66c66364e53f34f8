public import PlotCore

/// An item in the hands of an app: an entry of a loaded list, or an occurrence.
@dynamicMemberLookup
public enum HostItem: Equatable, Sendable {
  // Beside the value, so that an occurrence takes no more room than it needs.
  indirect case loaded(LoadedItem)
  case occurrence(Item)

  /// Nil for an entry of a loaded list.
  public var occurrence: Item? {
    if case .occurrence(let item) = self { item } else { nil }
  }

  /// The values that both have.
  public var loaded: LoadedItem {
    switch self {
    case .loaded(let loaded): loaded
    case .occurrence(let item): item.values.loaded
    }
  }

  public subscript<T>(dynamicMember path: KeyPath<LoadedItem, T>) -> T { loaded[keyPath: path] }

  public var content: Content {
    get {
      switch self {
      case .loaded(let loaded): loaded.content
      case .occurrence(let item): item.content
      }
    }
    set {
      switch self {
      case .loaded(var loaded):
        loaded.content = newValue
        self = .loaded(loaded)
      case .occurrence(var item):
        item.values.loaded.content = newValue
        self = .occurrence(item)
      }
    }
  }

  public var identifier: String { occurrence?.identifier ?? loaded.identifier }

  /// For an answer to a batch. A batch has no entries of loaded lists: the match identifier of one is that of none.
  public var kept: Kept {
    switch self {
    case .loaded(let loaded): Kept(matchIdentifier: "", content: loaded.content)
    case .occurrence(let item): Kept(matchIdentifier: item.matchIdentifier, content: item.content)
    }
  }
}

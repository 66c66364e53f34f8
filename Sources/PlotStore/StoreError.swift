/// Why a store could not be opened, read or written. Its file is as it was before.
public struct StoreError: Error, Equatable, Sendable {
  public enum Kind: Sendable {
    /// Disk full, no permission, or another fault of the file system.
    case failed
    /// Not a store, or damaged.
    case damaged
    /// Another engine has it open.
    case busy
    case readOnly
    /// Written by a newer version.
    case newer
  }

  public var kind: Kind
  /// One sentence, without contents of the store.
  public var message: String

  static let unreadableRecord = StoreError(kind: .damaged, message: "a record of the store cannot be read")
}

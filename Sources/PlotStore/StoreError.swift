/// Why a store could not be opened, read or written. Its file is as it was before, unless the kind is `inDoubt`.
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
    /// The transaction was refused, but the disk failed in such a way that it may be found after a restart.
    case inDoubt
  }

  public var kind: Kind
  /// One sentence, without contents of the store.
  public var message: String

  package init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// The same fault, of a transaction that could not be undone for certain.
  var inDoubt: StoreError {
    StoreError(
      kind: .inDoubt,
      message: "\(message); the disk could neither keep the change nor drop it, so a restart may find it made")
  }

  static let unreadableRecord = StoreError(kind: .damaged, message: "a record of the store cannot be read")
}

/// The longest texts (docs/reliability-fuzz.md, Limits): one of a document, one that the host gives, and one that has been filled in.
public enum TextLimit {
  /// Of UTF-8.
  public static let bytes = 1 << 20
}

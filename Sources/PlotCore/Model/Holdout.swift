/// The people to whom a campaign's notification is not shown, so that its effect can be measured (docs/feed.md, Holdout).
public struct Holdout: Equatable, Sendable {
  /// How many of a hundred, 1 to 99.
  public var percent: Int64
  /// Campaigns of one group hold out the same people; nil for the campaign's own.
  public var group: Identifier?
  /// The property of the person that decides: a text or a whole number.
  public var property: Identifier

  public static let standardProperty = Identifier("bucket")

  public init(percent: Int64, group: Identifier? = nil, property: Identifier = Self.standardProperty) {
    self.percent = percent
    self.group = group
    self.property = property
  }

  /// The number of a person in a group, 0 to 9,999: FNV-1a of 64 bits over the group, a zero byte and the value, and the last mixing of
  /// MurmurHash3, for FNV alone leaves the numbers of similar names alike.
  public static func draw(group: Identifier, value: String) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    for byte in group.text.utf8 { mix(byte) }
    mix(0)
    for byte in value.utf8 { mix(byte) }
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    hash ^= hash >> 33
    return Int64(hash % 10_000)
  }

  /// Where a person stands.
  public struct Place: Equatable, Sendable {
    public var group: Identifier
    /// 0 to 9,999.
    public var draw: Int64
    /// A person with a lower number is held out.
    public var limit: Int64

    public var isHeldOut: Bool { draw < limit }
  }

  /// Nil where the property has no value that decides: then nobody is held out, and nothing is measured.
  func place(of campaign: Identifier, _ value: PropertyValue?) -> Place? {
    let text: String
    switch value {
    case .string(let value): text = value
    case .integer(let value): text = String(value)
    case .boolean, .double, .date, nil: return nil
    }
    let group = group ?? campaign
    return Place(group: group, draw: Self.draw(group: group, value: text), limit: percent * 100)
  }
}

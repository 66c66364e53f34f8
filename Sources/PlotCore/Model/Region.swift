/// A place that a feed names.
public struct Region: Equatable, Sendable, BoxedValues {
  public enum Shape: Equatable, Sendable {
    case circle(Circle)
    case area(Area)
    case beacon(Beacon)
    case eddystone(Eddystone)
    case group(Group)
  }

  /// The values of a region; each is read as a property of its own.
  public struct Values: Equatable, Sendable {
    // The fields that each crossing reads come first.
    public var id: Identifier
    public var shape: Shape
    /// Whether the host says where it is. Circles only.
    public var isMoving: Bool = false
    public var initial: InitialPolicy?
    /// Few have one, and it is large.
    var ownNoise: Boxed<NoisePolicy>?
    public var name: String?
    /// In the order of the feed; no two names are equal without case.
    public var customFields: [CustomField] = []
    /// ISO 3166-1, three letters.
    public var country: String?
    /// The place's own zone; nil for the device's.
    public var zone: ZoneRules?
    /// When campaigns that inherit their times may be shown here; nil for always.
    public var times: Times?
    public var caps: [Cap] = []
    public var quietHours: [QuietHours] = []
    /// Of an isochrone.
    public var travel: TravelTime?

    public var noise: NoisePolicy? {
      get { ownNoise?.values }
      set { ownNoise = newValue.map { Boxed($0) } }
    }

    public init(id: Identifier, shape: Shape) {
      self.id = id
      self.shape = shape
    }
  }

  public var boxed: Boxed<Values>

  public var id: Identifier { boxed.values.id }

  public var description: String { boxed.description }

  /// Nil for the engine's.
  public var noise: NoisePolicy? {
    get { boxed.values.noise }
    set { boxed.values.noise = newValue }
  }

  var hasOwnNoise: Bool { boxed.values.ownNoise != nil }

  public init(
    id: Identifier, name: String?, shape: Shape, customFields: [CustomField] = [], country: String? = nil,
    zone: ZoneRules? = nil, times: Times? = nil
  ) {
    var values = Values(id: id, shape: shape)
    values.name = name
    values.customFields = customFields
    values.country = country
    values.zone = zone
    values.times = times
    boxed = Boxed(values)
  }

  public init(_ values: consuming Values) { boxed = Boxed(values) }

  public var coordinate: Coordinate? {
    if case .group(let group) = boxed.values.shape { group.place?.center } else { boxed.values.shape.circle?.center }
  }

  /// `matchRange` of an item, in metres.
  public var matchRange: Int64 {
    switch boxed.values.shape {
    case .circle(let circle): Int64(saturating: circle.radius.rounded())
    case .area(let area): Int64(saturating: area.reach.rounded())
    case .beacon, .eddystone: boxed.values.shape.beaconRange.meters
    case .group(let group): group.place.map { Int64(saturating: $0.radius.rounded()) } ?? BeaconRange.far.meters
    }
  }

  /// The value that a placeholder stands for. Names compare without case; a custom field comes before the region's own name.
  public func field(_ name: String) -> String? {
    let folded = name.lowercased()
    if let field = boxed.values.customFields.first(where: { $0.foldedName == folded }) { return field.value }
    return folded == "name" ? self.name : boxed.values.travel?.field(folded)
  }
}

/// One of a region's own fields.
public struct CustomField: Equatable, Sendable {
  public var name: String
  public var value: String
  let foldedName: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
    foldedName = name.lowercased()
  }
}

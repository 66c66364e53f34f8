internal import PlotCore
internal import PlotEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Fences that move with devices: which devices come near each other, and part (docs/roaming.md).
public final class Roaming: Sendable {
  /// A fix of a device.
  public struct Fix: Hashable, Sendable {
    /// Which device, by a number of the app's.
    public var device: UInt32
    /// When it was there.
    public var time: Date
    /// Degrees.
    public var latitude: Double
    /// Degrees, -180 to 180.
    public var longitude: Double

    /// A fix of one device.
    public init(device: UInt32, time: Date, latitude: Double, longitude: Double) {
      self.device = device
      self.time = time
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  /// A record about two devices.
  public struct Pair: Hashable, Sendable {
    /// How two devices stand to each other.
    public enum Kind: Sendable {
      /// They are near each other now.
      case enter
      /// They are no longer near each other.
      case exit
      /// They stay near each other.
      case near
    }

    /// The kind of what happened.
    public var kind: Kind
    /// Of the fix; of a device that was forgotten, of its newest fix, or the time given.
    public var time: Date
    /// Metres between them, as far as is known.
    public var distance: Double
    /// The lower number of the two devices.
    public var first: UInt32
    /// The higher number of the two devices.
    public var second: UInt32
    /// The position of the fix that led to it.
    public var fix: Int?
  }

  private let core: RoamingFences

  /// Two devices are near when they are at most `enter` metres apart, and until they are more than `exit` apart. Two fixes that are more
  /// than `longestAge` seconds apart do not say that devices are near; nil for any. With `tellsDistances` each fix also tells of the pairs that stay near.
  public init(
    enter: Double, exit: Double? = nil, longestAge: TimeInterval? = nil, tellsDistances: Bool = false
  ) throws(PlotError) {
    let age = longestAge.map { Milliseconds(saturating: ($0 * 1000).rounded()) }
    let rules = PlotCore.Roaming.Rules(
      enter: enter, exit: exit ?? enter, longestAge: age, tellsDistances: tellsDistances)
    do throws(EngineError) { core = try RoamingFences(rules) } catch { throw PlotError(error) }
  }

  /// Takes fixes in their order. One that is older than the newest of its device says nothing.
  public func update(_ fixes: [Fix]) throws(PlotError) -> [Pair] {
    do throws(EngineError) {
      return try core.update(fixes.count) { index in
        let fix = fixes[index]
        let place = Coordinate(latitude: fix.latitude, longitude: fix.longitude)
        return (fix.device, PlotCore.Fix(time: fix.time.milliseconds, coordinate: place))
      }.map(Pair.init)
    } catch {
      throw PlotError(error)
    }
  }

  /// Forgets a device, and gives an exit for each that is near it; nil for a device that is not known.
  public func remove(_ device: UInt32) -> [Pair]? { core.remove(device)?.map(Pair.init) }

  /// Forgets the devices whose newest fix is older than a time, and gives their exits.
  public func expire(before time: Date) -> [Pair] { core.expire(before: time.milliseconds).map(Pair.init) }

  /// The pairs that are near each other, by their numbers.
  public var pairs: [Pair] { core.pairs.map(Pair.init) }
}

extension Roaming.Pair {
  fileprivate init(_ pair: PlotCore.Roaming.Pair) {
    kind =
      switch pair.kind {
      case .enter: .enter
      case .exit: .exit
      case .near: .near
      }
    time = Date(milliseconds: pair.time)
    distance = pair.metres
    (first, second) = pair.devices
    fix = pair.fix
  }
}

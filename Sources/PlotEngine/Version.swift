public import PlotCore

/// The version of this library.
public enum Version {
  /// The file VERSION says the same; a test compares them.
  public static let text = "0.1.0"
  /// `PLOT_NO_WAKEUP`.
  public static let noWakeup: Milliseconds = -1

  /// So many wakeups between two inputs are followed where a host is played. What is due after them is due at the next input: so a clock
  /// that jumps by years does not take as many steps.
  public static let mostWakeups = 100_000
}

extension Status {
  /// The name of the constant in include/plotengine.h.
  public var name: String {
    var name = "PLOT"
    if self == .ok { return name + "_OK" }
    if self == .ioError { return name + "_IO_ERROR" }
    name += "_"
    for character in "\(self)" {
      if character.isUppercase { name += "_" }
      name += character.uppercased()
    }
    return name
  }
}

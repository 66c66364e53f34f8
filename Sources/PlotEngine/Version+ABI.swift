// Made from include/plotengine.h by scripts/binding_tables.py: do not edit.

extension Version {
  /// The ABI that this library has.
  public static let abi: Int32 = 22
}

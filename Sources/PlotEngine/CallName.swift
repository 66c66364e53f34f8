/// The functions of include/plotengine.h that messages name: the only place in the library's sources where a message has such a name. A front
/// end in another language puts its own names in their place (scripts/check_messages.py).
enum CallName {
  static let initialize = "plot_engine_init"
  static let setClock = "plot_engine_set_clock"
}

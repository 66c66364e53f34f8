/// Asks the processor for the line of its cache that an address is in, and does not wait for it. Any address will do: none is read.
static inline void plot_prefetch(const void *_Nullable address) { __builtin_prefetch(address); }

/// The integer part of a value that a 64-bit integer has room for (`init(saturating:)` of PlotCore).
static inline long long plot_integer_part(double value) { return (long long)value; }

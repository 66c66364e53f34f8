/// A point in time or a length of time in milliseconds; points count from 1970-01-01T00:00:00Z.
public typealias Milliseconds = Int64

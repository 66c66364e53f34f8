#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The calls of the system that are not the same everywhere: Apple's systems lack some, and a call whose name a type of ours has for a method
/// of its own can be told from that only by its module, of which each C library has another.
public enum SystemCalls {
  public static func open(_ path: String, _ flags: Int32, _ mode: UInt32 = 0) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.open(path, flags, mode)
    #elseif canImport(Musl)
      unsafe Musl.open(path, flags, mode)
    #else
      unsafe Darwin.open(path, flags, mode_t(mode))
    #endif
  }

  @unsafe public static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(descriptor, bytes, count)
    #elseif canImport(Musl)
      unsafe Musl.read(descriptor, bytes, count)
    #else
      unsafe Darwin.read(descriptor, bytes, count)
    #endif
  }

  @discardableResult public static func close(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }

  /// A file's bytes are on the disk, and what is needed to find them.
  public static func syncData(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      fsync(descriptor)
    #else
      fdatasync(descriptor)
    #endif
  }

  /// Makes a file this long, with all of its blocks there. Gives 0 or an `errno`.
  public static func reserve(_ descriptor: Int32, _ size: Int) -> Int32 {
    #if canImport(Darwin)
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0 else { return errno }
      let missing = off_t(size) - status.st_size
      guard missing > 0 else { return 0 }
      var blocks = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0, fst_length: missing,
        fst_bytesalloc: 0)
      guard unsafe fcntl(descriptor, F_PREALLOCATE, &blocks) != -1 else { return errno }
      return ftruncate(descriptor, off_t(size)) == 0 ? 0 : errno
    #else
      posix_fallocate(descriptor, 0, off_t(size))
    #endif
  }

  /// For mmap(2) of a file that is read as a whole: its pages are read ahead, where the system can.
  public static var mapsWhole: Int32 {
    #if canImport(Darwin)
      MAP_PRIVATE
    #else
      MAP_PRIVATE | MAP_POPULATE
    #endif
  }

  /// `F_OFD_SETLK` of fcntl(2), which the modules leave out.
  public static var setFileLock: Int32 {
    #if canImport(Darwin)
      90
    #else
      37
    #endif
  }
}

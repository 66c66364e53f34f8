internal import CRunLibraries
internal import Glibc

/// A command of the user's, run by the shell: lines go to its standard input, its standard output comes back.
///
/// It is in a process group of its own, which is killed at the deadline. Its standard error is that of the host.
final class ChildCommand {
  enum Outcome {
    /// Its output, line by line.
    case lines([[UInt8]])
    /// It ended with this status, not 0.
    case status(Int32)
    /// It was ended, or could not be heard; and why.
    case failed(String)
  }

  private static let longestAnswer = 4 << 20

  private let loop: EventLoop
  private var process: pid_t = 0
  private let input: Int32
  private let output: Int32
  private var rest: ArraySlice<UInt8>
  private var answer: [UInt8] = []
  private var ending: LoopSource?
  private var reader: LoopSource?
  private var writer: LoopSource?
  private var timer: LoopTimer?
  private var status: Int32?
  private var isOutputOver = false
  private var completion: ((Outcome) -> Void)?

  /// Starts it. `completion` is called once, from the loop.
  init(
    _ command: String, input bytes: [UInt8], timeout: Int64, _ loop: EventLoop,
    _ completion: @escaping (Outcome) -> Void
  ) throws(SystemFault) {
    self.loop = loop
    rest = bytes[...]
    self.completion = completion
    let (read, write) = try ChildProgram.pipe()
    let (answers, answering): (Int32, Int32)
    do throws(SystemFault) { (answers, answering) = try ChildProgram.pipe() } catch {
      close(read)
      close(write)
      throw error
    }
    (input, output) = (write, answers)
    defer {
      close(read)
      close(answering)
    }
    do throws(SystemFault) {
      timer = try loop.timer { [weak self] in self?.end(.failed("it has not answered in \(timeout) ms")) }
      timer?.set(after: timeout)
      for descriptor in [input, output] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
      reader = try loop.watch(owning: output, EPOLLIN.rawValue) { [weak self] _ in self?.read() }
      writer = try loop.watch(owning: input, EPOLLOUT.rawValue) { [weak self] _ in self?.write() }
      process = try ChildProgram.spawn(["/bin/sh", "-c", command], read, answering)
      ending = try loop.child(process) { [weak self] status in self?.exited(status) }
    } catch {
      if reader == nil { close(output) }
      if writer == nil { close(input) }
      hangUp()
      throw error
    }
  }

  isolated deinit { hangUp() }

  private func write() {
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      // One that does not read its input may answer all the same.
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    writer = nil
  }

  private func read() {
    switch Reading.of(output) {
    case .bytes(let bytes):
      answer += bytes
      if answer.count > Self.longestAnswer { end(.failed("its answer is longer than \(Self.longestAnswer) bytes")) }
    case .nothing: return
    case .end, .failed:
      isOutputOver = true
      reader = nil
      finish()
    }
  }

  private func exited(_ status: Int32) {
    self.status = status
    if status != 0 {
      return end(status > 128 ? .failed("signal \(status - 128) has ended it") : .status(status))
    }
    finish()
  }

  private func finish() {
    guard status == 0, isOutputOver else { return }
    var splitter = LineSplitter(limit: Self.longestAnswer)
    var lines = splitter.add(answer)
    if let last = splitter.finish() { lines.append(last) }
    end(.lines(lines))
  }

  private func end(_ outcome: Outcome) {
    let completion = self.completion
    self.completion = nil
    hangUp()
    completion?(outcome)
  }

  private func hangUp() {
    timer?.cancel()
    writer = nil
    reader = nil
    // A command that has ended well may have left something running that has let go of its output.
    if process > 0, status == nil || !isOutputOver {
      kill(-process, SIGKILL)
      if status == nil {
        // The loop no longer waits for it.
        var ignored: Int32 = 0
        _ = unsafe waitpid(process, &ignored, 0)
      }
    }
    process = 0
    ending = nil
  }
}

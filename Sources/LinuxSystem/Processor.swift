import CLinuxSystem

/// The machine's processors.
package enum Processor {
  /// The number of the one that runs the caller, from 0; it may be another one a moment later.
  ///
  /// No system call where the kernel shares the number with the process (`rseq`, Linux 4.18 and
  /// glibc 2.35).
  package static var current: Int { max(0, Int(ck_processor())) }
}

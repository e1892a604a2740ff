import CPixels

/// The widest registers that C's loops may use: those of them work that the processor has.
///
/// All give the same bytes. Only tests ask for other than the best.
enum Loops: Hashable, CaseIterable, Sendable {
  case avx512, avx2, sse, portable

  static let best = Loops.avx512

  var native: ck_widest_loops {
    switch self {
    case .avx512: CK_AVX512_LOOPS
    case .avx2: CK_AVX2_LOOPS
    case .sse: CK_SSE_LOOPS
    case .portable: CK_PORTABLE_LOOPS
    }
  }
}

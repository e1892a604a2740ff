package import Foundation

/// Read-only bytes that somebody keeps alive: an array, a `Data`, or memory on lease.
///
/// Copying the value copies no bytes. Leased memory, a driver's buffer for instance, stays
/// valid as long as any copy of the value lives, because the value holds its owner.
package struct SharedBytes: @unchecked Sendable {  // a lease is only read while its owner lives
  private enum Storage {
    case array([UInt8])
    case data(Data)
    case leased(UnsafeRawBufferPointer, owner: any AnyObject & Sendable)
    case copied([UInt8], owner: any AnyObject & Sendable)
    indirect case held(SharedBytes, owner: any AnyObject & Sendable)
  }

  private let storage: Storage

  package init(_ bytes: [UInt8]) { storage = .array(bytes) }
  package init(_ bytes: Data) { storage = .data(bytes) }

  /// Memory that is readable and does not change until the last reference to `owner` goes.
  package init(leasing memory: UnsafeRawBufferPointer, owner: any AnyObject & Sendable) {
    storage = .leased(memory, owner: owner)
  }

  /// The same bytes in memory of their own, which holds another owner in turn.
  package func copied(for owner: any AnyObject & Sendable) -> SharedBytes {
    SharedBytes(storage: .copied(bytes.withUnsafeBytes { [UInt8]($0) }, owner: owner))
  }

  /// The same bytes, which hold another owner besides.
  package func held(by owner: any AnyObject & Sendable) -> SharedBytes {
    SharedBytes(storage: .held(self, owner: owner))
  }

  /// The same bytes without an owner who waits for them; themselves where there is none.
  package var detached: SharedBytes {
    switch storage {
    case .array, .data: self
    case .leased, .copied, .held: SharedBytes(bytes.withUnsafeBytes { [UInt8]($0) })
    }
  }

  private init(storage: Storage) { self.storage = storage }

  package var byteCount: Int {
    switch storage {
    case .array(let array): array.count
    case .data(let data): data.count
    case .leased(let memory, _): memory.count
    case .copied(let array, _): array.count
    case .held(let bytes, _): bytes.byteCount
    }
  }

  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get {
      switch storage {
      case .array(let array): _overrideLifetime(array.span.bytes, borrowing: self)
      case .copied(let array, _): _overrideLifetime(array.span.bytes, borrowing: self)
      case .data(let data): _overrideLifetime(data.bytes, borrowing: self)
      case .leased(let memory, _):
        _overrideLifetime(RawSpan(_unsafeBytes: memory), borrowing: self)
      case .held(let held, _): _overrideLifetime(held.bytes, borrowing: self)
      }
    }
  }
}

internal import _Volatile

/// A register of a board at its address.
struct Register {
    private let place: VolatileMappedRegister<UInt32>

    init(_ address: UInt) { place = VolatileMappedRegister(unsafeBitPattern: address) }

    var value: UInt32 {
        get { place.load() }
        nonmutating set { place.store(newValue) }
    }

    /// Waits until all bits of the mask are set. Returns false after `looks` attempts, so no wait is indefinite.
    func waitFor(_ mask: UInt32, looks: UInt32 = 100_000) -> Bool {
        for _ in 0..<looks where value & mask == mask { return true }
        return false
    }

    /// Waits until no bit of the mask is set, with the same limit.
    func waitUntilClear(_ mask: UInt32, looks: UInt32 = 100_000) -> Bool {
        for _ in 0..<looks where value & mask == 0 { return true }
        return false
    }

    /// Replaces some bits.
    func change(_ mask: UInt32, to bits: UInt32) { value = value & ~mask | bits }
}

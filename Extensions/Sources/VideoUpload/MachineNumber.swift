internal import AllSpark
internal import Files
internal import Glibc

/// The three digits in the name under which a server knows this machine. They follow from the machine's own identity,
/// so that they stay the same without being stored, and say nothing about it.
public enum MachineNumber {
    /// The number of this machine.
    public static var own: Int { of((try? StoredFile.read("/etc/machine-id")).flatMap { $0 } ?? host) }

    /// The number of a machine with this identity: FNV-1a, reduced to the permitted numbers.
    static func of(_ identity: String) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in identity.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let numbers = DeviceName.numbers
        return numbers.lowerBound + Int(hash % UInt64(numbers.count))
    }

    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

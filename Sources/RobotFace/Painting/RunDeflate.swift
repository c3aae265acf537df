/// The deflate format (RFC 1951) with a Huffman code for the data, which compresses only runs of one byte. It is small
/// and fast for images whose rows differ little, and needs a hundred lines instead of a library.
struct RunDeflate {
    private var bytes: [UInt8] = []
    private var held: UInt64 = 0, count = 0

    /// Compresses into one final block.
    static func compress(_ data: [UInt8]) -> [UInt8] {
        let symbols = tokens(data)
        var frequencies = [Int](repeating: 0, count: 286)
        for symbol in symbols { frequencies[symbol & 511] += 1 }
        let lengths = codeLengths(frequencies), codes = codes(lengths)
        var deflate = RunDeflate()
        deflate.putHeader(lengths)
        for symbol in symbols {
            let index = symbol & 511
            deflate.put(codes[index], lengths[index])
            guard index > 256 else { continue }
            let extra = Self.extraBits(index)
            deflate.put(symbol >> 9, extra)
            // The only distance is 1: one bit, 0.
            deflate.put(0, 1)
        }
        if deflate.count > 0 { deflate.put(0, 8 - deflate.count) }
        return deflate.bytes
    }

    /// Returns bytes and runs: a symbol of 0...285, and above bit 9 the extra bits of a run's length.
    private static func tokens(_ data: [UInt8]) -> [Int] {
        var tokens: [Int] = []
        var index = 0
        while index < data.count {
            tokens.append(Int(data[index]))
            // The first byte is literal, and the others repeat it.
            var run = 0
            while index + 1 + run < data.count, run < 258, data[index + 1 + run] == data[index] { run += 1 }
            index += 1
            guard run >= 3 else { continue }
            tokens.append(token(run))
            index += run
        }
        tokens.append(256)
        return tokens
    }

    private static func token(_ length: Int) -> Int {
        if length == 258 { return 285 }
        if length < 11 { return 254 + length }
        // Groups of four symbols share a number of extra bits.
        let extra = Int.bitWidth - 1 - (length - 3).leadingZeroBitCount - 2
        return (257 + extra * 4 + (length - 3) >> extra) | ((length - 3) & ((1 << extra) - 1)) << 9
    }

    private static func extraBits(_ symbol: Int) -> Int { symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4 }

    /// Returns the code lengths by Huffman's algorithm: the two rarest symbols are merged until one is left. No code
    /// may have more than 15 bits.
    private static func codeLengths(_ frequencies: [Int]) -> [Int] {
        var frequencies = frequencies
        while true {
            var parents = [Int](repeating: -1, count: 2 * frequencies.count)
            var nodes = frequencies.indices.filter { frequencies[$0] > 0 }.map { (weight: frequencies[$0], node: $0) }
            var next = frequencies.count
            while nodes.count > 1 {
                nodes.sort { $0.weight > $1.weight }
                let a = nodes.removeLast(), b = nodes.removeLast()
                parents[a.node] = next
                parents[b.node] = next
                nodes.append((a.weight + b.weight, next))
                next += 1
            }
            let lengths = frequencies.indices.map { symbol in
                guard frequencies[symbol] > 0 else { return 0 }
                var depth = 0, node = symbol
                while parents[node] >= 0 { (depth, node) = (depth + 1, parents[node]) }
                return max(depth, 1)
            }
            if lengths.allSatisfy({ $0 <= 15 }) { return lengths }
            // Flatter frequencies give shorter codes.
            frequencies = frequencies.map { $0 > 0 ? $0 / 2 + 1 : 0 }
        }
    }

    /// Returns the codes for these lengths, bit-reversed, because they are sent with the highest bit first.
    private static func codes(_ lengths: [Int]) -> [Int] {
        var next = [Int](repeating: 0, count: 17)
        for length in 1...15 { next[length + 1] = (next[length] + lengths.count { $0 == length }) << 1 }
        return lengths.map { length in
            guard length > 0 else { return 0 }
            defer { next[length] += 1 }
            return (0..<length).reduce(0) { $0 | (next[length] >> $1 & 1) << (length - 1 - $1) }
        }
    }

    /// Writes the header of a final block with its own codes, whose lengths are sent in four bits each, without
    /// compression.
    private mutating func putHeader(_ lengths: [Int]) {
        put(1, 1)
        put(2, 2)
        put(lengths.count - 257, 5)
        put(0, 5)
        put(15, 4)
        // In the format's order, 16, 17 and 18 come first and are not used. The codes 0...15 have four bits.
        for index in 0..<19 { put(index < 3 ? 0 : 4, 3) }
        for length in lengths + [1] { put((0..<4).reduce(0) { $0 | (length >> $1 & 1) << (3 - $1) }, 4) }
    }

    private mutating func put(_ value: Int, _ length: Int) {
        held |= UInt64(value) << UInt64(count)
        count += length
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: held))
            held >>= 8
            count -= 8
        }
    }
}

/// Damage to bytes: flips, losses, cuts, repeats, splices and floods.
enum Mutation {
    /// Longest input after a mutation, bytes.
    static let longest = 96 * 1024

    static func apply(to bytes: inout [UInt8], _ random: inout Random) {
        for _ in 0..<[0, 1, 1, 2, 3, 8][random.below(6)] { one(&bytes, &random) }
    }

    private static func one(_ bytes: inout [UInt8], _ random: inout Random) {
        guard !bytes.isEmpty else { return bytes.append(random.byte()) }
        let place = random.below(bytes.count)
        let end = min(bytes.count, place + 1 + random.below(24))
        switch random.below(12) {
        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1: bytes[place] = random.byte()
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(random.byte(), at: place)
        case 4: bytes.removeSubrange(place..<end)
        case 5: bytes.removeLast(bytes.count - place)
        case 6: bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.below(bytes.count))
        case 7: bytes.insert(contentsOf: repeatElement(0, count: 1 + random.below(300)), at: place)
        case 8: bytes.insert(contentsOf: repeatElement(random.byte(), count: 1 + random.below(300)), at: place)
        case 9: bytes.removeFirst(place)
        // A wrong length: a byte changes by one, as codes and counts do after a bit error.
        case 10: bytes[place] = bytes[place] &+ (random.chance(2) ? 1 : 255)
        default:
            let other = random.below(bytes.count)
            bytes.swapAt(place, other)
        }
        if bytes.count > longest { bytes.removeLast(bytes.count - longest) }
    }
}

internal import Codecs

/// How far the nearest thing in a depth picture is. A few wrong pixels are no thing.
public enum NearestThing {
    /// The least share of the pixels that a thing covers: a hand at 0.3 m covers ten times as much.
    public static let leastShare = 0.005
    /// About the most pixels that are read.
    static let mostPixels = 16_384

    /// Returns the distance in metres that at least this share of the pixels does not exceed. The result is nil if too little
    /// was measured to say it, or if everything is beyond what the unit can say.
    public static func metres(in map: DepthMap) -> Double? {
        let (width, height) = (map.picture.width, map.picture.height)
        let step = max(1, Int((Double(width * height) / Double(mostPixels)).squareRoot().rounded(.up)))
        var counts = [Int](repeating: 0, count: 1 << 16), read = 0
        for y in stride(from: 0, to: height, by: step) {
            for x in stride(from: 0, to: width, by: step) {
                counts[Int(map.picture.samples[y * width + x])] += 1
                read += 1
            }
        }
        let wanted = max(1, Int((Double(read) * leastShare).rounded(.up)))
        var found = 0
        for sample in 1..<counts.count - 1 {
            found += counts[sample]
            if found >= wanted { return Double(sample) * map.unit.metres }
        }
        return nil
    }
}

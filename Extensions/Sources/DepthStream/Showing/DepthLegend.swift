internal import Codecs
internal import Glibc

/// The line below a depth picture that says what its colours mean.
public enum DepthLegend {
    /// How many colours it shows.
    private static let steps = 12

    /// The width of a terminal that shows it whole.
    public static let columns = 80

    /// Returns the line for a terminal of at least ``columns``: the colours from near to far, those that are no distances,
    /// and the distance in the middle of the picture.
    public static func line(of map: DepthMap) -> String {
        let near = DepthColours.near, far = DepthColours.far
        let colours = (0..<steps).map { step in
            // Colours follow the logarithm of the distance.
            block(.metres(near * pow(far / near, (Double(step) + 0.5) / Double(steps))))
        }
        let middle =
            switch map[map.picture.width / 2, map.picture.height / 2] {
            case .none: "not measured"
            case .beyond: "too far"
            case .metres(let metres): tenths(metres)
            }
        return "\(tenths(near)) " + colours.joined() + reset + " \(tenths(far))  " + block(.none) + reset
            + " not measured  " + block(.beyond) + reset + " too far   middle: \(middle)"
    }

    private static let reset = "\u{1B}[0m"

    private static func block(_ reading: DepthMap.Reading) -> String {
        let digits = DepthColours.colour(of: reading).map(String.init).joined(separator: ";")
        return "\u{1B}[38;2;\(digits)m\u{2588}"
    }

    private static func tenths(_ metres: Double) -> String { "\((metres * 10).rounded() / 10) m" }
}

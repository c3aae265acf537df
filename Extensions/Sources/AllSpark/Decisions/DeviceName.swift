/// The name under which a server knows this machine: a word of the owner's and three digits that are kept, so that two
/// machines never share a folder on the server. It is never `agent`, because a server sends the news of all others to
/// a client of that name.
public struct DeviceName: Sendable, Equatable {
    /// The permitted numbers.
    public static let numbers = 100...999
    /// The longest word, in characters.
    public static let longest = 40

    /// The word, without what a file name cannot hold.
    public let word: String
    /// The number.
    public let number: Int

    /// Creates a name. Characters other than letters, digits, `-` and blanks become `-`. An empty word, and `agent`,
    /// becomes `dockface`. A number outside of 100 to 999 is limited to that.
    public init(_ word: String, number: Int) {
        let plain = word.unicodeScalars.prefix(Self.longest).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == " ")
                ? Character(scalar) : "-"
        }
        let trimmed = String(plain).trimmed
        self.word = trimmed.isEmpty || trimmed.lowercased() == "agent" ? "dockface" : trimmed
        self.number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound)
    }

    /// Returns a number for a machine that has none yet.
    public static func newNumber(using generator: inout some RandomNumberGenerator) -> Int {
        Int.random(in: numbers, using: &generator)
    }

    /// The name as the server shows it: `dockface (Device-123)`.
    public var text: String { "\(word) (Device-\(number))" }

    /// The name for file names: `dockface-123`.
    var fileWord: String { word.map { $0 == " " ? "-" : String($0) }.joined() + "-\(number)" }
}

extension String {
    /// The text without blanks and dashes at its ends.
    fileprivate var trimmed: String {
        let isFiller: (Character) -> Bool = { $0 == " " || $0 == "-" }
        guard let first = firstIndex(where: { !isFiller($0) }), let last = lastIndex(where: { !isFiller($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}

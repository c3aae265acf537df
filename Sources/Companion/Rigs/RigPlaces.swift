/// The positions of rigs and their keys in the text of `rigs.toml`, for messages. The parser does not report them.
struct RigPlaces {
    private typealias Place = (line: Int, column: Int)
    private var rigs: [(place: Place, keys: [String: Place])] = []
    /// The first position with `rig`: a header or a key.
    private(set) var first: (line: Int, column: Int)?

    init(_ text: String) {
        var isInRig = false
        for (index, raw) in Self.lines(text).enumerated() {
            let line = raw.drop { $0 == " " || $0 == "\t" }
            let place: Place = (index + 1, raw.count - line.count + 1)
            if line.hasPrefix("[") {
                isInRig = line.filter { $0 != " " && $0 != "\t" }.hasPrefix("[[rig]]")
                if isInRig { rigs.append((place, [:])) }
                if line.contains("rig"), first == nil { first = place }
            } else if let equals = line.firstIndex(of: "="), !line.hasPrefix("#") {
                let key = line[..<equals].filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" }
                if isInRig {
                    rigs[rigs.count - 1].keys[key] = place
                } else if key == "rig", first == nil {
                    first = place
                }
            }
        }
    }

    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    /// Returns the position of a rig, counted from 0. If the file does not use [[rig]], this is the first position with
    /// `rig`.
    func rig(_ index: Int) -> (line: Int, column: Int)? { rigs.indices.contains(index) ? rigs[index].place : first }

    /// Returns the position of a rig's key, or of the rig if there is no such key.
    func key(_ key: String, ofRig index: Int) -> (line: Int, column: Int)? {
        (rigs.indices.contains(index) ? rigs[index].keys[key] : nil) ?? rig(index)
    }
}

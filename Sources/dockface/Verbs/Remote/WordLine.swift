import ArgumentParser

/// The arguments of a verb: words for the daemon, mixed with options for this program. This is parsed by hand, because
/// an option parser would mistake `-10` for an option.
struct WordLine {
    private(set) var words: [String] = []
    private(set) var socket: String?
    private(set) var isJSON = false
    private(set) var waits = true
    private(set) var wantsHelp = false

    /// Parses the arguments.
    /// - Throws: `ValidationError` if --socket has no path.
    init(_ typed: [String]) throws(ValidationError) {
        var rest = typed[...]
        while let word = rest.popFirst() {
            switch word {
            case "--json": isJSON = true
            case "--no-wait": waits = false
            case "--help", "-h": wantsHelp = true
            case "--socket":
                guard let path = rest.popFirst() else { throw ValidationError("--socket needs a path.") }
                socket = path
            case "--":
                words += rest
                return
            default:
                if word.hasPrefix("--socket=") {
                    socket = String(word.dropFirst("--socket=".count))
                } else {
                    words.append(word)
                }
            }
        }
    }

    /// Returns the arguments of the whole program. Options that precede the verb are moved after it.
    static func arranged(_ arguments: [String]) -> [String] {
        var moved: [String] = [], rest = arguments[...]
        while let first = rest.first, first == "--json" || first.hasPrefix("--socket") {
            moved.append(rest.removeFirst())
            if first == "--socket", let path = rest.popFirst() { moved.append(path) }
        }
        guard let verb = rest.popFirst(), !verb.hasPrefix("-") else { return arguments }
        return [verb] + moved + rest
    }
}

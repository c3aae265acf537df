import ArgumentParser

/// What was typed after a verb: words for the daemon, and among them options for this program, wherever they stand.
/// Done by hand, because a parser of options takes `-10` for one.
struct WordLine {
    private(set) var words: [String] = []
    private(set) var socket: String?
    private(set) var isJSON = false
    private(set) var waits = true
    private(set) var wantsHelp = false

    /// - Throws: `ValidationError` where --socket has no path.
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

    /// The arguments of the whole program, with these options moved behind the verb if they stand before it.
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

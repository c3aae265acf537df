import CPosix

/// The words that the program was started with. `CommandLine.arguments` reads them from /proc, and has none where that is not
/// mounted: a stop would then be no stop, and end well.
enum ProgramWords {
    /// Its own name first.
    static let all: [String] = {
        // The argument parser looks at the first one when it explains an error.
        cposix_hand_over_arguments()
        let words = (0..<cposix_argument_count()).compactMap { cposix_argument($0).map { String(cString: $0) } }
        return words.isEmpty ? CommandLine.arguments : words
    }()
}

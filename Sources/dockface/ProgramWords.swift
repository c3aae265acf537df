import CPosix

/// The words with which the program was started. `CommandLine.arguments` reads them from /proc and is empty if /proc is
/// not mounted. Then `dockface stop` would stop nothing, and exit with success.
enum ProgramWords {
    /// All words, starting with the program's own name.
    static let all: [String] = {
        // The argument parser reads the first word when it explains an error.
        cposix_hand_over_arguments()
        let words = (0..<cposix_argument_count()).compactMap { cposix_argument($0).map { String(cString: $0) } }
        return words.isEmpty ? CommandLine.arguments : words
    }()
}

public import DockTypes
public import Files

/// Errors of the verbs of an extension, which end the program.
extension ExtensionLog {
    /// Writes an error with its hint. Returns the exit status of its kind.
    public func failure(_ error: DockError) -> Int32 {
        let ending = ExtensionEnding.failed(error)
        self.error(ending.complaint ?? error.message)
        return ending.exitStatus
    }
}

extension DockError {
    /// Creates the error of a file of settings that a person must correct, with one line for each mistake.
    public init(_ error: FileError) {
        self.init(.configuration, lines: error.lines, hint: "correct this, and start the program again")
    }
}

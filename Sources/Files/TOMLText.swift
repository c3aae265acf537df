package import TOMLKit

/// Parses TOML without ever trapping.
package enum TOMLText {
    /// Why a text is not valid TOML, with line and column from 1.
    package struct Flaw: Error {
        /// The position, counted from 1, or nil if unknown.
        package var line: Int?, column: Int?
        /// What is wrong.
        package var text: String
    }

    /// Parses a text as a table.
    package static func table(_ text: String) throws(Flaw) -> TOMLTable {
        if let flaw = TOMLScan.firstFlaw(in: text) {
            throw Flaw(line: flaw.line, column: flaw.column, text: "not TOML: " + flaw.text)
        }
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw Flaw(
                line: error.source.begin.line, column: error.source.begin.column,
                text: "not TOML: \(error.description)")
        } catch {
            throw Flaw(text: "not TOML: \(error)")
        }
    }
}

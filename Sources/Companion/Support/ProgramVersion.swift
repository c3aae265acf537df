/// The version of this program. `scripts/package` reads this line.
enum ProgramVersion {
    static let current = "0.2.0"
}

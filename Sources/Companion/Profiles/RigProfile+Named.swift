public import DockControl
public import DockTypes
internal import Files

extension RigProfile {
    /// Loads a profile by name or file, or that of our own dock if `name` is nil.
    /// - Throws: `configuration` with all mistakes if it cannot be used.
    public init(named name: String?, in library: ProfileLibrary = ProfileLibrary()) throws(DockError) {
        guard let name else {
            self = .dlpDock
            return
        }
        do {
            self = try library.load(name)
        } catch {
            throw DockError(.configuration, lines: error.lines, hint: "")
        }
    }
}

internal import DockControl
internal import DockTypes
internal import Files
internal import Geometry
internal import TOMLKit

/// The file formats of presets and taught motions, in degrees.
enum MotionFile {
    // MARK: writing

    /// Returns the text with the poses of one rig.
    static func text(of presets: [String: PanTilt], rig: String) -> String {
        var text = "# Named poses of one rig model, in degrees: pan + = the dock's right, tilt + = up. By dockface.\n"
        text += TOMLTable(["rig": rig]).convert(to: .toml) + "\n"
        for (name, pose) in presets.sorted(by: { $0.key < $1.key }) {
            text += "\n[presets.\(name)]\npan = \(number(pose.pan.inDegrees))\ntilt = \(number(pose.tilt.inDegrees))\n"
        }
        return text
    }

    /// Returns the text of one motion.
    static func text(of script: MotionScript) -> String {
        var text =
            "# A motion taught by hand: [seconds, pan, tilt], in degrees from its start. By dockface.\nkeys = [\n"
        for key in script.keys { text += "    [\(number(key.time)), \(number(key.pan)), \(number(key.tilt))],\n" }
        return text + "]\n"
    }

    /// Returns a number with at most 3 decimals, without a minus before zero.
    private static func number(_ value: Double) -> String { "\((value * 1000).rounded() / 1000 + 0)" }

    // MARK: reading

    /// Reads the poses of one rig into a library.
    /// - Throws: `configuration` with file and line.
    static func readPresets(
        _ text: String, file: String, rig: String, into library: inout MotionLibrary
    ) throws(DockError) {
        let table = try parse(text, file), places = KeyPlaces(text)
        func wrong(_ path: [String], _ what: String) -> DockError { damaged(file, places.place(of: path), what) }
        if let key = unknown(in: table, known: ["presets", "rig"]) { throw wrong([key.name], key.text) }
        if let owner = table["rig"], owner.string != rig {
            throw wrong(["rig"], "these poses belong to \"\(owner.string ?? "?")\", not to \"\(rig)\"")
        }
        guard let all = table["presets"] else { return }
        guard let presets = all.table else { throw wrong(["presets"], "\"presets\" is wrong: expected tables") }
        for name in presets.keys.sorted() {
            let path = ["presets", name]
            guard let row = presets[name]?.table else { throw wrong(path, "\"\(name)\" is wrong: expected a table") }
            if let key = unknown(in: row, known: ["pan", "tilt"]) { throw wrong(path + [key.name], key.text) }
            var pose = PanTilt.zero
            for axis in Axis.allCases {
                guard let degrees = row[axis.rawValue].flatMap(number) else {
                    throw wrong(path + [axis.rawValue], "\"\(name)\" needs \(axis.rawValue), a number in degrees")
                }
                pose[axis] = .degrees(degrees)
            }
            do {
                try library.savePreset(name, at: pose)
            } catch {
                throw wrong(path, "\(error.message), \(error.hint)")
            }
        }
    }

    /// Reads one motion into a library.
    /// - Throws: `configuration` with file and line.
    static func readMotion(
        _ text: String, file: String, name: String, into library: inout MotionLibrary
    ) throws(DockError) {
        let table = try parse(text, file), places = KeyPlaces(text)
        func wrong(_ key: String, _ what: String) -> DockError { damaged(file, places.place(of: [key]), what) }
        if let key = unknown(in: table, known: ["keys"]) { throw wrong(key.name, key.text) }
        guard let rows = table["keys"]?.array else {
            throw wrong("keys", "\"keys\" is missing: expected rows of [seconds, pan, tilt]")
        }
        var keys: [MotionScript.Key] = []
        for (index, row) in rows.enumerated() {
            let numbers = row.array.map { $0.compactMap(number) } ?? []
            guard numbers.count == 3, row.array?.count == 3 else {
                throw wrong("keys", "row \(index + 1) of \"keys\" is wrong: expected [seconds, pan, tilt]")
            }
            keys.append(MotionScript.Key(time: numbers[0], pan: numbers[1], tilt: numbers[2]))
        }
        do {
            try library.save(MotionScript(name: name, keys: keys, path: .flowing))
        } catch {
            throw wrong("keys", error.message)
        }
    }

    private static func parse(_ text: String, _ file: String) throws(DockError) -> TOMLTable {
        do {
            return try TOMLText.table(text)
        } catch {
            throw damaged(file, error.line.map { ($0, error.column ?? 1) }, error.text)
        }
    }

    private static func damaged(_ file: String, _ place: (line: Int, column: Int)?, _ text: String) -> DockError {
        let problem = FileProblem(file: file, line: place?.line, column: place?.column, text: text)
        return StoredFile.damaged(problem.description)
    }

    private static func unknown(in table: TOMLTable, known: [String]) -> (name: String, text: String)? {
        guard let key = table.keys.sorted().first(where: { !known.contains($0) }) else { return nil }
        let near = Spelling.nearest(to: key, among: known)
        let hint = near.map { "did you mean \"\($0)\"?" } ?? "known here: \(known.joined(separator: ", "))"
        return (key, "\"\(key)\" is unknown; \(hint)")
    }

    private static func number(_ value: any TOMLValueConvertible) -> Double? {
        value.int.map(Double.init) ?? value.double
    }
}

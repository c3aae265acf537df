public import DockControl
public import Files
internal import Geometry
internal import TOMLKit

/// Reads a rig profile from TOML by the table of rows. It finds all problems at once and reports their positions.
public enum ProfileReader {
    /// Reads the text of a profile file; `file` is its name for messages.
    /// - Throws: `FileError` with all problems.
    public static func read(_ text: String, file: String) throws(FileError) -> RigProfile {
        var walk = ProfileWalk(file: try FileWalk(text, file: file))
        return try walk.profile()
    }
}

/// Reads one parsed file.
private struct ProfileWalk {
    var file: FileWalk

    mutating func profile() throws(FileError) -> RigProfile {
        let none = RigProfile.AxisProfile(range: 0...0, maxSpeed: 1, maxAcceleration: 1)
        var profile = RigProfile(name: "", driver: "", pan: none, tilt: none)
        file.read(ProfileTable.rows, into: &profile)
        file.checkKeys(ProfileTable.rows, elsewhere: ["options"])
        readOptions(&profile)
        if file.isFine { checkSense(profile) }
        try file.end()
        return profile
    }

    private mutating func readOptions(_ profile: inout RigProfile) {
        if let options = file.find(["options"]), options.table == nil {
            file.add(["options"], "\"options\" is wrong: expected a table, as in [options]")
        }
        guard let driver = DriverTable.driver(named: profile.driver) else {
            // A driver that is missing or is not a string has already been reported.
            if file.find(["driver"])?.string != nil {
                let names = DriverTable.all.map { $0.name }
                let near = Spelling.nearest(to: profile.driver, among: names)
                file.add(
                    ["driver"],
                    "there is no driver \"\(profile.driver)\""
                        + (near.map { "; did you mean \"\($0)\"?" } ?? "; there are: \(names.joined(separator: ", "))"))
            }
            return
        }
        guard let options = file.table["options"]?.table else { return }
        for key in options.keys.sorted() {
            guard let option = driver.options[key] else {
                let near = Spelling.nearest(to: key, among: driver.options.keys.sorted())
                file.add(
                    ["options", key],
                    "the driver \"\(driver.name)\" has no option \"\(key)\""
                        + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
                continue
            }
            if let value = options[key], let number = FileWalk.number(value), option.allows(number) {
                profile.options[key] = number
            } else {
                let kind = option.isWhole ? FileKind.whole(option.range) : .number(option.range)
                file.add(["options", key], "\"options.\(key)\" is wrong: \(kind.expectation)")
            }
        }
    }

    /// Checks values that are valid on their own but not together.
    private mutating func checkSense(_ profile: RigProfile) {
        for place in 0..<RigProfile.mostCameras where ![0, 90, 180, 270].contains(profile.camera(at: place).rotate) {
            let table = RigProfile.cameraTable(at: place)
            guard place == 0 || profile.otherCameras[place] != nil else { continue }
            file.add([table, "rotate"], "\"\(table).rotate\" is wrong: expected 0, 90, 180 or 270")
        }
        checkLenses(profile)
        for axis in Axis.allCases {
            let row = profile[axis], name = axis.rawValue
            let low = file.find([name, "min"]).flatMap(FileWalk.number) ?? 0
            let high = file.find([name, "max"]).flatMap(FileWalk.number) ?? 0
            guard low < high else {
                file.add([name, "min"], "\"\(name).min\" must be less than \"\(name).max\"")
                continue
            }
            if row.range.upperBound - row.range.lowerBound <= 2 * row.softMargin {
                file.add(
                    [name, "soft_margin"], "\"\(name).soft_margin\" leaves no room between \(name).min and \(name).max")
            } else if !row.softRange.contains(row.home) {
                file.add(
                    [name, "home"],
                    "\"\(name).home\" must be between \(name).min and \(name).max, inside the soft margins")
            }
        }
        // Each driver checks what its device supports.
        for found in DriverTable.driver(named: profile.driver)?.contradictions(in: profile) ?? [] {
            file.add(found.key.split(separator: ".").map(String.init), found.text)
        }
    }

    /// Checks that each calibrated lens is complete and possible.
    private mutating func checkLenses(_ profile: RigProfile) {
        for place in 0..<RigProfile.mostCameras {
            guard place == 0 || profile.otherCameras[place] != nil, let lens = profile.camera(at: place).lens else {
                continue
            }
            let table = [RigProfile.cameraTable(at: place), "lens"], name = table.joined(separator: ".")
            let missing = ProfileTable.lensNeeds.filter { file.find(table + [$0]) == nil }
            if !missing.isEmpty {
                file.add(table, "[\(name)] is incomplete: \(missing.joined(separator: ", ")) missing")
            } else if let problem = ProfileTable.lensProblem(lens) {
                file.add(table + [problem.key], "\"\(name).\(problem.key)\" is wrong: \(problem.text)")
            }
        }
    }
}

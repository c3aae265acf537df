import ArgumentParser
import Companion
import DockControl
import DockTypes
import Files
import Geometry
import PlainText

/// `dockface profiles`: the known rig models.
struct Profiles: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List rig profiles, show one, or check a file.", subcommands: [List.self, Show.self, Check.self],
        defaultSubcommand: List.self)

    /// Lists all profiles.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all profiles.")

        func run() throws {
            let entries = ProfileLibrary().all()
            let width = (entries.map(\.name.count).max() ?? 0) + 2
            for entry in entries {
                let name = entry.name + String(repeating: " ", count: width - entry.name.count)
                switch entry.profile {
                case .success(let profile):
                    print(
                        "\(name)\(profile.name) (\(profile.driver)\(profile.verified ? ", verified" : ", not verified"))"
                    )
                case .failure(let error): print("\(name)BROKEN: \(error.problems.first?.description ?? "")")
                }
            }
            if entries.isEmpty { print("no profiles found: set DOCKFACE_PROFILES to their folder") }
        }
    }

    /// Shows one profile with all its values.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show one profile with all its values, and whether the file or a default sets them.",
            discussion: """
                --toml writes the profile with all values as a file of your own, for example:
                  dockface profiles show dlp-dock --toml > my.toml
                  dockface run --profile my.toml
                """)

        @Argument(help: "A name (dockface profiles lists them) or a path.", completion: Completions.profiles)
        var name: String

        @Flag(help: "Print a complete profile file instead.")
        var toml = false

        func run() throws {
            let listing: ProfileListing
            do {
                listing = try ProfileLibrary().listing(name)
            } catch {
                throw fail(
                    plain: error.lines.joined(separator: "\n"), status: 78,
                    problem: DockError.Code.configuration.rawValue)
            }
            if toml {
                let comment = ["All values of the profile \"\(ForeignText.line(name))\", defaults included."]
                print(ProfileWriter.text(of: listing.profile, comment: comment), terminator: "")
                return
            }
            summarise(listing.profile)
            print()
            let width = (listing.rows.map(\.key.count).max() ?? 0) + 2
            let values = (listing.rows.map { min($0.value.count, 24) }.max() ?? 0) + 2
            for row in listing.rows {
                let key = row.key + String(repeating: " ", count: width - row.key.count)
                let value = row.value + String(repeating: " ", count: max(2, values - row.value.count))
                print(key + value + (row.isDefault ? "default" : "file"))
            }
        }

        private func summarise(_ profile: RigProfile) {
            print(
                "name: \(profile.name)\ndriver: \(profile.driver)\nverified: \(profile.verified)\nsource: \(profile.source)"
            )
            print("serial: \(profile.serial.baud) baud, dtr \(profile.serial.dtr ? "on" : "off")")
            print("link: \(Int(profile.commandLatency * 1000)) ms latency, \(Int(profile.refreshRate)) commands/s")
            let camera = profile.camera
            print(
                "camera: \(Int(camera.horizontalFieldOfView.inDegrees.rounded())) degrees wide, "
                    + "\(Int((camera.latency * 1000).rounded())) ms, mount \(camera.mount.rawValue)"
                    + (camera.lens.map { ", lens calibrated for \(Int($0.width))x\(Int($0.height))" } ?? ""))
            for axis in Axis.allCases {
                let row = profile[axis]
                print(
                    "\(axis.rawValue): \(degrees(row.range.lowerBound))...\(degrees(row.range.upperBound)) degrees, "
                        + "margin \(degrees(row.softMargin)), \(degrees(row.maxSpeed)) deg/s, "
                        + "\(degrees(row.maxAcceleration)) deg/s2, lag \(Int((row.lag * 1000).rounded())) ms, "
                        + "home \(degrees(row.home))\(row.invert ? ", inverted" : "")")
            }
        }

        private func degrees(_ radians: Double) -> String { String(Int((radians.inDegrees).rounded())) }
    }

    /// Checks files for mistakes, and names their locations.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check profile files; errors name line and column.")

        @Argument(help: "Profile files.")
        var files: [String]

        func run() throws {
            var isBad = false
            for file in files {
                switch ProfileLibrary.read(file) {
                case .success(let profile): print("\(ForeignText.line(file)): ok, \(profile.name)")
                case .failure(let error):
                    isBad = true
                    print("\(error)")
                }
            }
            if isBad { throw ExitCode(78) }
        }
    }
}

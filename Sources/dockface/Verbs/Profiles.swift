import ArgumentParser
import Companion
import DockControl
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
            abstract: "Show one profile with all its values, including defaults.",
            discussion:
                "With --toml it prints a file to start a profile of your own: dockface profiles show dlp-dock --toml > my-rig.toml, then --profile my-rig.toml."
        )

        @Argument(help: "A name or a path.", completion: Completions.profiles)
        var name: String

        @Flag(help: "Print the profile as a file that dockface reads.")
        var toml = false

        func run() throws {
            let profile = try loadProfile(name)
            if toml { return print(ProfileWriter.text(of: profile), terminator: "") }
            print(
                "# \(ForeignText.line(name)): \(profile.verified ? "checked on real hardware" : "never checked on real hardware")"
            )
            print(ProfileWriter.text(of: profile), terminator: "")
        }
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

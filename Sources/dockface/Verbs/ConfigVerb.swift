import ArgumentParser
import Companion
import ControlProtocol
import DockControl
import DockTypes
import Files
import Glibc
import PlainText

/// `dockface config`: the settings in force, and their origins.
struct ConfigVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the settings of dockface run, check a settings file, or write an example file.",
        discussion: """
            Settings come from the command line, from environment variables (DOCKFACE_PORT, ...), from \
            ~/.config/dockface/dockface.toml and from /etc/dockface/dockface.toml. For each key the first source that sets it applies. \
            For example:
              dockface config show --origin
              mkdir -p ~/.config/dockface
              dockface config example > ~/.config/dockface/dockface.toml
              dockface config check && systemctl reload dockface
            """,
        subcommands: [Show.self, Check.self, Example.self, Keys.self], defaultSubcommand: Show.self)

    /// Which file to read.
    struct Place: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Read only this file, or none. Default: DOCKFACE_CONFIG, else the usual files.",
                valueName: "path|none"))
        var config: String?

        /// Returns the settings.
        /// - Throws: an exit that names every mistake.
        func read() throws -> Settings {
            do {
                return try Settings.read(file: config)
            } catch {
                throw fail(plain: "\(error)", status: 78, problem: DockError.Code.configuration.rawValue)
            }
        }
    }

    /// Shows the settings in force.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the keys that are set, or all keys with --all.")

        @Flag(help: "Show the origin of each value: a variable, or a file and line.")
        var origin = false

        @Flag(help: "Also show keys that are not set, with their defaults.")
        var all = false

        @Flag(
            help: "Print one JSON line: {\"settings\":[{\"key\":..,\"value\":..,\"origin\":..}],\"files\":[..]}.")
        var json = false

        @OptionGroup var place: Place

        func run() throws {
            let settings = try place.read()
            if json {
                let rows = settings.entries.map { entry in
                    JSONValue.object([
                        "key": .string(entry.key), "value": .string(entry.text), "origin": .string("\(entry.origin)"),
                    ])
                }
                let files = settings.files.map { JSONValue.string($0) }
                let whole = JSONValue.object(["settings": .array(rows), "files": .array(files)])
                return print(String(decoding: whole.bytes, as: UTF8.self))
            }
            let text = settings.text(origin: origin, isWhole: all)
            print(text.isEmpty ? "# nothing is set; the defaults apply (--all shows them)\n" : text, terminator: "")
            if settings.files.isEmpty {
                warn(
                    "there is no settings file; the usual places are \(Settings.usualFiles.joined(separator: " and "))")
            }
        }
    }

    /// Checks settings for mistakes, and names their locations.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check settings files; without an argument the usual ones, with the variables and the profile.")

        @Argument(help: "Settings files.")
        var files: [String] = []

        @OptionGroup var place: Place

        func run() throws {
            guard files.isEmpty else { return try check(files) }
            let settings = try place.read()
            let values = settings.values(beside: [])
            do {
                // Checked as `dockface run` would read them, except that the port need not be present now.
                let run = try Run.parse(settings.options(before: []))
                if let profile = run.rigs.profile { _ = try loadProfile(profile) }
                _ = try run.detection.arguments()
            } catch let exit as ExitCode {
                throw exit
            } catch {
                throw fail(Run.message(for: error), status: 78, problem: DockError.Code.configuration.rawValue)
            }
            print(
                "ok, \(values.count) set"
                    + (settings.files.isEmpty ? ", no file" : " (\(settings.files.joined(separator: ", ")))"))
        }

        private func check(_ files: [String]) throws {
            var isBad = false
            for file in files {
                do throws(FileError) {
                    try Settings.check(file: file)
                    print("\(ForeignText.line(file)): ok")
                } catch {
                    isBad = true
                    print("\(error)")
                }
            }
            if isBad { throw ExitCode(78) }
        }
    }

    /// Lists all keys.
    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "List all keys with variable, default and meaning, and whether a reload applies them without a restart."
        )

        @Flag(help: "Print one JSON line: an array of {key, option, variable, expects, default, help, example, live}.")
        var json = false

        func run() throws {
            if json {
                let rows = Setting.all.map { setting in
                    JSONValue.object([
                        "key": .string(setting.key), "option": .string(setting.option),
                        "variable": .string(setting.variable), "expects": .string(setting.expectation),
                        "default": .string(setting.fallback), "help": .string(setting.help),
                        "example": .string(setting.example), "live": .bool(setting.isLive),
                    ])
                }
                return print(String(decoding: JSONValue.array(rows).bytes, as: UTF8.self))
            }
            let width = (Setting.all.map(\.key.count).max() ?? 0) + 2
            for setting in Setting.all {
                print("\(setting.key.padded(width))\(setting.help)")
                print(
                    "".padded(width) + "\(setting.expectation); default: \(setting.fallback); \(setting.variable)"
                        + (setting.isLive ? "; live" : ""))
            }
        }
    }

    /// Writes an example file.
    struct Example: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a settings file with every key, its meaning and an example, all commented out.")

        func run() throws { print(Settings.example, terminator: "") }
    }
}

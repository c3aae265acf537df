import DockTypes
import ExtensionKit
import Files

/// The vision model that the owner has written down, in `find.toml` or on the command line. Without an address nothing
/// leaves the robot. Variables do not count: a program must not be able to set an address for its children.
struct ModelSettings: Sendable, Equatable {
    /// The address of the server, which usually ends in /v1, and the model's name there.
    var address = "", model = ""
    /// A file with the key, which only its owner can read; empty for no key.
    var keyFile = ""
    /// The prices of a million tokens, sent and received, in the owner's money.
    var priceIn = 0.0, priceOut = 0.0
    /// The most questions of a search, and the most that they may cost; 0 for no limit of money.
    var requests = 12.0, money = 0.0
    /// Whether the robot needs a screen that shows that pictures are sent.
    var needsScreen = true

    /// The keys of `find.toml`.
    static let rows: [FileRow<ModelSettings>] = [
        FileRow("llm.address", .text, get: { .text($0.address) }) { $0.address = $1.text },
        FileRow("llm.model", .text, get: { .text($0.model) }) { $0.model = $1.text },
        FileRow("llm.key_file", .text, get: { .text($0.keyFile) }) { $0.keyFile = $1.text },
        FileRow("llm.price_in", .number(0...100_000), get: { .number($0.priceIn) }) { $0.priceIn = $1.number },
        FileRow("llm.price_out", .number(0...100_000), get: { .number($0.priceOut) }) { $0.priceOut = $1.number },
        FileRow("llm.requests", .whole(1...100), get: { .number($0.requests) }) { $0.requests = $1.number },
        FileRow("llm.sign", .oneOf(["screen", "none"]), get: { .text($0.needsScreen ? "screen" : "none") }) {
            $0.needsScreen = $1.text != "none"
        },
        FileRow("llm.money", .number(0...1000), get: { .number($0.money) }) { $0.money = $1.number },
    ]

    /// Reads the files of the user and of the system.
    static func read() throws(DockError) -> ModelSettings {
        let user = UserFolder.configuration + "/find.toml", system = "/etc/dockface/find.toml"
        var settings = ModelSettings()
        do throws(FileError) {
            try ExtensionSettings("find", files: user == system ? [system] : [user, system], environment: [:])
                .read(rows, into: &settings)
        } catch {
            throw DockError(.configuration, "\(error)", hint: "correct the file")
        }
        return settings
    }

    /// Checks that a model can be asked.
    /// - Throws: `configuration` if something is missing.
    func check() throws(DockError) {
        guard !address.isEmpty, !model.isEmpty else {
            throw DockError(
                .configuration, "no vision model is written down, so nothing can judge a description",
                hint: "write llm.address and llm.model into \(UserFolder.configuration)/find.toml; see docs/FIND.md")
        }
        guard money == 0 || priceIn > 0 || priceOut > 0 else {
            throw DockError(
                .configuration, "llm.money is a limit, but no price is written down",
                hint: "write llm.price_in and llm.price_out, the prices of a million tokens, into find.toml")
        }
    }

    /// The host of the address as people read it.
    var host: String {
        String(address.split(separator: "/").dropFirst().first ?? "")
    }

    /// Whether pictures stay on this machine.
    var isLocal: Bool {
        if host == "[::1]" || host.hasPrefix("[::1]:") { return true }
        let name = host.prefix { $0 != ":" }
        return name == "localhost" || name.hasPrefix("127.") && name.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// The command that asks it.
    /// - Parameter showsFaces: whether faces stay visible.
    func command(showsFaces: Bool) throws(DockError) -> VerifierCommand {
        var words = ["--address", address, "--model", model]
        if showsFaces { words.append("--uncovered") }
        if !keyFile.isEmpty { words += ["--key-file", keyFile] }
        if priceIn > 0 { words += ["--price-in", "\(priceIn)"] }
        if priceOut > 0 { words += ["--price-out", "\(priceOut)"] }
        return try VerifierCommand("llm", module: "verify_llm", words)
    }
}

import Files
import Glibc

/// The programs that speak and play, where they are installed.
enum VoicePrograms {
    /// What to do if none speaks, or none plays.
    static let speechHint = "install one: apt-get install espeak-ng"
    static let playerHint = "install one: apt-get install alsa-utils"

    /// Returns the path of a program as a shell would find it, or nil.
    static func path(_ name: String) -> String? {
        let folders = (ProcessEnvironment.value("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// The socket of Speech Dispatcher, if there is one. It may belong to a server that has ended.
    static var dispatcherSocket: String? {
        let named = ProcessEnvironment.value("SPEECHD_ADDRESS").flatMap { address in
            address.hasPrefix("unix_socket:") ? String(address.dropFirst("unix_socket:".count)) : nil
        }
        let usual = ProcessEnvironment.value("XDG_RUNTIME_DIR").map { $0 + "/speech-dispatcher/speechd.sock" }
        return [named, usual].compactMap { $0 }.first { access($0, W_OK) == 0 }
    }

    /// A program that plays files.
    struct Player: Sendable, Equatable {
        var name: String, path: String
        /// The words that play the file at descriptor 3.
        var words: [String] { [path] + (name == "aplay" ? ["-q"] : []) + ["/dev/fd/3"] }
    }

    /// The players that are installed. Those whose server runs come first.
    static var players: [Player] {
        let runtime = ProcessEnvironment.value("XDG_RUNTIME_DIR") ?? ""
        let servers = [("pw-play", runtime + "/pipewire-0"), ("paplay", runtime + "/pulse/native")]
        let running = servers.filter { access($0.1, W_OK) == 0 }.map(\.0)
        let names = running + ["aplay"] + servers.map(\.0).filter { !running.contains($0) }
        return names.compactMap { name in path(name).map { Player(name: name, path: $0) } }
    }

    /// Names the program that speaks, or why none does.
    static func speech(_ choice: SpeechChoice) -> (name: String?, problem: String?) {
        let dispatcher = choice == .espeak ? nil : dispatcherSocket
        if let dispatcher { return ("Speech Dispatcher (\(dispatcher))", nil) }
        let espeak = choice == .dispatcher ? nil : path("espeak-ng")
        if let espeak { return ("espeak-ng (\(espeak))", nil) }
        switch choice {
        case .none: return (nil, nil)
        case .dispatcher: return (nil, "Speech Dispatcher does not run")
        case .auto, .espeak: return (nil, "no program that speaks is installed")
        }
    }
}

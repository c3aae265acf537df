import ArgumentParser

@main
struct Dockface: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "dockface")
}

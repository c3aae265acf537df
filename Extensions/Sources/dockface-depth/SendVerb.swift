import ArgumentParser
import DepthStream
import DockTypes
import ExtensionKit
import Networking

struct SendVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send recorded pictures with their depth again and again.",
        discussion: """
            It is for trials without a phone: `save` makes such files. A receiver that is not there is tried again every \
            3 seconds. One that is slow gets fewer pictures, and the others do not notice.
            """)

    @OptionGroup var options: ExtensionOptions

    @Option(help: ArgumentHelp("Folder of pairs that `save` has written.", valueName: "folder"))
    var from: String?

    @Option(help: ArgumentHelp("Picture to send, JPEG; with --depth, instead of --from.", valueName: "file"))
    var picture: String?

    @Option(
        help: ArgumentHelp(
            "Its depth, 16-bit grey PNG; in millimetres, unless it says another unit.", valueName: "file"))
    var depth: String?

    @Option(
        help: ArgumentHelp(
            "Where to send it; can be repeated. The port is 5000 if none is named.", valueName: "host:port"))
    var to: [String]

    @Option(help: ArgumentHelp("Pictures a second. Default: 30.", valueName: "number"))
    var rate = 30.0

    @Option(help: ArgumentHelp("Unit of the depth on the way: mm, or 5m as the app. Default: mm.", valueName: "unit"))
    var unit = "mm"

    func validate() throws {
        guard (from == nil) != (picture == nil), (picture == nil) == (depth == nil) else {
            throw ValidationError("name a folder with --from, or two files with --picture and --depth")
        }
        guard !to.isEmpty, to.count <= 16 else { throw ValidationError("name 1 to 16 receivers with --to") }
        guard (0.1...60).contains(rate) else { throw ValidationError("the rate is 0.1 to 60") }
        guard ["mm", "5m"].contains(unit) else { throw ValidationError("the unit is one of: mm, 5m") }
    }

    func run() async throws {
        let (pairs, plans) = try DepthOptions.reporting { () throws(DockError) in
            let pairs = try recorded(in: DepthUnit(unit) ?? .millimetres)
            var plans: [TransportPlan] = []
            for text in to {
                let address = try ServerAddress(text, defaultPort: ListenPlace.usualPort)
                plans.append(try TransportPlan(address, trust: .off))
            }
            return (pairs, plans)
        }
        let rate = rate
        let ending = await ExtensionHost(DockfaceDepth.identity, options).run { session in
            await PairSender(plans, log: session.log).run(pairs, rate: rate)
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }

    private func recorded(in unit: DepthUnit) throws(DockError) -> [RecordedPair] {
        if let picture, let depth { return [try RecordedPair(picture: picture, depth: depth, unit: unit)] }
        return try RecordedPair.all(in: from ?? "", unit: unit)
    }
}

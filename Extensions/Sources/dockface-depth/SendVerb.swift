import ArgumentParser
import DepthStream
import DockTypes
import ExtensionKit
import Networking

struct SendVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send pictures with depth: recorded ones, or those of the dock and a depth camera.",
        discussion: """
            `save` makes the files for --from. With --depth-camera, the pictures of the dock's camera go on their way with \
            the depth of a camera of the kernel (V4L2, format Z16). A receiver that is not there is tried again every 3 \
            seconds. One that is slow gets fewer pictures, and the others do not notice.
            """)

    @OptionGroup var options: ExtensionOptions

    @Option(help: ArgumentHelp("Folder of pairs that `save` has written.", valueName: "folder"))
    var from: String?

    @Option(help: ArgumentHelp("Picture to send, JPEG; with --depth, instead of --from.", valueName: "file"))
    var picture: String?

    @Option(
        help: ArgumentHelp(
            "Depth of the picture, 16-bit grey PNG, in millimetres unless the file names another unit.",
            valueName: "file"))
    var depth: String?

    @Option(
        help: ArgumentHelp(
            "Device of a depth camera; instead of --from, with the pictures of the dock's camera.",
            valueName: "/dev/video2"))
    var depthCamera: String?

    @Option(
        help: ArgumentHelp("Unit of that camera: mm, or metres per count. Default: mm.", valueName: "unit"))
    var depthUnit: String?

    @Option(
        help: ArgumentHelp(
            "Where to send it; can be repeated. The port is 5000 if none is named.", valueName: "host:port"))
    var to: [String]

    @Option(help: ArgumentHelp("Pictures a second; of cameras at most. Default: 30.", valueName: "number"))
    var rate = 30.0

    @Option(
        help: ArgumentHelp("Unit of the depth that is sent: mm, or 5m as in the app. Default: mm.", valueName: "unit"))
    var unit = "mm"

    func validate() throws {
        let sources = [from != nil, picture != nil || depth != nil, depthCamera != nil].count { $0 }
        guard sources == 1, (picture == nil) == (depth == nil) else {
            throw ValidationError(
                "name a folder with --from, two files with --picture and --depth, or a camera with --depth-camera")
        }
        guard depthUnit == nil || depthCamera != nil else {
            throw ValidationError("--depth-unit is that of a --depth-camera; files name their own unit")
        }
        guard depthUnit.map({ DepthUnit($0) != nil }) ?? true else {
            throw ValidationError("the unit of the camera is mm, or metres per count, such as 0.0001")
        }
        guard !to.isEmpty, to.count <= 16 else { throw ValidationError("name 1 to 16 receivers with --to") }
        guard (0.1...60).contains(rate) else { throw ValidationError("the rate is 0.1 to 60") }
        guard ["mm", "5m"].contains(unit) else { throw ValidationError("the unit is one of: mm, 5m") }
    }

    func run() async throws {
        let (source, plans) = try DepthOptions.reporting { () throws(DockError) in
            let source = try chosen()
            var plans: [TransportPlan] = []
            for text in to {
                let address = try ServerAddress(text, defaultPort: ListenPlace.usualPort)
                plans.append(try TransportPlan(address, trust: .off))
            }
            return (source, plans)
        }
        let rate = rate
        let ending = await ExtensionHost(DockfaceDepth.identity, options).run { session in
            let sender = PairSender(plans, log: session.log)
            switch source {
            case .files(let pairs): try await sender.run(pairs, rate: rate)
            case .cameras(let choice):
                Self.announce(plans, session.log)
                let places = plans.count == 1 ? plans[0].address.text : "\(plans.count) receivers"
                let pairs = LivePairs(choice)
                try await sender.run { put in
                    try await pairs.run(session, places: String(places.prefix(70)), put)
                }
            }
        }
        if ending != .done { throw ExitCode(ending.exitStatus) }
    }

    /// What is sent.
    private enum Source: Sendable {
        case files([PackedPair])
        case cameras(LivePairs.Choice)
    }

    private func chosen() throws(DockError) -> Source {
        let sent = DepthUnit(unit) ?? .millimetres
        if let picture, let depth { return .files([try PackedPair(picture: picture, depth: depth, unit: sent)]) }
        guard let depthCamera else { return .files(try PackedPair.all(in: from ?? "", unit: sent)) }
        // What cannot work is known before a person waits for it. After that, the camera may come and go.
        do throws(DepthCameraTrouble) {
            _ = try DepthCamera(path: depthCamera, rate: rate)
        } catch {
            throw error.error(depthCamera)
        }
        let own = depthUnit.flatMap { DepthUnit($0) } ?? .millimetres
        return .cameras(LivePairs.Choice(path: depthCamera, unit: own, sent: sent, rate: rate))
    }

    /// Says where the pictures of people go.
    private static func announce(_ plans: [TransportPlan], _ log: ExtensionLog) {
        let places = plans.map(\.address.text).joined(separator: ", ")
        log.note("the pictures of the dock's camera go to \(places) until Ctrl-C")
        let isLocal = plans.allSatisfy { plan in
            plan.address.host == "localhost" || SenderAddress(plan.address.host)?.isLocal == true
        }
        if !isLocal {
            log.warning(
                "everyone in the network can see the pictures: the stream is neither encrypted nor "
                    + "authenticated")
        }
    }
}

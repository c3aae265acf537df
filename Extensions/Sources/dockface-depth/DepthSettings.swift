import DepthStream
import DockTypes
import Files

/// What a person can set: in `depth.toml`, in `DOCKFACE_DEPTH_*`, and on the command line.
struct DepthSettings: Sendable, Equatable {
    /// Where to listen, ADDRESS:PORT.
    var listen = "127.0.0.1:\(ListenPlace.usualPort)"
    /// The addresses that may send; empty for all.
    var allow: [String] = []
    /// The unit of the samples, and which of their bytes comes first; `auto` for a decision by the pictures.
    var unit = auto, order = auto

    static let auto = "auto"
    /// The words for the order.
    static let orders = [auto] + SampleOrder.allCases.map(\.rawValue)

    /// The keys of `depth.toml`.
    static let rows: [FileRow<DepthSettings>] = [
        FileRow("listen", .text, get: { .text($0.listen) }) { $0.listen = $1.text },
        FileRow("allow", .texts(most: 64), get: { $0.allow.isEmpty ? nil : .texts($0.allow) }) { $0.allow = $1.texts },
        FileRow("unit", .text, get: { .text($0.unit) }) { $0.unit = $1.text },
        FileRow("order", .oneOf(orders), get: { .text($0.order) }) { $0.order = $1.text },
    ]

    /// What a person has decided about the samples.
    /// - Throws: `configuration`.
    func choice() throws(DockError) -> DepthJudge.Choice {
        DepthJudge.Choice(unit: try Self.unit(unit), order: SampleOrder(rawValue: order))
    }

    /// Reads a unit; nil for `auto`.
    static func unit(_ text: String) throws(DockError) -> DepthUnit? {
        guard text != auto else { return nil }
        guard let unit = DepthUnit(text) else {
            throw DockError(
                .configuration, "\(text) is not a unit of depth",
                hint: "write auto, mm, 5m, or metres per count, such as 0.00025")
        }
        return unit
    }
}

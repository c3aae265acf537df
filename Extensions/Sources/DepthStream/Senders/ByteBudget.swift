/// How many bytes of unfinished packets all connections together hold, as a pure value.
///
/// Each connection may announce a large packet, and all of them together would take more memory than the service has.
/// The connection that holds the most must end then. The one that steers always has room for its packet.
public struct ByteBudget: Sendable {
    /// The most bytes: the largest packet of the sender that steers, and half as much for all others together.
    public static let most = 24 << 20

    private var held: [Int: Int] = [:]

    /// Creates a budget without connections.
    public init() {}

    /// The bytes that are held.
    public var total: Int { held.values.reduce(0, +) }

    /// Records how many bytes a connection holds. Returns the connections that must end, which hold nothing after that.
    public mutating func hold(_ bytes: Int, by number: Int, steering: Int?) -> [Int] {
        held[number] = bytes > 0 ? bytes : nil
        var ending: [Int] = []
        while total > Self.most {
            let others = held.filter { $0.key != steering }
            guard let most = others.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { break }
            held[most.key] = nil
            ending.append(most.key)
        }
        return ending
    }

    /// Records the end of a connection.
    public mutating func closed(_ number: Int) { held[number] = nil }
}

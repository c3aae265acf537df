public import AllSpark

/// When an upload that an owner waits for is given up, because the server is away. Pure.
public struct UploadPatience: Sendable, Equatable {
    /// Why it is given up.
    public enum End: Sendable, Equatable {
        /// There was no connection at all, for this reason.
        case neverThere(String)
        /// The connection was lost for this reason, and did not come back.
        case lost(String)
    }

    /// A server is given up after this number of attempts to reach it again, since the last file: a minute or more.
    static let most = 12

    private var wasConnected = false
    private var attempts = 0
    private var reason = ""

    /// Creates the patience of an upload that has no connection yet.
    public init() {}

    /// Records that the server has confirmed a file.
    public mutating func confirmed() { attempts = 0 }

    /// Records what the connection does. Returns the end if the owner should not wait any longer.
    public mutating func note(_ state: LinkState) -> End? {
        switch state {
        case .off: break
        case .connected, .secure: wasConnected = true
        case .disconnected(let why):
            guard wasConnected else { return .neverThere(why) }
            reason = why
        case .connecting:
            guard wasConnected else { break }
            attempts += 1
            if attempts > Self.most { return .lost(reason) }
        }
        return nil
    }
}

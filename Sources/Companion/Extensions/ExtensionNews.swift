internal import ControlProtocol

/// What the session learns about a program that reports as an extension.
struct ExtensionNews: Sendable, Equatable {
    enum Kind: Sendable {
        /// It has reported its state.
        case reported
        /// Its report is overdue.
        case silent
        /// Its connection has ended.
        case left
    }

    /// The process group that reports, or nil if the kernel does not tell. A name would not do: any program can use it.
    var process: Int32?
    var kind: Kind

    /// Creates news of the program that reports this.
    init(_ reading: ExtensionReading, _ kind: Kind) { (process, self.kind) = (reading.process, kind) }

    /// Whether it is about this child of the daemon.
    func isAbout(_ child: ExtensionReading) -> Bool { process != nil && process == child.process }
}

/// The news that wait for the thread of the extensions.
struct ExtensionInbox: Sendable {
    /// The maximum number of news that wait. Each child reports every two seconds.
    static let most = 256

    /// The children as they are now. News of other programs are dropped.
    var children: [ExtensionReading] = []
    private var news: [ExtensionNews] = []

    /// Adds news. Returns whether they are about a child.
    mutating func add(_ new: ExtensionNews) -> Bool {
        guard news.count < Self.most, children.contains(where: new.isAbout) else { return false }
        news.append(new)
        return true
    }

    /// Removes all news, and returns them.
    mutating func take() -> [ExtensionNews] {
        defer { news = [] }
        return news
    }
}

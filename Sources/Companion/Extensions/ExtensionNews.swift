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

    /// Who reports.
    enum Sender: Sendable, Equatable {
        /// A process group, or nil if the kernel does not tell.
        case process(Int32?)
        /// A name, which any program can use.
        case name(String)
    }

    var sender: Sender
    var kind: Kind

    /// Creates news of the program that reports this.
    init(_ reading: ExtensionReading, _ kind: Kind) { (sender, self.kind) = (.process(reading.process), kind) }

    /// Creates news of a name.
    init(name: String, kind: Kind) { (sender, self.kind) = (.name(name), kind) }

    /// Whether it is about this child of the daemon.
    func isAbout(_ child: ExtensionReading) -> Bool {
        switch sender {
        case .process(let reporter): reporter != nil && reporter == child.process
        case .name(let name): name == child.name
        }
    }
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

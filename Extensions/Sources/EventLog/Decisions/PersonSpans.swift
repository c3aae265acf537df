public import ControlProtocol
public import Geometry

/// Who is seen from when to when, as a pure value: one record for each subject, when it has gone.
///
/// Subjects have numbers, which the daemon never uses again. Nothing else of a person is kept.
public struct PersonSpans: Sendable, Equatable {
    private struct Span: Sendable, Equatable {
        var isObject: Bool
        var isFollowed = false
        var first: Moment
        /// The last time at which a detection showed it.
        var last: Moment
        /// Since when it is no longer reported, CLOCK_MONOTONIC.
        var missing: Seconds?
    }

    /// How long a subject may be missing before it has gone, in seconds.
    public static let patience: Seconds = 2
    /// The maximum number of subjects at a time. A daemon tracks fewer.
    public static let most = 256

    private var spans: [Int: Span] = [:]

    /// Creates a value that has seen no one.
    public init() {}

    /// Takes what the tracker reports. Returns the records of subjects that have gone.
    public mutating func saw(_ reading: TrackingReading, at now: Moment) -> [LogRecord] {
        var present: Set<Int> = []
        for subject in reading.subjects {
            guard spans[subject.id] != nil || spans.count < Self.most else { continue }
            present.insert(subject.id)
            var span = spans[subject.id] ?? Span(isObject: subject.kind == "object", first: now, last: now)
            span.missing = nil
            // A predicted rectangle is not a sight.
            if !subject.isCoasting { span.last = now }
            if subject.id == reading.followed { span.isFollowed = true }
            spans[subject.id] = span
        }
        for id in spans.keys where !present.contains(id) {
            if spans[id]?.missing == nil { spans[id]?.missing = now.monotonic }
        }
        return due(at: now)
    }

    /// Returns the records of subjects that have been missing long enough.
    public mutating func due(at now: Moment) -> [LogRecord] {
        end { span in span.missing.map { now.monotonic - $0 >= Self.patience } ?? false }
    }

    /// Ends all spans: the daemon is gone, or the log ends.
    public mutating func endAll() -> [LogRecord] { end { _ in true } }

    private mutating func end(where isOver: (Span) -> Bool) -> [LogRecord] {
        let over = spans.filter { isOver($0.value) }.sorted { $0.key < $1.key }
        for (id, _) in over { spans[id] = nil }
        return over.map { id, span in
            let seconds = max(0, span.last.monotonic - span.first.monotonic)
            return LogRecord(
                span.isObject ? .object : .person, "seen",
                [
                    "subject": .number(id), "first": .string(span.first.wall.iso), "last": .string(span.last.wall.iso),
                    "seconds": .number((seconds * 10).rounded() / 10), "followed": .bool(span.isFollowed),
                ])
        }
    }
}

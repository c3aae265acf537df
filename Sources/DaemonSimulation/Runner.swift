public import Geometry

/// The result of one story.
public struct StoryResult: Sendable {
    /// The story.
    public var story: Story
    /// The first broken rule; nil if none was broken.
    public var violation: Violation?
    /// A hash of all bytes on the wire and their times. The same story gives the same value.
    public var fingerprint: UInt64
}

/// Runs stories, and reduces those that break a rule.
public enum Runner {
    /// Runs one story to its end, or until it breaks a rule.
    ///
    /// `onWord` receives every message, answer and set-point, with the world's time.
    public static func run(_ story: Story, onWord: ((Seconds, String) -> Void)? = nil) -> StoryResult {
        let world = World(story: story)
        world.oracle.onWord = onWord
        world.run()
        return StoryResult(story: story, violation: world.oracle.violation, fingerprint: world.oracle.fingerprint)
    }

    /// Reduces a story to events that still break the same rule. It leaves out first halves, then single events.
    public static func shrink(_ result: StoryResult) -> StoryResult {
        guard let rule = result.violation?.rule else { return result }
        var best = result
        var size = max(1, best.story.events.count / 2)
        while true {
            var start = 0
            var isSmaller = false
            while start < best.story.events.count {
                let numbers = best.story.events.map(\.number)
                let left = Set(numbers[..<start] + numbers[min(numbers.count, start + size)...])
                let attempt = run(best.story.keeping(left))
                if attempt.violation?.rule == rule {
                    best = attempt
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1, !isSmaller { return best }
            if !isSmaller || size > best.story.events.count { size = max(1, size / 2) }
        }
    }
}

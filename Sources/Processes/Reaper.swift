internal import CPosix
internal import Glibc
internal import Synchronization

/// Ends the groups of our children when this process dies, however it dies: `dock-reaper`, a process of its own, sees its end.
enum Reaper {
    private struct State {
        /// To the reaper; -1: there is none yet.
        var channel: Int32 = -1
        var groups: Set<Int32> = []
    }

    private static let state = Mutex(State())

    /// A child has begun a group. Where no reaper can be had, its end is left to our orderly one.
    static func watch(_ group: Int32) {
        state.withLock { state in
            state.groups.insert(group)
            if state.channel >= 0, cposix_reaper_tell(state.channel, group, true) == 0 { return }
            // There is none, or it is gone: a new one hears of all.
            if state.channel >= 0 { close(state.channel) }
            state.channel = cposix_reaper_start()
            guard state.channel >= 0 else { return }
            for group in state.groups { _ = cposix_reaper_tell(state.channel, group, true) }
        }
    }

    /// A group is gone: its number may be another one's from now on.
    static func forget(_ group: Int32) {
        state.withLock { state in
            guard state.groups.remove(group) != nil, state.channel >= 0 else { return }
            _ = cposix_reaper_tell(state.channel, group, false)
        }
    }
}

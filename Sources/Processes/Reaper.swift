internal import CPosix
internal import Glibc

/// Ends the process groups of our children when this process dies for any reason. A separate process, `dock-reaper`,
/// detects that.
enum Reaper {
    private struct State {
        /// The channel to the reaper; -1 if there is none yet.
        var channel: Int32 = -1
        var groups: Set<Int32> = []
    }

    private static let state = Locked(State())

    /// Registers a child's group. If no reaper can be started, only an orderly shutdown ends the group.
    static func watch(_ group: Int32) {
        state.withLock { state in
            state.groups.insert(group)
            if state.channel >= 0, cposix_reaper_tell(state.channel, group, true) == 0 { return }
            // There is no reaper, or it is gone: a new one gets all groups.
            if state.channel >= 0 { close(state.channel) }
            state.channel = cposix_reaper_start()
            guard state.channel >= 0 else { return }
            for group in state.groups { _ = cposix_reaper_tell(state.channel, group, true) }
        }
    }

    /// Removes a group that has ended: its number may be reused.
    static func forget(_ group: Int32) {
        state.withLock { state in
            guard state.groups.remove(group) != nil, state.channel >= 0 else { return }
            _ = cposix_reaper_tell(state.channel, group, false)
        }
    }
}

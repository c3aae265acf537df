internal import Glibc
internal import NIOCore
internal import NIOPosix

/// The one thread on which all connections of a program are served. It lives as long as the program.
enum NetworkLoop {
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// The loop.
    static var shared: any EventLoop { group.any() }
}

extension NIODeadline {
    /// The time in seconds, since an arbitrary start.
    var seconds: Double { Double(uptimeNanoseconds) / 1e9 }
}

extension TimeAmount {
    /// A duration in seconds; one that is not finite becomes the longest.
    static func duration(_ seconds: Double) -> TimeAmount {
        .nanoseconds(Int64(exactly: (min(max(seconds, 0), 1e9) * 1e9).rounded()) ?? .max)
    }
}

/// The wall clock, Unix seconds: the dates of certificates are compared with it.
func unixTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

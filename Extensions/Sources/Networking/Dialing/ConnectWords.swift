internal import Glibc
internal import NIOCore
internal import NIOPosix

/// Finds words for a TCP connection that could not be made.
struct ConnectWords {
    let plan: TransportPlan

    private var place: String { plan.address.text }

    func failure(_ error: any Error) -> TransportFailure {
        guard let error = error as? NIOConnectionError else { return words(of: error) }
        // With addresses of two kinds, one attempt that reached the machine says more than one that did not.
        let attempts = error.connectionErrors.map { words(of: $0.error) }
        if let refused = attempts.first(where: { $0.kind == .refused }) ?? attempts.first { return refused }
        return TransportFailure(
            .nameNotFound, "the name \(plan.address.host) is not known here",
            hint: "check the spelling, or use the numeric address")
    }

    private func words(of error: any Error) -> TransportFailure {
        if let channel = error as? ChannelError, case .connectTimeout = channel { return timedOut }
        guard let code = (error as? IOError)?.errnoCode else {
            return TransportFailure(
                .unreachable, "no connection to \(place) (\(error))", hint: "check the address and the network")
        }
        switch code {
        case ECONNREFUSED:
            return TransportFailure(
                .refused, "no program listens at \(place)", hint: "start the server, or check the port")
        case ETIMEDOUT: return timedOut
        default:
            return TransportFailure(
                .unreachable, "\(place) cannot be reached: \(String(cString: strerror(code)))",
                hint: "check the address and the network")
        }
    }

    private var timedOut: TransportFailure {
        TransportFailure(.timedOut, "\(place) does not answer", hint: "check the address and the network")
    }
}

internal import AllSpark
internal import DockTypes
internal import Networking

/// Tries to reach a server, for a person. Nothing is sent to it but the question how it is.
public enum ServerCheck {
    /// Returns why the server cannot be reached, or nil. A server without the page of health counts as reached.
    public static func problem(of server: ChosenServer, limit: Double = 5) async -> String? {
        do {
            _ = try await HTTPFetch(server.plan(at: ServerSearch.place(of: server)), limit: limit)
                .body(of: AllSparkServer.healthPath)
            return nil
        } catch let failure as TransportFailure {
            if case .notWebSocket = failure.kind { return nil }
            return failure.message
        } catch let error as DockError {
            return error.message
        } catch {
            return "\(error)"
        }
    }
}

import AllSpark
import DockTypes
import ExtensionKit
import Networking
import VideoUpload

/// The server that a person means: a name on the local network, or an address.
struct JoinTarget: Sendable {
    /// How long a name is looked for, in seconds.
    static let patience = 4.0

    let name: String
    let address: ServerAddress
    let service: String?
    let numericHost: String?

    /// Looks for the server if the words are no address.
    /// - Throws: `configuration` if they are neither; `notConnected` if no server of this name answers.
    init(_ words: String) async throws(DockError) {
        let port = AllSparkServer.usualPort
        if words.contains(":") || words.contains("."), let address = try? ServerAddress(words, defaultPort: port) {
            (name, self.address, service, numericHost) = (address.text, address, nil, nil)
            return
        }
        let isIt: @Sendable (FoundService) -> Bool = { $0.name.lowercased() == words.lowercased() }
        let found = await ServerSearch().servers(within: Self.patience) { $0.contains(where: isIt) }
        if let service = found.first(where: isIt), let host = service.addresses.first {
            // The name of its machine matters only to TLS.
            let address: ServerAddress
            if let named = service.address {
                address = named
            } else {
                address = try ServerAddress("\(host):\(service.port)", defaultPort: port)
            }
            (name, self.address) = (service.name, address)
            (self.service, numericHost) = (service.name, host)
            return
        }
        guard found.isEmpty, let address = try? ServerAddress(words, defaultPort: port) else {
            let names = found.map(\.name).joined(separator: ", ")
            throw DockError(
                .notConnected, "no server is named \"\(words)\"" + (names.isEmpty ? "" : "; there are: \(names)"),
                hint: "see `dockface record servers`, or name HOST:PORT")
        }
        (name, self.address, service, numericHost) = (address.text, address, nil, nil)
    }
}

/// Decides with the owner which certificate of a server is accepted.
struct JoinTrust: Sendable {
    private let target: JoinTarget
    private let tls: TLSWord?
    private let fingerprint: String?
    private let isAsking: Bool

    init(_ target: JoinTarget, tls: TLSWord?, fingerprint: String?, isAsking: Bool) {
        (self.target, self.tls, self.isAsking) = (target, tls, isAsking)
        self.fingerprint = fingerprint?.uppercased()
    }

    /// Returns the trust, or nil if the owner does not agree.
    /// - Throws: the reason why the server cannot be reached, or is not the one that the options describe.
    func decide() async throws(DockError) -> TransportTrust? {
        guard tls != .off, target.address.scheme != .plain else { return try agreeToPlain() }
        let certificate: ServerCertificate
        do {
            certificate = try await CertificateProbe.certificate(of: target.address, numericHost: target.numericHost)
        } catch let failure as TransportFailure {
            guard failure.kind == .needsPlain, tls == nil, target.address.scheme == nil else { throw failure.error }
            return try agreeToPlain()
        } catch {
            throw DockError(.timeout, "the search for the certificate was ended", hint: "try again")
        }
        if let fingerprint {
            guard certificate.fingerprint == fingerprint else {
                throw DockError(
                    .permission, "the server shows another certificate: \(certificate.fingerprint)",
                    hint: "make sure that it is the right server, and that no other machine intercepts the connection")
            }
            return .pinned(certificate)
        }
        if tls != .pinned, await isVouchedFor() { return .system }
        if tls == .system {
            throw DockError(
                .permission, "no authority of this system vouches for \(target.address.text)",
                hint: "use --tls pinned, and compare the fingerprint")
        }
        return try agreeToPin(certificate)
    }

    /// Connects once, as the recorder will, and asks the server how it is. No name leaves this machine.
    static func check(_ server: ChosenServer) async throws(DockError) {
        do {
            let plan = try server.plan(at: nil)
            let body = try await HTTPFetch(plan).body(of: AllSparkServer.healthPath)
            guard let health = ServerHealth(body) else {
                throw DockError(
                    .protocolError, "\(server.address.text) is not an AllSpark server", hint: "check the address")
            }
            if !health.isWell { RecordPlace.log.warning("\(server.name) reports that it has a problem") }
        } catch let failure as TransportFailure {
            throw failure.error
        } catch let error as DockError {
            throw error
        } catch {
            throw DockError(.timeout, "the server was not reached", hint: "try again")
        }
    }

    private func isVouchedFor() async -> Bool {
        guard let plan = try? TransportPlan(target.address, trust: .system, numericHost: target.numericHost) else {
            return false
        }
        do {
            _ = try await HTTPFetch(plan).body(of: AllSparkServer.healthPath)
            return true
        } catch {
            // A page that is missing says that the certificate was accepted.
            if let failure = error as? TransportFailure, case .notWebSocket = failure.kind { return true }
            return false
        }
    }

    private func agreeToPin(_ certificate: ServerCertificate) throws(DockError) -> TransportTrust? {
        let name = certificate.commonName.map { " for \"\($0)\"" } ?? ""
        let until = UTCTime.text(certificate.validUntil)
        TextOutput.put(
            """
            \(target.name) shows a certificate\(name) for which no authority of this system vouches.
              SHA-256  \(certificate.fingerprint)
              valid    until \(until)
            Compare the fingerprint with that at the server.

            """, to: 2)
        guard isAsking else {
            throw DockError(
                .permission, "the certificate was not accepted", hint: "pass --fingerprint with its digits")
        }
        let agrees = try RecordPlace.agrees(
            "Accept this certificate, and no other?", otherwise: "pass --fingerprint with its digits")
        return agrees ? .pinned(certificate) : nil
    }

    private func agreeToPlain() throws(DockError) -> TransportTrust? {
        if tls == .off, !isAsking { return .off }
        let agrees = try RecordPlace.agrees(
            "\(target.name) has no encryption: everyone in the network can see what is uploaded. Use it anyway?",
            otherwise: "pass --tls off --yes")
        return agrees ? .off : nil
    }
}

/// Finds words for a connection that failed before it was usable, as a pure function of what was seen.
struct HandshakeDiagnosis: Sendable {
    let plan: TransportPlan
    let trace: HandshakeTrace
    /// The time, Unix seconds.
    let now: Double

    private var place: String { plan.address.text }

    /// The failure. `reason`: what the library says, for cases that have no words of their own.
    func failure(_ reason: String) -> TransportFailure {
        if let status = trace.status { return status == 101 ? broken(reason) : refused(status) }
        if plan.isEncrypted, !trace.isSecured { return encryptionFailure(reason) }
        return trace.firstBytes.isEmpty ? silence() : plan.isEncrypted ? broken(reason) : plainFailure(reason)
    }

    // MARK: without an answer

    private func silence() -> TransportFailure {
        let hint =
            plan.isEncrypted
            ? "check that it is a WebSocket server with TLS" : "if the server uses TLS, write wss:// and set tls"
        if trace.isTimedOut { return TransportFailure(.timedOut, "\(place) does not answer", hint: hint) }
        return TransportFailure(
            .closedWithoutAnswer, "\(place) closed the connection without an answer", hint: hint)
    }

    private func plainFailure(_ reason: String) -> TransportFailure {
        if trace.speaksTLS { return needsTLS }
        return trace.isTimedOut
            ? TransportFailure(.timedOut, "\(place) does not finish its answer", hint: "check the server")
            : TransportFailure(.notHTTP, "\(place) does not speak HTTP (\(reason))", hint: "check the port")
    }

    /// The message says what to write, because a state that others show has no hint.
    private var needsTLS: TransportFailure {
        TransportFailure(
            .needsTLS, "\(place) expects TLS (wss://)", hint: "write wss:// and set tls to system or pinned")
    }

    private func refused(_ status: Int) -> TransportFailure {
        if trace.asksForTLS, !plan.isEncrypted { return needsTLS }
        let hint =
            plan.isEncrypted || status != 400
            ? "check the port and the path" : "check the port, and whether the server uses TLS"
        return TransportFailure(
            .notWebSocket(status: status), "\(place) answers with the HTTP status \(status)", hint: hint)
    }

    private func broken(_ reason: String) -> TransportFailure {
        TransportFailure(.protocolViolation, "\(place) broke the handshake (\(reason))", hint: "check the server")
    }

    // MARK: TLS

    private func encryptionFailure(_ reason: String) -> TransportFailure {
        if trace.isRejected, let certificate = trace.certificate {
            return complaint(about: certificate) ?? tlsFailed(reason)
        }
        if trace.firstBytes.isEmpty {
            let hint = "if the server has no TLS, switch tls off; others can then read along"
            return trace.isTimedOut
                ? TransportFailure(.timedOut, "\(place) does not answer to TLS", hint: hint)
                : TransportFailure(
                    .closedWithoutAnswer, "\(place) closed the connection without an answer to TLS", hint: hint)
        }
        guard trace.speaksTLS else {
            return TransportFailure(
                .needsPlain, "\(place) does not speak TLS",
                hint: "check the port; if the server has no TLS, switch tls off; others can then read along")
        }
        return trace.isTimedOut
            ? TransportFailure(.timedOut, "\(place) does not finish TLS", hint: "check the server") : tlsFailed(reason)
    }

    private func tlsFailed(_ reason: String) -> TransportFailure {
        TransportFailure(.tlsFailed, "TLS with \(place) failed (\(reason))", hint: "check the server's TLS")
    }

    /// What is wrong with the certificate, the gravest first; nil if it was not the reason.
    private func complaint(about certificate: ServerCertificate) -> TransportFailure? {
        if case .pinned(let pin) = plan.trust {
            return pin == certificate ? nil : changed(from: pin, to: certificate)
        }
        if now > certificate.validUntil {
            return TransportFailure(
                .expired, "the certificate of \(place) expired \(days(now - certificate.validUntil)) ago",
                hint: "renew it on the server, and check this machine's clock")
        }
        if now < certificate.validFrom {
            return TransportFailure(
                .notYetValid, "the certificate of \(place) becomes valid in \(days(certificate.validFrom - now))",
                hint: "check this machine's clock")
        }
        return identityComplaint(certificate)
    }

    private func identityComplaint(_ certificate: ServerCertificate) -> TransportFailure {
        if trace.isWrongName {
            let name = certificate.commonName.map { " (it names \"\($0)\")" } ?? ""
            return TransportFailure(
                .wrongName, "the certificate of \(place) is not for \(plan.address.host)\(name)",
                hint: "connect by the name in the certificate, or pin it")
        }
        if certificate.isSelfSigned {
            return TransportFailure(
                .selfSigned, "the certificate of \(place) vouches for itself (\(certificate.fingerprint))",
                hint: "compare the fingerprint on the server, and pin the certificate")
        }
        return TransportFailure(
            .unknownAuthority, "no accepted authority vouches for the certificate of \(place)",
            hint: "add the authority, or compare the fingerprint and pin the certificate")
    }

    private func changed(from pin: ServerCertificate, to certificate: ServerCertificate) -> TransportFailure {
        TransportFailure(
            .changedPin,
            "the certificate of \(place) is not the accepted one: \(certificate.fingerprint), not \(pin.fingerprint)",
            hint: "another machine may answer in its place; pin the new one only if the server's owner has changed it")
    }

    private func days(_ seconds: Double) -> String { ServerCertificate.words(ofTime: seconds) }
}

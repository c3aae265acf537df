import DockTypes
import Foundation
import NIOSSL

@testable import Networking

/// Certificates that are made when the tests begin, by the command `openssl`.
struct TestCertificates {
    /// A certificate of a server, with its key.
    struct Identity: Sendable {
        let certificate: ServerCertificate
        let pem: String, key: String

        /// The server's side of TLS.
        func makeConfiguration() throws -> TLSConfiguration {
            let chain = try NIOSSLCertificate.fromPEMFile(pem).map { NIOSSLCertificateSource.certificate($0) }
            return try .makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(NIOSSLPrivateKey(file: key, format: .pem)))
        }
    }

    /// Made once, and used by all tests.
    static let shared = Result { try TestCertificates() }

    /// The authority that vouches for the first four.
    let authority: ServerCertificate
    /// For `localhost` and 127.0.0.1.
    let right: Identity
    let expired: Identity, notYetValid: Identity
    /// For another name.
    let wrongName: Identity
    /// They vouch for themselves, with the right name.
    let selfSigned: Identity, otherSelfSigned: Identity
    /// As AllSpark's page tells to make it: a common name, and no other names.
    let commonNameOnly: Identity

    private init() throws {
        let folder = NSTemporaryDirectory() + "dockface-certificates-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { atexit_remove(folder) }
        let make = Maker(folder: folder)
        try make.selfSigned("authority", names: nil)
        authority = try make.load("authority").certificate
        try make.issued("right", names: "DNS:localhost,IP:127.0.0.1")
        try make.issued("expired", names: "DNS:localhost,IP:127.0.0.1", from: "20200101000000Z", to: "20210101000000Z")
        try make.issued("early", names: "DNS:localhost,IP:127.0.0.1", from: "20950101000000Z", to: "20990101000000Z")
        try make.issued("elsewhere", names: "DNS:elsewhere.test,IP:10.9.8.7")
        try make.selfSigned("self", names: "DNS:localhost,IP:127.0.0.1")
        try make.selfSigned("other", names: "DNS:localhost,IP:127.0.0.1")
        try make.selfSigned("common", names: nil, subject: "localhost")
        right = try make.load("right")
        (expired, notYetValid) = (try make.load("expired"), try make.load("early"))
        wrongName = try make.load("elsewhere")
        (selfSigned, otherSelfSigned) = (try make.load("self"), try make.load("other"))
        commonNameOnly = try make.load("common")
    }

    /// Runs `openssl` in a folder, and returns what it prints.
    static func openssl(_ words: [String], in folder: String = "/") throws -> String {
        try Maker.run(words, in: folder)
    }

    /// What `openssl` calls the fingerprint of a certificate.
    static func fingerprint(_ identity: Identity) throws -> String {
        let output = try openssl(["x509", "-in", identity.pem, "-noout", "-fingerprint", "-sha256"])
        return String(output.split(separator: "=").last ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Removes the folder at the end of the process.
private func atexit_remove(_ folder: String) {
    leftFolders.append(folder)
    if leftFolders.count == 1 {
        atexit { for folder in leftFolders { try? FileManager.default.removeItem(atPath: folder) } }
    }
}

nonisolated(unsafe) private var leftFolders: [String] = []

private struct Maker {
    struct Failed: Error { let output: String }

    let folder: String
    private static let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

    func selfSigned(_ name: String, names: String?, subject: String? = nil) throws {
        let extra = names.map { ["-addext", "subjectAltName=\($0)"] } ?? []
        _ = try Self.run(
            ["req", "-x509"] + Self.key
                + ["-keyout", "\(name).key", "-out", "\(name).pem", "-days", "30", "-subj", "/CN=\(subject ?? name)"]
                + extra, in: folder)
    }

    /// With `openssl ca`, because only that takes dates.
    func issued(_ name: String, names: String, from: String? = nil, to: String? = nil) throws {
        let rules = """
            [ca]
            default_ca=c
            [c]
            database=\(name).txt
            new_certs_dir=.
            default_md=sha256
            policy=p
            rand_serial=yes
            default_days=30
            [p]
            commonName=supplied
            [x]
            subjectAltName=\(names)
            """
        for (file, text) in [("\(name).cnf", rules), ("\(name).txt", "")] {
            try text.write(toFile: "\(folder)/\(file)", atomically: false, encoding: .utf8)
        }
        _ = try Self.run(
            ["req"] + Self.key + ["-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)"], in: folder)
        var words = [
            "ca", "-config", "\(name).cnf", "-batch", "-cert", "authority.pem", "-keyfile", "authority.key", "-in",
            "\(name).csr", "-out", "\(name).pem", "-extensions", "x", "-notext",
        ]
        if let from, let to { words += ["-startdate", from, "-enddate", to] }
        _ = try Self.run(words, in: folder)
    }

    func load(_ name: String) throws -> TestCertificates.Identity {
        let pem = "\(folder)/\(name).pem"
        return TestCertificates.Identity(
            certificate: try ServerCertificate(pem: Array(Data(contentsOf: URL(fileURLWithPath: pem)))), pem: pem,
            key: "\(folder)/\(name).key")
    }

    static func run(_ words: [String], in folder: String) throws -> String {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + words
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(output: text) }
        return text
    }
}

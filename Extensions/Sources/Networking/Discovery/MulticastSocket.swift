internal import Glibc
internal import NIOCore
internal import NIOPosix

/// A UDP socket for questions or for goodbyes.
struct MulticastSocket: Sendable {
    private typealias Envelope = AddressedEnvelope<ByteBuffer>
    private typealias AsyncChannel = NIOAsyncChannel<Envelope, Never>

    private let channel: AsyncChannel
    private let destination: SocketAddress

    /// The port from which answers come.
    private var port: Int { destination.port ?? 0 }

    /// Whether packets can be sent.
    var isOpen: Bool { channel.channel.isActive }

    /// The IPv4 addresses of all interfaces that can multicast, except the loopback.
    static func interfaces() -> [String] {
        ((try? System.enumerateDevices()) ?? []).compactMap { device in
            guard device.multicastSupported, case .v4? = device.address, let text = device.address?.ipAddress,
                !text.hasPrefix("127.")
            else { return nil }
            return text
        }
    }

    /// Opens a socket that asks through one interface, at a port that the system chooses.
    static func asking(from interface: String, _ options: MulticastQuerier.Options) async throws -> MulticastSocket {
        guard let address = NumericAddress.ipv4(interface) else { throw ChannelError.unknownLocalAddress }
        return try await open(SocketAddress(ipAddress: interface, port: 0), options, isShared: false) { channel in
            guard let provider = channel as? any SocketOptionProvider else { return }
            _ = provider.setIPMulticastIF(address)
            // RFC 6762, section 11: receivers may reject packets that could come from afar.
            _ = provider.setIPMulticastTTL(255)
        }
    }

    /// Opens a socket that shares the port of the service with other programs, and belongs to the group.
    static func listening(to options: MulticastQuerier.Options) async throws -> MulticastSocket {
        let address = try SocketAddress(ipAddress: "0.0.0.0", port: options.port)
        let socket = try await open(address, options, isShared: true) { _ in }
        let group = try SocketAddress(ipAddress: options.group, port: options.port)
        for device in try System.enumerateDevices() where device.multicastSupported {
            guard case .v4? = device.address else { continue }
            try? await (socket.channel.channel as? any MulticastChannel)?.joinGroup(group, device: device).get()
        }
        return socket
    }

    private static func open(
        _ address: SocketAddress, _ options: MulticastQuerier.Options, isShared: Bool,
        _ prepare: @escaping @Sendable (any Channel) -> Void
    ) async throws -> MulticastSocket {
        let destination = try SocketAddress(ipAddress: options.group, port: options.port)
        let share = ChannelOptions.socketOption(.init(rawValue: SO_REUSEPORT))
        let bootstrap = DatagramBootstrap(group: NetworkLoop.shared)
            .channelOption(.socketOption(.so_reuseaddr), value: isShared ? 1 : 0)
            .channelOption(share, value: isShared ? 1 : 0)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: MulticastMessage.largest + 1))
        let channel = try await bootstrap.bind(to: address) { channel in
            channel.eventLoop.makeCompletedFuture {
                prepare(channel)
                return try AsyncChannel(
                    wrappingChannelSynchronously: channel, configuration: .init(outboundType: Never.self))
            }
        }
        return MulticastSocket(channel: channel, destination: destination)
    }

    /// Sends a packet to all. A network that is away is no error: the next round asks again.
    func send(_ bytes: [UInt8]) {
        channel.channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: destination, data: ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Reads until the socket is closed or the task is cancelled. Packets from other ports are ignored.
    func read(_ body: @Sendable (MulticastMessage) async -> Void) async {
        try? await channel.executeThenClose { inbound in
            for try await packet in inbound where packet.remoteAddress.port == port {
                if let message = MulticastMessage(Array(packet.data.readableBytesView)) { await body(message) }
            }
        }
    }

    /// Closes the socket.
    func close() { channel.channel.close(promise: nil) }
}

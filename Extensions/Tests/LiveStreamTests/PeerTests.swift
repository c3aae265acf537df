import Glibc
import Testing

@testable import LiveStream

/// Who may come through the door to a server.
@Suite struct PeerTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 9 1
           1: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 10 1
           2: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1234        0 11 1
        """

    @Test func `the user of a connection is that of its other end`() {
        #expect(LocalPeer.owner(port: 0xD431, door: 0x1F90, in: Self.table) == 1234)
        #expect(LocalPeer.owner(port: 0xD432, door: 0x1F90, in: Self.table) == nil)
        #expect(LocalPeer.owner(port: 0x0050, door: 0x1F90, in: Self.table) == nil)
    }
}

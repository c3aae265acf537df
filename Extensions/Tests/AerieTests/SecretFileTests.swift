import DockTestKit
import Testing

@testable import Aerie

@Suite("the file with the secret of a room")
struct SecretFileTests {
    @Test("of servers that start for the first time at the same time one makes the secret, and all read it")
    func race() async throws {
        let place = TemporaryFolder()
        for round in 0..<20 {
            let file = SecretFile(place.path + "/\(round)/room.secret")
            let made = try await withThrowingTaskGroup(of: (isNew: Bool, secret: SharedSecret).self) { group in
                for _ in 0..<8 { group.addTask { try (isNew: file.makeIfMissing(), secret: file.read()) } }
                var made: [(isNew: Bool, secret: SharedSecret)] = []
                for try await one in group { made.append(one) }
                return made
            }
            #expect(made.count(where: { $0.isNew }) == 1)
            #expect(made.allSatisfy { $0.secret == made.first?.secret })
        }
    }
}

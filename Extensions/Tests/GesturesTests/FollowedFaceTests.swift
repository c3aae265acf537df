import Geometry
import Testing

@testable import Gestures

/// The face beside which hands count.
@Suite struct FollowedFaceTests {
    private let places = [Rect(x: 0.1, y: 0.2, width: 0.1, height: 0.1), Rect(x: 0.6, y: 0.2, width: 0.1, height: 0.1)]

    private func subject(_ id: Int, rank: Int?) -> FollowedFace.Subject {
        FollowedFace.Subject(id: id, rect: places[id - 1], rank: rank)
    }

    @Test func `it is the followed one, and stays so after a stop`() {
        var face = FollowedFace()
        #expect(face.rect == nil)
        face.update(followed: 2, [subject(1, rank: 1), subject(2, rank: 2)])
        #expect(face.rect == places[1])
        face.update(followed: nil, [subject(1, rank: 1), subject(2, rank: 2)])
        #expect(face.rect == places[1])
        face.update(followed: 1, [subject(1, rank: 1), subject(2, rank: 2)])
        #expect(face.rect == places[0])
    }

    @Test func `without a followed one it is the first in rank, and none in an empty picture`() {
        var face = FollowedFace()
        face.update(followed: nil, [subject(1, rank: nil), subject(2, rank: 1)])
        #expect(face.rect == places[1])
        // It does not change while no person is followed.
        face.update(followed: nil, [subject(1, rank: 1), subject(2, rank: 2)])
        #expect(face.rect == places[1])
        face.update(followed: nil, [])
        #expect(face.rect == nil)
        face.update(followed: nil, [subject(1, rank: 1)])
        #expect(face.rect == places[0])
    }
}

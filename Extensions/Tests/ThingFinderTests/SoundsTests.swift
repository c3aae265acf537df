import Testing
import ThingFinder

@Suite struct SoundsTests {
    @Test func `each change of a search has its sound, once`() {
        var sounds = FinderSounds(), progress = FinderProgress(), heard: [String?] = []
        func step(_ phase: FinderPhase, looks: Int) {
            (progress.phase, progress.looks) = (phase, looks)
            heard.append(sounds.next(progress))
        }
        step(.searching, looks: 0)
        step(.searching, looks: 1)
        step(.searching, looks: 1)
        step(.verifying, looks: 2)
        step(.verifying, looks: 2)
        step(.found, looks: 3)
        step(.lost, looks: 3)
        step(.searching, looks: 4)
        step(.paused, looks: 4)
        step(.givenUp, looks: 4)
        #expect(
            heard == [
                nil, "find-look", nil, "find-candidate", nil, "find-found", "find-lost", nil, nil, "find-given-up",
            ])
    }
}

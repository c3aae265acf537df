import Geometry
import Testing

@testable import FacePrivacy

@Suite struct LeakTests {
    @Test(arguments: Clip.all) func `no face leaves bare, and no more is covered than necessary`(clip: Clip) {
        var showing = Showing(.none(clip))
        showing.run()
        #expect(showing.objection == nil)
        // A clip in which all pictures are covered as a whole shows nothing about faces.
        if clip.wholes < clip.frames / 2, !clip.faces(0).isEmpty { #expect(showing.withFaces > clip.frames / 3) }
    }

    @Test(arguments: 0..<30) func `no face of people who walk about at random leaves bare`(seed: Int) {
        var showing = Showing(.none(.random(seed)))
        showing.run()
        #expect(showing.objection == nil)
        #expect(showing.wholes < 60, "not just by covering everything")
    }

    @Test(arguments: Mutant.all) func `the rules find every way to leave a face bare`(mutant: Mutant) {
        var showing = Showing(mutant)
        showing.run()
        #expect(showing.objection != nil)
    }
}

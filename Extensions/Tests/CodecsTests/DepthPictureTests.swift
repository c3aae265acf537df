import Codecs
import Testing

@Suite struct DepthPictureTests {
    @Test(arguments: [
        (0, false, [1, 2, 3, 4, 5, 6]), (90, false, [4, 1, 5, 2, 6, 3]), (180, false, [6, 5, 4, 3, 2, 1]),
        (270, false, [3, 6, 2, 5, 1, 4]), (0, true, [3, 2, 1, 6, 5, 4]), (90, true, [6, 3, 5, 2, 4, 1]),
        (180, true, [4, 5, 6, 1, 2, 3]), (270, true, [1, 4, 2, 5, 3, 6]), (45, false, [1, 2, 3, 4, 5, 6]),
    ])
    func `a picture is turned clockwise after its mirroring is undone`(rotate: Int, isMirrored: Bool, samples: [UInt16])
        throws
    {
        let picture = try #require(DepthPicture(width: 3, height: 2, samples: [1, 2, 3, 4, 5, 6]))
        let upright = picture.upright(rotate: rotate, isMirrored: isMirrored)
        #expect(upright.samples == samples)
        let isAcross = rotate == 90 || rotate == 270
        #expect(upright.width == (isAcross ? 2 : 3) && upright.height == (isAcross ? 3 : 2))
    }
}

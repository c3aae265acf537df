internal import Codecs
internal import FacePrivacy
internal import Geometry

/// A message for the recorder's thread.
enum RecorderMessage: Sendable {
    case picture(PlanarPicture, FrameStamp)
    case look(FaceLook)
    case refused(LookProblem, source: String, arrival: Seconds)
    case start(RecordingParty, seconds: Seconds?)
    case stop(RecordingParty)
    case shown(RecorderMachine.Sign, problem: String?)
    case connected
    case mark(date: Int, ChunkMark)
    case length(Seconds)
    case limits(RingLimits)
    case cut
    case ping
    case disk(DiskReport)
    case overrun
    case finish
}

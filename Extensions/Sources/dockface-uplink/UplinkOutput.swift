import Aerie
import Codecs
import ControlProtocol
import DockClient
import PictureShare
import SpatialModel

/// A picture of the camera, with what the daemon knows of it.
struct TakenPicture: Sendable {
    var pixels: RGBPicture
    var facts: PictureFacts
}

/// The people that a detector has found in a picture.
struct SeenPeople: Sendable {
    /// The picture's facts.
    var facts: PictureFacts
    /// The picture's width divided by its height.
    var shape: Double
    var people: [SeenPerson]
}

/// Where pictures and skeletons go: a server, a file, a stream. Each shows on the robot what it does before the first
/// picture, and none waits for another.
protocol UplinkOutput: Sendable {
    /// What it will do, before it does anything.
    var beginning: [String] { get }
    /// Receives a picture. It must return at once.
    func receive(_ picture: TakenPicture)
    /// Receives people. It must return at once.
    func receive(_ people: SeenPeople)
    /// The daemon is another one, or was away: what the robot shows must be shown again.
    func daemonReturned()
    /// Works until the task is cancelled, or there is nothing more to do.
    func run(_ dock: Dock) async
    /// Takes away what it has shown, and ends what it has begun. `dock`: nil if there never was a daemon.
    func clear(_ dock: Dock?) async
    /// Its figures for monitoring.
    var figures: [UplinkFigure] { get async }
    /// What the daemon shows of it. `problem`: why there are no pictures, or nil.
    func report(problem: String?) async -> (ExtensionState, String)
}

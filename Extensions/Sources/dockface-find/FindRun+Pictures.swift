import DockClient
import DockTypes
import ExtensionKit
import Geometry
import ThingFinder

/// The pictures of a search.
extension FindRun {
    /// Keeps the camera's pictures. Without a camera nothing can be verified, which ends the search at once.
    func watch(_ dock: Dock, _ feed: FindFeed) async {
        await board.run(dock) { why in
            if plan.commands.isEmpty {
                session.log.warning("no picture is kept: \(why)")
            } else {
                feed.put(.unusable("there are no pictures to verify: \(why)"))
            }
        }
    }

    /// Whether the search needs the camera's pictures. Without a verifier it gets by without them.
    var wantsPictures: Bool { !plan.commands.isEmpty || choices.keepPicture }

    /// Keeps the picture of a thing that was found, if a person wants that.
    func keepPicture(of thing: Remembrance, _ place: (time: Seconds, sequence: Int?, rect: Rect)?) {
        guard choices.keepPicture, let place else { return }
        do throws(DockError) {
            let part = board.part(place.rect, time: place.time, sequence: place.sequence, side: ThingPictures.side)
            guard let part else {
                throw DockError(.cannotOpen, "the picture of \(thing.name) is missing", hint: "search again")
            }
            try ThingPictures.keep(part.picture, of: thing.name)
        } catch {
            session.log.warning("no picture is kept: \(error.message); \(error.hint)")
        }
    }
}

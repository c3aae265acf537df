import DockClient
import Foundation
import Geometry
import PictureShare

// Saves what the dock looks at, beside a running daemon: one picture a second, as PPM, which needs no library.
//     save-pictures [NUMBER] [SOCKET]
@main
struct Tool {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        let number = words.first.flatMap { Int($0) } ?? 10
        let client = try ControlClient(path: words.dropFirst().first)
        let pictures = try client.openPictures(format: .rgb24)
        let layout = pictures.reader.layout
        var saved = 0, last = -Double.infinity
        while saved < number, let picture = try pictures.next(timeout: 5) {
            // The copy is nil if the daemon has overwritten the picture meanwhile.
            guard picture.facts.arrival >= last + 1, let pixels = pictures.reader.copy(picture) else { continue }
            let name = "picture-\(picture.facts.sequence).ppm"
            let file = Data("P6 \(layout.width) \(layout.height) 255\n".utf8) + Data(pixels)
            try file.write(to: URL(fileURLWithPath: name))
            (saved, last) = (saved + 1, picture.facts.arrival)
            print(name, picture.facts.pose.map { "pan \($0.pose.pan), tilt \($0.pose.tilt)" } ?? "pose unknown")
        }
    }
}

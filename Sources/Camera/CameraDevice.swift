internal import CPosix
internal import Glibc
internal import PlainText

/// A camera that is plugged in, with the properties that it reports.
public struct CameraDevice: Sendable, Equatable {
    /// One format and size that it supports.
    public struct Mode: Sendable, Equatable {
        /// Four letters: MJPG, YUYV, ...
        public var format: String
        /// The size in pixels.
        public var width: Int, height: Int
        /// The highest frame rate, in frames per second, or nil if not reported.
        public var framesPerSecond: Double?
    }

    /// The path for `--camera`.
    public var path: String
    /// A path that names the same camera wherever it is plugged in, or nil if there is none.
    public var stablePath: String?
    /// The maker's name for it.
    public var name: String
    /// The modes that it reports; empty if it reports none.
    public var modes: [Mode]
    /// Why it could not be queried, or nil if it could.
    public var problem: String?

    /// Returns all cameras, by number. Devices that deliver no frames are omitted.
    public static func all(folder: String = "/dev") -> [CameraDevice] {
        let numbers = names(in: folder).compactMap { name -> Int? in
            name.hasPrefix("video") ? Int(name.dropFirst(5)) : nil
        }
        let links = links(in: folder + "/v4l/by-id", folder: folder)
        return numbers.sorted().compactMap { number in
            let path = "\(folder)/video\(number)"
            return ask(path, stable: links[path])
        }
    }

    private static func ask(_ path: String, stable: String?) -> CameraDevice? {
        var device = CameraDevice(path: path, stablePath: stable, name: "", modes: [])
        let descriptor = cposix_camera_open(path)
        guard descriptor >= 0 else {
            device.problem = CameraProblem.words(String(cString: strerror(errno)), of: path)
            return device
        }
        defer { close(descriptor) }
        var camera = cposix_camera()
        guard cposix_camera_describe(descriptor, &camera) == 0, camera.captures else { return nil }
        device.name = ForeignText.name(text(camera.name))
        // No camera has more formats or sizes. The bound guards against a driver that never stops reporting them.
        for format: UInt32 in 0..<32 {
            for size: UInt32 in 0..<64 {
                var mode = cposix_camera_mode()
                let answer = cposix_camera_mode_at(descriptor, format, size, &mode)
                if answer < 0 { return device }
                if answer == 0 { break }
                device.modes.append(
                    Mode(
                        format: ForeignText.name(text(mode.format)), width: Int(mode.width), height: Int(mode.height),
                        framesPerSecond: mode.rate > 0 ? mode.rate : nil))
            }
        }
        return device
    }

    /// Returns a C array of characters as a string.
    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func names(in folder: String) -> [String] {
        guard let open = opendir(folder) else { return [] }
        defer { closedir(open) }
        var names: [String] = []
        while let entry = readdir(open) { names.append(text(entry.pointee.d_name)) }
        return names
    }

    /// Returns the links in a folder, by their targets.
    private static func links(in place: String, folder: String) -> [String: String] {
        var result: [String: String] = [:]
        for name in names(in: place).sorted() where !name.hasPrefix(".") {
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            guard realpath("\(place)/\(name)", &target) != nil else { continue }
            let path = String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if result[path] == nil { result[path] = "\(place)/\(name)" }
        }
        return result
    }
}

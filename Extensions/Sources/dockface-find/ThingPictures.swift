import Codecs
import DockTypes
import Files
import Glibc
import JPEGCodec
import ThingFinder

/// The small pictures of remembered things: files beside the memory that only their owner can read. They never leave this
/// machine, and go with the memory of their thing.
enum ThingPictures {
    /// The longest side of a picture, in pixels, its quality, and the most bytes of its file.
    static let side = 320, quality = 80, largest = 64 << 10

    /// The folder.
    static func folder() throws(DockError) -> String { try FindPlace.folder() + "/pictures" }

    /// Where the picture of a thing is, whether there is one or not.
    static func path(of name: String) throws(DockError) -> String { try folder() + "/" + file(of: name) }

    /// Returns where the picture of a thing is, or nil if it has none.
    static func existing(_ name: String) throws(DockError) -> String? {
        let path = try path(of: name)
        return access(path, R_OK) == 0 ? path : nil
    }

    /// Returns the file name of a thing: its letters for people, and a number that tells apart what has the same letters.
    static func file(of name: String) -> String {
        let name = name.lowercased()
        // FNV-1a, which is the same in every run.
        let number = name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let letters = name.unicodeScalars.map { scalar in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        return String(letters.prefix(40)) + "-" + String(number, radix: 16) + ".jpg"
    }

    /// Keeps the picture of a thing, instead of an earlier one.
    /// - Throws: the errors of `OutputFile.write`; `cannotOpen` if there is no folder or no JPEG.
    static func keep(_ picture: RGBPicture, of name: String) throws(DockError) {
        let shape = picture.width >= picture.height ? side : max(1, side * picture.width / picture.height)
        guard let bytes = JPEGEncoder()?.encode(picture.scaled(toWidth: shape), quality: quality),
            bytes.count <= largest
        else { throw DockError(.cannotOpen, "the picture of \"\(name)\" cannot be encoded", hint: "search again") }
        let folder = try FindPlace.madeFolder("/pictures")
        let draft = folder + "/draft", place = folder + "/" + file(of: name)
        // Whatever fails, nothing is left that no `forget` finds.
        unlink(draft)
        defer { unlink(draft) }
        try OutputFile.write(bytes, to: draft, mode: 0o600)
        guard rename(draft, place) == 0 else {
            throw DockError(
                .cannotOpen, "\(place): \(String(cString: strerror(errno)))", hint: "see the folder's owner")
        }
    }

    /// Deletes the pictures of all things but these.
    /// - Throws: the errors of `StoredFile.remove`: a picture that cannot be deleted must be known.
    static func deleteAll(but things: [Remembrance]) throws(DockError) {
        let folder = try folder(), kept = Set(things.map { file(of: $0.name) })
        guard access(folder, F_OK) == 0 else { return }
        unlink(folder + "/draft")
        for name in try StoredFile.names(in: folder) where name.hasSuffix(".jpg") && !kept.contains(name) {
            try StoredFile.remove(folder + "/" + name)
        }
    }
}

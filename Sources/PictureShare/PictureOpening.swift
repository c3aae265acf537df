internal import Glibc

/// What a reader receives when it opens pictures: two descriptors, and what they lead to. They are closed when the last
/// reference is gone, whether or not they were sent.
public final class PictureOpening: Sendable, Equatable {
    /// The memory of the share.
    public let memory: Int32
    /// The descriptor that becomes readable for each picture.
    public let bell: Int32
    /// Where everything is.
    public let layout: ShareLayout

    /// Takes over two descriptors.
    public init(memory: Int32, bell: Int32, layout: ShareLayout) {
        (self.memory, self.bell, self.layout) = (memory, bell, layout)
    }

    deinit {
        close(memory)
        close(bell)
    }

    /// Returns whether both are the same opening.
    public static func == (a: PictureOpening, b: PictureOpening) -> Bool { a === b }
}

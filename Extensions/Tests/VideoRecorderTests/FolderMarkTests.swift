import DockTestKit
import DockTypes
import Foundation
import Geometry
import Testing

@testable import VideoRecorder

@Suite struct FolderMarkTests {
    private let temporary = TemporaryFolder()

    @Test func `a folder on another disk must have its mark, once it has been used`() {
        #expect(FolderMark.judge(remembered: nil, isThere: false, isElsewhere: false) == .fine)
        #expect(FolderMark.judge(remembered: nil, isThere: false, isElsewhere: true) == .mark)
        #expect(FolderMark.judge(remembered: "m", isThere: true, isElsewhere: true) == .fine)
        #expect(FolderMark.judge(remembered: "m", isThere: false, isElsewhere: false) == .wrong)
    }

    @Test func `a disk that is not mounted is noticed`() throws {
        let folder = try temporary.chunks(), register = temporary.path + "/register"
        let mark = FolderMark(register: register)
        try temporary.write(Array("dockface-recordings-abc \(folder.path)\nbroken\n".utf8), "register")
        #expect(mark.isRemembered(folder.path) && !mark.isRemembered("/elsewhere"))
        #expect(throws: DockError.self) { try mark.check(folder) }
        try temporary.write([], "recordings/dockface-recordings-abc")
        try mark.check(folder)
    }

    @Test func `a folder on the usual disk needs no mark`() throws {
        let folder = try temporary.chunks()
        try FolderMark(register: temporary.path + "/state/register").check(folder)
        #expect(temporary.names().isEmpty)
    }

    @Test func `a register is read and written, and a path outside is no mark`() {
        var register = FolderMark.Register("dockface-recordings-a /mnt/my disk\n../../etc /b\n")
        #expect(register.marks == ["/mnt/my disk": "dockface-recordings-a"])
        register.remember("dockface-recordings-b", of: "/c")
        #expect(FolderMark.Register(register.text) == register)
    }
}

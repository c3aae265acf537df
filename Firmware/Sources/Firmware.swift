@main
struct Firmware {
    static func main() {
        ThisBoard.start()
        var dock = Dock()
        ThisBoard.startWatchdog()
        while true { dock.turn() }
    }
}

import DockClient

// Greets people who come near, beside a running daemon: the face is happy, the head nods, and the screen says so.
//     greet-visitors [SOCKET]
let dock = try await Dock.connect(path: CommandLine.arguments.dropFirst().first)
var greeted: Set<Int> = []
for await update in try dock.updates(.tracking) {
    // A face that fills a twelfth of the frame's width is 1 to 2 m away.
    let near = update.value.subjects.filter { !$0.isCoasting && $0.rect.width > 0.08 }
    for visitor in near where greeted.insert(visitor.id).inserted {
        print("hello, visitor \(visitor.id)")
        do {
            try await dock.setExpression("happy")
            try await dock.setLayer("greeting", [.box(visitor.rect, text: "hello", colour: .green)], for: 2)
            // The mode before the animation returns by itself. A person's hand or stop is a reason not to nod.
            try await dock.animate("yes")
            try await dock.say("Hello!")
        } catch {
            print("\(error.message): \(error.hint)")
        }
    }
}

/// Entry point of libFuzzer: the first byte selects the decoder, the rest is its input, and a failure ends the process.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let target = Targets.all[Int(start[0]) % Targets.all.count]
    let input = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    if let wrong = target.check(input) { fatalError("\(target.name): \(wrong)") }
    return 0
}

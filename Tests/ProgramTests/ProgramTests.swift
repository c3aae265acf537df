import Testing

/// The built program from outside: real processes, real pseudo-terminals, real time. One after the other, because each of
/// them measures a dock that moves.
@Suite(.serialized) enum ProgramTests {}

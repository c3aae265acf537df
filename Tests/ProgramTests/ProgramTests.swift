import Testing

/// The built program from outside: real processes, real pseudo-terminals, real time. A few side by side, each with a daemon
/// and a dock of its own; what loads the machine is alone.
@Suite(.inLanes) enum ProgramTests {}

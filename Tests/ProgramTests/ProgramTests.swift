import Testing

/// The built program from outside: real processes, real pseudo-terminals, real time. A few run side by side, each with
/// its own daemon and dock; tests that load the machine run alone.
@Suite(.inLanes) enum ProgramTests {}

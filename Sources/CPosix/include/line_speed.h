// The speed of a terminal's line as a number. Speeds without a constant of their own (76,800; 250,000) need a structure of the
// kernel whose header excludes <termios.h>.
#ifndef CPOSIX_LINE_SPEED_H
#define CPOSIX_LINE_SPEED_H

/// The speed of a terminal's line, bits per second, or -1 with errno.
int cposix_line_speed(int descriptor);
/// Sets the speed of a terminal's line in both directions, bits per second. 0, or -1 with errno.
int cposix_set_line_speed(int descriptor, int speed);

#endif

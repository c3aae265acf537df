#include <asm/termbits.h>
#include <sys/ioctl.h>

#include "line_speed.h"

int cposix_line_speed(int descriptor) {
    struct termios2 settings;
    if (ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
    return (int)settings.c_ospeed;
}

int cposix_set_line_speed(int descriptor, int speed) {
    struct termios2 settings;
    if (ioctl(descriptor, TCGETS2, &settings) != 0) return -1;
    // Without a speed for input in the upper bits, the input has the speed of the output.
    settings.c_cflag &= ~(tcflag_t)(CBAUD | (CBAUD << IBSHIFT));
    settings.c_cflag |= BOTHER;
    settings.c_ispeed = (speed_t)speed;
    settings.c_ospeed = (speed_t)speed;
    return ioctl(descriptor, TCSETS2, &settings);
}

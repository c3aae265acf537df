// The yardstick: reads detection lines, converts the first rectangle to velocities and writes a frame of a set-point's size. It does
// nothing else: no tracker, no filter, no answering dock, no validation.
// Usage: read_scan_write PORT < LINES
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char text[1 << 16];
static uint8_t frame[29];

// COBS: zeros become the distance to the next zero, and a zero ends the frame.
static void stuff(void) {
    size_t code = 0;
    for (size_t i = 1; i < sizeof frame; i++) {
        if (frame[i] != 0 && i < sizeof frame - 1) continue;
        frame[code] = (uint8_t)(i - code);
        code = i;
    }
    frame[sizeof frame - 1] = 0;
}

static void steer(const char *line, int port) {
    char *next = strstr(line, "\"rect\":[");
    if (!next) return;
    double rect[4];
    next += 8;
    for (int i = 0; i < 4; i++) rect[i] = strtod(next, &next), next++;
    int32_t pan = (int32_t)(200000 * (rect[0] + rect[2] / 2 - 0.5)), tilt = (int32_t)(200000 * (0.5 - rect[1] - rect[3] / 2));
    static uint8_t sequence;
    memset(frame, 0, sizeof frame);
    frame[1] = 0x10, frame[2] = sequence++, frame[3] = 1, frame[4] = 25;  // type, sequence, mode, deadman
    memcpy(frame + 13, &pan, 4), memcpy(frame + 17, &tilt, 4);
    stuff();
    if (write(port, frame, sizeof frame) < 0) exit(1);
}

int main(int count, char **arguments) {
    int port = count == 2 ? open(arguments[1], O_RDWR | O_NOCTTY) : -1;
    if (port < 0) return 2;
    size_t have = 0;
    for (ssize_t n; (n = read(0, text + have, sizeof text - 1 - have)) > 0;) {
        char *line = text, *end;
        text[have += (size_t)n] = 0;
        for (; (end = strchr(line, '\n')); line = end + 1) *end = 0, steer(line, port);
        memmove(text, line, have -= (size_t)(line - text));
    }
    return 0;
}

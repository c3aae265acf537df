// The minimum of a program that is woken this often: a timer, a poll, a read. Usage: wake TIMES_A_SECOND
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(int count, char **words) {
    double rate = count > 1 ? atof(words[1]) : 0;
    if (rate < 0.1 || rate > 1000) return 64;
    long long period = (long long)(1e9 / rate);
    struct timespec every = {.tv_sec = period / 1000000000, .tv_nsec = period % 1000000000};
    struct itimerspec spec = {.it_interval = every, .it_value = every};
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    if (timer < 0 || timerfd_settime(timer, 0, &spec, NULL) != 0) return 71;
    for (;;) {
        struct pollfd wait = {.fd = timer, .events = POLLIN};
        uint64_t times;
        if (poll(&wait, 1, -1) > 0 && read(timer, &times, sizeof times) < 0) return 71;
    }
}

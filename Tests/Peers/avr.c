// An ATmega328P in simavr, in real time: its serial port on a pseudo-terminal, its pins controlled by the test.
//
//   avr IMAGE.elf LINK [MEMORY]     LINK: a symbolic link to the port; MEMORY: a file that keeps the EEPROM
//
// Commands on standard input, one per line; each is answered with one line that begins with "ok":
//   pin D4 0|1|z      pull a pin to ground, to 5 V, release it     adc MILLIVOLTS     the voltage at A0
//   pulses            the last pulse of both servos, microseconds, and its age, milliseconds; -1: none yet
//   stack             the smallest number of free bytes between variables and stack, and the number of reboots
//   period            microseconds between the starts of the pan servo's last two pulses
//   jumps             the largest difference of two consecutive pulses, microseconds, of both servos
//   led               whether it is lit                            reset              press the button
//   hang              stops its millisecond interrupt for good
//   smash             corrupts memory as a stack overflow would
//   quit
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_timer.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

enum { CLOCK = 16000000, MILLISECOND = CLOCK / 1000, MEMORY = 1024 };
static avr_t *avr;
static int port, can_send = 1, resets;
static unsigned lowest_stack = 0xFFFF, variables_end;
// Ports B and D: the external level of a pin; 2: none, and its pull-up applies.
static unsigned char outside[2][8];
static struct servo {
    avr_cycle_count_t rose, fell;
    double width, period, jump;
} servos[2];
static int led;

static long long microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static void die(const char *what) {
    fprintf(stderr, "avr: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void sent(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq, (void)param;
    unsigned char byte = value;
    // No reader: lost, as on a cable.
    if (write(port, &byte, 1) != 1 && errno != EAGAIN && errno != EIO) die("port");
}

static void xon(avr_irq_t *irq, uint32_t value, void *param) { (void)irq, (void)value, (void)param, can_send = 1; }
static void xoff(avr_irq_t *irq, uint32_t value, void *param) { (void)irq, (void)value, (void)param, can_send = 0; }

/// A timer's output pin. simavr treats the pin as the port's at every write to the port.
static void edge(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    struct servo *one = param;
    if (!(avr->data[0x24] >> (1 + (one - servos)) & 1)) return;
    if (value) {
        one->period = (double)(avr->cycle - one->rose) / (CLOCK / 1000000);
        one->rose = avr->cycle;
    } else if (one->rose) {
        double width = (double)(avr->cycle - one->rose) / (CLOCK / 1000000);
        double jump = width > one->width ? width - one->width : one->width - width;
        if (one->fell && avr->cycle - one->fell < 25 * MILLISECOND && jump > one->jump) one->jump = jump;
        one->width = width;
        one->fell = avr->cycle;
    }
}

/// simavr applies a new width only when the timer is set up again. The chip applies it with the next period, and so does this.
static void width(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    avr_timer_comp_t *unit = param;
    unit->comp_cycles = unit->timer->cs_div_value * (value + 1);
}

static void lit(avr_irq_t *irq, uint32_t value, void *param) { (void)irq, (void)param, led = value; }

/// A connection that is soldered to a pin overrides its pull-up from the first instant on.
static void solder(int which) {
    avr_ioport_external_t all = {.name = which ? 'D' : 'B'};
    for (int number = 0; number < 8; number++) {
        if (outside[which][number] > 1) continue;
        all.mask |= 1 << number;
        all.value |= outside[which][number] << number;
    }
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(all.name), &all);
}

static avr_irq_t *pin(char name, int number) { return avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(name), number); }

/// Sets the pins that the chip does not drive itself.
static void pull(void) {
    static const unsigned char direction[] = {0x24, 0x2A}, output[] = {0x25, 0x2B};
    for (int which = 0; which < 2; which++)
        for (int number = 0; number < 8; number++) {
            if (avr->data[direction[which]] >> number & 1) continue;
            int level = outside[which][number] < 2 ? outside[which][number] : avr->data[output[which]] >> number & 1;
            if ((avr->data[direction[which] - 1] >> number & 1) != level) avr_raise_irq(pin(which ? 'D' : 'B', number), level);
        }
}

static avr_irq_t *widths;
static void (*core_reset)(avr_t *);
static void started(avr_t *core) {
    resets++;
    for (int which = 0; which < 2; which++) servos[which].rose = servos[which].fell = 0;
    // An IRQ is raised on changes only, and after a reset the registers are zero again.
    for (int which = 0; widths != NULL && which < 2; which++) widths[which].value = 0;
    if (core_reset) core_reset(core);
}

// The clock of the machine keeps the time, below.
static void no_sleep(avr_t *core, avr_cycle_count_t cycles) { (void)core, (void)cycles; }

static void memory(const char *path, int keep) {
    if (path == NULL) return;
    unsigned char bytes[MEMORY];
    avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = MEMORY};
    FILE *file = fopen(path, keep ? "wb" : "rb");
    if (file == NULL) {
        if (keep) die(path);
        return;
    }
    if (keep) {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
        // Without a buffer it returns a pointer to its memory.
        if (fwrite(all.ee, 1, MEMORY, file) != MEMORY) die(path);
    } else if (fread(bytes, 1, MEMORY, file) == MEMORY) {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
    }
    fclose(file);
}

/// The address after all variables, which the sketch has marked.
static unsigned first_free(void) {
    unsigned place = variables_end;
    while (place < variables_end + 64 && avr->data[place] != 0xC5) place++;
    return place;
}

static void obey(char *line) {
    char what[16] = "", name = 0;
    int number = 0, count = sscanf(line, "%15s", what);
    if (strcmp(what, "pin") == 0 && sscanf(line, "pin %c%d %15s", &name, &number, what) == 3 && number >= 0 && number < 8) {
        outside[name == 'D'][number] = what[0] == 'z' ? 2 : what[0] - '0';
        solder(name == 'D');
        printf("ok\n");
    } else if (sscanf(line, "adc %d", &number) == 1) {
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), number);
        printf("ok\n");
    } else if (count == 1 && strcmp(what, "pulses") == 0) {
        printf("ok");
        for (int which = 0; which < 2; which++) {
            double age = servos[which].fell ? (double)(avr->cycle - servos[which].fell) / MILLISECOND : -1;
            printf(" %.2f %.1f", servos[which].fell ? servos[which].width : -1, age);
        }
        printf("\n");
    } else if (count == 1 && strcmp(what, "stack") == 0) {
        printf("ok %d %d\n", (int)lowest_stack - (int)first_free(), resets);
    } else if (count == 1 && strcmp(what, "period") == 0) {
        printf("ok %.2f\n", servos[0].period);
    } else if (count == 1 && strcmp(what, "jumps") == 0) {
        printf("ok %.2f %.2f\n", servos[0].jump, servos[1].jump);
    } else if (count == 1 && strcmp(what, "hang") == 0) {
        avr->data[0x70] = 0;
        printf("ok\n");
    } else if (count == 1 && strcmp(what, "smash") == 0) {
        memset(avr->data + first_free(), 0, 16);
        printf("ok\n");
    } else if (count == 1 && strcmp(what, "led") == 0) {
        printf("ok %d\n", led);
    } else if (count == 1 && strcmp(what, "reset") == 0) {
        avr_reset(avr);
        printf("ok\n");
    } else if (count == 1 && strcmp(what, "quit") == 0) {
        avr->state = cpu_Done;
        printf("ok\n");
    } else {
        printf("error: %s\n", line);
    }
    fflush(stdout);
}

static void words(void) {
    static char line[256];
    static size_t length;
    ssize_t got = read(0, line + length, sizeof line - 1 - length);
    if (got <= 0) {
        avr->state = cpu_Done;
        return;
    }
    length += (size_t)got;
    for (char *end; (end = memchr(line, '\n', length)) != NULL;) {
        *end = 0;
        obey(line);
        length -= (size_t)(end + 1 - line);
        memmove(line, end + 1, length);
    }
}

int main(int count, char **arguments) {
    if (count < 3) return 64;
    elf_firmware_t image = {0};
    if (elf_read_firmware(arguments[1], &image) != 0) die(arguments[1]);
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    core_reset = avr->reset;
    avr->reset = started;
    image.frequency = CLOCK;
    avr_load_firmware(avr, &image);
    avr->sleep = no_sleep;
    avr->log = LOG_ERROR;
    avr->vcc = avr->avcc = avr->aref = 5000;
    variables_end = 0x100 + image.datasize + image.bsssize;
    memory(count > 3 ? arguments[3] : NULL, 0);

    int slave;
    char name[64];
    struct termios raw;
    if (openpty(&port, &slave, name, NULL, NULL) != 0) die("no line");
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    fcntl(port, F_SETFL, O_NONBLOCK);
    unlink(arguments[2]);
    if (symlink(name, arguments[2]) != 0) die(arguments[2]);

    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), sent, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), xon, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), xoff, NULL);
    avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    for (avr_io_t *part = avr->io_port; part != NULL; part = part->next) {
        avr_timer_t *timer = (avr_timer_t *)part;
        if (strcmp(part->kind, "timer") != 0 || timer->name != '1') continue;
        widths = part->irq + TIMER_IRQ_OUT_PWM0;
        for (int which = 0; which < 2; which++) {
            avr_irq_register_notify(widths + which, width, &timer->comp[which]);
            avr_irq_register_notify(part->irq + TIMER_IRQ_OUT_COMP + which, edge, &servos[which]);
        }
    }
    avr_irq_register_notify(pin('B', 5), lit, NULL);
    memset(outside, 2, sizeof outside);
    outside[1][7] = 0;
    solder(1);
    printf("ready\n");
    fflush(stdout);

    long long start = microseconds();
    avr_cycle_count_t due = 0;
    int state = cpu_Running;
    while (state != cpu_Done && state != cpu_Crashed) {
        state = avr_run(avr);
        // Not during the start: the stack pointer is zero until it is set.
        unsigned stack = avr->data[0x5D] | avr->data[0x5E] << 8;
        if (stack > variables_end && stack < lowest_stack) lowest_stack = stack;
        if (avr->cycle < due) continue;
        // A quarter of a millisecond at a time. Time in which this process was held up is not caught up.
        due = avr->cycle + MILLISECOND / 4;
        pull();
        long long ahead = (long long)(avr->cycle / (CLOCK / 1000000)) - (microseconds() - start);
        if (ahead < -20000) start -= ahead;
        struct pollfd waits[] = {{.fd = 0, .events = POLLIN}, {.fd = port, .events = can_send ? POLLIN : 0}};
        struct timespec rest = {0, ahead > 0 ? ahead * 1000 : 0};
        if (ppoll(waits, 2, &rest, NULL) <= 0) continue;
        if (waits[0].revents) words();
        unsigned char byte;
        while (waits[1].revents & POLLIN && can_send && read(port, &byte, 1) == 1) avr_raise_irq(input, byte);
    }
    memory(count > 3 ? arguments[3] : NULL, 1);
    return state == cpu_Crashed;
}

// Second stage: the ROM copies it to memory, checks it and runs it. It then reads flash with the oldest command, 03h, which every chip
// supports (RP2040 datasheet, 2.8.1 and 4.10). That is slow, but fast enough here.
    .syntax unified
    .thumb
    ldr r0, =0x18000000     // XIP_SSI
    movs r1, #0
    str r1, [r0, #0x08]     // off
    movs r1, #8
    str r1, [r0, #0x14]     // an eighth of the processor's clock, later 125 MHz
    ldr r1, =0x001F0300     // 32 bits per frame; write first, then read
    str r1, [r0, #0x00]
    ldr r1, =0x03000218     // command 03h of 8 bits, address of 24, all on one data line
    ldr r2, =0x180000F4
    str r1, [r2]
    movs r1, #0
    str r1, [r0, #0x04]     // one frame at a time
    movs r1, #1
    str r1, [r0, #0x08]     // on
    ldr r0, =0x10000100     // the vector table
    ldr r1, =0xE000ED08
    str r0, [r1]
    ldmia r0!, {r1, r2}
    msr msp, r1
    bx r2
    .ltorg

#include "axis.h"

namespace {
constexpr int32_t perSecond = 1000 / Axis::stepMilliseconds;
constexpr int32_t farthest = 2000000;

// The largest integer whose square does not exceed the value.
uint16_t root(uint32_t value) {
    uint32_t result = 0;
    for (uint32_t bit = 1UL << 30; bit != 0; bit >>= 2) {
        if (value >= result + bit) {
            value -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
    }
    return result;
}

// The highest speed from which the axis can still stop within the distance, including this step: w dt + w^2 / 2a <= distance. It is
// computed in eighths of the speed to fit 32 bits. Truncation makes it slower.
int32_t permitted(int32_t distance, uint32_t acceleration) {
    constexpr int32_t longest = board::pan.high - board::pan.low > board::tilt.high - board::tilt.low
        ? board::pan.high - board::pan.low : board::tilt.high - board::tilt.low;
    constexpr uint32_t most = board::pan.acceleration > board::tilt.acceleration ? board::pan.acceleration : board::tilt.acceleration;
    static_assert(most / 64 * 2 * (uint64_t)longest + most / perSecond * (uint64_t)(most / perSecond) / 64 < 0xFFFFFFFF,
        "range and acceleration must fit");
    if (distance <= 0) return 0;
    if (distance > longest) distance = longest;
    uint32_t gain = acceleration / perSecond;
    return (int32_t)root(gain * gain / 64 + acceleration / 64 * 2 * distance) * 8 - (int32_t)gain;
}

// Returns the whole units of `rest + rate` steps; `rest` keeps the fraction.
int32_t whole(int16_t &rest, int32_t rate) {
    int32_t sum = rest + rate;
    int32_t units = sum / perSecond;
    rest = sum - units * perSecond;
    return units;
}

int32_t size(int32_t value) { return value < 0 ? -value : value; }

// Removes the part of a range where the trim would take the motor beyond its limits. False if none is left.
bool keepInside(Limits &range, const Limits &compiled, int32_t trim) {
    if (range.low < compiled.low + trim) range.low = compiled.low + trim;
    if (range.high > compiled.high + trim) range.high = compiled.high + trim;
    return range.low <= range.high;
}
}  // namespace

int32_t clamp(int32_t value, int32_t low, int32_t high) { return value < low ? low : value > high ? high : value; }

bool Axis::narrow(const Limits &wanted) {
    Limits both = compiled;
    if (wanted.low > both.low) both.low = wanted.low;
    if (wanted.high < both.high) both.high = wanted.high;
    if (wanted.speed < both.speed) both.speed = wanted.speed;
    if (wanted.acceleration < both.acceleration) both.acceleration = wanted.acceleration;
    if (wanted.jerk < both.jerk) both.jerk = wanted.jerk;
    Limits range = both;
    if (!keepInside(range, compiled, trim) || both.speed == 0 || both.acceleration < 1000) return false;
    agreed = both;
    restrict(range);
    return true;
}

bool Axis::setTrim(int32_t wanted) {
    Limits range = agreed;
    if (!keepInside(range, compiled, wanted)) return false;
    int32_t change = wanted - trim;
    trim = wanted;
    position = clamp(position + change, -farthest, farthest);
    reported = clamp(reported + change, -farthest, farthest);
    aim = clamp(aim + change, -farthest, farthest);
    restrict(range);
    return true;
}

void Axis::restrict(const Limits &range) {
    limits = range;
    // The old goal may be outside now, and the axis would never arrive.
    if (!isSettled && goal == place) pursuePlace(aim, wish, top);
}

void Axis::standStill(bool atOnce) {
    isUrgent = atOnce || (isUrgent && goal == stand);
    goal = stand;
}

void Axis::pursueVelocity(int32_t velocityWish) {
    goal = velocity;
    wish = clamp(velocityWish, -(int32_t)limits.speed, limits.speed);
}

void Axis::pursuePlace(int32_t placeWish, int32_t ahead, int32_t topWish) {
    placeWish = clamp(placeWish, limits.low, limits.high);
    ahead = clamp(ahead, -(int32_t)limits.speed, limits.speed);
    if (goal != place || aim != placeWish || wish != ahead || top != topWish) isSettled = false;
    goal = place;
    aim = placeWish;
    wish = ahead;
    top = topWish;
}

void Axis::hold() {
    goal = place;
    aim = position;
    wish = 0;
    top = farthest;
    isSettled = true;
}

void Axis::letGo() {
    begin(reported);
    standStill(false);
}

void Axis::begin(int32_t place) {
    position = reported = place;
    rate = reportedRate = 0;
    rest = reportedRest = 0;
}

bool Axis::isMoving() const { return rate != 0 || size(reportedRate) > 1000; }

// A first-order lag, as in a servo whose error drives its motor.
void Axis::follow() {
    static_assert(board::lag >= stepMilliseconds, "a step must not go beyond");
    reportedRate = clamp(position - reported, -farthest, farthest) * 1000 / board::lag;
    reported += whole(reportedRest, reportedRate);
}

void Axis::step() {
    int32_t next = clamp(wanted(), -(int32_t)limits.speed, limits.speed);
    int32_t above = limits.high - position, below = position - limits.low;
    if (above < 0 || below < 0) next = clamp(next, -inwardSpeed, inwardSpeed);
    int32_t up = permitted(above, limits.acceleration), down = permitted(below, limits.acceleration);
    next = clamp(next, -down, up);
    // Limits narrowed in flight can require more than their own acceleration. The motor's full one is available.
    bool brakesHard = (isUrgent && goal == stand) || rate > up || rate < -down;
    int32_t most = (brakesHard ? compiled.acceleration : limits.acceleration) / perSecond;
    rate += clamp(next - rate, -most, most);
    advance();
    follow();
}

void Axis::advance() {
    int32_t before = position;
    position += whole(rest, rate);
    bool crossesUp = rate > 0 && position > limits.high && before <= limits.high;
    bool crossesDown = rate < 0 && position < limits.low && before >= limits.low;
    if (!crossesUp && !crossesDown) return;
    position = crossesUp ? limits.high : limits.low;
    rest = 0;
    rate = 0;
}

int32_t Axis::wanted() {
    if (goal == stand) return 0;
    if (goal == velocity) return wish;
    int32_t error = aim - position;
    if (wish != 0) aim = clamp(aim + whole(aimRest, wish), limits.low, limits.high);
    if (isSettled && (wish != 0 || size(error) > 150)) isSettled = false;
    if (!isSettled && wish == 0 && size(error) <= 10 && size(rate) <= 1000) isSettled = true;
    if (isSettled) return 0;
    int32_t speed = permitted(size(error), limits.acceleration);
    if (speed > top) speed = top;
    return wish + (error < 0 ? -speed : speed);
}

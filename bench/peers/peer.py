# SPDX-License-Identifier: BSD-3-Clause
"""What the peers in Python share: the loop over sizes, and the exact answers that ../README.md defines."""
import math


def compare(workloads, most, clock):
    """A line of `workload N error seconds` for each size up to `most` of each (name, run, exact, sizes)."""
    for name, run, exact, sizes in workloads:
        for size in sizes:
            if size > most:
                break
            start = clock()
            values = run(size)
            seconds = clock() - start
            print(f"{name} {size} {largest_difference(values, exact(size)):.2g} {seconds:.3g}", flush=True)
            if seconds > 6:  # the next size is ten times as large, and would take more than a minute
                break


def largest_difference(values, exact):
    if len(values) != len(exact):
        return math.inf
    return max(abs(value - right) for value, right in zip(values, exact))


def sine(mode, parts):
    """A mode of a row of equal parts between two ends that are held."""
    return [math.sin(math.pi*mode*place/(parts + 1)) for place in range(1, parts + 1)]


def two_modes(mode, other, share, parts):
    return [low + share*high for low, high in zip(sine(mode, parts), sine(other, parts))]


def ball_exactly(impacts):
    return [2*k + 1 for k in range(impacts)]


def chain_start(masses):
    return two_modes(1, (masses + 1)//2, 0.1, masses)


def chain_exactly(states, damping=0.02, end=100):
    """The speeds at the end: each mode decays on its own."""
    masses = states//2
    high = (masses + 1)//2

    def speed(mode):
        eigenvalue = 4*math.sin(math.pi*mode/(2*(masses + 1)))**2
        decay = damping*eigenvalue/2
        frequency = math.sqrt(eigenvalue - decay*decay)
        return -math.exp(-decay*end)*math.sin(frequency*end)*(frequency + decay*decay/frequency)

    return [speed(1)*low + 0.1*speed(high)*other for low, other in zip(sine(1, masses), sine(high, masses))]


def rod_start(parts):
    return two_modes(1, 3, 0.5, parts)


def rod_exactly(parts, end=0.1):
    """The temperatures at the end: each mode decays on its own."""
    def left(mode):
        return math.exp(-4*(math.sin(math.pi*mode/(2*(parts + 1)))*(parts + 1))**2*end)

    return [left(1)*low + 0.5*left(3)*other for low, other in zip(sine(1, parts), sine(3, parts))]

# SPDX-License-Identifier: BSD-3-Clause
"""W1L and W3 as one writes them with scipy.integrate.solve_ivp: a line of `workload N error seconds` for each size."""
import math
import sys
import time

import numpy
from scipy.integrate import solve_ivp

GRAVITY = 9.81


def ball(impacts):
    """A ball without loss: the times of its impacts."""
    def rates(_, state):
        return state[1], -GRAVITY

    def floor(_, state):
        return state[0]

    floor.terminal, floor.direction = True, -1
    now, state, times, first = 0.0, [GRAVITY/2, 0.0], [], None
    while len(times) < impacts:
        # without a first step that is shorter than the flight the root at its beginning is found again
        flight = solve_ivp(rates, (now, 2*impacts), state, rtol=1e-8, atol=1e-12, events=floor, first_step=first)
        if flight.status != 1:
            break
        now, first = flight.t[-1], 0.1
        times.append(now)
        state = [0.0, -flight.y[1, -1]]
    return max(abs(found - (2*k + 1)) for k, found in enumerate(times))


def chain(states):
    """Masses, springs and dampers between walls: speeds after 100 s."""
    n, damping, end = states//2, 0.02, 100.0
    high, places = (n + 1)//2, numpy.arange(1, n + 1)

    def shape(mode):
        return numpy.sin(math.pi*places*mode/(n + 1))

    def second(x):
        result = -2*x
        result[1:] += x[:-1]
        result[:-1] += x[1:]
        return result

    def rates(_, state):
        x, v = state[:n], state[n:]
        return numpy.concatenate((v, second(x) + damping*second(v)))

    def decay(mode):
        eigenvalue = 4*math.sin(math.pi*mode/(2*(n + 1)))**2
        b = damping*eigenvalue/2
        w = math.sqrt(eigenvalue - b*b)
        return -math.exp(-b*end)*math.sin(w*end)*(w + b*b/w)

    start = numpy.concatenate((shape(1) + 0.1*shape(high), numpy.zeros(n)))
    run = solve_ivp(rates, (0, end), start, method="DOP853", rtol=1e-6, atol=1e-9, t_eval=[end])
    return numpy.abs(run.y[n:, -1] - decay(1)*shape(1) - 0.1*decay(high)*shape(high)).max()


def main(most):
    for name, run, sizes in (("W1L", ball, (10, 100, 1000)), ("W3", chain, (10, 100, 1000, 10000, 100000))):
        for size in sizes:
            if size > most:
                break
            start = time.process_time()
            error = run(size)
            print(f"{name} {size} {error:.2g} {time.process_time() - start:.3g}", flush=True)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000000)

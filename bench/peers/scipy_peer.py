# SPDX-License-Identifier: BSD-3-Clause
"""W1L and W3 as one writes them with scipy.integrate.solve_ivp: a line for each size."""
import sys
import time

import numpy
from scipy.integrate import solve_ivp

import peer

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
    return times


def chain(states):
    """Masses, springs and dampers between walls: speeds after 100 s."""
    masses, damping, end = states//2, 0.02, 100.0

    def second(x):
        result = -2*x
        result[1:] += x[:-1]
        result[:-1] += x[1:]
        return result

    def rates(_, state):
        x, v = state[:masses], state[masses:]
        return numpy.concatenate((v, second(x) + damping*second(v)))

    start = numpy.concatenate((peer.chain_start(masses), numpy.zeros(masses)))
    run = solve_ivp(rates, (0, end), start, method="DOP853", rtol=1e-6, atol=1e-9, t_eval=[end])
    return run.y[masses:, -1]


def main(most):
    workloads = (("W1L", ball, peer.ball_exactly, (10, 100, 1000)),
                 ("W3", chain, peer.chain_exactly, (10, 100, 1000, 10000, 100000)))
    peer.compare(workloads, most, time.process_time)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000000)

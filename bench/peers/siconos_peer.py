# SPDX-License-Identifier: BSD-3-Clause
"""W1L as one writes it with the event-driven scheme of Siconos: a line for each size."""
import sys
import time

import numpy
import siconos.kernel as siconos

import peer

GRAVITY, IMPACT = 9.81, 2  # the type of an event


def ball(impacts):
    """A ball without loss: the times of its impacts."""
    body = siconos.LagrangianLinearTIDS(numpy.array([GRAVITY/2]), numpy.zeros(1), numpy.eye(1))
    body.setFExtPtr(numpy.array([-GRAVITY]))
    contact = siconos.Interaction(siconos.NewtonImpactNSL(1), siconos.LagrangianLinearTIR(numpy.eye(1)))
    system = siconos.NonSmoothDynamicalSystem(0, 2*impacts)
    system.insertDynamicalSystem(body)
    system.link(contact, body)
    return times_of_impacts(event_driven(system))


def event_driven(system):
    # a tick that falls on an impact ends the run with an error, so ticks are no fraction of a flight
    simulation = siconos.EventDriven(system, siconos.TimeDiscretisation(0, 0.9137))
    simulation.insertIntegrator(siconos.LsodarOSI())
    simulation.insertNonSmoothProblem(siconos.LCP(), siconos.SICONOS_OSNSP_ED_IMPACT)
    simulation.insertNonSmoothProblem(siconos.LCP(), siconos.SICONOS_OSNSP_ED_SMOOTH_ACC)
    simulation.setToleranceED(1e-9)  # the one it has ends the run after some dozens of impacts
    simulation.initialize()
    return simulation


def times_of_impacts(simulation):
    times, events = [], simulation.eventsManager()
    while simulation.hasNextEvent():
        simulation.advanceToEvent()
        if events.nextEvent().getType() == IMPACT:
            times.append(simulation.nextTime())
        simulation.processEvents()
    return times


def main(most):
    peer.compare([("W1L", ball, peer.ball_exactly, (10, 100, 1000))], most, time.process_time)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000000)

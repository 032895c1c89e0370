# SPDX-License-Identifier: BSD-3-Clause
"""W3, W4ccm, W4dcm and W6 as circuits for ngspice: a line for each size."""
import math
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

import peer

SUPPLY, COIL, CAPACITOR = 12, 47e-6, 47e-6
PERIOD, CLOSED, PERIODS, REST = 1e-5, 5e-6, 999, 3e-6  # the end is in a period in which the switch is closed

# ngspice integrates by the trapezoidal rule, of the order 2, and no tolerance shortens its steps enough for
# phases to be right after many swings. So steps have a longest length, by which errors come to about 1e-6 of
# the largest values of a run. In W3 and W6 half of it would be a quarter of the error for twice the time. In
# W4dcm shorter steps leave 1e-4 V, which is what the resistances of the switches cost.
LONGEST_STEP = {"W3": 1e-3, "W4": 2e-7, "W6": 5e-4}
# With a tenth of this ngspice finds no step that is short enough for the switches of W4, and gives up.
TOLERANCE = 1e-5


def simulate(title, elements, end, longest_step):
    """The values at the end, by name."""
    kept_from = end*(1 - 1e-6)
    run = f".tran {end/1000} {end} {kept_from!r} {longest_step} uic"
    control = [f".options reltol={TOLERANCE}", run, ".end"]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "netlist").write_text("\n".join([title, *elements, *control]) + "\n")
        command = ["ngspice", "-n", "-b", "-r", "values", "netlist"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        written = pathlib.Path(folder, "values")
        row = last_row(written.read_bytes()) if written.exists() else {}
    if not math.isclose(row.get("time", 0), end):
        sys.exit(f"ngspice did not reach the end of {title}:\n{done.stdout}{done.stderr}")
    return row


def last_row(written):
    """The last row of a raw file, by name; a head of text stands before rows of doubles."""
    head, _, numbers = written.partition(b"Binary:\n")
    names = [line.split()[1] for line in head.decode().partition("Variables:\n")[2].splitlines()]
    if not numbers:
        return {}
    return dict(zip(names, struct.unpack(f"{len(names)}d", numbers[-8*len(names):])))


def node(place, parts):
    """Both ends of a row are ground."""
    return f"n{place}" if 1 <= place <= parts else "0"


def chain(states):
    """Masses are capacitors, springs coils, dampers resistors, speeds voltages: those after 100 s."""
    masses = states//2
    start = [0, *peer.chain_start(masses), 0]
    elements = [f"Cmass{i} {node(i, masses)} 0 1 ic=0" for i in range(1, masses + 1)]
    for i in range(masses + 1):
        ends = f"{node(i, masses)} {node(i + 1, masses)}"
        elements += [f"Lspring{i} {ends} 1 ic={start[i] - start[i + 1]!r}", f"Rdamper{i} {ends} {1/0.02}"]
    return voltages(simulate("chain", elements, 100, LONGEST_STEP["W3"]), masses)


def rod(parts):
    """Temperatures are voltages: those after 0.1 s."""
    resistance = 1/(parts + 1)**2
    start = enumerate(peer.rod_start(parts), 1)
    elements = [f"Cheat{i} {node(i, parts)} 0 1 ic={temperature!r}" for i, temperature in start]
    elements += [f"Rflow{i} {node(i, parts)} {node(i + 1, parts)} {resistance!r}" for i in range(parts + 1)]
    return voltages(simulate("rod", elements, 0.1, LONGEST_STEP["W6"]), parts)


def voltages(row, parts):
    return [row[f"v({node(i, parts)})"] for i in range(1, parts + 1)]


def boost(load):
    """A boost converter: current of the coil and voltage of the load."""
    # The diode is a switch that its own voltage closes; an exponential law costs 2e-4 V at best. The gate
    # switches in the middle of a ramp: 10 ps of it cost 1e-3 V in W4dcm, and less than 1 ps spoils the steps.
    ramp = 1e-12
    elements = [
        f"Vsupply supply 0 {SUPPLY}", f"Lcoil supply node {COIL} ic=0", "Sswitch node 0 gate 0 channel",
        "Sdiode node out node out valve", f"Ccapacitor out 0 {CAPACITOR} ic=0", f"Rload out 0 {load}",
        f"Vgate gate 0 pulse(1 0 {CLOSED - ramp/2!r} {ramp} {ramp} {PERIOD - CLOSED - ramp!r} {PERIOD})",
        ".model channel sw vt=0.5 ron=2e-6 roff=1e8", ".model valve sw vt=0 ron=2e-6 roff=1e8"]
    row = simulate("boost", elements, PERIODS*PERIOD + REST, LONGEST_STEP["W4"])
    return [row["i(lcoil)"], row["v(out)"]]


def boost_exactly(load):
    """The same with ideal switches: a closed form for each phase."""
    current, voltage, leak = 0.0, 0.0, 1/(load*CAPACITOR)
    for _ in range(PERIODS):
        current += SUPPLY/COIL*CLOSED
        voltage *= math.exp(-leak*CLOSED)
        current, voltage = opened(current, voltage, load)
    return [current + SUPPLY/COIL*REST, voltage*math.exp(-leak*REST)]


def opened(current, voltage, load):
    """The diode conducts until the switch closes again, or the current has come to zero."""
    span = PERIOD - CLOSED
    end = swing(current, voltage, load, span)
    if end[0] >= 0:
        return end
    flows, stopped = 0.0, span
    while flows < (middle := (flows + stopped)/2) < stopped:
        if swing(current, voltage, load, middle)[0] > 0:
            flows = middle
        else:
            stopped = middle
    return 0.0, swing(current, voltage, load, flows)[1]*math.exp(-(span - flows)/(load*CAPACITOR))


def swing(current, voltage, load, span):
    """Coil and capacitor swing round their point of rest."""
    decay = 1/(2*load*CAPACITOR)
    frequency = math.sqrt(1/(COIL*CAPACITOR) - decay*decay)
    shrink = math.exp(-decay*span)
    cosine, sine = shrink*math.cos(frequency*span), shrink*math.sin(frequency*span)/frequency
    i, v = current - SUPPLY/load, voltage - SUPPLY
    return (SUPPLY/load + (cosine + decay*sine)*i - sine/COIL*v,
            SUPPLY + sine/CAPACITOR*i + (cosine - decay*sine)*v)


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(most):
    sizes = (10, 100, 1000, 10000, 100000)
    workloads = (("W3", chain, peer.chain_exactly, sizes),
                 ("W4ccm", lambda _: boost(20), lambda _: boost_exactly(20), (1,)),
                 ("W4dcm", lambda _: boost(400), lambda _: boost_exactly(400), (1,)),
                 ("W6", rod, peer.rod_exactly, sizes))
    peer.compare(workloads, most, seconds_of_children)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000000)

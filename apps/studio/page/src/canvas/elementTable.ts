// SPDX-License-Identifier: BSD-3-Clause
// What can be placed of bond graphs: one row each. The palette, the keys, the rules of connecting and the words of the inspector read these rows.

export type ElementRow = {
  kind: string; // as it is written
  title: string;
  description: string;
  key: string; // places it at the pointer
  stem: string; // of names that are given by the way
  ports: number; // bonds it can have; Infinity: any number
  takesPower: boolean; // half arrows must point into it
  hint: string; // what can be typed when it is placed
  examples: string; // of real things
  mayBeParameter: boolean; // a name alone as its argument is most likely a parameter
};

const row = (
  kind: string, title: string, key: string, stem: string, ports: number, takesPower: boolean, mayBeParameter: boolean,
  description: string, examples: string, hint: string,
): ElementRow => ({ kind, title, key, stem, ports, takesPower, mayBeParameter, description, examples, hint });

export const elementRows: ElementRow[] = [
  row('1', '1-junction', '1', 'j', Infinity, false, false, 'One flow for all of its bonds; the efforts add up to 0.', 'what moves with one velocity, a loop of a circuit', 'name, or name by Machine'),
  row('0', '0-junction', '0', 'j', Infinity, false, false, 'One effort for all of its bonds; the flows add up to 0.', 'a force between two bodies, a node of a circuit', 'name, or name by Machine'),
  row('I', 'Inertia', 'i', 'I', 1, true, true, 'Stores p, the integral of effort; f = p / I.', 'mass, rotating body, coil', 'name(inertia)  start f = velocity'),
  row('C', 'Capacity', 'c', 'C', 1, true, true, 'Stores q, the integral of flow; e = q / C.', 'spring, capacitor, tank', 'name(capacity), or name(K = stiffness)  start q = ...'),
  row('R', 'Resistor', 'r', 'R', 1, true, true, 'Takes power: e = R f, or any law in e and f.', 'damper, friction, resistor, valve', 'name(resistance), or name: e = 9*f*abs(f)'),
  row('Se', 'Source of effort', 'e', 'Se', 1, false, false, 'Gives an effort, whatever the flow.', 'weight, force, battery, pressure', 'name(effort)'),
  row('Sf', 'Source of flow', 'f', 'Sf', 1, false, false, 'Gives a flow, whatever the effort.', 'moving wall, current source, pump', 'name(flow)'),
  row('TF', 'Transformer', 't', 'TF', 2, false, true, 'e1 = n e2, f2 = n f1: one bond comes in, one goes out.', 'lever, gear, transformer, piston', 'name(ratio)'),
  row('GY', 'Gyrator', 'g', 'GY', 2, false, true, 'e1 = r f2, e2 = r f1: one bond comes in, one goes out.', 'electric motor, gyroscope', 'name(ratio)'),
];

// "MSe" is a source like "Se": the M only says that it varies.
export const plainKind = (kind: string): string => (/^M(Se|Sf|R|C|I|TF|GY)$/.test(kind) ? kind.slice(1) : kind);

export const elementRow = (kind: string): ElementRow | undefined => {
  const plain = plainKind(kind);
  return elementRows.find((each) => each.kind === plain);
};

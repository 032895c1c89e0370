// SPDX-License-Identifier: BSD-3-Clause
// What a new model begins with. Each can be run as it stands.
export type Template = { name: string; description: string; text: (model: string) => string };

export const templates: Template[] = [
  {
    name: 'Empty',
    description: 'An empty page.',
    text: (model) => `model ${model} {\n  stop 1 [s]\n}\n`,
  },
  {
    name: 'Mechanical',
    description: 'A mass on a spring with a damper.',
    text: (model) => `// A mass on a spring with a damper.
model ${model} {
  param m = 1 [kg]
  param k = 100 [N/m]
  param d = 0.5 [N*s/m]

  I mass(m)  start f = 1 [m/s]
  C spring(K = k)
  R damper(d)
  1 motion
  motion -> mass
  motion -> spring
  motion -> damper

  stop 10 [s]
}
`,
  },
  {
    name: 'Electrical',
    description: 'A battery, a resistor and a capacitor behind a switch.',
    text: (model) => `// A battery charges a capacitor through a resistor, as soon as a switch is closed.
model ${model} {
  param U = 12 [V]
  param closing = 0.1 [s]

  Se battery(U)
  R resistor(100 [Ohm])
  C capacitor(1e-3 [F])
  1 circuit by Switch
  battery -> circuit -> capacitor
  circuit -> resistor

  machine Switch {
    off open  initial
    on closed
    open -> closed  when time >= closing
  }
  stop 1 [s]
}
`,
  },
];

// A name of a model made of what the user calls it: "newton's cradle" becomes NewtonsCradle.
export function modelName(title: string): string {
  const words = title.replace(/['’]/g, '').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
  return /^[\p{L}_]/u.test(name) ? name : name ? `Model${name}` : '';
}

// The file of that name: "Newton's cradle" becomes newtons-cradle.hbg, folders stay.
export function filePath(title: string): string {
  const parts = title.trim().replace(/\.hbg$/, '').split('/').map((part) => part.replace(/['’]/g, '').trim().toLowerCase().replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|-+$/g, '')).filter(Boolean);
  return parts.length > 0 ? `${parts.join('/')}.hbg` : '';
}

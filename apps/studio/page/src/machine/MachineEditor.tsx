// SPDX-License-Identifier: BSD-3-Clause
// The states and transitions of a machine type of the body `where`. The inspector shows it for what is switched by a machine.
export function MachineEditor({ where, machine }: { where: string; machine: string }) {
  return <div className="empty-note" data-where={where} data-machine={machine} />;
}

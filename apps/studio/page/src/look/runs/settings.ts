// SPDX-License-Identifier: BSD-3-Clause
// Parameters that were changed by hand, and how a run is called by them.
import type { ParameterInfo, Setting } from '../../protocol';
import { numberText } from '../number';

// What a run is told: a bare number is in the parameter's unit.
export const settingsOf = (settings: Record<string, string>): Setting[] =>
  Object.keys(settings).sort().map((name) => ({ name, value: settings[name] as string }));

// "F_th = 0.5, m1 = 2"; '' as the text has it.
export const labelOf = (settings: Setting[]): string =>
  settings.map(({ name, value }) => `${name} = ${Number.isFinite(Number(value)) && value.trim() !== '' ? numberText(Number(value)) : value}`).join(', ');

// Settings of parameters that the text still has, and that differ from it.
export const stillMeant = (settings: Record<string, string>, parameters: ParameterInfo[]): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => parameters.some((parameter) => parameter.name === name)));

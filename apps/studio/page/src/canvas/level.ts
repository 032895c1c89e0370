// SPDX-License-Identifier: BSD-3-Clause
// Levels of a model: "" the model, "row.wagon[1]" the inside of an instance, "Wagon" a submodel as it is declared.
import { parameterTexts } from '../inspector/parameterTexts';
import type { Diagram, LookAnswer } from '../protocol';

export type Step = { title: string; level: string };

// The way from the model to a level.
export const wayTo = (level: string, model: string): Step[] => {
  const steps: Step[] = [{ title: model || 'Model', level: '' }];
  if (level === '') return steps;
  const parts = level.split('.');
  parts.forEach((part, at) => steps.push({ title: part, level: parts.slice(0, at + 1).join('.') }));
  return steps;
};

export const above = (level: string): string => (level.includes('.') ? level.slice(0, level.lastIndexOf('.')) : '');

// '' when the drawing can be changed by hand, else the reason why not.
export const whyNotEditable = (diagram: Diagram | null, isReadOnly: boolean): string => {
  if (isReadOnly) return 'This model is read only. Save it under another name to change it.';
  if (!diagram) return 'There is no drawing yet.';
  if (diagram.file.startsWith('library:')) return `${diagram.where} belongs to the built-in library and is read only.`;
  if (diagram.file !== '') return `${diagram.where} stands in ${diagram.file}: open that file to change it.`;
  return '';
};

// Everything that has a name in the text, as far as it is known here. Parameters are read from the text, too: of a model that is not right yet,
// as each one is while it is drawn, the server knows none.
export const namesOf = (look: LookAnswer | null, text = ''): Set<string> => {
  const names = new Set<string>();
  if (look?.diagram?.where === '') for (const name of parameterTexts(text).keys()) names.add(name);
  if (!look) return names;
  for (const symbol of look.diagram?.symbols ?? []) names.add(symbol.name.replace(/\[.*$/, ''));
  if (look.diagram?.where === '') for (const parameter of look.parameters) names.add(parameter.name.replace(/\[.*$/, ''));
  for (const signal of look.signals) if (!signal.name.includes('.')) names.add(signal.name.replace(/\[.*$/, ''));
  for (const type of look.machineTypes) names.add(type);
  for (const submodel of look.submodels) if (submodel.file === '') names.add(submodel.name);
  return names;
};

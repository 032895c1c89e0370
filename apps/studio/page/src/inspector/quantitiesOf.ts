// SPDX-License-Identifier: BSD-3-Clause
// Which variables a symbol or a bond has, as columns of a run call them.
import { plainKind } from '../canvas/elementTable';
import type { DiagramBond, DiagramSymbol } from '../protocol';
import type { Quantity } from './Quantities';

const one = (path: string, letter: string, title: string): Quantity => ({ letter, column: `${path}.${letter}`, title });

export const quantitiesOfSymbol = ({ sort, kind, path, label }: DiagramSymbol): Quantity[] => {
  const isField = /\[\[/.test(label);
  if (sort === 'signal') return [{ letter: '', column: path, title: 'the signal' }];
  if (sort === 'junction') return kind === '0' ? [one(path, 'e', 'common effort')] : [one(path, 'f', 'common flow')];
  if (sort !== 'element' || isField) return [];
  const effort = one(path, 'e', 'effort'), flow = one(path, 'f', 'flow');
  switch (plainKind(kind)) {
    case 'I': return [effort, flow, one(path, 'p', 'stored: the integral of effort')];
    case 'C': return [effort, flow, one(path, 'q', 'stored: the integral of flow')];
    case 'TF': case 'GY': case 'RS':
      return [one(path, 'e1', 'effort of the bond that comes in'), one(path, 'f1', 'its flow'), one(path, 'e2', 'effort of the bond that goes out'), one(path, 'f2', 'its flow')];
    case 'Se': case 'Sf': case 'R': return [effort, flow];
    default: return [];
  }
};

export const quantitiesOfBond = ({ effort, flow }: DiagramBond): Quantity[] =>
  [{ letter: 'e', column: effort, title: 'effort' }, { letter: 'f', column: flow, title: 'flow' }].filter((quantity) => quantity.column !== '');

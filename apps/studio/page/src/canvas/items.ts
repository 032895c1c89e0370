// SPDX-License-Identifier: BSD-3-Clause
// All that can be placed, in groups, and how it is searched.
import type { SubmodelInfo } from '../protocol';
import { blockRows } from './blockTable';
import { elementRows } from './elementTable';
import type { Item } from './state';

export type Group = { title: string; items: Item[] };

export const keyOf = (item: Item): string =>
  item.sort === 'submodel' ? `submodel ${item.info.file} ${item.info.name}` : item.sort === 'element' ? `element ${item.row.kind}` : `block ${item.row.kind}`;

export const titleOfItem = (item: Item): string => (item.sort === 'submodel' ? item.info.name : item.row.title);
export const descriptionOf = (item: Item): string => {
  if (item.sort === 'submodel') return item.info.description || `A submodel with ${item.info.ports.length === 1 ? 'one port' : `${item.info.ports.length} ports`}.`;
  return item.sort === 'element' ? `${item.row.description} For example ${item.row.examples}.` : item.row.description;
};
export const shortcutOf = (item: Item): string => (item.sort === 'element' ? item.row.key.toUpperCase() : item.sort === 'block' && item.row.kind === 'expression' ? 'S' : '');

const groupTitle = (file: string): string => {
  if (file === '') return 'Submodels';
  const name = file.replace(/^library:/, '').replace(/\.hbg$/, '').replace(/^.*\//, '');
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
};

export const allGroups = (submodels: SubmodelInfo[]): Group[] => {
  const groups: Group[] = [
    { title: 'Bond graph', items: elementRows.map((row) => ({ sort: 'element', row })) },
    { title: 'Blocks', items: blockRows.map((row) => ({ sort: 'block', row })) },
  ];
  const files = [...new Set(submodels.map((info) => info.file))].sort();
  for (const file of files) {
    const items = submodels.filter((info) => info.file === file).sort((one, other) => (one.name < other.name ? -1 : 1));
    groups.push({ title: groupTitle(file), items: items.map((info) => ({ sort: 'submodel', info })) });
  }
  return groups;
};

const wordsOf = (item: Item): string[] =>
  item.sort === 'submodel' ? [item.info.name, item.info.description] : item.sort === 'element' ? [item.row.kind, item.row.title, item.row.examples, item.row.description] : [item.row.title, item.row.kind, item.row.description];

// 0: not meant; more: better. What is written exactly so comes first, then what begins so, then what has it anywhere.
const fitness = (item: Item, sought: string): number => {
  let best = 0;
  wordsOf(item).forEach((word, at) => {
    const low = word.toLowerCase();
    const weight = 10 - at;
    if (word === sought) best = Math.max(best, 400 + weight);
    else if (low === sought.toLowerCase()) best = Math.max(best, 300 + weight);
    else if (low.startsWith(sought.toLowerCase())) best = Math.max(best, 200 + weight);
    else if (low.includes(sought.toLowerCase())) best = Math.max(best, 100 + weight);
  });
  return best;
};

export const searched = (groups: Group[], sought: string): Item[] => {
  const items = groups.flatMap((group) => group.items);
  const text = sought.trim();
  if (text === '') return items;
  return items
    .map((item, at) => ({ item, at, fit: fitness(item, text) }))
    .filter((each) => each.fit > 0)
    .sort((one, other) => other.fit - one.fit || one.at - other.at)
    .map((each) => each.item);
};

export const searchedGroups = (groups: Group[], sought: string): Group[] => {
  if (sought.trim() === '') return groups;
  const kept = new Set(searched(groups, sought));
  return groups.map((group) => ({ ...group, items: group.items.filter((item) => kept.has(item)) })).filter((group) => group.items.length > 0);
};

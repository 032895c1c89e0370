// SPDX-License-Identifier: BSD-3-Clause
// What the text is edited with.
import { defaultKeymap, historyKeymap, indentWithTab } from '@codemirror/commands';
import type { Extension } from '@codemirror/state';
import { keymap, lineNumbers } from '@codemirror/view';

export const textExtensions = (): Extension => [lineNumbers(), keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab])];

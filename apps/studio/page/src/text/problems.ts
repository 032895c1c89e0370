// SPDX-License-Identifier: BSD-3-Clause
// What the checker says, as marks in the text with cures that can be applied.
import { lintGutter, linter, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { isolateHistory } from '@codemirror/commands';
import type { EditorState, Extension, TransactionSpec } from '@codemirror/state';
import type { Problem } from '../protocol';
import { inline } from './markdown';

type Place = (at: number, side?: number) => number;

export const problemMarks = (): Extension => [linter(null), lintGutter()];

export function showProblems(state: EditorState, problems: readonly Problem[], place: Place): TransactionSpec {
  return setDiagnostics(state, problems.map((problem) => diagnosticOf(state, problem, place)));
}

export function diagnosticOf(state: EditorState, problem: Problem, place: Place): Diagnostic {
  const range = visibleRange(state, place(problem.from), place(problem.to, -1));
  return {
    ...range,
    severity: problem.isError ? 'error' : 'warning',
    message: `${problem.title}. ${problem.message}${problem.help ? ` ${problem.help}` : ''}`,
    renderMessage: () => describe(problem),
    actions: problem.fixes.map((fix) => ({
      name: fix.title,
      apply: (view) => {
        const from = place(fix.edit.from);
        view.dispatch({
          changes: { from, to: Math.max(from, place(fix.edit.to, -1)), insert: fix.edit.insert },
          annotations: isolateHistory.of('full'),
          userEvent: 'input.fix',
        });
      },
    })),
  };
}

// A problem between two characters is shown at one of them; one at the end of a line at the last.
function visibleRange(state: EditorState, begin: number, end: number): { from: number; to: number } {
  const from = Math.min(begin, state.doc.length);
  const to = Math.min(Math.max(from, end), state.doc.length);
  if (from < to) return { from, to };
  const line = state.doc.lineAt(from);
  if (from < line.to) return { from, to: from + 1 };
  return from > line.from ? { from: from - 1, to: from } : { from, to };
}

function describe(problem: Problem): Node {
  const box = document.createElement('div');
  box.className = 'cm-problem';
  const message = box.appendChild(document.createElement('p'));
  message.append(...inline(problem.message || problem.title));
  if (problem.help) {
    const help = box.appendChild(document.createElement('p'));
    help.className = 'cm-problem-help';
    help.append(...inline(problem.help));
  }
  const code = box.appendChild(document.createElement('p'));
  code.className = 'cm-problem-code';
  code.textContent = problem.message && problem.title ? `${problem.code} · ${problem.title}` : problem.code;
  return box;
}

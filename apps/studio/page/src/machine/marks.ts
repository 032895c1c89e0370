// SPDX-License-Identifier: BSD-3-Clause
// How a transition is told in few words. HYBRSIM marks what reads the values of the mode under examination with a plus, what reads the ones
// before with a minus.
import type { Transition } from './layout';

export const markOf = (transition: Transition): string => `${transition.hasAPosteriori ? '+' : ''}${transition.hasAPriori ? '−' : ''}`;

export function meaningOf(transition: Transition): string {
  if (transition.hasAPriori && transition.hasAPosteriori) return 'reads values before the instant (pre, −) and those of the mode under examination (+)';
  return transition.hasAPriori
    ? 'a priori (−): reads values before the instant; taken when a jump is committed'
    : 'a posteriori (+): reads values of the mode under examination; taken while it is inferred';
}

// What is asked, as it is edited in one field: "gap <= 0", "after 2 [s] when x > 1".
export function conditionOf(transition: Transition): string {
  const { after } = transition;
  if (!after) return transition.guard;
  return transition.guard ? `after ${after} when ${transition.guard}` : `after ${after}`;
}

// What to send for what was typed: where there was a time, all of the condition is meant.
export const guardToSend = (transition: Transition, typed: string): string =>
  transition.after && !/^(after|when)\b/.test(typed.trim()) ? `when ${typed.trim()}` : typed.trim();

export const shortened = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`);

// For people: signs as they are printed.
export const printed = (text: string): string => text.replaceAll('<=', '≤').replaceAll('>=', '≥').replaceAll('*', '·');

// SPDX-License-Identifier: BSD-3-Clause
// How the rows of an instant are called.
import type { InstantRow } from '../../protocol';

export const kindText = (kind: InstantRow['kind'] | 'sample'): string =>
  ({ before: 'before', mythical: 'mythical', pinnacle: 'pinnacle', continuous: 'after', sample: 'continuous' })[kind];

export const kindMeaning = (kind: InstantRow['kind'] | 'sample'): string =>
  ({
    before: 'The last values before the instant.',
    mythical: 'Inference, not real: the switch was reasoned about, but its values had no effect on what is stored.',
    pinnacle: 'Real for an infinitesimal: these values were taken, and the mode was left at once.',
    continuous: 'Time goes on from here.',
    sample: 'Between instants, in continuous time.',
  })[kind];

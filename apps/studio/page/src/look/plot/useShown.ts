// SPDX-License-Identifier: BSD-3-Clause
// What the plots show: the runs that are not hidden and have something to be seen, and the stretch of time.
import { useMemo } from 'react';
import { useStudio } from '../../parts';
import { lookEngine } from '../engine';
import { useLookView } from '../view';
import type { ShownRun } from './picture';
import type { View } from './timeMap';

// Oldest first, so that a run keeps its dash while others come; fresh objects whenever samples came.
export const useShownRuns = (): ShownRun[] => {
  const runs = useStudio((state) => state.runs);
  const hidden = useStudio((state) => state.hidden);
  const current = useStudio((state) => state.current);
  const version = useLookView((state) => state.recordingVersion);
  return useMemo(() => {
    const shown: ShownRun[] = [];
    for (const info of [...runs].reverse()) {
      const recording = lookEngine().recordings.get(info.run);
      if (recording !== null && !hidden.has(info.run)) shown.push({ info, recording, isCurrent: info.run === current });
    }
    return shown;
    // `version` counts what changes within the recordings
  }, [runs, hidden, current, version]); // eslint-disable-line
};

// The whole time of what is shown; a run that goes on is shown up to its end from the beginning.
export const wholeOf = (runs: ShownRun[]): View => {
  let to = 0;
  for (const { info, recording } of runs) {
    const { grid } = recording;
    const isGoingOn = info.state === 'running' || info.state === 'paused';
    const last = grid.count > 0 ? (grid.times[grid.count - 1] as number) : 0;
    to = Math.max(to, isGoingOn && Number.isFinite(info.stop) ? Math.max(info.stop, last) : Math.max(last, info.time));
  }
  return { from: 0, to: to > 0 ? to : 1 };
};

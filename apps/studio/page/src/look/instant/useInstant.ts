// SPDX-License-Identifier: BSD-3-Clause
// What the server tells of the opened instant: its rows, its values, its ledger.
import { useEffect, useState } from 'react';
import { call, callBytes } from '../../api';
import { useStudio } from '../../parts';
import type { Column, Instant, LedgerAnswer } from '../../protocol';
import { readSamples } from '../samples';
import type { OpenedInstant } from '../view';
import type { Values } from './table';

export const useInstant = (opened: OpenedInstant | null): Instant | null => useStudio((state) => (opened === null ? undefined : state.instants[opened.instant])) ?? null;

// The values of columns in each row of the instant; null until they are there. Those of another instant are never shown.
export const useValues = (opened: OpenedInstant | null, columns: Column[]): Values | null => {
  const names = columns.map((column) => column.name);
  const key = opened === null ? '' : `${opened.run} ${opened.first} ${opened.count} ${names.join(' ')}`;
  const [got, setGot] = useState<{ key: string; values: Values }>({ key: '', values: new Map() });
  useEffect(() => {
    if (opened === null || names.length === 0) return undefined;
    const gone = new AbortController();
    callBytes('samples', { run: opened.run, columns: names, from: opened.time, to: opened.time }, gone.signal)
      .then((bytes) => {
        const samples = readSamples(bytes, names.length);
        const begin = opened.first - samples.first;
        setGot({ key, values: new Map(names.map((name, index) => [name, [...(samples.columns[index] as Float64Array).subarray(begin, begin + opened.count)]])) });
      })
      .catch(() => undefined); // it was closed, or its run forgotten
    return () => gone.abort();
  }, [key]); // eslint-disable-line
  return got.key === key ? got.values : null;
};

export const useLedger = (opened: OpenedInstant | null): LedgerAnswer | null => {
  const key = opened === null ? '' : `${opened.run} ${opened.instant} ${opened.count}`;
  const [got, setGot] = useState<{ key: string; ledger: LedgerAnswer | null }>({ key: '', ledger: null });
  useEffect(() => {
    if (opened === null) return undefined;
    const gone = new AbortController();
    call('ledger', { run: opened.run, instant: opened.instant }, gone.signal).then((ledger) => setGot({ key, ledger })).catch(() => undefined);
    return () => gone.abort();
  }, [key]); // eslint-disable-line
  return got.key === key ? got.ledger : null;
};

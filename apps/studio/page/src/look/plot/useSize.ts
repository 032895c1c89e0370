// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useRef, useState, type RefObject } from 'react';

// The size of an element's inside, and whenever it changes.
export const useSize = <E extends HTMLElement>(): [RefObject<E | null>, { width: number; height: number }] => {
  const element = useRef<E>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const observed = element.current;
    if (observed === null) return undefined;
    const measure = () => setSize({ width: observed.clientWidth, height: observed.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(observed);
    measure();
    return () => observer.disconnect();
  }, []);
  return [element, size];
};

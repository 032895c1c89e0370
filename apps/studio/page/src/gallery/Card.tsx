// SPDX-License-Identifier: BSD-3-Clause
// One model: its drawing, its name, its first words.
import { useEffect, useRef, useState } from 'react';
import { useStudio } from '../parts';
import type { FolderEntry } from '../protocol';
import { thumbnail } from './thumbnails';

export function Card({ model }: { model: FolderEntry }) {
  const openDocument = useStudio((state) => state.openDocument);
  const [isOpening, setOpening] = useState(false);
  const title = spaced(model.name) || model.path.replace(/^.*\//, '').replace(/\.hbg$/, '');
  const open = () => {
    setOpening(true);
    void openDocument(model.path).finally(() => setOpening(false));
  };
  return (
    <li>
      <button className="card" onClick={open} aria-busy={isOpening} title={model.path}>
        <Picture model={model} />
        <span className="card-words">
          <span className="card-name">{title}</span>
          <span className="visually-hidden">{model.path}</span>
          <span className="card-description">{model.description || model.path}</span>
        </span>
      </button>
    </li>
  );
}

// NewtonsCradle, to be read: Newtons Cradle.
export const spaced = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll('_', ' ');

function Picture({ model }: { model: FolderEntry }) {
  const box = useRef<HTMLSpanElement>(null);
  const [address, setAddress] = useState('');
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    let isGone = false;
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      thumbnail(model).then(
        (found) => !isGone && setAddress(found),
        () => !isGone && setMissing(true),
      );
    }, { rootMargin: '200px' });
    watcher.observe(element);
    return () => {
      isGone = true;
      watcher.disconnect();
    };
  }, [model.path, model.modified]);
  return (
    <span className="card-picture" ref={box}>
      {address && <img src={address} alt="" draggable={false} />}
      {isMissing && <span className="card-missing">no drawing: the text has mistakes</span>}
    </span>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// The start page: the folder's models as cards, a search, and new ones.
import { useMemo, useState } from 'react';
import { recentlyOpened } from '../document/recent';
import { useStudio } from '../parts';
import type { FolderEntry } from '../protocol';
import { Icon } from '../shell/Icon';
import { Card } from './Card';
import { matching } from './find';
import './gallery.css';
import { NewModel } from './NewModel';

export function Gallery() {
  const folder = useStudio((state) => state.folder);
  const [words, setWords] = useState('');
  const [isMaking, setMaking] = useState(false);
  const found = useMemo(() => matching(folder?.models ?? [], words), [folder, words]);
  const recent = useRecent(folder?.models ?? []);
  if (!folder) return <Waiting />;
  return (
    <div className="gallery">
      <header className="gallery-head">
        <div className="gallery-title">
          <img src="./favicon.svg" alt="" width="34" height="34" />
          <div>
            <h1>HyBrSim Studio</h1>
            <p>{folder.isGallery ? 'The models that come with HyBrSim' : folder.folder}</p>
          </div>
        </div>
        <label className="gallery-search">
          <Icon name="search" />
          <span className="visually-hidden">Search the models</span>
          <input type="search" placeholder="Search the models" value={words} autoFocus onChange={(event) => setWords(event.target.value)} />
        </label>
        {!folder.isGallery && (
          <button className="primary" onClick={() => setMaking(true)}>
            <Icon name="add" /> New model
          </button>
        )}
      </header>
      {folder.isGallery && (
        <p className="gallery-hint">
          These models are read only: look, change nothing, run, save a copy. With <code>hybrsim studio FOLDER</code> you draw your own.
        </p>
      )}
      {!words && recent.length > 0 && folder.models.length > 8 && (
        <Section title="Opened last" models={recent.slice(0, 4)} />
      )}
      <Section title={words ? `${found.length} of ${folder.models.length} models` : 'All models'} models={found} />
      {folder.models.length === 0 && (
        <div className="gallery-empty">
          <h2>There is no model in this folder yet.</h2>
          <p>A model is a hybrid bond graph: storages, resistors, sources, and junctions that can be switched.</p>
          <button className="primary" onClick={() => setMaking(true)}>
            <Icon name="add" /> Draw the first one
          </button>
        </div>
      )}
      {folder.models.length > 0 && found.length === 0 && <p className="gallery-empty">No model has these words. Search for parts of its name, its file, or its description.</p>}
      {isMaking && <NewModel onClose={() => setMaking(false)} taken={folder.models.map((model) => model.path)} />}
    </div>
  );
}

function Section({ title, models }: { title: string; models: FolderEntry[] }) {
  if (models.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="cards">
        {models.map((model) => (
          <Card key={model.path} model={model} />
        ))}
      </ul>
    </section>
  );
}

function useRecent(models: FolderEntry[]): FolderEntry[] {
  return useMemo(() => {
    const byPath = new Map(models.map((model) => [model.path, model]));
    return recentlyOpened().flatMap((path) => byPath.get(path) ?? []);
  }, [models]);
}

function Waiting() {
  return <div className="gallery-empty" role="status">Reading the folder …</div>;
}

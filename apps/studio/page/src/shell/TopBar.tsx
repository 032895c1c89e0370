// SPDX-License-Identifier: BSD-3-Clause
// The bar above the drawing: where one is, what was changed, running, searching, and which panes are open.
import { RunControls } from '../look/RunControls';
import { useStudio } from '../parts';
import { ExportMenu } from './ExportMenu';
import { Icon } from './Icon';
import type { IconName } from './Icon';
import { useLayout } from './layout';
import type { PaneName } from './layout';
import { useOverlay } from './overlay';
import './search.css';

export function TopBar() {
  const isReadOnly = useStudio((state) => state.isReadOnly);
  return (
    <header className="top-bar">
      <Place />
      {!isReadOnly && <Changes />}
      <span className="separator" />
      <RunControls />
      <span className="space" />
      <Problems />
      <button className="search-button" title="Search (Ctrl+K)" onClick={() => useOverlay.getState().show('search')}>
        <Icon name="search" /> <span>Search</span> <kbd>Ctrl+K</kbd>
      </button>
      <span className="separator" />
      {!isReadOnly && <PaneButton pane="palette" icon="palette" title="Palette" />}
      <PaneButton pane="text" icon="text" title="Text" keys="Ctrl+E" />
      <PaneButton pane="inspector" icon="inspector" title="Inspector" />
      <PaneButton pane="look" icon="plots" title="Plots and instants" />
      <span className="separator" />
      <ExportMenu />
      <button className="icon" title="Keyboard and mouse (?)" aria-label="Keyboard and mouse" onClick={() => useOverlay.getState().show('help')}>
        <Icon name="help" />
      </button>
    </header>
  );
}

function Place() {
  const path = useStudio((state) => state.path) ?? '';
  const name = useStudio((state) => state.look?.name) || path.replace(/^.*\//, '').replace(/\.hbg$/, '');
  const isDirty = useStudio((state) => state.isDirty);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  const closeDocument = useStudio((state) => state.closeDocument);
  return (
    <>
      <button className="icon" title="Back to all models" aria-label="Back to all models" onClick={() => void closeDocument()}>
        <Icon name="back" />
      </button>
      <div className="model-title" title={path}>
        <div className="name">
          <span>{name}</span>
          {isDirty && <span className="dirty-dot" role="status" title="Has changes that are not saved" aria-label="Has changes that are not saved" />}
          {isReadOnly && <span className="badge">read only</span>}
        </div>
        <div className="file">{path}</div>
      </div>
    </>
  );
}

function Changes() {
  const { save, undo, redo } = useStudio.getState();
  const isDirty = useStudio((state) => state.isDirty);
  return (
    <>
      <span className="separator" />
      <button className="icon" title="Save (Ctrl+S)" aria-label="Save" disabled={!isDirty} onClick={() => void save()}>
        <Icon name="save" />
      </button>
      <button className="icon" title="Undo (Ctrl+Z)" aria-label="Undo" onClick={undo}>
        <Icon name="undo" />
      </button>
      <button className="icon" title="Redo (Ctrl+Shift+Z)" aria-label="Redo" onClick={redo}>
        <Icon name="redo" />
      </button>
    </>
  );
}

// How many mistakes the text has; a click goes to the first.
function Problems() {
  const problems = useStudio((state) => state.look?.problems);
  const showText = useStudio((state) => state.showText);
  if (!problems || problems.length === 0) return null;
  const errors = problems.filter((problem) => problem.isError);
  const first = errors[0] ?? problems[0]!;
  const number = errors.length || problems.length;
  const noun = errors.length ? 'error' : 'warning';
  return (
    <button className={errors.length ? 'problem-count' : 'problem-count is-warning'} title={first.message || first.title} onClick={() => showText(first.from, first.to)}>
      {number} {noun}{number === 1 ? '' : 's'}
    </button>
  );
}

function PaneButton({ pane, icon, title, keys }: { pane: PaneName; icon: IconName; title: string; keys?: string }) {
  const isOpen = useLayout((state) => state.opened[pane]);
  const toggle = useLayout((state) => state.toggle);
  return (
    <button className="icon" aria-pressed={isOpen} title={keys ? `${title} (${keys})` : title} aria-label={title} onClick={() => toggle(pane)}>
      <Icon name={icon} />
    </button>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// Every column of the current run, to be plotted by a click or by dragging it onto a pane.
import { useMemo, useState } from 'react';
import { useStudio } from '../parts';
import type { Column } from '../protocol';
import { shownColumns, treeOf, type ColumnGroup } from './columns';
import { unitText } from './number';
import { columnDrag } from './plot/Plots';

const openAtFirst = ['stored', 'signal', 'junction'];
const mostShown = 300; // of a group; a search finds the rest

export function ColumnTree() {
  const columns = useStudio((state) => state.runs.find((run) => run.run === state.current)?.columns);
  const [search, setSearch] = useState('');
  const tree = useMemo(() => treeOf(columns ?? [], search), [columns, search]);
  return (
    <aside className="column-tree" aria-label="Columns to plot">
      <input type="search" placeholder="Search columns" aria-label="Search columns" value={search} onChange={(event) => setSearch(event.target.value)} />
      <div className="column-list">
        {columns === undefined && <p className="hint">Run the model to see its columns.</p>}
        {columns !== undefined && tree.length === 0 && <p className="hint">No column has these words.</p>}
        {tree.map((group) => <Group key={group.key} group={group} isSearched={search.trim() !== ''} />)}
      </div>
    </aside>
  );
}

function Group({ group, isSearched }: { group: ColumnGroup; isSearched: boolean }) {
  return (
    <details open={isSearched || openAtFirst.includes(group.key)}>
      <summary>{group.title}</summary>
      {group.columns.slice(0, mostShown).map((column) => <Choice key={column.name} column={column} />)}
      {group.columns.length > mostShown && <p className="hint">{group.columns.length - mostShown} more: search for them.</p>}
      {group.groups.slice(0, mostShown).map((inner) => <Group key={inner.key} group={inner} isSearched={isSearched} />)}
      {group.groups.length > mostShown && <p className="hint">{group.groups.length - mostShown} more: search for them.</p>}
    </details>
  );
}

function Choice({ column }: { column: Column }) {
  const { plot, unplot } = useStudio.getState();
  const isShown = useStudio((state) => shownColumns(state.panes).includes(column.name));
  return (
    <div className="column-choice" draggable onDragStart={(event) => {
      event.dataTransfer.setData(columnDrag, column.name);
      event.dataTransfer.effectAllowed = 'copy';
    }}>
      <button aria-pressed={isShown} title={isShown ? `Show ${column.name} no more` : `Plot ${column.name}; drag it to choose the pane`} onClick={() => (isShown ? unplot(column.name) : plot(column.name))}>
        <span className="tick" aria-hidden="true">{isShown ? '✓' : ''}</span>
        <span className="name">{column.name}</span>
        <span className="unit">{unitText(column.unit)}</span>
      </button>
    </div>
  );
}

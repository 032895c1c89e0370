// SPDX-License-Identifier: BSD-3-Clause
// The panes round the drawing. What stands in them belongs to other folders.
import { Canvas } from '../canvas/Canvas';
import { Palette } from '../canvas/Palette';
import { Inspector } from '../inspector/Inspector';
import { LookPane } from '../look/LookPane';
import { Sliders } from '../look/Sliders';
import { useStudio } from '../parts';
import { TextPane } from '../text/TextPane';
import { useLayout } from './layout';
import { Splitter } from './Splitter';
import { TopBar } from './TopBar';
import './workbench.css';

export function Workbench() {
  const sizes = useLayout((state) => state.sizes);
  const opened = useLayout((state) => state.opened);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  return (
    <div className="workbench">
      <TopBar />
      <div className="workbench-upper">
        {opened.palette && !isReadOnly && (
          <>
            <aside className="pane pane-palette" style={{ width: sizes.palette }} aria-label="Palette">
              <Palette />
            </aside>
            <Splitter pane="palette" side="before" />
          </>
        )}
        <main className="pane pane-canvas" aria-label="Drawing">
          <Canvas />
        </main>
        {opened.text && (
          <>
            <Splitter pane="text" side="after" />
            <section className="pane pane-text" style={{ width: sizes.text }} aria-label="Text">
              <TextPane />
            </section>
          </>
        )}
        {opened.inspector && (
          <>
            <Splitter pane="inspector" side="after" />
            <aside className="pane pane-inspector" style={{ width: sizes.inspector }} aria-label="Inspector">
              <div className="pane-part">
                <Inspector />
              </div>
              <div className="pane-part pane-sliders">
                <Sliders />
              </div>
            </aside>
          </>
        )}
      </div>
      {opened.look && (
        <>
          <Splitter pane="look" side="after" isRow />
          <section className="pane pane-look" style={{ height: sizes.look }} aria-label="Plots and instants">
            <LookPane />
          </section>
        </>
      )}
    </div>
  );
}

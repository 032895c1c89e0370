// SPDX-License-Identifier: BSD-3-Clause
// The panes round the drawing. What stands in them belongs to other folders.
import { useEffect } from 'react';
import { Canvas } from '../canvas/Canvas';
import { Palette } from '../canvas/Palette';
import { Inspector } from '../inspector/Inspector';
import { LookPane } from '../look/LookPane';
import { Sliders } from '../look/Sliders';
import { ConflictBar } from '../document/ConflictBar';
import { useStudio } from '../parts';
import { TextPane } from '../text/TextPane';
import { Help } from './Help';
import { useLayout } from './layout';
import { useOverlay } from './overlay';
import { Rescue } from './Rescue';
import { SaveCopy } from './SaveCopy';
import { SearchBox } from './SearchBox';
import { Splitter } from './Splitter';
import { TopBar } from './TopBar';
import { useKeys } from './useKeys';
import './workbench.css';

export function Workbench() {
  const overlay = useOverlay((state) => state.shown);
  const closeOverlay = () => useOverlay.getState().show(null);
  useKeys();
  const sizes = useLayout((state) => state.sizes);
  const opened = useLayout((state) => state.opened);
  const isReadOnly = useStudio((state) => state.isReadOnly);
  useLookOnRun();
  return (
    <div className="workbench">
      <TopBar />
      <ConflictBar />
      <div className="workbench-row">
        <div className="workbench-column">
          <div className="workbench-row">
            {opened.palette && !isReadOnly && (
              <>
                <aside className="pane pane-palette" style={{ width: sizes.palette }} aria-label="Palette">
                  <Rescue area="The palette">
                    <Palette />
                  </Rescue>
                </aside>
                <Splitter pane="palette" side="before" />
              </>
            )}
            <main className="pane pane-canvas" aria-label="Drawing">
              <Rescue area="The drawing">
                <Canvas />
              </Rescue>
            </main>
            {opened.text && (
              <>
                <Splitter pane="text" side="after" />
                <section className="pane pane-text" style={{ width: sizes.text }} aria-label="Text">
                  <Rescue area="The text">
                    <TextPane />
                  </Rescue>
                </section>
              </>
            )}
          </div>
          {opened.look && (
            <>
              <Splitter pane="look" side="after" isRow />
              <section className="pane pane-look" style={{ height: sizes.look }} aria-label="Plots and instants">
                <Rescue area="The plots">
                  <LookPane />
                </Rescue>
              </section>
            </>
          )}
        </div>
        {opened.inspector && (
          <>
            <Splitter pane="inspector" side="after" />
            <aside className="pane pane-inspector" style={{ width: sizes.inspector }} aria-label="Inspector">
              <div className="pane-part">
                <Rescue area="The inspector">
                  <Inspector />
                </Rescue>
              </div>
              <div className="pane-part pane-sliders">
                <Rescue area="The sliders">
                  <Sliders />
                </Rescue>
              </div>
            </aside>
          </>
        )}
      </div>
      {overlay === 'search' && <SearchBox onClose={closeOverlay} />}
      {overlay === 'help' && <Help onClose={closeOverlay} />}
      {overlay === 'copy' && <SaveCopy onClose={closeOverlay} />}
    </div>
  );
}

// The first run of a model opens the pane in which it is looked at.
function useLookOnRun() {
  const hasRun = useStudio((state) => state.current !== null);
  useEffect(() => {
    if (hasRun) useLayout.getState().toggle('look', true);
  }, [hasRun]);
}

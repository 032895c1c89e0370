// SPDX-License-Identifier: BSD-3-Clause
// The page: the gallery while no document is open, else the drawing with its panes.
import { useEffect } from 'react';
import { start } from './document/link';
import { Gallery } from './gallery/Gallery';
import { useStudio } from './parts';
import { Notices } from './shell/Notices';
import { Rescue } from './shell/Rescue';
import { Workbench } from './shell/Workbench';

export function App() {
  const isOpen = useStudio((state) => state.path !== null);
  useEffect(start, []);
  return (
    <>
      <Rescue area="The page">{isOpen ? <Workbench /> : <Gallery />}</Rescue>
      <Notices />
    </>
  );
}

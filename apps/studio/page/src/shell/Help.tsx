// SPDX-License-Identifier: BSD-3-Clause
// Keys and gestures, on one page.
import { Dialog } from './Dialog';
import './search.css';

const sections: { title: string; rows: [string, string][] }[] = [
  {
    title: 'Drawing',
    rows: [
      ['drag from the palette', 'place a symbol'],
      ['drag from symbol to symbol', 'join them; what cannot be joined says why'],
      ['/', 'place something by typing'],
      ['R C I 0 1 …', 'place an element: the letters stand in the palette'],
      ['S', 'place a signal'],
      ['M', 'switch it by a machine'],
      ['B', 'bond from the selected symbol'],
      ['X', 'turn the half arrow round'],
      ['F2', 'rename'],
      ['Enter', 'enter a submodel'],
      ['U', 'leave it again'],
      ['Delete', 'take away'],
      ['Ctrl+G', 'make a submodel of the selection'],
      ['Ctrl+C Ctrl+X Ctrl+V Ctrl+D', 'copy, cut, paste, duplicate'],
      ['arrow keys', 'move; with Shift in small steps'],
      ['Tab', 'to the next symbol'],
      ['Home', 'see all of it'],
      ['+ -', 'zoom'],
    ],
  },
  {
    title: 'Everywhere',
    rows: [
      ['Ctrl+K', 'search, and do'],
      ['Ctrl+S', 'save'],
      ['Ctrl+Z', 'undo'],
      ['Ctrl+Shift+Z', 'redo'],
      ['Ctrl+E', 'show or hide the text'],
      ['F5', 'run'],
      ['F10', 'step to the next event'],
      ['?', 'this page'],
    ],
  },
  {
    title: 'Plots and instants',
    rows: [
      ['[ ]', 'to the event before, to the next one'],
      ['← →', 'row by row, also within an instant'],
      ['Escape', 'close the instant, take the cursor away'],
    ],
  },
  {
    title: 'Text',
    rows: [
      ['Ctrl+Space', 'what could stand here'],
      ['F8', 'the next problem'],
      ['F12', 'where it is declared'],
      ['F2', 'rename everywhere'],
      ['Shift+Alt+F', 'lay out the text'],
      ['Ctrl+F', 'find and replace'],
      ['Ctrl+/', 'comment'],
    ],
  },
];

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard and mouse" onClose={onClose} isWide>
      <div className="help">
        {sections.map((section) => (
          <section key={section.title}>
            <h3>{section.title}</h3>
            <dl>
              {section.rows.map(([keys, meaning]) => (
                <Row key={meaning} keys={keys} meaning={meaning} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Row({ keys, meaning }: { keys: string; meaning: string }) {
  const isGesture = /^(drag|arrow)/.test(keys);
  return (
    <>
      <dt>{isGesture ? keys : keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>)}</dt>
      <dd>{meaning}</dd>
    </>
  );
}

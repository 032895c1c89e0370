// SPDX-License-Identifier: BSD-3-Clause
// Beside the pointer, while a bond is drawn: what it would be, or why it cannot be.
import { useCanvas } from './state';
import { within } from './within';

const words = { bond: 'Bond', signal: 'Signal', active: 'Active bond: read without power', switch: 'Switched by this machine' };

export function ReasonBubble() {
  const connecting = useCanvas((state) => state.connecting);
  if (!connecting) return null;
  const { joining, to, isHeld } = connecting;
  if (!joining) {
    if (isHeld) return null;
    return (
      <div className="floating reason" style={within({ x: connecting.screen.x + 8, y: connecting.screen.y + 12 }, { width: 280, height: 40 })}>
        Bond from {connecting.from} to … <kbd>Tab</kbd> <kbd>Enter</kbd> or click
      </div>
    );
  }
  return (
    <div role="status" className={joining.kind === 'none' ? 'floating reason is-refused' : 'floating reason'} style={within({ x: connecting.screen.x + 8, y: connecting.screen.y + 12 }, { width: 280, height: 60 })}>
      {joining.kind === 'none' ? joining.reason : `${words[joining.kind]} to ${to ?? ''}`}
    </div>
  );
}

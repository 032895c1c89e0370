// SPDX-License-Identifier: BSD-3-Clause
// Sentences for the user, in the corner: errors stay until they are dismissed.
import { useStudio } from '../parts';
import { Icon } from './Icon';
import './notices.css';

export function Notices() {
  const notices = useStudio((state) => state.notices);
  const dismiss = useStudio((state) => state.dismiss);
  return (
    <div className="notices" aria-live="polite">
      {notices.map((notice) => (
        <div key={notice.id} className={`notice is-${notice.kind}`} role={notice.kind === 'error' ? 'alert' : 'status'}>
          <p>{notice.text}</p>
          {notice.action && (
            <button
              className="outlined"
              onClick={() => {
                dismiss(notice.id);
                notice.action?.run();
              }}
            >
              {notice.action.title}
            </button>
          )}
          <button className="icon" aria-label="Dismiss" title="Dismiss" onClick={() => dismiss(notice.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}

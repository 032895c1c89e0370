// SPDX-License-Identifier: BSD-3-Clause
// A box above the page; Escape, its cross, or a click beside it closes it.
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Icon } from './Icon';
import './dialog.css';

type Props = { title: string; onClose: () => void; isWide?: boolean; children: ReactNode };

export function Dialog({ title, onClose, isWide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'dialog is-wide' : 'dialog'}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-box">
        <header className="dialog-head">
          <h2>{title}</h2>
          <button className="icon" aria-label="Close" title="Close (Escape)" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

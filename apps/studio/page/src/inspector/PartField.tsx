// SPDX-License-Identifier: BSD-3-Clause
// One line of text that is taken over with Enter or when one leaves it; what is wrong with it stands below.
import { useEffect, useRef, useState } from 'react';

type Props = {
  label: string;
  text: string;
  placeholder?: string;
  isDisabled?: boolean;
  isBare?: boolean; // without a visible label
  take: (text: string) => Promise<string>; // '' or the reason why not
};

export function PartField({ label, text, placeholder, isDisabled, isBare, take }: Props) {
  const [typed, setTyped] = useState(text);
  const [reason, setReason] = useState('');
  const isTaking = useRef(false);
  useEffect(() => {
    setTyped(text);
    setReason('');
  }, [text]);
  const finish = async (): Promise<void> => {
    if (typed.trim() === text.trim() || isTaking.current) return;
    isTaking.current = true;
    setReason(await take(typed.trim()));
    isTaking.current = false;
  };
  return (
    <label className={isBare ? 'part-field is-bare' : 'part-field'}>
      <span className={isBare ? 'visually-hidden' : 'part-name'}>{label}</span>
      <input
        value={typed} placeholder={placeholder} disabled={isDisabled} spellCheck={false} autoComplete="off" aria-invalid={reason !== ''}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => void finish()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void finish();
          if (event.key === 'Escape') {
            setTyped(text);
            setReason('');
          }
        }}
      />
      {reason !== '' && <span className="part-reason">{reason}</span>}
    </label>
  );
}

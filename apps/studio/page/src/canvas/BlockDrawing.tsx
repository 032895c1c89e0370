// SPDX-License-Identifier: BSD-3-Clause
// Symbols of block diagrams: by the function whose value the signal is.
import type { DiagramSymbol } from '../protocol';
import type { Side } from './labelSide';

// Small drawings on 24 by 20.
const curves: Record<string, string> = {
  step: 'M2 16H10V4H22',
  pulse: 'M2 16H7V4H15V16H22',
  steps: 'M2 16H7V10H13V4H22',
  limit: 'M2 16H7L16 4H22',
  deadzone: 'M2 17 8 10H16L22 3',
  hysteresis: 'M2 16H16V4M8 16V4H22',
  rate_limit: 'M2 16H6L17 4H22',
  lag: 'M3 16C7 16 8 5 21 5M3 3V17H21',
  table: 'M3 3V17H21M4 14 9 8 14 9 20 4',
  sample: 'M2 15H7V11H12V7H17V4H22',
  noise: 'M2 10 5 5 7 14 10 7 12 16 15 4 17 12 20 8 22 10',
  clock: 'M12 3A7 7 0 1 1 11.9 3M12 6V10L15 12',
  pwm: 'M2 16V4H8V16H11V4H15V16H18V4H22',
};
const words: Record<string, string> = {
  integral: '∫', product: '×', constant: '', delay: 'e⁻ᵀˢ', transfer: 'b(s)/a(s)', state_space: 'ABCD', pid: 'PID', discrete_pid: 'PID', abs: '|u|', sqrt: '√', sin: 'sin', cos: 'cos',
  min: 'min', max: 'max', expression: 'ƒ', previous: 'z⁻¹', discrete_integral: 'Σ', discrete_transfer: 'b(z)/a(z)', if: '?',
};

export function BlockDrawing({ symbol, side }: { symbol: DiagramSymbol; side: Side }) {
  return (
    <>
      <BlockInside symbol={symbol} />
      <span className={`symbol-label is-name is-signal side-${side}`}>
        {symbol.name}
        {symbol.label !== '' && symbol.kind !== 'constant' && symbol.kind !== 'gain' && symbol.kind !== 'sum' && <span className="block-label">{symbol.label}</span>}
      </span>
    </>
  );
}

export function BlockInside({ symbol }: { symbol: DiagramSymbol }) {
  const { width, height, kind } = symbol;
  if (kind === 'sum') {
    const signs = /^[+\u2212\- ]+$/.test(symbol.label) ? symbol.label.replaceAll(' ', '').replaceAll('-', '−') : '';
    return (
      <span className="block-sum" style={{ width: Math.min(width, height), height: Math.min(width, height) }}>
        {signs === '' ? 'Σ' : signs}
      </span>
    );
  }
  if (kind === 'gain') {
    return (
      <svg className="block-drawing" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <path className="block-shape" d={`M1 1 L${width - 1} ${height / 2} L1 ${height - 1} Z`} />
        <text x={width * 0.34} y={height / 2} className="block-word is-small">
          {symbol.label.length > 4 ? 'K' : symbol.label}
        </text>
      </svg>
    );
  }
  const curve = curves[kind];
  const word = kind === 'constant' ? symbol.label : (words[kind] ?? kind);
  return (
    <span className="block-box">
      {curve ? (
        <svg width="24" height="20" viewBox="0 0 24 20" aria-hidden="true">
          <path d={curve} />
        </svg>
      ) : (
        <span className={word.length > 3 ? 'block-word is-long' : 'block-word'}>{word}</span>
      )}
    </span>
  );
}

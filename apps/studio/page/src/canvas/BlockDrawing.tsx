// SPDX-License-Identifier: BSD-3-Clause
// Symbols of block diagrams: by the function whose value the signal is, else by what stands in the text.
import type { DiagramSymbol } from '../protocol';
import { argumentsOf, signsOf } from './blockLabel';
import type { Side } from './labelSide';

// Small drawings on 24 by 20, for the palette.
const curves: Record<string, string> = {
  step: 'M2 16H10V4H22',
  pulse: 'M2 16H7V4H15V16H22',
  limit: 'M2 16H7L16 4H22',
  hysteresis: 'M2 16H16V4M8 16V4H22',
  lag: 'M3 16C7 16 8 5 21 5M3 3V17H21',
};
// As src/diagram/measure.c has them.
const signs: Record<string, string> = { integral: '∫', product: 'Π', delay: 'z⁻ᵀ' };
const words: Record<string, string> = { ...signs, pid: 'PID', expression: 'ƒ' };

export function BlockDrawing({ symbol, side }: { symbol: DiagramSymbol; side: Side }) {
  return (
    <>
      <BlockInside symbol={symbol} />
      <span className={`symbol-label is-name is-signal side-${side}`} title={symbol.label}>
        {symbol.name}
      </span>
    </>
  );
}

export function BlockInside({ symbol }: { symbol: DiagramSymbol }) {
  const { width, height, kind, label } = symbol;
  if (kind === 'sum') {
    return (
      <span className="block-sum" title={label} style={{ width: Math.min(width, height), height: Math.min(width, height) }}>
        {signsOf(label) || 'Σ'}
      </span>
    );
  }
  if (kind === 'gain') {
    const factor = label === 'k' ? label : (argumentsOf(label)[1] ?? 'K');
    return (
      <svg className="block-drawing" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <path className="block-shape" d={`M1 1 L${width - 1} ${height / 2} L1 ${height - 1} Z`} />
        <text x={width * 0.38} y={height / 2} className="block-word is-small">
          {factor.length * 6 > width * 0.7 ? 'K' : factor}
        </text>
      </svg>
    );
  }
  const sign = signs[kind];
  const curve = label === '' ? curves[kind] : undefined;
  const word = sign ?? (label !== '' ? label : (words[kind] ?? kind));
  return (
    <span className="block-box" title={label}>
      {curve ? (
        <svg width="24" height="20" viewBox="0 0 24 20" aria-hidden="true">
          <path d={curve} />
        </svg>
      ) : (
        <span className={!sign && word.length > 1 ? 'block-word is-long' : 'block-word'}>{word}</span>
      )}
    </span>
  );
}

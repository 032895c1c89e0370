// SPDX-License-Identifier: BSD-3-Clause
// One symbol, as it stands on the paper: what is in its box, and the small texts beside it.
import type { DiagramSymbol } from '../protocol';
import { BlockDrawing } from './BlockDrawing';
import type { Side } from './labelSide';

type Props = { symbol: DiagramSymbol; isOn: boolean; state: string; side: Side };

export function SymbolDrawing({ symbol, isOn, state, side }: Props) {
  switch (symbol.sort) {
    case 'element':
      return (
        <>
          <span className="symbol-text">
            <b>{symbol.kind}</b>
            <span className="symbol-name">{`\u2009:\u2009${symbol.name}`}</span>
          </span>
          {symbol.label !== '' && <span className={`symbol-label side-${side}`}>{symbol.label}</span>}
        </>
      );
    case 'junction':
      return (
        <>
          {symbol.machine !== '' && <span className={`junction-frame ${isOn ? 'is-on' : 'is-off'}`} />}
          <b className="symbol-text">{symbol.kind}</b>
          <span className={`symbol-label is-name side-${side}`}>
            {symbol.name}
            {symbol.machine !== '' && state !== '' && <span className={`junction-state ${isOn ? 'is-on' : 'is-off'}`}>{state}</span>}
          </span>
        </>
      );
    case 'submodel':
      return (
        <span className="submodel-text">
          <b>{symbol.name}</b>
          <span>{symbol.kind}</span>
        </span>
      );
    case 'signal':
      return <BlockDrawing symbol={symbol} side={side} />;
    case 'port':
      return <span className={`port-pill is-${symbol.kind}`}>{symbol.name}</span>;
    case 'machine':
      return (
        <span className="machine-text">
          <b>{symbol.name}</b>
          <span title={state}>{state.slice(state.lastIndexOf('.') + 1) || symbol.kind}</span>
        </span>
      );
  }
}

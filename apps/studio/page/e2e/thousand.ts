// SPDX-License-Identifier: BSD-3-Clause
// A large mechanical model as text: ladders of masses and springs, 1,000 elements at 1,000 junctions.

export const rows = 20;
export const columns = 25;

// `isPlaced`: with places for all symbols, as if it had been drawn by hand.
export const thousand = (isPlaced: boolean): string => {
  const parts: string[] = [], bonds: string[] = [], places: string[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const index = row * columns + column, x = column * 200, y = row * 200;
      parts.push(`  1 v${index}`, `  I m${index}(1)`, `  0 F${index}`, `  C k${index}(0.01)`);
      bonds.push(`  v${index} -> m${index}`, `  v${index} -> F${index}`, `  F${index} -> k${index}`);
      if (column > 0) bonds.push(`  F${index - 1} -> v${index}`);
      places.push(`    v${index} at ${x}, ${y}`, `    m${index} at ${x}, ${y - 80}`, `    F${index} at ${x + 100}, ${y}`, `    k${index} at ${x + 100}, ${y - 80}`);
    }
  }
  const drawing = isPlaced ? ['  drawing {', ...places, '  }'] : [];
  return ['// Masses and springs in rows.', 'model Thousand {', ...parts, ...bonds, '  stop 1 [s]', ...drawing, '}', ''].join('\n');
};

// SPDX-License-Identifier: BSD-3-Clause
// The start page: the folder's models.
import { useStudio } from '../parts';

export function Gallery() {
  const folder = useStudio((state) => state.folder);
  const openDocument = useStudio((state) => state.openDocument);
  return (
    <ul>
      {folder?.models.map((model) => (
        <li key={model.path}>
          <button onClick={() => void openDocument(model.path)}>{model.name || model.path}</button>
        </li>
      ))}
    </ul>
  );
}

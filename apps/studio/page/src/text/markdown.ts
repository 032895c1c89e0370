// SPDX-License-Identifier: BSD-3-Clause
// The little Markdown in which the server explains: paragraphs, lists, fences, `code`, **strong**, *emphasis*. It becomes elements, never HTML of its own.
export function renderMarkdown(text: string): HTMLElement {
  const box = document.createElement('div');
  box.className = 'markdown';
  for (const block of blocksOf(text)) box.append(renderBlock(block));
  return box;
}

type Block = { kind: 'code' | 'list' | 'paragraph' | 'rule' | 'heading'; lines: string[] };

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open = null as Block | null;
  for (const line of text.split(/\r?\n/)) {
    if (open?.kind === 'code') {
      if (/^```/.test(line)) open = null;
      else open.lines.push(line);
      continue;
    }
    const kind: Block['kind'] | 'none' = /^```/.test(line) ? 'code' : /^\s*[-*] /.test(line) ? 'list' : /^---+$/.test(line) ? 'rule' : /^#+ /.test(line) ? 'heading' : line.trim() ? 'paragraph' : 'none';
    if (kind === 'none') {
      open = null;
      continue;
    }
    if (kind === 'code' || kind === 'heading' || open?.kind !== kind) {
      open = { kind, lines: [] };
      blocks.push(open);
    }
    if (kind !== 'code') open.lines.push(line);
  }
  return blocks;
}

function renderBlock(block: Block): HTMLElement {
  switch (block.kind) {
    case 'code': {
      const code = document.createElement('pre');
      code.textContent = block.lines.join('\n');
      return code;
    }
    case 'rule':
      return document.createElement('hr');
    case 'list': {
      const list = document.createElement('ul');
      for (const line of block.lines) list.appendChild(document.createElement('li')).append(...inline(line.replace(/^\s*[-*] /, '')));
      return list;
    }
    default: {
      const paragraph = document.createElement('p');
      if (block.kind === 'heading') paragraph.className = 'markdown-heading';
      paragraph.append(...inline(block.lines.join('\n').replace(/^#+ /, '')));
      return paragraph;
    }
  }
}

export function inline(text: string): Node[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).filter(Boolean).map((piece) => {
    const tag = /^`[^`]+`$/.test(piece) ? 'code' : /^\*\*.+\*\*$/s.test(piece) ? 'strong' : /^\*[^*\s].*\*$/s.test(piece) ? 'em' : null;
    if (!tag) return document.createTextNode(piece.replace(/\\([\\`*_[\]])/g, '$1'));
    const element = document.createElement(tag);
    element.textContent = piece.slice(tag === 'strong' ? 2 : 1, tag === 'strong' ? -2 : -1);
    return element;
  });
}

// SPDX-License-Identifier: BSD-3-Clause
// Asks the server. Each call of protocol.ts has one row here; what is wrong comes as a RequestFailed, whose message can be shown as it is.
import type * as P from './protocol';

type Calls = {
  folder: [P.FolderRequest, P.FolderAnswer];
  open: [P.OpenRequest, P.Document];
  new: [P.NewRequest, P.Document];
  update: [P.UpdateRequest, P.UpdateAnswer];
  save: [P.SaveRequest, P.SaveAnswer];
  revert: [P.RevertRequest, Record<string, unknown>];
  close: [P.CloseRequest, Record<string, unknown>];
  look: [P.LookRequest, P.LookAnswer];
  edit: [P.EditRequest, P.EditAnswer];
  copy: [P.CopyRequest, P.CopyAnswer];
  parts: [P.PartsRequest, P.PartsAnswer];
  machine: [P.MachineRequest, P.MachineAnswer];
  complete: [P.AtRequest, P.CompleteAnswer];
  hover: [P.AtRequest, P.HoverAnswer];
  definition: [P.AtRequest, P.DefinitionAnswer];
  run: [P.RunRequest, P.RunAnswer];
  command: [P.RunCommand, Record<string, unknown>];
  'run-info': [{ run: string }, P.RunInfo];
  runs: [Record<string, never>, { runs: P.RunInfo[] }];
  instants: [P.InstantsRequest, P.InstantsAnswer];
  row: [P.RowRequest, P.RowAnswer];
  ledger: [P.LedgerRequest, P.LedgerAnswer];
};
type BytesCalls = {
  thumbnail: P.ThumbnailRequest;
  draw: P.DrawRequest;
  samples: P.SamplesRequest;
  table: { run: string; format: 'csv' | 'events' };
};

// What went wrong with a request. Status 0: the server does not answer at all.
export class RequestFailed extends Error {
  readonly status: number;
  readonly cure: string;
  constructor(status: number, error: string, cure = '') {
    super(cure ? `${error} ${cure}` : error);
    this.status = status;
    this.cure = cure;
  }
}

// The sentence to show for whatever was thrown.
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
// The caller itself gave up this request: nothing to be told.
export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const tokenKey = 'hybrsim-studio-token';

// What the address says behind '#': the token when the page is opened first, later only the open document.
export type Address = { token: string; open: string };
export function readAddress(hash: string): Address {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const bare = /^#([0-9A-Za-z_-]{16,})$/.exec(hash);
  return { token: bare?.[1] ?? words.get('token') ?? '', open: words.get('open') ?? '' };
}

// Takes the token out of the address into the tab's storage, where a reload finds it.
export function takeToken(): Address {
  const address = readAddress(location.hash);
  if (address.token) {
    sessionStorage.setItem(tokenKey, address.token);
    showAddress(address.open);
  }
  return address;
}
export const token = (): string => sessionStorage.getItem(tokenKey) ?? '';
// What the address bar says of the open document; '' the start page.
export function showAddress(open: string) {
  const hash = open ? `#open=${encodeURIComponent(open).replaceAll('%2F', '/')}` : '';
  if (location.hash !== hash) history.replaceState(null, '', location.pathname + location.search + hash);
}
// An address that opens this document in another window of the same computer, as long as the server runs.
export const linkTo = (open: string): string =>
  `${location.origin}${location.pathname}#token=${encodeURIComponent(token())}${open ? `&open=${encodeURIComponent(open).replaceAll('%2F', '/')}` : ''}`;

async function post(name: string, request: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Studio-Token': token() },
      body: JSON.stringify(request),
      signal,
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new RequestFailed(0, 'The server does not answer.', 'Is `hybrsim studio` still running?');
  }
  if (response.ok) return response;
  throw await failureOf(response);
}

async function failureOf(response: Response): Promise<RequestFailed> {
  let answer: { error?: unknown; cure?: unknown } = {};
  try {
    answer = (await response.json()) as typeof answer;
  } catch {
    // no sentence of the server: the status must do
  }
  if (typeof answer.error === 'string') return new RequestFailed(response.status, answer.error, typeof answer.cure === 'string' ? answer.cure : '');
  if (response.status === 403)
    return new RequestFailed(403, 'The server does not know this page any more.', 'Open the address that it printed when it was started.');
  return new RequestFailed(response.status, `The server answered with the status ${response.status}.`);
}

export async function call<Name extends keyof Calls>(name: Name, request: Calls[Name][0], signal?: AbortSignal): Promise<Calls[Name][1]> {
  const response = await post(name, request, signal);
  return (await response.json()) as Calls[Name][1];
}
export async function callBytes<Name extends keyof BytesCalls>(name: Name, request: BytesCalls[Name], signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await post(name, request, signal)).arrayBuffer();
}
export async function callBlob<Name extends keyof BytesCalls>(name: Name, request: BytesCalls[Name], signal?: AbortSignal): Promise<Blob> {
  return (await post(name, request, signal)).blob();
}

// Listens to what the server tells by itself, and connects again when it was away. `onLink` is told when the link breaks and comes back.
export function listen(onEvent: (event: P.ServerEvent) => void, onLink: (isThere: boolean) => void): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = 500;
  const connect = () => {
    source = new EventSource(`/api/events?token=${encodeURIComponent(token())}`);
    source.onopen = () => {
      wait = 500;
      onLink(true);
    };
    source.onmessage = (message: MessageEvent<string>) => {
      const event = readEvent(message.data);
      if (event) onEvent(event);
    };
    source.onerror = () => {
      onLink(false);
      source?.close();
      timer = setTimeout(connect, wait);
      wait = Math.min(wait * 2, 5000);
    };
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

export function readEvent(data: string): P.ServerEvent | null {
  try {
    const event = JSON.parse(data) as P.ServerEvent;
    return typeof event.event === 'string' ? event : null;
  } catch {
    return null; // half a message; the next look asks anyway
  }
}

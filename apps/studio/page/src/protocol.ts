// SPDX-License-Identifier: BSD-3-Clause
// What the page and its server say to each other. The server is apps/studio/*.c; PROTOCOL.md tells the rules that hold for all of it.
//
// Every request is POST /api/NAME with a JSON object and the header `X-Studio-Token`, and is answered with a JSON object, but for those that
// answer with bytes. A mistake of the caller is answered with status 400, 403, 404, 409 (the document has another version), 413 or 429 and
// { error: sentence, cure?: sentence }. Places in texts are UTF-16 offsets; times are seconds, numbers SI.

// ---- the folder ----

export type FolderEntry = {
  path: string; // below the folder, with '/'
  name: string; // of the model; '' when it has none
  description: string; // the first comment of the text, without its slashes
  size: number;
  modified: number; // [s] since 1970
};
export type FolderRequest = Record<string, never>; // POST /api/folder
export type FolderAnswer = {
  folder: string; // its name, to be shown
  models: FolderEntry[]; // *.hbg below the folder, by path
  isGallery: boolean; // it is the gallery that comes with the program: read only, "save as" is offered
  opened: string; // the model that the command line named, '' without
};
export type ThumbnailRequest = { path: string }; // POST /api/thumbnail, answers image/svg+xml

// ---- documents ----

export type OpenRequest = { path: string }; // POST /api/open
export type NewRequest = { path: string; text: string }; // POST /api/new; 409 when there is such a file
export type Document = {
  path: string;
  text: string; // with what was typed and not yet saved, also before a crash of the page
  version: number; // counts updates
  isDirty: boolean; // differs from the file
  isReadOnly: boolean;
  hash: string; // of the file as it was when it was read or saved last
};
// Changes are @codemirror/state ChangeSet.toJSON(): [keep, [delete, "line", "line"], ...] in UTF-16 units
export type Update = { client: string; changes: unknown };
export type UpdateRequest = { path: string; version: number; updates: Update[] }; // POST /api/update
// 'accepted' false: others were quicker; `updates` are those since `version`: rebase, and try again
export type UpdateAnswer = { accepted: boolean; version: number; updates: Update[] };
export type SaveRequest = { path: string; version: number; force?: boolean }; // POST /api/save
export type SaveAnswer = { saved: boolean; hash: string; reason: '' | 'changed-on-disk'; disk?: string }; // disk: the text that lies there
export type RevertRequest = { path: string; version: number }; // POST /api/revert: take the text of the disk, as an update that all pages get
export type CloseRequest = { path: string }; // POST /api/close: nobody needs the draft any more

// ---- looking at a text ----

export type Edit = { from: number; to: number; insert: string };
export type Problem = {
  code: string; title: string; isError: boolean; from: number; to: number; message: string; help: string;
  related: { from: number; to: number }[];
  fixes: { title: string; edit: Edit }[];
};
export type SymbolSort = 'element' | 'junction' | 'submodel' | 'signal' | 'port' | 'machine';
// include/hybrsim/diagram.h says what each of them means
export type DiagramSymbol = {
  sort: SymbolSort; name: string; path: string; kind: string; label: string;
  x: number; y: number; width: number; height: number;
  isPlaced: boolean; from: number; to: number; file: string; isRepeated: boolean;
  machine: string; // name of the machine that switches it, or that it is; ''
  machineType: string; // ''
  isOn: boolean; definition: string;
};
export type DiagramBond = {
  tail: string; head: string; // names of symbols
  name: string; effort: string; flow: string; // variables of a run, '' when there are none
  stroke: 'unknown' | 'tail' | 'head';
  isDerivative: boolean; isConflict: boolean; isOff: boolean;
  lane: number; lanes: number;
  from: number; to: number; file: string; isRepeated: boolean; // the arrow in the text
};
export type DiagramLink = {
  sort: 'signal' | 'active' | 'switch'; from: string; to: string; quantity: string; isAPriori: boolean; isGuard: boolean;
};
export type Diagram = {
  level: string; where: string; // the submodel whose body is shown ('' the model): `where` of /api/edit
  file: string; // in which that body stands: '' this document; else a path that can be opened, or 'library:NAME' which is read only
  symbols: DiagramSymbol[]; bonds: DiagramBond[]; links: DiagramLink[];
  left: number; top: number; width: number; height: number;
};
export type ParameterInfo = { name: string; value: number; unit: string; description: string }; // the value in its unit, as a bare number of a Setting is
export type MachineInfo = { name: string; type: string; states: { name: string; isOn: boolean }[]; initial: number };
export type SubmodelInfo = { name: string; description: string; file: string; ports: string[] }; // that can be placed: of this text, of imports, of the library (file: to be imported)
export type LookRequest = { path: string; version: number; level: string; mode: string; isAutomatic?: boolean }; // POST /api/look
export type LookAnswer = {
  version: number;
  name: string; // of the model
  isRight: boolean; // it can be simulated
  problems: Problem[];
  diagram: Diagram | null; // null: no such level, any more
  parameters: ParameterInfo[];
  machines: MachineInfo[];
  machineTypes: string[]; // of this text
  submodels: SubmodelInfo[];
  stored: { name: string; node: string }[];
  signals: { name: string; unit: string; isBoolean: boolean }[];
  loops: string[][]; conflicts: string[]; islands: number; // of the mode
  stop: number | null;
};

// ---- editing by drawing ----

export type Placement = { name: string; x: number; y: number };
export type EditOperation = // include/hybrsim/editing.h
  | { op: 'place'; where: string; places: Placement[] }
  | { op: 'unplace'; where: string; names: string[] }
  | { op: 'add'; where: string; statements: string; places: Placement[] }
  | { op: 'remove'; where: string; names: string[]; arrows: { from: number; to: number }[] }
  | { op: 'connect'; where: string; tail: string; head: string }
  | { op: 'reverse'; from: number; to: number }
  | { op: 'extract'; where: string; names: string[]; name: string }
  | { op: 'rename'; at: number; name: string }
  | { op: 'part'; where: string; name: string; part: PartName; text: string }
  | { op: 'import'; file: string } // adds `import "file"` unless it is there
  | { op: 'add-machine'; where: string; junction: string }
  | { op: 'machine'; where: string; machine: string; edit: MachineEdit; state?: string; other?: string; text?: string; transition?: number; isOn?: boolean }
  | { op: 'format' };
export type PartName = 'kind' | 'arguments' | 'law' | 'start' | 'control' | 'value' | 'description';
export type MachineEdit = 'add-state' | 'remove-state' | 'rename-state' | 'set-initial' | 'set-on' | 'add-transition' | 'remove-transition' | 'set-guard' | 'set-ends' | 'move-transition';
export type EditRequest = { path: string; version: number; operations: EditOperation[] }; // POST /api/edit, one after the other, all or none
export type EditAnswer = { edits: Edit[]; reason: string; names: string[] }; // of the text of `version`; nothing is applied: the page does that, and sends an update
export type CopyRequest = { path: string; version: number; where: string; names: string[] }; // POST /api/copy
export type CopyAnswer = { statements: string; reason: string };
export type PartsRequest = { path: string; version: number; where: string; name: string }; // POST /api/parts
export type PartsAnswer = { parts: Record<PartName, { text: string; from: number; to: number; isPossible: boolean }>; reason: string };
export type MachineRequest = { path: string; version: number; where: string; name: string }; // POST /api/machine, name of the type
export type MachineAnswer = {
  name: string; parameters: string; reason: string;
  states: { name: string; isOn: boolean; isInitial: boolean; hasInner: boolean; from: number; to: number }[];
  transitions: { from: string; to: string; after: string; guard: string; actions: string; hasAPriori: boolean; hasAPosteriori: boolean; begin: number; end: number; guardBegin: number; guardEnd: number }[];
};
// what the text editor asks
export type AtRequest = { path: string; version: number; at: number };
export type CompleteAnswer = { proposals: { text: string; kind: string; detail: string }[] }; // POST /api/complete
export type HoverAnswer = { markdown: string; from: number; to: number }; // POST /api/hover
export type DefinitionAnswer = { places: { path: string; from: number; to: number }[] }; // POST /api/definition

// ---- pictures ----

export type DrawRequest = { path: string; version: number; level: string; mode: string; format: 'svg' | 'png'; run?: string; row?: number }; // POST /api/draw: bytes

// ---- runs ----

export type Setting = { name: string; value: string };
export type RunRequest = { // POST /api/run
  path: string; version: number; settings: Setting[]; stop?: number; tolerance?: number; method?: string; interval?: number;
  columns?: string[]; // besides the usual ones: any expression
  isPaused?: boolean; // begin with a pause at the start: for steps
  label?: string; // for comparison
};
export type RunState = 'running' | 'paused' | 'done' | 'stopped' | 'failed' | 'cancelled';
export type RunAnswer = { run: string };
export type RunCommand = { run: string; command: 'pause' | 'resume' | 'step' | 'cancel' | 'forget' }; // POST /api/command; step: to the end of the next instant at which something happens, then pause
export type Column = {
  name: string; unit: string; kind: 'number' | 'boolean' | 'junction' | 'machine'; states: string[]; // of a machine; the last is 'sliding', where it is in none of them
  group: 'junction' | 'stored' | 'signal' | 'machine' | 'effort' | 'flow' | 'energy' | 'asked'; // energy: "energy(bullet)" of each storage, [J]
};
export type RunProgress = { run: string; label: string; state: RunState; time: number; stop: number; rows: number; events: number };
export type RunInfo = RunProgress & { // POST /api/run-info {run}
  path: string; model: string; settings: Setting[]; failure: string; warnings: string[]; columns: Column[]; seconds: number;
};
// POST /api/runs {} -> { runs: RunInfo[] }
// Samples: little-endian float64. POST /api/samples answers with a header of four: number of rows R, number of columns C,
// first row, 1 when they are reduced; then C + 1 columns of R numbers each, the times first. Jumps are rows of one time.
export type SamplesRequest = {
  run: string; columns: string[]; from?: number; to?: number; // [s]; also 'kind of row', of every run: 0 sample, 1 before, 2 mythical, 3 pinnacle, 4 continuous
  most?: number; // reduce to about so many rows, keeping the least and greatest of each stretch; without: all
};
export type Guard = { machine: string; from: string; to: string; guard: string; values: GuardValue[] };
// one side of a comparison, or a condition, as written; `impulse`: the weight of an impulse in it, which then decides; a condition (isBoolean) is 0 or 1
export type GuardValue = { text: string; value: number; impulse?: number; unit: string; isBoolean?: boolean; isAPriori: boolean };
export type InstantRow = {
  row: number; // index of the row in the run
  eps: number; n: number; kind: 'before' | 'mythical' | 'pinnacle' | 'continuous'; cause: string;
  states: string[]; // of the machines, by name
  guards: Guard[]; // that led here
};
export type Instant = { time: number; rows: InstantRow[]; hasJump: boolean };
export type InstantsRequest = { run: string; first: number; count: number }; // POST /api/instants
export type InstantsAnswer = { total: number; instants: Instant[] };
// Everything at one row: what the drawing shows at the cursor. By `row`, or the last row not behind `time`.
export type RowRequest = { run: string; row?: number; time?: number; level?: string }; // POST /api/row
export type RowAnswer = {
  row: number; time: number; eps: number; n: number; kind: 'sample' | 'before' | 'mythical' | 'pinnacle' | 'continuous';
  mode: string; // for /api/look
  instant: number; // index of the instant it belongs to, -1
  values: Record<string, number | null>; // by column: also those of efforts and flows
  states: Record<string, string>; // machine -> state
  strokes: { tail: string; head: string; name: string; stroke: 'tail' | 'head'; isDerivative: boolean; isConflict: boolean; isOff: boolean }[]; // as the bonds of the level
  off: string[]; // junctions of the level that are off
};
// The ledger of an instant: what was exchanged in it
export type LedgerRequest = { run: string; instant: number }; // POST /api/ledger
export type LedgerAnswer = {
  impulses: { bond: string; tail: string; head: string; effort: number; flow: number; unit: string }[]; // weights that are not zero
  stored: { name: string; before: number; after: number; unit: string }[]; // that changed
  sums: { name: string; before: number; after: number; unit: string; members: string[] }[]; // of what was exchanged among storages: conserved?
  energies: { name: string; before: number; after: number }[]; // [J], of each storage
  lost: number; // [J]
};
// POST /api/table {run, format: 'csv' | 'events'} answers text/csv

// ---- what the server tells by itself: GET /api/events?token=..., server-sent events ----

export type ServerEvent =
  | { event: 'update'; path: string; version: number; updates: Update[] }
  | { event: 'disk'; path: string; kind: 'changed' | 'deleted'; isDirty: boolean } // a file was changed by another program; a clean document was read again, and an update follows
  | { event: 'saved'; path: string; hash: string }
  | { event: 'folder' } // files came or went
  | ({ event: 'run' } & RunProgress);

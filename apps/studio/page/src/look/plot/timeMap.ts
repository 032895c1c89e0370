// SPDX-License-Identifier: BSD-3-Clause
// From time to paper and back. Where an instant is opened the axis has a section in which time stands still: its rows lie there side by side,
// at equal distances, between what was before and what comes behind.
export type View = { from: number; to: number }; // [s]
export type Opened = { time: number; first: number; count: number }; // an instant: its first row and how many it has
export type Section = { left: number; right: number; band: number; opened: Opened };

const widestBand = 120;
const largestShare = 0.62; // of the paper

export class TimeMap {
  readonly section: Section | null;
  private readonly scale: number; // pixels per second

  constructor(readonly view: View, readonly left: number, readonly right: number, opened: Opened | null = null) {
    const width = Math.max(right - left, 1);
    const isSeen = opened !== null && opened.count > 1 && opened.time >= view.from && opened.time <= view.to;
    const room = isSeen ? Math.min(largestShare * width, opened.count * widestBand) : 0;
    this.scale = (width - room) / (view.to - view.from);
    const begin = isSeen ? left + (opened.time - view.from) * this.scale : left;
    this.section = isSeen ? { left: begin, right: begin + room, band: room / opened.count, opened } : null;
  }

  // Where a time lies; that of the opened instant itself at its left border.
  across(time: number): number {
    const bare = this.left + (time - this.view.from) * this.scale;
    return this.section !== null && time > this.section.opened.time ? bare + this.section.right - this.section.left : bare;
  }

  // Where a time lies when what follows it is meant: that of the opened instant at its right border.
  acrossBehind(time: number): number {
    return this.section !== null && time === this.section.opened.time ? this.section.right : this.across(time);
  }

  // The middle of a row of the opened instant.
  bandMiddle(row: number): number {
    return this.section === null ? NaN : this.section.left + (row - this.section.opened.first + 0.5) * this.section.band;
  }

  // What stands at a place: a time, and a row when it lies in the section.
  at(x: number): { time: number; row: number | null } {
    const section = this.section;
    if (section !== null && x >= section.left && x <= section.right) {
      const index = Math.min(Math.floor((x - section.left) / section.band), section.opened.count - 1);
      return { time: section.opened.time, row: section.opened.first + index };
    }
    const bare = section !== null && x > section.right ? x - (section.right - section.left) : x;
    return { time: this.view.from + (bare - this.left) / this.scale, row: null };
  }
}

// A view that is `factor` times as long, in which `time` stays where it is; within the whole.
export const zoomed = (view: View, whole: View, time: number, factor: number): View =>
  within({ from: time - (time - view.from) * factor, to: time + (view.to - time) * factor }, whole);

export const moved = (view: View, whole: View, share: number): View => {
  const length = view.to - view.from;
  return within({ from: view.from + share * length, to: view.to + share * length }, whole);
};

// The view that stays in the whole: moved when it stands out, cut when it is longer, never so short that doubles run out.
export const within = (view: View, whole: View): View => {
  const longest = whole.to - whole.from;
  const shortest = Math.max(Math.abs(whole.from), Math.abs(whole.to), longest) * 1e-13;
  const length = Math.min(Math.max(view.to - view.from, shortest), longest);
  if (!(length > 0)) return whole;
  const middle = (view.from + view.to) / 2;
  const from = Math.min(Math.max(view.to - view.from === length ? view.from : middle - length / 2, whole.from), whole.to - length);
  return { from, to: length === longest ? whole.to : from + length };
};

// SPDX-License-Identifier: BSD-3-Clause
// Hands a file to the browser, which puts it where it puts downloads.
export function download(name: string, content: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// SPDX-License-Identifier: BSD-3-Clause
// What a user does, in a real browser against a real server: run by tests/studio/browser_test.sh, one file after the other.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
  },
});

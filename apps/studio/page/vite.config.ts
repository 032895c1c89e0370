// SPDX-License-Identifier: BSD-3-Clause
import { lezer } from '@lezer/generator/rollup';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [lezer(), react()],
  base: './',
  build: {
    outDir: process.env.HYBRSIM_PAGE_FOLDER ?? 'dist', // CMake builds into its own folder
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the page's security policy knows no data: addresses
    chunkSizeWarningLimit: 2000,
    rollupOptions: { output: { entryFileNames: 'assets/[name].js', chunkFileNames: 'assets/[name].js', assetFileNames: 'assets/[name][extname]' } },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'], setupFiles: [] },
});

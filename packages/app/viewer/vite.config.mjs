// The page of the viewer: one index.html with hashed assets in dist/page, everything bundled, the AHP client from source.
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** @type {import('vite').UserConfig} */
export default {
  root: at('./src/page'),
  base: './',
  publicDir: false,
  resolve: { conditions: ['@agent-terminals/source', 'module', 'browser', 'production'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: at('./dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    // Data URLs and inlined module loaders would need a weaker Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
  },
}

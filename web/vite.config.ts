import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { DEFAULT_SEED, tokens } from './src/theme/tokens.ts'

/** Where `npm run dev` of the panel finds a control plane. */
const controlPlane = process.env.LODGE_DEV_API ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The control plane replaces the placeholder in index.html with a fresh nonce for every request.
  // Arithmetic of colours that every browser would repeat at every visit.
  define: {
    BRAND_TOKENS: JSON.stringify({
      light: tokens(DEFAULT_SEED, 'light'),
      dark: tokens(DEFAULT_SEED, 'dark'),
    }),
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // No script or style may be inlined: the content security policy has no data: for them.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What most pages share comes in one file instead of in forty: fewer requests, better compressed.
          groups: [
            {
              name: 'common',
              test: /(lucide-react|web\/src)\/(?!.*(select|switch|variable|editor|chart|terminal|values|settings|limits|measure|area-field))/,
              minShareCount: 5,
              priority: 2,
            },
            // Without this, the start and the frame of the panel come in a dozen files of 200 bytes. The icons
            // are in the navigation, and on pages too.
            {
              name: 'start',
              test: /(@tanstack|session\/proof|servers-query|paths|src\/panel\/|live\/(rows|samples)|icons\/(list-checks|scroll-text|user-round)\.)/,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: 'shell',
              test: /web\/src\/(shell\/(?!palette\.|shortcuts|alone|root|fallbacks|open-window)|live\/(?!rows|samples)|session\/mode)/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': { target: controlPlane, changeOrigin: true, ws: true } },
  },
})

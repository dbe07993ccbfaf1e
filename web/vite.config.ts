import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev` of the panel finds a control plane. */
const controlPlane = process.env.LODGE_DEV_API ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The control plane replaces the placeholder in index.html with a fresh nonce for every request.
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
              test: /(lucide-react|web\/src)\/(?!.*(select|switch|variable|editor|chart|terminal|values))/,
              minShareCount: 5,
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

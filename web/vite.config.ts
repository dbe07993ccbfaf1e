import { DEFAULT_SEED, tokens } from '@lodge/shared/theme/tokens.ts'
import { LANGUAGES } from '@lodge/shared/words/languages.ts'
import react from '@vitejs/plugin-react'
import { defineConfig, minifySync, type Plugin } from 'vite'
import { fileName, isAlwaysLoaded } from './file-names.ts'
import { firstCode } from './first-code.ts'
import { palettes } from './palettes.ts'
import { shortIcons } from './short-icons.ts'
import { typefaces } from './typefaces/plugin.ts'
import { words } from './words/plugin.ts'

/** The control plane that `npm run dev` of the panel uses. */
const controlPlane = process.env.LODGE_DEV_API ?? 'http://127.0.0.1:8080'

function minified(script: string): string {
  const { code, errors } = minifySync('page.js', script, { module: false })
  if (errors.length > 0) throw new Error(`index.html: ${errors[0]?.message}`)
  return code
}

/** What explains index.html and its scripts to us is not sent with every first visit. */
const shortened: Plugin = {
  name: 'lodge-shortened-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html
        .replace(
          /(<script(?: nonce="[^"]*")?>)([\s\S]+?)(?=<\/script>)/g,
          (_, tag: string, script: string) => `${tag}${minified(script)}`,
        )
        .replace(/^ +/gm, ''),
  },
}

/** Computed here once instead of by every browser at every visit. */
const colours = { light: tokens(DEFAULT_SEED, 'light'), dark: tokens(DEFAULT_SEED, 'dark') }

/**
 * Gives index.html the languages of the panel, and the colours of both modes in which it draws before the
 * styles have arrived.
 */
const firstPaint: Plugin = {
  name: 'lodge-first-paint',
  transformIndexHtml: (html) =>
    html
      .replace('__LANGUAGES__', JSON.stringify(LANGUAGES))
      .replace(/__(BG|ACCENT|ACCENT_FG)_(LIGHT|DARK)__/g, (_, token: string, mode: string) => {
        const { [token.toLowerCase().replace('_', '-')]: colour = '' } =
          mode === 'LIGHT' ? colours.light : colours.dark
        return colour
      }),
}

/**
 * Lets the styles, and so the first paint, go before the code on a slow line: the code is most of the
 * bytes, and nothing waits for a part of it.
 */
const codeAfterStyles: Plugin = {
  name: 'lodge-code-after-styles',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html.replace(/<(script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"'),
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    words(),
    react(),
    typefaces(),
    palettes(),
    firstPaint,
    codeAfterStyles,
    firstCode(),
    shortIcons(),
    shortened,
  ],
  define: { BRAND_TOKENS: JSON.stringify(colours) },
  // The control plane replaces the placeholder in index.html with a fresh nonce for every request.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // Inline no scripts or styles: the content security policy does not allow data: URLs.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: {
      // Browsers without it load the same files a little later.
      polyfill: false,
      // What index.html loads anyway is not named again by every page.
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((file) => !isAlwaysLoaded(file)),
    },
    rolldownOptions: {
      output: {
        assetFileNames: 'assets/[hash:7][extname]',
        chunkFileNames: fileName,
        codeSplitting: {
          // The modules that most pages share go into one file instead of forty: fewer requests,
          // better compression.
          groups: [
            {
              name: 'common',
              test: /(lucide-react|web\/src)\/(?!.*(select|many-field|tags-field|suggest-field|find-field|switch|variable|editor|chart|terminal|values|settings|limits|measure|area-field|(form|fields|choices)\/words|choices\/(segments|choices|(bare-)?tick)|panes\/(output|words)|icons\/(file-archive|file-up|paperclip|camera|rotate-ccw-clock|undo-2|circle-minus|arrow-down|arrow-up|bookmark|chevron-down|chevron-left|chevron-right|chevron-up|circle-dot|columns-3|ellipsis-vertical|external-link|keyboard|list-filter|pencil|play|plus|rotate-ccw|rotate-cw|search|square|trash|ban|circle-pause|circle-play|circle-question-mark|circle-stop|clock|download|eye|x)\.|form\/(save|use-save|section|unsaved|with|change-words)|pages\/(servers|files|schedules|backups|nodes|customers|plans|billing|plugins|set-up|tickets|suspensions|entrance\/(password-choice|link-refusal))|pages\/[^/]+\/words|session\/use-list|ui\/(notices\/(toast|loaded)|page\/(turns|use-narrow)|lists|data\/(name-button|table|toolbar|pager|meter|save-file|status|known|column|use-row-keys|row-actions|words|list|filter|views|sort-rows|bulk|use-bulk|run-for-all)|dialogs|icons|floating\/floating|fields\/size|locale\/decimals|page\/(card|tabs|fold-tabs)|buttons\/(menu|words))))/,
              minShareCount: 5,
              priority: 3,
            },
            // Without this, the start and the frame of the panel would be a dozen files of 200
            // bytes. The icons are in the navigation, and on pages too.
            {
              name: 'start',
              test: /(@tanstack|schedules\/lists|session\/proof|servers-query|servers\/live|metrics-time|session\/announced|(billing|chart|list|customers|plans|tokens|nodes|jobs|team|invites|pending|outbox|desk|tickets)-search|use-narrow|pages\/[^/]+\/names|paths|tickets\/present\.|src\/(panel\/|routes\/fallbacks)|live\/(rows|samples)|icons\/(list-checks|scroll-text|server|settings|user-round)\.)/,
              minShareCount: 2,
              priority: 2,
            },
            // What only pages behind the sign-in share: the sign-in page does not wait for it.
            {
              name: 'inside',
              test: /(icons\/(bell|log-out|shield-check|arrow-down|arrow-up|bookmark|chevron-down|chevron-left|chevron-right|chevron-up|circle-dot|columns-3|ellipsis-vertical|external-link|keyboard|list-filter|pencil|play|plus|rotate-ccw|rotate-cw|search|square|trash|ban|circle-pause|circle-play|circle-question-mark|circle-stop|clock|download|eye|x)\.|web\/src\/(shell\/(?!palette\/|dialogs\/|announcement\/|shell\.tsx|alone|root|commands-host)|live\/(?!rows|samples)|session\/(use-list|preferences|viewing|one-key)|theme\/density|pages\/servers\/(server-columns|usage|power|words|row-power|stop-control|restore-button|create\/own\/quota\.)|ui\/(notices\/(toast|loaded)|page\/(turns|use-narrow)|lists\/paged-list|choices\/bare-tick|data\/(name-button|table|table-skeleton|list-tools|list-toolbar|columns-menu|views-menu|filter-box|unknown|toolbar|pager|meter|save-file|status|known|column|use-row-keys|row-actions|words)|dialogs\/(palette\/palette-store|(?!palette|command|dialog\.|modal))|icons\/|floating\/floating|fields\/size|locale\/decimals|page\/(card|dock)|buttons\/(menu|words))\b))/,
              minShareCount: 2,
              priority: 1,
            },
            // Three files of 300 bytes each for the sign-in page otherwise.
            {
              name: 'factors',
              test: /entrance\/sign-in\/(passkey|code-field)/,
              minShareCount: 2,
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

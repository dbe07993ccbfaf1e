import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createFontStack } from '@capsizecss/core'
import type { Plugin } from 'vite'
import { type FontFile, folderOf, fontFile } from './font-file.ts'
import { TYPEFACES } from './table.ts'

/** Where index.html receives the typefaces. */
const PLACE = '<!-- typefaces -->'

/**
 * Ships the panel's typefaces: cuts the open fonts to the characters and weights in use, preloads
 * what every page needs, and fits an installed font to them, so that nothing moves when they arrive.
 */
export function typefaces(): Plugin {
  let files: readonly FontFile[] = []
  const faces = () => files.map(({ face }) => face).join('') + standIns.replaceAll(/\s*\n\s*/g, '')
  const licences = TYPEFACES.map(
    (face) =>
      `${face.family}\n\n${readFileSync(path.join(folderOf(face.package), 'LICENSE'), 'utf8')}`,
  ).join('\n\n')
  const standIns = TYPEFACES.map(
    ({ metrics, standIn }) => createFontStack([metrics, standIn]).fontFaces,
  ).join('')
  return {
    name: 'lodge-typefaces',
    async buildStart() {
      files = await Promise.all(
        TYPEFACES.flatMap((face) => face.parts.map((part) => fontFile(face, part))),
      )
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const file = files.find(({ url }) => url === request.url)
        if (!file) return next()
        response.setHeader('content-type', 'font/woff2')
        response.end(file.content)
      })
    },
    generateBundle() {
      for (const { url, content } of files)
        this.emitFile({ type: 'asset', fileName: url.slice(1), source: content })
      this.emitFile({ type: 'asset', fileName: 'typeface-licences.txt', source: licences })
      // For the pages that the control plane writes itself.
      this.emitFile({ type: 'asset', fileName: 'typefaces.css', source: faces() })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace(
          PLACE,
          [
            ...files
              .filter(({ preload }) => preload)
              .map(
                ({ url }) =>
                  `<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin>`,
              ),
            `<style nonce="__CSP_NONCE__">${faces()}</style>`,
          ].join('\n    '),
        ),
    },
  }
}

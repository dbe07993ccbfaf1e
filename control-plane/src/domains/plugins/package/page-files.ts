import { isUtf8 } from 'node:buffer'
import type { PluginManifest } from '@lodge/shared/plugins/manifest.ts'
import { type Files, notValid } from './tar.ts'

const MOST_KIB = { script: 512, style: 64, body: 64 } as const
/** Text that would close the element that contains the file, or change how it is parsed. */
const ENDS = { script: /<\/script|<!--/i, style: /<\/style/i, body: undefined } as const

/**
 * @throws {Problem} plugin_not_valid if a file of a page is missing or cannot be embedded in its
 * document
 */
export function checkPageFiles({ pages = [] }: PluginManifest, files: Files): void {
  for (const page of pages)
    for (const part of ['script', 'style', 'body'] as const) {
      const name = page[part]
      if (name !== undefined) checkPart(part, name, files.get(name))
    }
}

function checkPart(part: keyof typeof MOST_KIB, name: string, content: Buffer | undefined): void {
  if (!content) throw notValid(`There is no ${name} in the package`)
  if (content.length > MOST_KIB[part] * 1024)
    throw notValid(`${name} has more than ${MOST_KIB[part]} KiB, the most of a ${part} of a page`)
  if (!isUtf8(content)) throw notValid(`${name} is not written in UTF-8`)
  const end = ENDS[part]?.exec(content.toString('utf8'))
  if (end) throw notValid(`${name} contains ${end[0]}: put a backslash behind its first character`)
}

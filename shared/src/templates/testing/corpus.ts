import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Real documents of other panels, kept beside the repository because they are not ours to publish. */
export const CORPUS_FOLDER = fileURLToPath(new URL('../../../../../shared/eggs', import.meta.url))

export const corpusIsThere = (): boolean => existsSync(CORPUS_FOLDER)

/** Relative path and text of each document. */
export function readCorpus(): { readonly name: string; readonly text: string }[] {
  return readdirSync(CORPUS_FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/.test(entry.name))
    .map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`
      return { name: path.slice(CORPUS_FOLDER.length + 1), text: readFileSync(path, 'utf8') }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

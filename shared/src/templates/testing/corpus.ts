import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OWN_FOLDER = fileURLToPath(new URL('./documents', import.meta.url))

/**
 * Relative path and text of real documents from other panels: the committed ones (see their
 * README), or those below the folder that `LODGE_TEMPLATE_DOCUMENTS` names.
 */
export function readCorpus(
  folder = process.env.LODGE_TEMPLATE_DOCUMENTS ?? OWN_FOLDER,
): { readonly name: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ya?ml)$/.test(entry.name))
    .map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`
      return { name: path.slice(folder.length + 1), text: readFileSync(path, 'utf8') }
    })
    .sort((a, b) => a.name.localeCompare(b.name))
}

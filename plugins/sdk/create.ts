import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

// Creates a plugin: copies the template of its kind to a folder beside the others.

const TEMPLATES = path.join(import.meta.dirname, 'templates')
const PLUGINS = path.resolve(import.meta.dirname, '..')
const MANIFEST = 'lodge-plugin.json'
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** The kinds of plugins that have a template. */
export const templateKinds = (): string[] =>
  readdirSync(TEMPLATES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

const TEST = path.join(TEMPLATES, 'health.test.txt')

/**
 * Copies a template under another id, with its own test.
 * @returns the folder
 * @throws with a sentence that says what to do
 */
export function createPlugin(kind: string, id: string, into = PLUGINS): string {
  const kinds = templateKinds()
  if (!kinds.includes(kind)) throw new Error(`The kind of a plugin is one of ${kinds.join(', ')}`)
  if (!ID.test(id)) throw new Error('An id has lower-case letters, digits and single hyphens')
  const folder = path.join(into, id)
  if (existsSync(folder)) throw new Error(`${folder} is there already: choose another id`)
  cpSync(path.join(TEMPLATES, kind), folder, { recursive: true })
  edit(path.join(folder, MANIFEST), (text) => {
    const manifest = JSON.parse(text) as { id: string }
    return text.replaceAll(`"${manifest.id}"`, `"${id}"`).replaceAll(`/${manifest.id}.`, `/${id}.`)
  })
  // Adjusts relative imports to the new folder.
  edit(path.join(folder, 'main.ts'), (text) =>
    text.replaceAll(`'../../index.ts'`, `'../sdk/index.ts'`).replaceAll(`'../../../../`, `'../../`),
  )
  writeFileSync(
    path.join(folder, `${id}.test.ts`),
    readFileSync(TEST, 'utf8').replace('PLUGIN', id),
  )
  return folder
}

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

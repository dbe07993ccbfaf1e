import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { HELP, type HelpName } from '@lodge/shared/help.ts'
import { ENGLISH } from '@lodge/shared/words/bind.ts'
import { LANGUAGES } from '@lodge/shared/words/languages.ts'
import { describe, expect, test } from 'vitest'
import { saidIn } from '../../control-plane/src/said-in.ts'
import { messagesIn } from '../../web/words/plugin.ts'
import { sourceFiles } from './source-files.ts'

// The help in other languages than English: complete, up to date, and with the panel's labels.

const folder = path.resolve(import.meta.dirname, '../../docs/help')
const names = Object.keys(HELP) as HelpName[]
const sources = new Map(sourceFiles().map(({ path: file, text }) => [file, text]))
const english = (name: HelpName) => readFileSync(path.join(folder, `${name}.md`), 'utf8')

/** The first line of a translation, which identifies its English text. */
const firstLine = (name: HelpName) =>
  `<!-- Translates ${createHash('sha256').update(english(name)).digest('hex').slice(0, 12)} -->`

describe.each(LANGUAGES.filter((language) => language !== ENGLISH))('in %s', (language) => {
  const fileOf = (name: HelpName) => path.join(folder, language, `${name}.md`)
  const translated = (name: HelpName) =>
    existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : ''

  test('every document is translated, and no other exists', () => {
    expect(readdirSync(path.join(folder, language)).sort()).toEqual(
      names.map((name) => `${name}.md`).sort(),
    )
  })

  test('every translation is of the current English text', () => {
    const outdated = names
      .filter((name) => translated(name).split('\n', 1)[0] !== firstLine(name))
      .map(
        (name) =>
          `${language}/${name}.md: translate what changed, then begin with ${firstLine(name)}`,
      )
    expect(outdated).toEqual([])
  })

  test('every document has the title that the list gives it', () => {
    for (const name of names)
      expect(translated(name), name).toContain(`-->\n\n# ${saidIn(HELP[name], { language })}\n`)
  })

  test('every document has the structure, links, code and keys of the English one', () => {
    for (const name of names) {
      const there = translated(name).replace(/^<!--.*-->\n\n/, '')
      expect(partsOf(there), name).toEqual(partsOf(english(name)))
      expect(namedIn(there), name).toEqual(namedIn(english(name)))
    }
  })

  test('labels of the panel have the panel’s translation', () => {
    const labels = labelsIn(language)
    const named = names.flatMap((name) =>
      emphasizedIn(english(name)).flatMap((label) => {
        const known = /^\p{Lu}/u.test(label) && labels.get(label)
        return known ? [{ name, label, known }] : []
      }),
    )
    expect(named.length).toBeGreaterThan(100)
    const missing = named
      .filter(({ name, known }) => !emphasizedIn(translated(name)).some((one) => known.has(one)))
      .map(({ name, label, known }) => `${name}: ${label}, which is ${[...known].join(' or ')}`)
    expect(missing).toEqual([])
  })
})

/**
 * The structure of a document without its text: headings by depth, lists and tables by length, code
 * verbatim.
 */
const partsOf = (document: string): string[] =>
  document.split(/\n\n+/).map((block) => {
    const lines = block.trim().split('\n')
    if (block.startsWith('```')) return block.trim()
    if (block.startsWith('|')) return lines.map((line) => line.split('|').length).join(' ')
    const [, mark = ''] = /^(#+|-|\d+\.) /.exec(block) ?? []
    return `${mark} ${lines.filter((line) => /^(-|\d+\.) /.test(line)).length}`
  })

/** Untranslatable parts: targets of links and text in backticks. */
const namedIn = (document: string): string[] =>
  [...document.matchAll(/\]\(([^)]+)\)|`([^`\n]+)`/g)]
    .map(([, link, code]) => link ?? code ?? '')
    .sort()

/** Emphasized texts: names of pages, buttons and fields. */
const emphasizedIn = (document: string): string[] =>
  [...document.matchAll(/(?<![\w`/])_([^_\n]+)_(?!\w)|\*\*([^*\n]+)\*\*/g)].map(
    ([, label, strong]) => bare((label ?? strong)!),
  )

const bare = (label: string): string => label.replace(/[.…]$/, '').replaceAll('’', "'")

/** The translations of each label of the panel; there may be several. */
function labelsIn(language: string): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>()
  for (const [file, text] of sources) {
    const translation = sources.get(file.replace(/\.ts$/, `.${language}.ts`))
    if (!/^web\/src\/.*(words|names)\.ts$/.test(file) || !translation) continue
    const there = new Map(textsOf(translation, file))
    for (const [key, value] of textsOf(text, file))
      labels.set(value, (labels.get(value) ?? new Set()).add(there.get(key) ?? ''))
  }
  return labels
}

/** The texts of a catalogue by key: whole messages, and the alternatives of their choices. */
const textsOf = (source: string, file: string): (readonly [string, string])[] =>
  messagesIn(source, file).flatMap(({ key, value }) => [
    [key, bare(value)] as const,
    ...[...value.matchAll(/(\w+) \{([^{}]+)\}/g)].map(
      ([, choice, chosen]) => [`${key} ${choice}`, bare(chosen ?? '')] as const,
    ),
  ])

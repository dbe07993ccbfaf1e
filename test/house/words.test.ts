import path from 'node:path'
import { ENGLISH } from '@lodge/shared/words/bind.ts'
import { compile } from '@lodge/shared/words/compile.ts'
import { LANGUAGES } from '@lodge/shared/words/languages.ts'
import { describe, expect, test } from 'vitest'
import { messagesIn } from '../../web/words/plugin.ts'
import { gluedTexts, isFragment } from './glued-texts.ts'
import { literalTexts } from './literal-texts.ts'
import { markupTexts } from './markup-texts.ts'
import { namesOf } from './names-of.ts'
import { sourceFiles } from './source-files.ts'

const sources = sourceFiles().filter(({ path: file }) => !/\.test\.|\/testing\//.test(file))
const catalogues = sources.filter(
  ({ path: file, text }) =>
    /^(web|control-plane)\/src\/(.*\/)?(words|names)\.ts$/.test(file) &&
    text.includes(' catalogue('),
)
/** How the server uses a message, in the language of its recipient. */
const FOR_READERS = String.raw`\b(words|(wordsFor|inLanguage)\([^()]*\))`
/** The folder of a source of the panel: of pages, of components, or directly below `web/src`. */
const folderOf = (file: string) =>
  file.match(/^web\/src\/(?:(?:pages|ui)\/)?[^/]+(?=\/)/)?.[0] ?? 'web/src'
const panel = Map.groupBy(
  sources.filter(({ path: file }) => /^web\/src\/.*\.tsx?$/.test(file)),
  ({ path: file }) => folderOf(file),
)
const inFolder = (folder: string) => panel.get(folder) ?? []

test('every message of the catalogues parses', () => {
  expect(catalogues.length).toBeGreaterThan(5)
  for (const { path: file, text } of catalogues)
    for (const { key, value } of messagesIn(text, file))
      expect(() => compile(value), `${file}: ${key}`).not.toThrow()
})

describe.each(LANGUAGES.filter((language) => language !== ENGLISH))(
  'the language %s',
  (language) => {
    const translations = new Map(
      catalogues.map(({ path: file }) => [file, file.replace(/\.ts$/, `.${language}.ts`)]),
    )
    const messagesOf = (file: string): ReadonlyMap<string, string> => {
      const source = sources.find((one) => one.path === file)
      return new Map(source && messagesIn(source.text, file).map(({ key, value }) => [key, value]))
    }

    test('has every message of the panel, with the same arguments and tags', () => {
      const missing = catalogues.flatMap(({ path: file }) => {
        const there = messagesOf(translations.get(file) ?? '')
        return [...messagesOf(file)]
          .filter(([key, english]) => namesOf(there.get(key)) !== namesOf(english))
          .map(([key]) => `${file}: ${key}`)
      })
      expect(missing).toEqual([])
    })

    test('is named by every catalogue, and has no file of another', () => {
      const named = catalogues.filter(({ path: file, text }) =>
        text.includes(`./${path.basename(translations.get(file) ?? '')}`),
      )
      expect(named).toHaveLength(catalogues.length)
      const files = sources.filter(({ path: file }) =>
        new RegExp(`/(words|names)\\.${language}\\.ts$`).test(file),
      )
      expect(files.map((one) => one.path).sort()).toEqual([...translations.values()].sort())
    })
  },
)

test('arguments are separated as the types of catalogues read them', () => {
  const odd = catalogues.flatMap(({ path: file, text }) =>
    messagesIn(text, file)
      .filter(({ value }) =>
        /\{\s|\{\w+\s*,(?! \w)|\{\w+\s+,|\{\w+, \w+\s+,|\{\w+, \w+,(?! )/.test(value),
      )
      .map(({ key }) => `${file}: ${key}`),
  )
  expect(odd).toEqual([])
})

test('every message is used', () => {
  const unused = catalogues.flatMap(({ path: file, text }) => {
    const constant = text.match(/export const (\w+) = catalogue/)?.[1]
    const folder = path.dirname(file)
    const importing = (target: string) =>
      sources.filter(({ imports }) => imports.some((one) => one.target === target))
    // Page formatters receive the catalogue of a language, for all that create them.
    const handedOn = importing(file)
      .filter(({ text }) => text.includes(`words: typeof ${constant}\n`))
      .flatMap((reader) => importing(reader.path))
    const users = [...importing(file), ...handedOn].map(({ text }) => text).join('\n')
    return messagesIn(text, file)
      .filter(({ key }) => !new RegExp(`(\\b${constant}|${FOR_READERS})\\.${key}\\b`).test(users))
      .map(({ key }) => `${folder}: ${key}`)
  })
  expect(unused).toEqual([])
})

test('every message is whole: none begins or ends in the middle of a sentence', () => {
  const fragments = catalogues.flatMap(({ path: file, text }) =>
    messagesIn(text, file)
      .filter(({ value }) => isFragment(value))
      .map(({ key }) => `${file}: ${key}`),
  )
  expect(fragments).toEqual([])
  expect([' · {node} offline', ', more follow', '{state}: '].every(isFragment)).toBe(true)
})

test('no message is glued to other text or put into another message', () => {
  const glued = [...panel.values()]
    .flat()
    .flatMap(({ path: file, text }) => gluedTexts(text, file).map((found) => `${file}:${found}`))
  expect(glued).toEqual([])
  const [by, into, beside] = ["t.a + '.'", 't.a({ b: t.b({ c }) })', '`$'.concat('{t.a} b`')]
  expect([by, into, beside].map((code) => gluedTexts(code!, 'a.ts'))).toEqual([
    ['1: t.a'],
    ['1: t.b'],
    ['1: t.a'],
  ])
})

describe('texts for people are in catalogues', () => {
  test.each([...panel.keys()])('%s', (folder) => {
    const literal = inFolder(folder)
      .filter(({ path: file }) => !/\/(words|names)(\.\w+)?\.ts$/.test(file))
      .flatMap(({ path: file, text }) =>
        literalTexts(text, file).map((found) => `${path.relative(folder, file)}:${found}`),
      )
    expect(literal).toEqual([])
  })
})

test('texts of the pages that the server makes are in catalogues', () => {
  const pages = sources.filter(({ text }) => text.includes('html`'))
  const literal = pages.flatMap(({ path: file, text }) =>
    markupTexts(text, file).map((found) => `${file}:${found}`),
  )
  expect(pages.length).toBeGreaterThan(3)
  expect(literal).toEqual([])
  const between = 'html`<p class="a b">As of $' + '{at}</p><img alt="$' + '{name}">`'
  expect(markupTexts(`${between}; html\`<i aria-label="Days"/>\``, 'a.ts')).toEqual([
    '1: As of',
    '1: Days',
  ])
})

test('no text is read before the language is known', () => {
  const early = sources
    .filter(({ imports }) =>
      imports.some(({ target }) => catalogues.some((one) => one.path === target)),
    )
    .flatMap(({ path: file, text }) =>
      text
        .split(/^(?=\S)/m)
        // A statement of the module that is neither a function nor a component
        .filter((statement) => /^(export )?const \w+(: [^=]+)? = [[{(']/.test(statement))
        .filter((statement) => !/^(export )?const \w+(: [^=]+)? = (async )?\(.*=>/s.test(statement))
        .filter((statement) => /\b(t|names)\.\w+/.test(statement.replaceAll(/=> [^\n]*/g, '')))
        .map((statement) => `${file}: ${statement.split('\n')[0]}`),
    )
  expect(early).toEqual([])
})

test('why something is not possible, which the API says in English, is shown in the language of the panel', () => {
  const isSaid = /\b(saidReason|why\w*)\($/
  const isOnlyAsked = /^(\.\w+)*\s*([!=]==|\?\s|&&)/
  const raw = sources
    .filter(({ path: file }) => /^web\/src\/.*\.tsx$/.test(file))
    .flatMap(({ path: file, text }) =>
      // A component's props were translated by its caller.
      [...text.matchAll(/\b(?!props\b)[\w.]+\.whyNot[A-Z]?\w*/g)]
        .filter(
          ({ 0: found, index }) =>
            !isSaid.test(text.slice(0, index)) &&
            !isOnlyAsked.test(text.slice(index + found.length)),
        )
        .map(({ 0: found }) => `${file}: ${found}`),
    )
  expect(raw).toEqual([])
})

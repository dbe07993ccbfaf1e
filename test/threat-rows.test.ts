import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'
import { NOT_YET, THREATS } from './threat-rows.ts'

const ID = '(?:[A-Z]\\w*-[\\w.-]+|[A-Z]\\d+)'
/** The ids at the beginning of a name, which follows `test(`, `describe(`, `it(` or the end of a table. */
const NAME = new RegExp(`(?:\\b(?:test|describe|it)|\\))\\(\\s*['\`](${ID}(?: ${ID})*): `, 'g')
const named = new Set(
  sourceFiles()
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(NAME)].flatMap(([, ids = '']) => ids.split(' '))),
)

test('every row of what is tried against panels has a test that names it, or a reason why not yet', () => {
  const open = Object.keys(THREATS).filter((id) => !named.has(id))
  expect(open.sort()).toEqual(Object.keys(NOT_YET).sort())
})

test('no test names a row that there is not', () => {
  expect([...named].filter((id) => !(id in THREATS))).toEqual([])
})

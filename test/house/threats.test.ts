import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { coverage, isTest, THREATS } from '../run/threats.ts'
import { sourceFiles } from './source-files.ts'

const root = path.resolve(import.meta.dirname, '../..')
const ID = '(?:[A-Z]\\w*-[\\w.-]+|[A-Z]\\d+)'
/** The ids at the beginning of a name, which follows `test(`, `describe(`, `it(` or the end of a table. */
const NAME = new RegExp(`(?:\\b(?:test|describe|it)|\\))\\(\\s*['\`](${ID}(?: ${ID})*): `, 'g')

test('every threat has tests against it, or a reason why not yet', () => {
  const without = Object.entries(THREATS).filter(
    ([, { tests, notYet }]) => Object.keys(tests ?? {}).length > 0 === (notYet !== undefined),
  )
  expect(without).toEqual([])
})

test('every listed test exists', () => {
  const missing = coverage.filter(
    ({ file, name }) => !readFileSync(path.join(root, file), 'utf8').includes(name),
  )
  expect(missing).toEqual([])
})

test('no test begins with an unknown threat id', () => {
  const named = sourceFiles()
    .filter(({ path: file }) => /\.test\.tsx?$/.test(file))
    .flatMap(({ text }) => [...text.matchAll(NAME)].flatMap(([, ids = '']) => ids.split(' ')))
  expect(named.filter((id) => !(id in THREATS))).toEqual([])
})

test('a listed name matches the tests that ran, with its cases and its group', () => {
  expect(isTest('names > A1: a name with 3 letters', 'A1: a name with %s letters')).toBe(true)
  expect(isTest('A1: a group > of some test', 'A1: a group')).toBe(true)
  expect(isTest('A1: a group of some', 'A1: a group')).toBe(false)
  expect(isTest('A1: costs (much)', 'A1: costs (much)')).toBe(true)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FileRules, fileAccess, noWiderThan } from './file-rules.ts'

const PLUGINS_ONLY: FileRules = [
  { path: '/', access: 'none' },
  { path: '/plugins', access: 'write' },
  { path: '/plugins/secret', access: 'read' },
]

test('the longest matching folder decides, and only whole path segments match', () => {
  expect(fileAccess(PLUGINS_ONLY, '/')).toBe('none')
  expect(fileAccess(PLUGINS_ONLY, '/server.properties')).toBe('none')
  expect(fileAccess(PLUGINS_ONLY, '/plugins')).toBe('write')
  expect(fileAccess(PLUGINS_ONLY, '/plugins/a/b')).toBe('write')
  expect(fileAccess(PLUGINS_ONLY, '/pluginsx')).toBe('none')
  expect(fileAccess(PLUGINS_ONLY, '/plugins/secret/key')).toBe('read')
})

test('without a rule only the permissions decide', () => {
  expect(fileAccess([], '/anything')).toBe('write')
})

test.each(['relative', '/a/', '/a/../b', '/./a', '//a', '', '/a\0b'])('refuses %j', (path) => {
  expect(FileRules.safeParse([{ path, access: 'read' }]).success).toBe(false)
})

test('refuses two rules for one folder', () => {
  const rule = { path: '/a', access: 'read' } as const
  expect(FileRules.safeParse([rule, rule]).success).toBe(false)
})

const name = fc.constantFrom('a', 'b', 'ab')
const path = fc.array(name, { maxLength: 4 }).map((names) => `/${names.join('/')}`)
const rules = fc.uniqueArray(
  fc.record({ path, access: fc.constantFrom('none' as const, 'read' as const, 'write' as const) }),
  { maxLength: 5, selector: (rule) => rule.path },
)
const RANK = { none: 0, read: 1, write: 2 }

test('rules accepted as no wider allow no more on any path', () => {
  fc.assert(
    fc.property(rules, rules, fc.array(path, { maxLength: 20 }), (given, held, paths) => {
      const wider = paths.some((one) => RANK[fileAccess(given, one)] > RANK[fileAccess(held, one)])
      return !(wider && noWiderThan(given, held))
    }),
    { numRuns: 2000 },
  )
})

test('someone without rules may grant any, and nobody may grant wider ones than their own', () => {
  expect(noWiderThan(PLUGINS_ONLY, [])).toBe(true)
  expect(noWiderThan([], PLUGINS_ONLY)).toBe(false)
  expect(noWiderThan([{ path: '/', access: 'read' }], PLUGINS_ONLY)).toBe(false)
})

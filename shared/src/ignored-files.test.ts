import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IgnorePattern, ignoredExpression, ignoredInRestic } from './ignored-files.ts'

test.each([
  ['', 'Too small'],
  ['!keep.txt', '! or #'],
  ['# comment', '! or #'],
  ['a/../../etc', '. and ..'],
  ['./a', '. and ..'],
  ['a//b', '. and ..'],
  ['/', '. and ..'],
  ['a\\*b', 'backslash'],
  ['file?.txt', 'backslash'],
  ['a\nb', 'visible characters'],
  ['\ud800', 'visible characters'],
  ['*', 'everything'],
  ['**', 'everything'],
  ['*/', 'everything'],
  ['/**/*', 'everything'],
  ['a**', 'may contain **'],
  ['**/a/**', 'may contain **'],
  ['x'.repeat(201), 'Too big'],
])('the pattern %j is refused: %s', (pattern, why) => {
  const { error } = IgnorePattern.safeParse(pattern)
  expect(error?.issues.map(({ message }) => message).join()).toContain(why)
})

test.each([
  ['cache/', ['/data/cache/a', '/data/x/cache/.b'], ['/data/cache', '/data/mycache/a']],
  ['*.log', ['/data/a.log', '/data/x/y.log', '/data/.log'], ['/data/a.log.gz', '/data/log']],
  ['/world/backups', ['/data/world/backups'], ['/data/x/world/backups', '/data/backups']],
  ['world/backups', ['/data/world/backups'], ['/data/x/world/backups']],
  ['**/tmp/old', ['/data/tmp/old', '/data/a/b/tmp/old'], ['/data/old']],
  ['a/**/z', ['/data/a/z', '/data/a/b/c/z'], ['/data/z', '/data/b/a/z']],
  ['a/**', ['/data/a/b'], ['/data/a']],
  ['data', ['/data/data', '/data/x/data'], ['/data']],
  ['[x](1).{txt}', ['/data/[x](1).{txt}'], ['/data/x1.txt']],
])('the pattern %s means what it says', (pattern, left, kept) => {
  expect(IgnorePattern.parse(pattern)).toBe(pattern)
  const expression = new RegExp(`^${ignoredExpression([pattern], '/data')}$`)
  expect(left.filter((path) => !expression.test(path))).toEqual([])
  expect(kept.filter((path) => expression.test(path))).toEqual([])
})

test('no pattern that is taken leads out of the folder, or to the folder itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z.*/[\]$|()+ -]{1,20}$/), (pattern) => {
      fc.pre(IgnorePattern.safeParse(pattern).success)
      const [restic = ''] = ignoredInRestic([pattern.trim()], '/data')
      expect(restic).toMatch(/^\/data\/[^/]/)
      expect(restic.split('/')).not.toContain('..')
      const expression = new RegExp(`^${ignoredExpression([pattern.trim()], '/data')}$`)
      expect(expression.test('/data')).toBe(false)
      expect(expression.test('/etc/passwd')).toBe(false)
    }),
  )
})

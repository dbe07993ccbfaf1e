import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { BUDGETS, exceeded } from '../run/budgets.ts'
import { busyPercent, coreTimes } from '../run/cores.ts'

const root = path.resolve(import.meta.dirname, '../..')

test('every budget names an existing file or folder', () => {
  const gone = Object.keys(BUDGETS.paths).filter((name) => !existsSync(path.join(root, name)))
  expect(gone).toEqual([])
})

test('reports what exceeded its budget: the file and each of its folders', () => {
  const file = 'test/api/security/matrix.test.ts'
  const long = (BUDGETS.paths['test/api'] ?? 0) + 1
  const report = exceeded({ parts: new Map([['light', 1]]), files: new Map([[file, long]]) })
  expect(report).toEqual([
    `test/api ${long} s (${long - 1} s)`,
    `${file} ${long} s (${BUDGETS.paths[file]} s)`,
  ])
  expect(exceeded({ parts: new Map(), files: new Map([[file, 1]]) })).toEqual([])
  expect(exceeded({ parts: new Map([['light', 9_999]]), files: new Map() })).toHaveLength(1)
})

test('reports how busy the cores were, so that waits can be told from work', () => {
  const from = { all: 10_000, idle: 4_000 }
  expect(busyPercent(from, { all: 20_000, idle: 4_000 })).toBe(100)
  expect(busyPercent(from, { all: 20_000, idle: 6_500 })).toBe(75)
  expect(busyPercent(from, from)).toBe(0)
  const before = coreTimes()
  const until = process.threadCpuUsage().user + 50_000
  while (process.threadCpuUsage().user < until);
  const now = coreTimes()
  expect(now.all - now.idle).toBeGreaterThan(before.all - before.idle)
})

import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { BUDGETS, exceeded } from './budgets.ts'

const root = path.resolve(import.meta.dirname, '..')

test('every budget is of a file or folder that there is', () => {
  const gone = Object.keys(BUDGETS.paths).filter((name) => !existsSync(path.join(root, name)))
  expect(gone).toEqual([])
})

test('what is longer than its budget is told, a file and each folder it lies in', () => {
  const file = 'test/api/matrix.test.ts'
  const long = (BUDGETS.paths['test/api'] ?? 0) + 1
  const told = exceeded({ parts: new Map([['light', 1]]), files: new Map([[file, long]]) })
  expect(told).toEqual([
    `test/api ${long} s (${long - 1} s)`,
    `${file} ${long} s (${BUDGETS.paths[file]} s)`,
  ])
  expect(exceeded({ parts: new Map(), files: new Map([[file, 1]]) })).toEqual([])
  expect(exceeded({ parts: new Map([['light', 9_999]]), files: new Map() })).toHaveLength(1)
})

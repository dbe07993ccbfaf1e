import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const promises = {
  types: 'the types agree',
  style: 'the code is formatted and free of lint',
  unused: 'no file, export or dependency is unused',
  proto: 'the fleet protocol follows its style',
  generated: 'generated files are fresh',
}

test.for(Object.entries(promises))('%s: %s', { timeout: 400_000 }, async ([name]) => {
  const output = await promisify(execFile)(process.execPath, ['tools/check.mjs', name], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    () => '',
    (error) => `${error.stdout}\n${error.stderr}`,
  )
  expect(output).toBe('')
})

import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

// The description of the API has over a megabyte. Only its own page, /docs/api, loads it.
test('the panel never loads the description of the API', () => {
  const panel = sourceFiles().filter(({ path }) => path.startsWith('web/'))
  expect(panel.length).toBeGreaterThan(200)
  expect(panel.filter(({ text }) => text.includes('openapi')).map(({ path }) => path)).toEqual([])
})

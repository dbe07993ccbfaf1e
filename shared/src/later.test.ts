import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { LATER_FEATURES } from './later.ts'

test('a feature listed as not built has no endpoint, and one with endpoints is offered', () => {
  const file = path.resolve(import.meta.dirname, '../../control-plane/openapi.json')
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, unknown> }
  const parts = new Set(Object.keys(paths).flatMap((address) => address.split('/')))
  expect(LATER_FEATURES.filter((feature) => parts.has(feature))).toEqual([])
})

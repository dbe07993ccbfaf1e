import { expect, test } from 'vitest'
import { isPlain } from './manifest.ts'

test('no folder of a copy leads out of the target folder', () => {
  expect(isPlain('/var/lib/lodge/blobs')).toBe(true)
  for (const folder of ['/var/../../etc', '/..', 'etc', '../etc', '/var//lib', ''])
    expect(isPlain(folder), folder).toBe(false)
})

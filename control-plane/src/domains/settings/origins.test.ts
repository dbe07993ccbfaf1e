import { expect, test } from 'vitest'
import { z } from 'zod'
import { originsOf } from './origins.ts'

const Example = z.strictObject({
  mode: z.string(),
  list: z.array(z.string()),
  inner: z.strictObject({ a: z.int(), b: z.int() }),
  whole: z.strictObject({ c: z.int() }).nullable(),
  layer: z.record(z.string(), z.int()),
})
const area = {
  name: 'example',
  schema: Example,
  initial: { mode: 'off', list: [], inner: { a: 1, b: 2 }, whole: null, layer: {} },
}
const setIn = (stored: unknown) =>
  originsOf<z.infer<typeof Example>>(area, stored)
    .filter(({ origin }) => origin === 'set')
    .map(({ pointer }) => pointer)

test('unchanged values have the origin default, even in a saved area', () => {
  expect(setIn(undefined)).toEqual([])
  expect(setIn(area.initial)).toEqual([])
  expect(originsOf<z.infer<typeof Example>>(area, undefined).map(({ pointer }) => pointer)).toEqual(
    ['/mode', '/list', '/inner/a', '/inner/b', '/whole'],
  )
})

test('changed values have the origin set: nested ones individually, lists and optional parts as a whole', () => {
  const stored = {
    mode: 'on',
    list: ['x'],
    inner: { a: 1, b: 3 },
    whole: { c: 1 },
    layer: { 'a/b~c': 5 },
  }
  expect(setIn(stored)).toEqual(['/mode', '/list', '/inner/b', '/whole', '/layer/a~1b~0c'])
})

test('invalid stored settings count as unset', () => {
  expect(setIn({ ...area.initial, mode: 7 })).toEqual([])
})

test('every setting comes with the default that a reset restores', () => {
  const stored = { ...area.initial, inner: { a: 9, b: 2 }, layer: { x: 5 } }
  const defaults = Object.fromEntries(
    originsOf<z.infer<typeof Example>>(area, stored).map((one) => [one.pointer, one.default]),
  )
  expect(defaults).toEqual({
    '/mode': 'off',
    '/list': [],
    '/inner/a': 1,
    '/inner/b': 2,
    '/whole': null,
    '/layer/x': null,
  })
})

import { expect, test } from 'vitest'
import { lineOf, placesOf, syntaxFault } from './json-places.ts'

const TEXT = JSON.stringify(
  { name: 'A', runtime: { images: [{ name: 'one' }, { name: 'two' }], tty: false } },
  null,
  2,
)
const shown = (...path: (string | number)[]) => {
  const [place] = placesOf(TEXT, [path])
  return place && TEXT.slice(place.from, place.to)
}

test('an error is located at its value, or at the name of a multi-line value', () => {
  expect(shown('name')).toBe('"A"')
  expect(shown('runtime', 'images', 1, 'name')).toBe('"two"')
  expect(shown('runtime', 'images')).toBe('"images"')
})

test('an error about a missing value is located at its parent', () => {
  expect(shown('runtime', 'stop')).toBe('"runtime"')
  expect(shown('variables')).toBe('{')
})

test('the place where a text stops being JSON is found, with its line', () => {
  const broken = TEXT.replace('"tty": false', '"tty": ')
  const fault = syntaxFault(broken)
  expect(lineOf(broken, fault?.from ?? 0)).toBeGreaterThanOrEqual(12)
  expect(syntaxFault(TEXT)).toBeUndefined()
})

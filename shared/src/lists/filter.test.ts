import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asksFor, type FilterTerm, parseFilter, toggleValue, writeFilter } from './filter.ts'

const FIELDS = ['state', 'node', 'owner']
const parse = (text: string) => parseFilter(text, FIELDS)
const text = (...values: string[]): FilterTerm => ({ field: null, values })
const field = (name: string, ...values: string[]): FilterTerm => ({ field: name, values })

/** Any text that a value can be: not empty and without spaces around it. */
const value = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.string({
      minLength: 1,
      maxLength: 12,
      unit: fc.constantFrom('a', 'B', ' ', '"', '\\', ':', ',', '*', 'é', '\t'),
    }),
  )
  .map((one) => one.trim())
  .filter((one) => one !== '')
const term: fc.Arbitrary<FilterTerm> = fc.oneof(
  value.map((one) => text(one)),
  fc.record({
    field: fc.constantFrom(...FIELDS),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 4 }),
  }),
)
const terms = fc.array(term, { maxLength: 6 })

test('words apply together, values with commas are alternatives, and quotes keep spaces', () => {
  expect(parse('state:running,crashed  node:"rack 2" lobby "two words"')).toEqual([
    field('state', 'running', 'crashed'),
    field('node', 'rack 2'),
    text('lobby'),
    text('two words'),
  ])
})

test.each([
  ['STATE:Running', [field('state', 'Running')]],
  ['12:30', [text('12:30')]],
  ['colour:red', [text('colour:red')]],
  ['"state:running"', [text('state:running')]],
  ['"state":running', [text('state:running')]],
  ['state:', []],
  ['state:,,', []],
  ['state:running,', [field('state', 'running')]],
  ['node:a:b', [field('node', 'a:b')]],
  ['node:"a,b",c', [field('node', 'a,b', 'c')]],
  ['node:"half a word', [field('node', 'half a word')]],
  ['"a \\"b\\" \\\\"', [text('a "b" \\')]],
  ['back\\slash', [text('back\\slash')]],
  ['""', []],
  ['   ', []],
])('%s', (written, read) => {
  expect(parse(written)).toEqual(read)
})

test('any text is a filter', () => {
  fc.assert(
    fc.property(fc.string(), (any) => {
      for (const { values } of parse(any)) {
        expect(values.length).toBeGreaterThan(0)
        expect(values.every((one) => one.trim() === one && one !== '')).toBe(true)
      }
    }),
  )
})

test('what is written from terms reads as the same terms', () => {
  fc.assert(
    fc.property(terms, (all) => {
      expect(parse(writeFilter(all))).toEqual(all)
    }),
    { numRuns: 2000 },
  )
})

test('text reads as the same text on a list with other fields', () => {
  fc.assert(
    fc.property(value, fc.array(fc.string()), (one, others) => {
      expect(parseFilter(writeFilter([text(one)]), others)).toEqual([text(one)])
    }),
  )
})

test('a chip adds its value, takes it away again, and leaves the rest alone', () => {
  fc.assert(
    fc.property(terms, fc.constantFrom(...FIELDS), value, (all, name, one) => {
      const toggled = toggleValue(all, name, one)
      expect(asksFor(toggled, name, one)).toBe(!asksFor(all, name, one))
      const others = (list: readonly FilterTerm[]) => list.filter((other) => other.field !== name)
      expect(others(toggled)).toEqual(others(all))
      if (!asksFor(all, name, one)) expect(toggleValue(toggled, name, one)).toEqual(all)
    }),
  )
})

test('a chip joins the alternatives of its field, in any case of letters', () => {
  const one = toggleValue(parse('lobby state:running'), 'state', 'crashed')
  expect(writeFilter(one)).toBe('lobby state:running,crashed')
  expect(writeFilter(toggleValue(one, 'state', 'RUNNING'))).toBe('lobby state:crashed')
})

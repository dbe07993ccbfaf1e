import { parseFilter } from '@lodge/shared/lists/filter.ts'
import { expect, test } from 'vitest'
import { type FilterField, partsOf } from './filter-box.tsx'

const FIELDS: FilterField[] = [
  {
    name: 'state',
    label: 'State',
    chips: true,
    values: [
      { value: 'running', label: 'Running' },
      { value: 'crashed', label: 'Crashed' },
    ],
  },
  { name: 'node', label: 'Node' },
]
const chips = (text: string) =>
  partsOf(parseFilter(text, ['state', 'node']), FIELDS).map(({ label, on, unknown }) =>
    [on ? '×' : '', label, unknown].filter(Boolean).join(' '),
  )

test('offered values are chips, pressed when the text asks for them in any case of letters', () => {
  expect(chips('State:CRASHED lobby')).toEqual(['Running', '× Crashed'])
})

test('a value that only the text has is a chip to remove, once', () => {
  expect(chips('node:n1,N1 node:n2')).toEqual(['Running', 'Crashed', '× Node: n1', '× Node: n2'])
})

test('a value that does not exist stays removable and says so', () => {
  expect(chips('state:exploded')).toEqual([
    'Running',
    'Crashed',
    '× State: exploded This value does not exist',
  ])
})

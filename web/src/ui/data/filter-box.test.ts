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

test('offered values are chips, pressed when the text contains them in any letter case', () => {
  expect(chips('State:CRASHED lobby')).toEqual(['Running', '× Crashed'])
})

test('a value that is only in the text is a chip that can be removed', () => {
  expect(chips('node:n1,N1 node:n2')).toEqual(['Running', 'Crashed', '× Node: n1', '× Node: n2'])
})

test('a value that does not exist is marked and stays removable', () => {
  expect(chips('state:exploded')).toEqual([
    'Running',
    'Crashed',
    '× State: exploded This value does not exist',
  ])
})

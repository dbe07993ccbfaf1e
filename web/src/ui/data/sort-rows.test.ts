import { expect, test } from 'vitest'
import { sortRows } from './sort-rows.ts'

const rows = [
  { name: 'node-10', used: 3 },
  { name: 'Node-2', used: null },
  { name: 'node-1', used: 20 },
]
const keys = {
  name: (row: (typeof rows)[number]) => row.name,
  used: (row: (typeof rows)[number]) => row.used,
}
const names = (by: string | undefined) => sortRows(rows, by, keys).map(({ name }) => name)

test('words are ordered as people count, whatever their letters', () => {
  expect(names('name')).toEqual(['node-1', 'Node-2', 'node-10'])
  expect(names('-name')).toEqual(['node-10', 'Node-2', 'node-1'])
})

test('what is unknown comes last in either direction', () => {
  expect(names('used')).toEqual(['node-10', 'node-1', 'Node-2'])
  expect(names('-used')).toEqual(['node-1', 'node-10', 'Node-2'])
})

test('an order that the list does not have leaves the rows as they came', () => {
  expect(names('size')).toEqual(names(undefined))
  expect(names(undefined)).toEqual(['node-10', 'Node-2', 'node-1'])
})

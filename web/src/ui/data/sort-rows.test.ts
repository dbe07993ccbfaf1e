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

test('text is sorted with numbers in natural order, whatever the letter case', () => {
  expect(names('name')).toEqual(['node-1', 'Node-2', 'node-10'])
  expect(names('-name')).toEqual(['node-10', 'Node-2', 'node-1'])
})

test('unknown values come last in either direction', () => {
  expect(names('used')).toEqual(['node-10', 'node-1', 'Node-2'])
  expect(names('-used')).toEqual(['node-1', 'node-10', 'Node-2'])
})

test('an order that the list does not support leaves the rows as they are', () => {
  expect(names('size')).toEqual(names(undefined))
  expect(names(undefined)).toEqual(['node-10', 'Node-2', 'node-1'])
})

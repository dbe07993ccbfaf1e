import { expect, test } from 'vitest'
import { filterRows, type RowField } from './filter-rows.ts'

interface Plan {
  readonly name: string
  readonly state: string
  readonly tags: readonly string[]
}

const PLANS: readonly Plan[] = [
  { name: 'Starter', state: 'open', tags: ['small', 'Trial'] },
  { name: 'Pro "2026"', state: 'open', tags: ['large'] },
  { name: 'Starter 2025', state: 'archived', tags: [] },
]
const FIELDS: readonly RowField<Plan>[] = [
  { name: 'state', label: 'State', of: ({ state }) => state },
  { name: 'name', label: 'Name', of: ({ name }) => name },
  { name: 'tag', label: 'Tag', of: ({ tags }) => tags },
]
const found = (filter: string) =>
  filterRows(PLANS, filter, FIELDS, ({ name }) => name).map(({ name }) => name)

test.each([
  ['', ['Starter', 'Pro "2026"', 'Starter 2025']],
  ['STARTER', ['Starter', 'Starter 2025']],
  ['state:Open starter', ['Starter']],
  ['state:open,archived 20', ['Pro "2026"', 'Starter 2025']],
  ['tag:trial,large', ['Starter', 'Pro "2026"']],
  ['name:starter', ['Starter']],
  ['name:*20*5', ['Starter 2025']],
  ['name:s*r*', ['Starter', 'Starter 2025']],
  ['name:start*arter', []],
  ['name:"pro \\"2026\\""', ['Pro "2026"']],
  ['state:', ['Starter', 'Pro "2026"', 'Starter 2025']],
  ['other:open', []],
])('%j finds %j', (filter, names) => {
  expect(found(filter)).toEqual(names)
})

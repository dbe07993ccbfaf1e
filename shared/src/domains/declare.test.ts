import { expect, test } from 'vitest'
import { jobKind } from '../job-kinds.ts'
import { ADMIN_PERMISSIONS, ADMIN_PRESETS } from '../permissions.ts'
import { type Declared, merged } from './declare.ts'
import { declared } from './index.ts'

const domains: readonly Declared[] = declared

test('a name that two domains declare is refused', () => {
  expect(merged('problem', [{ one: 1 }, undefined, { two: 2 }])).toEqual({ one: 1, two: 2 })
  expect(() => merged('problem', [{ one: 1 }, { one: 2 }])).toThrow(
    'Two domains declare the problem one',
  )
})

test('no code of a problem, permission or job kind is declared twice', () => {
  for (const key of ['problems', 'permissions', 'jobKinds'] as const) {
    const names = domains.flatMap((domain) => Object.keys(domain[key] ?? {}))
    expect(names.length).toBe(new Set(names).size)
    expect(names.length).toBeGreaterThan(10)
  }
})

test('a preset holds only permissions of the domain that grants it', () => {
  const foreign = domains.flatMap(({ permissions = {}, presets = {}, reserved = [] }) =>
    [...Object.values(presets).flat(), ...reserved].filter((one) => !(one in permissions)),
  )
  expect(foreign).toEqual([])
})

test('the preset of an administrator lacks what opens every account', () => {
  const held = new Set<string>(ADMIN_PRESETS.administrator)
  expect(Object.keys(ADMIN_PERMISSIONS).filter((one) => !held.has(one))).toEqual([
    'tokens.manage',
    'team.manage',
    'usage.manage',
  ])
})

test('a kind of job that an older Lodge knew allows nothing', () => {
  expect(jobKind('of.an.older.lodge')).toEqual({
    ...{ cancellable: false, again: null, long: false, concurrencyGroup: 'disks' },
  })
})

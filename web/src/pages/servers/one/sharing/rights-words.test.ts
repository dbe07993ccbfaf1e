import { isOffered } from '@lodge/shared/later.ts'
import { SERVER_PRESETS, ServerPermission } from '@lodge/shared/server-permissions.ts'
import { expect, test } from 'vitest'
import { areasOf, PRESETS, presetOf, rightsOfPreset } from './rights-words.ts'
import { t } from './words.ts'

test('every permission that has an effect appears in exactly one group, and every group has a name', () => {
  const shown = areasOf('vm').flatMap(({ permissions }) => permissions)
  expect(shown.toSorted()).toEqual(ServerPermission.options.filter(isOffered).toSorted())
  expect(areasOf('vm').map(({ title }) => title)).not.toContain(t.otherArea)
})

test('a container server offers nothing of virtual machines', () => {
  const shown = areasOf('container').flatMap(({ permissions }) => permissions)
  expect(shown).toEqual(
    ServerPermission.options.filter((one) => isOffered(one) && !one.startsWith('vm.')),
  )
})

test('a preset is recognised by its permissions, a custom set is not', () => {
  for (const { key } of PRESETS) expect(presetOf(SERVER_PRESETS[key] ?? [])?.key).toBe(key)
  expect(presetOf(['power.start'])).toBeUndefined()
})

test('a preset grants no more than the granting person has', () => {
  expect(rightsOfPreset('full', ['power.start', 'vm.view'])).toEqual(['power.start', 'vm.view'])
})

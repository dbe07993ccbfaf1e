import { isDeepStrictEqual } from 'node:util'
import type { Area } from '../../catalogue.ts'
import { settingsOf } from './store.ts'

/** Where the value of one setting comes from. */
export interface SettingOrigin {
  /** JSON pointer (RFC 6901) into the settings of its area. */
  readonly pointer: string
  readonly origin: 'default' | 'set'
}

/** Each setting of an area, whose settings may be nested, and whether it is what Lodge comes with. */
export function originsOf<T extends object>(area: Area<T>, stored: unknown): SettingOrigin[] {
  const present = leavesOf(settingsOf(area, stored), area.initial)
  const initial = leavesOf(area.initial, area.initial)
  return [...new Set([...initial.keys(), ...present.keys()])].map((pointer) => ({
    pointer,
    origin: isDeepStrictEqual(present.get(pointer), initial.get(pointer)) ? 'default' : 'set',
  }))
}

const isNest = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The settings in `value` by pointer; what is not nested in `initial` is one setting as a whole. */
function leavesOf(value: object, initial: object, above = ''): Map<string, unknown> {
  const beside = new Map<string, unknown>(Object.entries(initial))
  const leaves = new Map<string, unknown>()
  for (const [key, inner] of Object.entries(value)) {
    const pointer = `${above}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const first = beside.get(key)
    if (!isNest(inner) || !isNest(first)) leaves.set(pointer, inner)
    else for (const [below, leaf] of leavesOf(inner, first, pointer)) leaves.set(below, leaf)
  }
  return leaves
}

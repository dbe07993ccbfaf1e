import { isDeepStrictEqual } from 'node:util'
import type { Area } from '../../catalogue.ts'
import { settingsOf } from './store.ts'

/** Where a setting's value comes from. */
export interface SettingOrigin {
  /** JSON pointer (RFC 6901) into the settings of its area. */
  readonly pointer: string
  readonly origin: 'default' | 'set'
  /** The built-in default; null if there is none. */
  readonly default: unknown
}

/** Each setting of an area, including nested ones, and whether it has its default value. */
export function originsOf<T extends object>(area: Area<T>, stored: unknown): SettingOrigin[] {
  const present = leavesOf(settingsOf(area, stored), area.initial)
  const initial = leavesOf(area.initial, area.initial)
  return [...new Set([...initial.keys(), ...present.keys()])].map((pointer) => ({
    pointer,
    origin: isDeepStrictEqual(present.get(pointer), initial.get(pointer)) ? 'default' : 'set',
    default: initial.get(pointer) ?? null,
  }))
}

const isNest = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Settings in `value` by pointer; an object that is not nested in `initial` is a single setting.
 */
function leavesOf(value: object, initial: object, above = ''): Map<string, unknown> {
  const defaults = new Map<string, unknown>(Object.entries(initial))
  const leaves = new Map<string, unknown>()
  for (const [key, inner] of Object.entries(value)) {
    const pointer = `${above}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const first = defaults.get(key)
    if (!isNest(inner) || !isNest(first)) leaves.set(pointer, inner)
    else for (const [below, leaf] of leavesOf(inner, first, pointer)) leaves.set(below, leaf)
  }
  return leaves
}

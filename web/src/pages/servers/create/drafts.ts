import { readable } from '../../../ui/fields/size.ts'
import type { Part, Sizes } from './container/values.ts'

/** Fields that both kinds of server have; a processor of a machine counts as 100 %. */
export interface Common extends Readonly<Record<Part, number | undefined>> {
  readonly name: string
  readonly location: string
  readonly start: boolean
  /** Only administrators choose it. */
  readonly ownerId?: string
  readonly nodeId?: string
}

export type Typed = Partial<Common>

/** The state of one kind's form while the other kind is chosen. */
export interface Draft<V> {
  values: V | undefined
  /** Typed values for the other kind. */
  typed: Typed
  /** The names of the values that differ from the initial ones. */
  changed: readonly string[]
}

export const emptyDraft = <V>(): Draft<V> => ({ values: undefined, typed: {}, changed: [] })

/** Converts between the values of one kind and the common fields. */
export interface Ways<V> {
  readonly commonOf: (values: V) => Common
  /** The sizes that the form itself sets, such as those a template recommends. */
  readonly usualSizes: (values: V) => Sizes
  readonly adopt: (values: V, typed: Typed) => V
}

const NAMES = ['name', 'location', 'start', 'ownerId', 'nodeId'] as const
const PARTS = ['memoryMb', 'cpuPercent', 'diskMb'] as const

/** The values typed or chosen since then, without sizes that follow from another choice. */
export function typedSince(then: Common, now: Common, usual: Sizes): Typed {
  const names = NAMES.filter((name) => now[name] !== then[name])
  const parts = PARTS.filter(
    (part) =>
      readable(now[part]) !== undefined && now[part] !== then[part] && now[part] !== usual[part],
  )
  return Object.fromEntries([...names, ...parts].map((key) => [key, now[key]]))
}

interface Offered {
  readonly locations: readonly string[]
  readonly nodeIds?: readonly string[]
}

/** Without a location that this kind is not offered in. */
export function offeredHere(typed: Typed, { locations, nodeIds = [] }: Offered): Typed {
  const { location, nodeId, ...rest } = typed
  const has = (all: readonly string[], one: string | undefined): one is string =>
    one !== undefined && (one === '' || all.includes(one))
  return {
    ...rest,
    ...(has(locations, location) ? { location } : {}),
    ...(has(nodeIds, nodeId) ? { nodeId } : {}),
  }
}

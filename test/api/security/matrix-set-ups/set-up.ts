import type { InjectOptions } from 'fastify'
import type { Who } from '../matrix-callers.ts'
import type { EquippedGround } from './equipped-ground.ts'

/** A caller who will be admitted, and the thing in the path of the request. */
export interface Admission {
  readonly ground: EquippedGround
  readonly who: Who
  readonly params: Readonly<Record<string, string>>
}

/** The parts of the sample request to replace. */
export interface Prepared extends Pick<InjectOptions, 'headers' | 'payload'> {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Reverts changes that affect other callers. */
  readonly after?: () => Promise<void>
}

/** Sets up what an endpoint needs to respond as declared. */
export type SetUp = (admission: Admission) => Promise<Prepared>
export type SetUps = Readonly<Record<string, SetUp>>

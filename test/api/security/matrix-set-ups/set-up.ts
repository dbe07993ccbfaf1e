import type { InjectOptions } from 'fastify'
import type { Who } from '../matrix-callers.ts'
import type { EquippedGround } from './equipped-ground.ts'

/** Somebody who will be admitted, and what the path of their request is about. */
export interface Admission {
  readonly ground: EquippedGround
  readonly who: Who
  readonly params: Readonly<Record<string, string>>
}

/** What of the sample request is replaced. */
export interface Prepared extends Pick<InjectOptions, 'headers' | 'payload'> {
  readonly params?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Takes back what the answer changes for everybody. */
  readonly after?: () => Promise<void>
}

/** Brings about what an endpoint needs to answer as promised. */
export type SetUp = (admission: Admission) => Promise<Prepared>
export type SetUps = Readonly<Record<string, SetUp>>

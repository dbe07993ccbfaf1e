import { type Declared, merged, type NamesIn } from './domains/declare.ts'
import { declared } from './domains/index.ts'

export type ProblemCode = NamesIn<typeof declared, 'problems'>

/** Every problem of the API: its status and its title. Each has a page in docs/problems/. */
export const PROBLEMS = merged(
  'problem',
  declared.map(({ problems }: Declared) => problems),
) as Readonly<Record<ProblemCode, { readonly status: number; readonly title: string }>>

/** Body of every problem (RFC 9457, application/problem+json). */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  readonly instance: string
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
  readonly [field: string]: unknown
}

import type { JobKind } from './job-kind.ts'

/** Permission sets for common roles; a person's permissions may be changed one by one afterwards. */
export type Preset = 'operator' | 'support_agent' | 'support_lead' | 'billing' | 'content'

/** What one domain adds to the lists that the panel and the API share. */
export interface Declared {
  /** Permissions of administrators: `<area>.<what>`, with what it allows. */
  readonly permissions?: Readonly<Record<string, string>>
  /** Which of its permissions belong to which role. */
  readonly presets?: { readonly [P in Preset]?: readonly string[] }
  /** Its permissions that not even the preset of an administrator has. */
  readonly reserved?: readonly string[]
  /** Its problems, by code, each with a page in docs/problems/. */
  readonly problems?: Readonly<Record<string, { readonly status: number; readonly title: string }>>
  readonly jobKinds?: Readonly<Record<string, JobKind>>
}

export const declare = <const D extends Declared>(domain: D): D => domain

/** The names that some domain declares under `Key`. */
export type NamesIn<
  All extends readonly Declared[],
  Key extends keyof Declared,
> = All[number] extends infer D
  ? D extends { readonly [K in Key]: infer Part }
    ? keyof Part & string
    : never
  : never

/**
 * Merges what the domains declare.
 * @param what names it in the error
 * @throws if two domains declare the same name
 */
export function merged<Value>(
  what: string,
  parts: readonly (Readonly<Record<string, Value>> | undefined)[],
): Readonly<Record<string, Value>> {
  const all: Record<string, Value> = {}
  for (const [name, value] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    if (Object.hasOwn(all, name)) throw new Error(`Two domains declare the ${what} ${name}`)
    all[name] = value
  }
  return all
}

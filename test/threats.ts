import { readFileSync } from 'node:fs'

/**
 * What is tried against panels of this kind: cases of the threat model, and failures of comparable panels
 * that were published. Each names the tests that stand against it, or why there are none yet.
 */
interface Threat {
  readonly what: string
  /** Names of tests or groups of tests as they stand in the source, by file. */
  readonly tests?: Readonly<Record<string, readonly string[]>>
  readonly notYet?: string
}

export const THREATS: Readonly<Record<string, Threat>> = JSON.parse(
  readFileSync(new URL('./threats.json', import.meta.url), 'utf8'),
)

/** Every test that is named, with the threat and its file. */
export const coverage = Object.entries(THREATS).flatMap(([id, { tests = {} }]) =>
  Object.entries(tests).flatMap(([file, names]) => names.map((name) => ({ id, file, name }))),
)

/** True for the full name of a test that is this one, one of its cases or one of its group. */
export function isTest(fullName: string, name: string): boolean {
  const pattern = name
    .split(/%\w|\$\{[^}]*\}|\$\w+/)
    .map((text) => RegExp.escape(text))
    .join('.*')
  return new RegExp(`(^| > )${pattern}($| > )`).test(fullName)
}

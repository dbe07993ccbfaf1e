import { readFileSync } from 'node:fs'

/**
 * Attacks on panels of this kind: cases of the threat model, and published failures of comparable
 * panels. Each names the tests against it, or why there are none yet.
 */
interface Threat {
  readonly what: string
  /** Names of tests or groups of tests as written in the source, by file. */
  readonly tests?: Readonly<Record<string, readonly string[]>>
  readonly notYet?: string
}

export const THREATS: Readonly<Record<string, Threat>> = JSON.parse(
  readFileSync(new URL('../threats.json', import.meta.url), 'utf8'),
)

/** Every listed test, with the threat and its file. */
export const coverage = Object.entries(THREATS).flatMap(([id, { tests = {} }]) =>
  Object.entries(tests).flatMap(([file, names]) => names.map((name) => ({ id, file, name }))),
)

/** Whether the full name of a test is this one, one of its cases or one of its group. */
export function isTest(fullName: string, name: string): boolean {
  const pattern = name
    .split(/%\w|\$\{[^}]*\}|\$\w+/)
    .map((text) => RegExp.escape(text))
    .join('.*')
  return new RegExp(`(^| > )${pattern}($| > )`).test(fullName)
}

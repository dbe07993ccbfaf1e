import { z } from 'zod'

/**
 * What may be done below a folder of a server: nothing, reading, or whatever the permissions for files
 * allow. Rules only ever narrow what the permissions give.
 */
export const FileAccess = z.enum(['none', 'read', 'write'])
export type FileAccess = z.infer<typeof FileAccess>

const folder = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^\/$|^(\/[^/\0]{1,255})+$/, 'must be a path like /plugins, without a slash at the end')
  .refine(
    (path) => !path.split('/').some((part) => part === '.' || part === '..'),
    'must not contain . or ..',
  )

/** The rule with the longest folder decides; a path that no rule covers is left to the permissions. */
export const FileRules = z
  .array(z.strictObject({ path: folder, access: FileAccess }))
  .max(50)
  .refine(
    (rules) => new Set(rules.map((rule) => rule.path)).size === rules.length,
    'must name each folder once',
  )
export type FileRules = z.infer<typeof FileRules>

/**
 * @param path absolute within the server, normalised: no `.`, `..`, double or trailing slashes
 */
export function fileAccess(rules: FileRules, path: string): FileAccess {
  let best: FileRules[number] | undefined
  for (const rule of rules)
    if (isWithin(path, rule.path) && (!best || rule.path.length > best.path.length)) best = rule
  return best?.access ?? 'write'
}

const isWithin = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`)

const RANK: Readonly<Record<FileAccess, number>> = { none: 0, read: 1, write: 2 }

/** Whether nobody who is held to `given` reaches more than somebody who is held to `held`. */
export function noWiderThan(given: FileRules, held: FileRules): boolean {
  // Access only changes at folders that a rule names, so these stand for all paths.
  const places = ['/', ...given.map((rule) => rule.path), ...held.map((rule) => rule.path)]
  return places.every((path) => RANK[fileAccess(given, path)] <= RANK[fileAccess(held, path)])
}

import { z } from 'zod'

/**
 * Access below a folder of a server: none, read, or whatever the file permissions allow. Rules only
 * ever narrow the permissions.
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

/** The rule with the longest folder decides; a path without a rule follows the permissions. */
export const FileRules = z
  .array(z.strictObject({ path: folder, access: FileAccess }))
  .max(50)
  .refine(
    (rules) => new Set(rules.map((rule) => rule.path)).size === rules.length,
    'must name each folder once',
  )
export type FileRules = z.infer<typeof FileRules>

/** @param path absolute within the server, normalised: no `.`, `..`, double or trailing slashes */
export function fileAccess(rules: FileRules, path: string): FileAccess {
  let best: FileRules[number] | undefined
  for (const rule of rules)
    if (isWithin(path, rule.path) && (!best || rule.path.length > best.path.length)) best = rule
  return best?.access ?? 'write'
}

const isWithin = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`)

const RANK: Readonly<Record<FileAccess, number>> = { none: 0, read: 1, write: 2 }

/** Whether `given` allows nothing that `held` does not. */
export function noWiderThan(given: FileRules, held: FileRules): boolean {
  // Access changes only at folders that a rule names, so checking these covers all paths.
  const places = ['/', ...given.map((rule) => rule.path), ...held.map((rule) => rule.path)]
  return places.every((path) => RANK[fileAccess(given, path)] <= RANK[fileAccess(held, path)])
}

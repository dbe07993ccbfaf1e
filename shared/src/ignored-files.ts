import { z } from 'zod'

/**
 * What backups of a server leave out, in a small part of the language of `.gitignore`: `*` is any
 * part of a name and `**` any folders. With a slash before its end a pattern counts from the root,
 * otherwise at any depth; with a slash at its end it means what is in folders of that name, which
 * stay, empty.
 */

export const MAX_IGNORED = 50
const ANY_FOLDERS = '**'

const partsOf = (pattern: string): string[] => pattern.replace(/^\/|\/$/g, '').split('/')

export const IgnorePattern = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}]*$/u, 'must be one line of visible characters')
  .refine((text) => text.isWellFormed(), 'must be one line of visible characters')
  .refine((text) => !/^[!#]/.test(text), 'must not begin with ! or #')
  .refine((text) => !/[\\?]/.test(text), 'must not contain a backslash or ?: use * instead')
  .refine(
    (text) => !partsOf(text).some((part) => part === '' || part === '.' || part === '..'),
    'must be a name or a path without . and ..',
  )
  .refine(
    (text) =>
      partsOf(text).every((part) => part === ANY_FOLDERS || !part.includes(ANY_FOLDERS)) &&
      partsOf(text).filter((part) => part === ANY_FOLDERS).length <= 1,
    'may contain ** once, as the name of any folders',
  )
  .refine((text) => partsOf(text).some((part) => /[^*]/.test(part)), 'would leave out everything')

export const IgnoreList = z
  .array(IgnorePattern)
  .max(MAX_IGNORED)
  .describe('names and paths such as cache/ or *.log, which backups leave out')
export type IgnoreList = z.infer<typeof IgnoreList>

/** A pattern in parts: names with `*`, and `**` for any folders. */
export interface IgnoredParts {
  readonly parts: readonly string[]
  /** Only what is in the folders that match, not they themselves. */
  readonly contents: boolean
}

export function ignoredParts(pattern: string): IgnoredParts {
  const contents = pattern.endsWith('/') || pattern.endsWith(`/${ANY_FOLDERS}`)
  const parts = partsOf(pattern)
  const isRooted = pattern.replace(/\/$/, '').includes('/')
  if (parts.at(-1) === ANY_FOLDERS) parts.pop()
  return { parts: isRooted ? parts : [ANY_FOLDERS, ...parts], contents }
}

/** The same as a regular expression of POSIX, over bytes, for paths in a folder such as `/data`. */
export function ignoredExpression(patterns: readonly string[], folder: string): string {
  const all = patterns.map((pattern) => {
    const { parts, contents } = ignoredParts(pattern)
    const path = parts
      .map((part, at) => {
        const end = at === parts.length - 1 ? '' : '/'
        return part === ANY_FOLDERS ? '(.*/)?' : `${nameExpression(part)}${end}`
      })
      .join('')
    return `${path}${contents ? '/[^/]+' : ''}`
  })
  return `${folder}/(${all.join('|')})`
}

const nameExpression = (part: string): string =>
  part
    .split('*')
    .map((text) => text.replace(/[.[\]{}()*+?^$|\\]/g, '\\$&'))
    .join('[^/]*')

/** The same as patterns of restic, for the tree of a folder such as `/data`. */
export const ignoredInRestic = (patterns: readonly string[], folder: string): string[] =>
  patterns.map((pattern) => {
    const { parts, contents } = ignoredParts(pattern)
    const path = parts.map((part) => part.replace(/[[\]]/g, '\\$&')).join('/')
    return `${folder}/${path}${contents ? '/*' : ''}`
  })

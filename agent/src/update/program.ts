import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** The agent's main file in the folder of a program. */
export const MAIN = 'agent/src/main.js'
/** The list of a program's files, in its folder. */
export const FILE_LIST = 'files'

/** The bundled program that this process runs. */
export interface Program {
  /** The path that it was started by, which the node's supervisor starts again. */
  readonly prefix: string
  /** Its folder. */
  readonly folder: string
  /** SHA-256 of the list of its files. */
  readonly build: string
  /** Its path is a link beside the folder of its versions, so another version can take its place. */
  readonly replaceable: boolean
}

/** The folder of all versions beside a program's path. */
export const versionsOf = (prefix: string): string => `${prefix}.versions`

/**
 * The program that was started by this main file.
 * @returns undefined when it does not run from a bundle
 */
export function programOf(main = process.argv[1] ?? ''): Program | undefined {
  if (!main.endsWith(`/${MAIN}`)) return undefined
  const prefix = main.slice(0, -MAIN.length - 1)
  try {
    const folder = realpathSync(prefix)
    const isLink = lstatSync(prefix).isSymbolicLink()
    const replaceable = isLink && path.dirname(folder) === realpathSync(versionsOf(prefix))
    return { prefix, folder, build: buildIn(folder), replaceable }
  } catch {
    return undefined
  }
}

/** A new node has the list beside the program, a built dist/ in it. */
function buildIn(folder: string): string {
  for (const file of [FILE_LIST, `agent/files-linux-${process.arch}`]) {
    try {
      const list = readFileSync(path.join(folder, file))
      return createHash('sha256').update(list).digest('hex')
    } catch {
      // The other one.
    }
  }
  throw new Error('the program has no list of its files')
}

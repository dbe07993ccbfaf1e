import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import type { ProgramResult } from '@lodge/driver/run-program.ts'

/** Runs a program that sees what is restored at `/from` and the server's data at `/data`. */
export type Inside = (
  name: string,
  args: readonly string[],
  onLine?: (line: string) => void,
) => Promise<ProgramResult>

/** What `cp` says of a file with nothing in its place, and of one that an earlier attempt kept. */
const NOTHING_TO_KEEP =
  /: (cannot stat|failed to get attributes of) .*: (No such file or directory|Not a directory)$|: not replacing /

/**
 * Links into a folder what files of the same names are about to replace, so that it outlives that and
 * takes no time. Once the folder has its name, it is complete, and a later attempt leaves it alone:
 * what is in place by then may be what was restored.
 * @returns how many files the folder has
 */
export async function keepReplaced(
  inside: Inside,
  given: {
    readonly paths: readonly string[]
    /** What the paths are below, in the server's data: empty, or a folder. */
    readonly prefix: string
    readonly keep: string
    /** Makes folders that are missing. */
    readonly makeFolders: (path: string) => Promise<void>
  },
): Promise<number> {
  const { paths, prefix, keep, makeFolders } = given
  const [whole, partial] = [join('/data', keep), join('/data', `${keep}.part`)]
  if ((await inside('find', [whole, '-maxdepth', '0'])).code !== 0) {
    await makeFolders(join(partial, prefix))
    for (const path of paths)
      await link(inside, path, [join('/data', prefix), join(partial, prefix)])
    await inside('find', [partial, '-mindepth', '1', '-depth', '-type', 'd', '-empty', '-delete'])
    const moved = await inside('mv', ['-T', '--', partial, whole])
    if (moved.code !== 0) throw notKept(moved.output)
  }
  let kept = 0
  const counted = await inside('find', [whole, '!', '-type', 'd', '-printf', '.\\n'], (line) => {
    if (line === '.') kept += 1
  })
  if (counted.code !== 0) throw notKept(counted.output)
  return kept
}

async function link(inside: Inside, path: string, [from, to]: readonly [string, string]) {
  const wrong: string[] = []
  const { code } = await inside(
    'env',
    [
      ...['-C', '/from', '/find', `.${path}`, '!', '-type', 'd', '-exec'],
      ...['/env', '-C', from, '/cp', '-a', '-l', '-n', '--parents', '-t', to, '--', '{}', '+'],
    ],
    (line) => {
      if (!NOTHING_TO_KEEP.test(line)) wrong.push(line)
    },
  )
  if (code === null || wrong.length > 0) throw notKept(wrong.slice(-20).join('\n'))
}

const notKept = (cause: string) =>
  new DriverError(
    'copy_damaged',
    'What would be replaced could not be kept. Nothing was restored.',
    { cause },
  )

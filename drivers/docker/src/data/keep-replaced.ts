import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import type { ProgramResult } from '@lodge/driver/run-program.ts'

/** Runs a program that sees what is restored at `/from` and the server's data at `/data`. */
export type Inside = (
  name: string,
  args: readonly string[],
  onLine?: (line: string) => void,
) => Promise<ProgramResult>

/** What `cp` says of a file with nothing in its place, and `cp` and `find` of one that is kept already. */
const NOTHING_TO_KEEP =
  /: (cannot stat|failed to get attributes of) .*: (No such file or directory|Not a directory)$|: not replacing |^[^ ]*find: '\/dev\/full': No space left on device$/

export const isThere = async (inside: Inside, path: string): Promise<boolean> =>
  (await inside('find', [path, '-maxdepth', '0'])).code === 0

export interface KeepReplaced {
  /** Links what a path is about to replace. */
  before(path: string): Promise<void>
  /** @returns how many files the folder has; without any there is none */
  end(): Promise<number>
}

/**
 * Links into a folder what files of the same names are about to replace, so that it outlives that and
 * takes no time. If an earlier attempt began to replace files, what it restored is told from what the
 * server has written since: that is kept, too, in a folder within that one.
 */
export async function keepReplaced(
  inside: Inside,
  given: {
    /** What the paths are below, in the server's data: empty, or a folder. */
    readonly prefix: string
    readonly keep: string
    /** An earlier attempt made that folder. */
    readonly isRepeat: boolean
    /** Makes folders that are missing. */
    readonly makeFolders: (path: string) => Promise<void>
  },
): Promise<KeepReplaced> {
  const { prefix, keep, isRepeat, makeFolders } = given
  const place = join('/data', prefix)
  const kept = join('/data', keep)
  /** Those of earlier attempts, and one for this. */
  const again = [join(kept, 'again-1')]
  while (isRepeat && (await isThere(inside, again.at(-1) ?? '')))
    again.push(join(kept, `again-${again.length + 1}`))

  async function link(path: string, into: string, only: readonly string[]): Promise<void> {
    const [to, wrong] = [join(into, prefix), [] as string[]]
    await makeFolders(to)
    const { code } = await inside(
      'env',
      [
        ...['-C', '/from', '/find', `.${path}`, '!', '-type', 'd', ...only, '-exec'],
        ...['/env', '-C', place, '/cp', '-a', '-l', '-n', '--parents', '-t', to, '--', '{}', '+'],
      ],
      (line) => {
        if (!NOTHING_TO_KEEP.test(line)) wrong.push(line)
      },
    )
    if (code === null || wrong.length > 0) throw notKept(wrong.slice(-20).join('\n'))
  }

  return {
    async before(path) {
      if (!isRepeat) return await link(path, kept, [])
      await link(path, kept, changedIn(place))
      const [newest = kept, ...older] = again.toReversed()
      const known = [kept, ...older].map((folder) => join(folder, prefix))
      const unkept = known.flatMap((folder) => isOther(place, folder))
      await link(path, newest, [...changedIn(place), ...unkept])
    },
    async end() {
      await inside('find', [kept, '-depth', '-type', 'd', '-empty', '-delete'])
      if (!(await isThere(inside, kept))) return 0
      let files = 0
      const counted = await inside('find', [kept, '!', '-type', 'd', '-printf', '.\\n'], (line) => {
        if (line === '.') files += 1
      })
      if (counted.code !== 0) throw notKept(counted.output)
      return files
    },
  }
}

/**
 * Of `find` below `/from`: what is in place is not what is being restored. Only files are compared,
 * because opening something else may wait for ever.
 */
const changedIn = (place: string): readonly string[] => [
  ...['!', '(', '-type', 'f', '-exec', '/test', '-f', `${place}/{}`, ';'],
  ...['!', '-exec', '/test', '-h', `${place}/{}`, ';'],
  ...['-exec', '/cmp', '-s', '--', '{}', `${place}/{}`, ';', ')'],
]

/**
 * Two folders do not have the same file under this name, by a link of the file system. `test` follows
 * symbolic links, so those are told by `find`, which fails to write that they are the same.
 */
const isOther = (one: string, other: string): readonly string[] => {
  const links = [one, other].map((folder) => ['-exec', '/test', '-h', `${folder}/{}`, ';'])
  const same = [`${one}/{}`, '-maxdepth', '0', '-samefile', `${other}/{}`, '-fprint', '/dev/full']
  return [
    ...['!', '(', ...links.flat(), '!', '-exec', '/find', ...same, ';', ')'],
    ...['!', '(', ...links.flatMap((isLink) => ['!', ...isLink])],
    ...['-exec', '/test', `${one}/{}`, '-ef', `${other}/{}`, ';', ')'],
  ]
}

const notKept = (cause: string) =>
  new DriverError(
    'copy_damaged',
    'What would be replaced could not be kept, so it was not replaced.',
    { cause },
  )

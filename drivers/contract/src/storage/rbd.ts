import { DriverError } from '../driver.ts'
import { type ProgramOptions, type ProgramResult, runProgram } from '../run-program.ts'

/** An RBD pool of Ceph, and how this node reaches it. */
export interface RbdPool {
  readonly pool: string
  /** Without `client.`, as Ceph's programs take it. */
  readonly user: string
  /** Says where the monitors are, and where the user's key. */
  readonly configFile: string
}

/** What the `rbd` program ends with: values of errno. */
export const RBD = { absent: 2, busy: 16, exists: 17, hasClones: 39 } as const

/** Whatever only looks, or writes a few objects; a cluster that is in trouble holds it for ever. */
const SOON_MS = 60_000

/** Runs Ceph's `rbd` in another process, since a pool that does not answer holds whoever asks it. */
export const runRbd = (
  { user, configFile }: RbdPool,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> =>
  runProgram('rbd', ['--conf', configFile, '--id', user, ...args], {
    deadlineMs: SOON_MS,
    ...options,
  })

/** Why a program of Ceph failed, in its own words. */
export const lastWords = ({ output }: ProgramResult): string =>
  (output.trim().split('\n').at(-1) ?? '').replace(/^rbd: /, '').slice(0, 200)

/** @throws {DriverError} `storage_away`, `disk_full`, `install_failed` */
export function rbdFailure(pool: RbdPool, result: ProgramResult): DriverError {
  if (result.code === null)
    return new DriverError(
      'storage_away',
      `The RBD pool ${pool.pool} does not answer. It is tried again`,
      { retryable: true },
    )
  const why = lastWords(result)
  if (/no space|quota exceeded/i.test(result.output))
    return new DriverError('disk_full', `The RBD pool ${pool.pool} is full.`, { retryable: true })
  return new DriverError('install_failed', `rbd ended with ${result.code}: ${why}`)
}

/**
 * What `rbd` prints as JSON; undefined where there is no such image or pool.
 * @throws {DriverError} as `rbdFailure`
 */
export async function askRbd(pool: RbdPool, args: readonly string[]): Promise<unknown> {
  const result = await runRbd(pool, [...args, '--format', 'json'])
  if (result.code === RBD.absent) return undefined
  if (result.code !== 0) throw rbdFailure(pool, result)
  // Warnings of the library may come before it.
  return JSON.parse(result.output.slice(Math.max(0, result.output.search(/^[[{]/m))))
}

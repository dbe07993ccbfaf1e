import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { findProgram } from '../find-program.ts'

/** A program and the arguments that run it. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
}

export interface Sandboxed extends Command {
  /** Read-only paths that the program sees besides itself and the libraries of this process. */
  readonly readable: readonly string[]
  /** Paths that it can still read once it is no longer root; only root enters the folders above `readable`. */
  readonly open?: readonly string[]
  /** The folder that the program may change, and the path at which it sees it. */
  readonly data: { readonly folder: string; readonly as: string }
  readonly environment: Readonly<Record<string, string>>
}

/** Capabilities of the program until it gives up root: to read its own sources, and to give up root. */
const RIGHTS = ['CAP_SETUID', 'CAP_SETGID', 'CAP_DAC_READ_SEARCH']

/**
 * The same program in namespaces of its own: no network, no processes and no files but those named.
 * It starts as root and has to become somebody else by itself, because only root may enter the
 * folders above its sources. It ends with this process.
 */
export async function inSandbox(bubblewrap: string, given: Sandboxed): Promise<Command> {
  const { program, readable, open = [] } = given
  const seen = [...new Set([...(await ownLibraries()), program, ...readable, ...open])]
  return {
    program: bubblewrap,
    args: [
      ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
      ...['--unshare-cgroup-try', '--die-with-parent', '--clearenv'],
      ...['--cap-drop', 'ALL', ...RIGHTS.flatMap((right) => ['--cap-add', right])],
      ...foldersAbove(open).flatMap((path) => ['--perms', '0755', '--dir', path]),
      ...seen.flatMap((path) => ['--ro-bind', path, path]),
      ...['--proc', '/proc', '--dev', '/dev'],
      ...['--bind', given.data.folder, given.data.as],
      ...Object.entries(given.environment).flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--chdir', '/', '--', program, ...given.args],
    ],
  }
}

/** All folders above these paths, the topmost first. */
function foldersAbove(paths: readonly string[]): readonly string[] {
  const above = (path: string): string[] => (path === '/' ? [] : [...above(dirname(path)), path])
  return [...new Set(paths.flatMap((path) => above(dirname(path))))]
}

/** The path at which the kernel looks for the dynamic loader; a list of libraries may show another. */
const LOADER =
  process.arch === 'arm64' ? '/lib/ld-linux-aarch64.so.1' : '/lib64/ld-linux-x86-64.so.2'

let libraries: Promise<readonly string[]> | undefined

/** The system's libraries that Node is running with. */
function ownLibraries(): Promise<readonly string[]> {
  libraries ??= findLibraries()
  return libraries
}

async function findLibraries(): Promise<readonly string[]> {
  const found: unknown = process.report.getReport()
  const loaded =
    found !== null && typeof found === 'object' && 'sharedObjects' in found
      ? found.sharedObjects
      : []
  const paths = Array.isArray(loaded) ? loaded.map(String) : []
  const system = paths.filter((path) => /^\/(usr\/)?lib/.test(path))
  return await presentOf([...system, LOADER])
}

/**
 * Programs with the libraries that they load, as far as they are installed.
 * @param data other files that they read
 */
export async function programsWith(
  programs: readonly string[],
  data: readonly string[],
): Promise<readonly string[]> {
  const libraries = await Promise.all(
    (await presentOf(programs)).map(async (program) => {
      const { code, output } = await runProgram(LOADER, ['--list', program])
      if (code !== 0) return []
      return [program, ...output.matchAll(/(?:=> )?(\/\S+) \(0x/g).map(([, path = '']) => path)]
    }),
  )
  return await presentOf([...libraries.flat(), ...data])
}

/** The existing paths of this program's sources or of its bundle. */
export async function sourcesAround(main: string): Promise<readonly string[]> {
  const agent = join(dirname(main), '../..')
  const repository = dirname(agent)
  const wanted = [
    join(agent, 'src/files'),
    ...[join(agent, 'package.json'), join(agent, 'node_modules'), join(agent, 'build')],
    ...[join(repository, 'shared/src'), join(repository, 'shared/package.json')],
    ...[join(repository, 'node_modules'), join(repository, 'package.json')],
  ]
  return await presentOf(wanted)
}

async function presentOf(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(paths.map((path) => exists(path)))
  return [...new Set(paths.filter((_, index) => there[index]))]
}

type Found = { readonly bubblewrap: string } | { readonly why: string }

let works: Found | undefined

/** The path of bubblewrap if it works here, or why it does not. */
export async function findSandbox(): Promise<Found> {
  // What works goes on working; what does not may be installed meanwhile.
  if (works) return works
  const found = await trySandbox()
  if ('bubblewrap' in found) works = found
  return found
}

async function trySandbox(): Promise<Found> {
  if (process.getuid?.() !== 0) return { why: 'the agent does not run as root' }
  const bubblewrap = await findProgram('bwrap')
  if (bubblewrap === undefined) return { why: 'bubblewrap is not installed' }
  const { program, args } = await inSandbox(bubblewrap, {
    program: process.execPath,
    args: ['--version'],
    readable: [],
    data: { folder: tmpdir(), as: '/data' },
    environment: {},
  })
  const { code, output } = await runProgram(program, args, { deadlineMs: 10_000 })
  if (code === 0) return { bubblewrap }
  return { why: output.trim().split('\n').at(-1) || 'bubblewrap does not work here' }
}

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { PLUGIN_NICENESS } from './cpu-share.ts'

/**
 * Limits of one plugin. V8 reserves some 500 MiB of writable memory that it never uses, so the limit
 * of the data segment leaves a plugin about half of it, heap and buffers together.
 */
export const PLUGIN_LIMITS = {
  heapMb: 128,
  dataMb: 800,
  files: 64,
} as const

/** What a dynamically linked program needs of the system, nothing of it writable. */
const LIBRARIES = ['/usr/lib', '/usr/lib64', '/lib', '/lib64']
/** The part of the SDK that runs in the sandbox. */
const RUNNER = path.resolve(import.meta.dirname, '../../../plugins/sdk')

const prison = (folder: string): string[] => [
  'bwrap',
  // Namespaces of its own for everything: no network, no process but its own, no rights.
  ...['--unshare-user', '--unshare-all', '--disable-userns', '--uid', '65534', '--gid', '65534'],
  ...['--cap-drop', 'ALL', '--clearenv', '--hostname', 'plugin'],
  '--die-with-parent',
  ...LIBRARIES.flatMap((library) => ['--ro-bind-try', library, library]),
  ...['--ro-bind', process.execPath, '/node', '--ro-bind', RUNNER, '/runner'],
  ...['--ro-bind', folder, '/plugin', '--dev', '/dev'],
  // The devices stand in a file system of their own, in memory that no limit of the process counts.
  ...['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/plugin'],
]

/**
 * The command line of a plugin's process: a sandbox without network, `/proc`, environment and
 * writable files, inside it Node's own permissions as a second wall, around it limits of memory, files
 * and its share of the CPU. It ends with the control plane.
 */
export function sandboxed(folder: string): readonly [file: string, args: string[]] {
  const { heapMb, dataMb, files } = PLUGIN_LIMITS
  return [
    'prlimit',
    [
      ...[`--data=${dataMb * 1024 * 1024}`, `--nofile=${files}`, '--core=0', '--'],
      ...['nice', '-n', `${PLUGIN_NICENESS}`, ...prison(folder), '--'],
      ...['/node', '--permission', '--allow-fs-read=/plugin/', '--allow-fs-read=/runner/'],
      ...['--no-addons', '--disallow-code-generation-from-strings', '--no-warnings'],
      ...[`--max-old-space-size=${heapMb}`, '/runner/runner.ts'],
    ],
  ]
}

/** All that the programs around the sandbox need; the plugin has no environment at all. */
export const PATHS = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' }

/** Why plugins cannot be isolated on this machine; undefined if they can. */
export async function obstacleToSandbox(
  env: Readonly<Record<string, string>> = PATHS,
): Promise<string | undefined> {
  const [file, ...args] = prison('/usr/lib')
  try {
    await promisify(execFile)(file ?? '', [...args, '--', '/node', '--version'], {
      timeout: 10_000,
      env,
    })
    return undefined
  } catch (error) {
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string }
    if (code === 'ENOENT')
      return 'bubblewrap is not installed on the machine of the panel: install the package bubblewrap'
    return `bubblewrap cannot make a sandbox on the machine of the panel: ${stderr.trim().slice(0, 300)}`
  }
}

/** A folder that a sandboxed program sees, and where. */
export interface Shown {
  readonly folder: string
  readonly at: string
  readonly writable?: boolean
}

type Right = 'CHOWN' | 'DAC_OVERRIDE' | 'DAC_READ_SEARCH' | 'FOWNER' | 'FSETID'

export interface SandboxOptions {
  readonly shown: readonly Shown[]
  /** The rights of root that it keeps; all others are dropped for good. */
  readonly rights: readonly Right[]
  /** Network and what resolving and verifying names takes. */
  readonly network?: boolean
}

/** What programs need of the system, nothing of it writable. */
const LIBRARIES = ['/usr/lib', '/usr/lib64', '/lib', '/lib64']
const FOR_NETWORK = [
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/ssl',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
]

/**
 * The command line of a program that sees nothing but the given folders: no other server, nothing of
 * the host, no `/proc` and no process but its own. Whatever symbolic links a server sets up while
 * its files are read or written, they lead nowhere else. It ends with the agent.
 */
export function sandboxed(
  program: string,
  args: readonly string[],
  { shown, rights, network = false }: SandboxOptions,
): readonly [file: string, args: readonly string[]] {
  return [
    'bwrap',
    [
      // No user namespace: it could not give files to their owners.
      ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
      ...(network ? [] : ['--unshare-net']),
      ...['--die-with-parent', '--new-session', '--hostname', 'lodge'],
      ...['--cap-drop', 'ALL', ...rights.flatMap((right) => ['--cap-add', `CAP_${right}`])],
      ...LIBRARIES.flatMap((folder) => ['--ro-bind-try', folder, folder]),
      ...(network ? FOR_NETWORK.flatMap((path) => ['--ro-bind-try', path, path]) : []),
      ...['--ro-bind', program, '/program', '--dev', '/dev', '--tmpfs', '/tmp'],
      ...shown.flatMap(({ folder, at, writable }) => [
        writable ? '--bind' : '--ro-bind',
        folder,
        at,
      ]),
      ...['--chdir', '/', '--', '/program', ...args],
    ],
  ]
}

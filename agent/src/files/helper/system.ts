import { constants } from 'node:fs'
import { getSystemErrorName } from 'node:util'
import koffi from 'koffi'

/**
 * The two system calls that Node lacks: opening beneath a folder, and renaming without replacing.
 * Only a helper process may import this: a wrong declaration crashes the process.
 */

const OPENAT2 = 437
const RENAMEAT2 = { x64: 316, arm64: 276 }[process.arch as string] ?? -1
const RENAME_NOREPLACE = 1
const AT_FDCWD = -100
const NO_MAGIC_LINKS = 0x02
const NO_SYMLINKS = 0x04
const BENEATH = 0x08
/** Flags that `fs.constants` does not name; the same on x86-64 and arm64. */
export const O_PATH = 0o10000000
const O_CLOEXEC = 0o2000000
/** Attempts while something else renames folders along the path. */
const ATTEMPTS = 200

const libc = koffi.load('libc.so.6')
const call5: (
  number: number,
  folder: number,
  path: Uint8Array,
  how: Uint8Array,
  size: number,
) => number = libc.func('long syscall(long n, int fd, uint8_t *path, uint8_t *how, size_t size)')
const call6: (
  number: number,
  oldFolder: number,
  oldPath: Uint8Array,
  newFolder: number,
  newPath: Uint8Array,
  flags: number,
) => number = libc.func(
  'long syscall(long n, int from, uint8_t *old, int to, uint8_t *path, uint flags)',
)

export type Name = string | Buffer

const terminated = (name: Name): Buffer => Buffer.concat([Buffer.from(name), Buffer.alloc(1)])

class SystemError extends Error {
  readonly code: string
  constructor(call: string, errno: number) {
    const code = getSystemErrorName(-errno)
    super(`${call}: ${code}`)
    this.code = code
  }
}

/** How links along the path are treated: followed while they stay beneath, or refused. */
export type Links = 'beneath' | 'refused'

/**
 * Opens a path that can never lead out of the open folder, whatever is renamed or linked meanwhile.
 * The caller closes the descriptor.
 */
export function openBeneath(
  folder: number,
  path: Name,
  flags: number,
  links: Links = 'beneath',
  mode = 0,
): number {
  const how = Buffer.alloc(24)
  // Neither waits for the other end of a pipe nor takes a terminal.
  const quiet = (flags & O_PATH) !== 0 ? 0 : constants.O_NONBLOCK | constants.O_NOCTTY
  how.writeBigUInt64LE(BigInt(flags | quiet | O_CLOEXEC), 0)
  how.writeBigUInt64LE(BigInt((flags & constants.O_CREAT) !== 0 ? mode : 0), 8)
  const resolve = BENEATH | NO_MAGIC_LINKS | (links === 'refused' ? NO_SYMLINKS : 0)
  how.writeBigUInt64LE(BigInt(resolve), 16)
  const text = terminated(path)
  for (let attempt = 1; ; attempt += 1) {
    const fd = call5(OPENAT2, folder, text, how, how.byteLength)
    if (fd >= 0) return Number(fd)
    const errno = koffi.errno()
    const code = getSystemErrorName(-errno)
    // A rename elsewhere made the kernel unsure whether `..` stayed beneath.
    if ((code !== 'EAGAIN' && code !== 'EINTR') || attempt >= ATTEMPTS)
      throw new SystemError('openat2', errno)
  }
}

/** Renames atomically and fails with EEXIST when something has the new name. */
export function renameWithoutReplacing(from: Name, to: Name): void {
  const done = call6(
    RENAMEAT2,
    AT_FDCWD,
    terminated(from),
    AT_FDCWD,
    terminated(to),
    RENAME_NOREPLACE,
  )
  if (done < 0) throw new SystemError('renameat2', koffi.errno())
}

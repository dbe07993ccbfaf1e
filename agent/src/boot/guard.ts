import {
  access,
  constants,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { uptime } from 'node:os'
import { join } from 'node:path'
import type { BootPermit } from '@lodge/driver/driver.ts'
import { hookProgram } from './hook.ts'

export interface GuardOptions {
  /** Where libvirt looks for hooks: `/etc/libvirt/hooks`. */
  readonly hooksFolder: string
  /** Below `/run`, so that no permit survives a reboot. */
  readonly permitFolder: string
  /** Text in the definition of every Lodge machine and of no other. */
  readonly mark: string
  /** Selects this agent's machines; another agent on the same libvirt has its own hook. */
  readonly scope: string
  /**
   * Exists while this host is a node. Without it the hook blocks nothing, so removing Lodge frees
   * its machines.
   */
  readonly identityFile: string
  /** PID files of the libvirt daemon; the first that exists is used. */
  readonly pidFiles?: readonly string[]
  /** A supervisor restarts the daemon, so the agent may terminate it once to load the hook. */
  readonly supervised?: boolean
}

/** Prevents anyone from starting a Lodge machine without a permit. */
export interface Guard {
  /** Installs the hook and revokes permits left by an earlier agent. */
  install(): Promise<void>
  /** Why the hook would not block a manual start on this host, or null when it would. */
  missing(): Promise<string | null>
  /** Permits one boot of this machine. */
  grant(uuid: string, permit: BootPermit): Promise<void>
  /** Revokes an unused permit. */
  revoke(uuid: string): Promise<void>
}

/**
 * Installations from before scopes existed have the scope `default`, and their hook keeps its name.
 */
const hookName = (scope: string) => `50-lodge${scope === 'default' ? '' : `-${scope}`}`
const INTERPRETER = '/usr/bin/perl'
const PID_FILES = ['/run/virtqemud.pid', '/run/libvirtd.pid', '/run/libvirt/libvirtd.pid']
const TICKS_PER_SECOND = 100

export function bootGuard(options: GuardOptions): Guard {
  const { hooksFolder, permitFolder, pidFiles = PID_FILES } = options
  const hook = join(hooksFolder, 'qemu.d', hookName(options.scope))
  const program = hookProgram(options)

  async function install(): Promise<void> {
    await mkdir(permitFolder, { recursive: true, mode: 0o700 })
    const present = await readFile(hook, 'utf8').catch(() => null)
    if (present === program) return
    // libvirt checks only at its own start whether a hook exists, but reads the file at each run.
    // Keeping the old mtime avoids reporting a needless restart of libvirt.
    const since = present === null ? null : (await stat(hook)).mtime
    await mkdir(join(hooksFolder, 'qemu.d'), { recursive: true, mode: 0o755 })
    const fresh = `${hook}.new`
    await writeFile(fresh, program, { mode: 0o755 })
    if (since) await utimes(fresh, since, since)
    await rename(fresh, hook)
  }

  return {
    async install() {
      await install()
      for (const name of await readdir(permitFolder)) await rm(join(permitFolder, name))
      const daemon = await daemonOf(pidFiles)
      const isLate = daemon !== null && daemon.startedMs < (await stat(hook)).mtimeMs
      // Running machines survive this: libvirt finds them again when it returns.
      if (isLate && options.supervised) process.kill(daemon.pid, 'SIGTERM')
    },

    async missing() {
      const perl = await access(INTERPRETER, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (!perl) return `There is no ${INTERPRETER}, which the hook for libvirt needs.`
      try {
        await install()
      } catch (error) {
        return `The hook for libvirt cannot be installed: ${String(error)}`
      }
      const daemon = await daemonOf(pidFiles)
      return daemon !== null && daemon.startedMs < (await stat(hook)).mtimeMs
        ? 'libvirtd has not noticed its hook yet: it has to be restarted once.'
        : null
    },

    // Written to a temporary file and renamed, so that the hook never reads half a permit.
    async grant(uuid, permit) {
      const file = join(permitFolder, uuid)
      const until = Math.floor(permit.validUntilUptimeMs)
      await mkdir(permitFolder, { recursive: true, mode: 0o700 })
      await writeFile(`${file}.new`, `lodge-permit 1 ${uuid} ${until}\n`, { mode: 0o600 })
      await rename(`${file}.new`, file)
    },

    async revoke(uuid) {
      await rm(join(permitFolder, uuid), { force: true })
    },
  }
}

/** The libvirt daemon and when it started (ms since 1970), or null when it is not running. */
async function daemonOf(
  pidFiles: readonly string[],
): Promise<{ pid: number; startedMs: number } | null> {
  for (const file of pidFiles) {
    const pid = (await readFile(file, 'utf8').catch(() => '')).trim()
    const line = pid === '' ? '' : await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The program name, in parentheses, may itself contain spaces and parentheses.
    const ticks = Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[19])
    if (line !== '' && Number.isFinite(ticks)) {
      const startedMs = Date.now() - (uptime() - ticks / TICKS_PER_SECOND) * 1000
      return { pid: Number(pid), startedMs }
    }
  }
  return null
}

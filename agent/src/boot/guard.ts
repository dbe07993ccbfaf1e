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
  /** Below `/run`, so that no permit outlives a reboot. */
  readonly permitFolder: string
  /** What stands in the definition of every machine of Lodge and of no other. */
  readonly mark: string
  /** Which of those are this agent's: another on the same libvirt has a hook of its own. */
  readonly scope: string
  /** There for as long as the machine is a node; without it the hook stops nothing. */
  readonly identityFile: string
  /** Files with the process id of libvirt's daemon, the first one that is there counts. */
  readonly pidFiles?: readonly string[]
  /** Somebody starts the daemon again when it ends, so it may be ended once for the hook. */
  readonly supervised?: boolean
}

/** Keeps every machine of ours from being started without a permit, by whomever. */
export interface Guard {
  /** Puts the hook in its place; permits of an earlier agent are taken back. */
  install(): Promise<void>
  /** Why a start by hand would not be stopped on this machine, or null when it would be. */
  missing(): Promise<string | null>
  /** Lets this machine boot once. */
  grant(uuid: string, permit: BootPermit): Promise<void>
  /** Takes back what was not used. */
  revoke(uuid: string): Promise<void>
}

/** The one of the scope of earlier versions keeps its name. */
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
    // libvirt notices at its start only that there is a hook; what is in it may change at any time.
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
      // Machines go on without it, and it finds them again.
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

/** libvirt's daemon and when it was started (ms since 1970), or null when it does not run. */
async function daemonOf(
  pidFiles: readonly string[],
): Promise<{ pid: number; startedMs: number } | null> {
  for (const file of pidFiles) {
    const pid = (await readFile(file, 'utf8').catch(() => '')).trim()
    const line = pid === '' ? '' : await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // The name of the program, in brackets, may hold anything.
    const ticks = Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[19])
    if (line !== '' && Number.isFinite(ticks)) {
      const startedMs = Date.now() - (uptime() - ticks / TICKS_PER_SECOND) * 1000
      return { pid: Number(pid), startedMs }
    }
  }
  return null
}

import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { release } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { whyNoKvm } from '@lodge/driver/kvm.ts'
import { writeWhole } from '../data/files.ts'
import type { Settings } from '../options.ts'
import { isAbsent, LibvirtUnavailable } from '../port/fault.ts'
import type { LibvirtPort } from '../port/port.ts'
import { element, write } from '../xml/element.ts'
import { qemuUser } from './system-user.ts'

/**
 * Checks whether KVM really runs a guest. That the device exists, opens and creates vCPUs proves
 * nothing: on some hosts all of that works and every kernel crashes at once. So the check boots a
 * kernel.
 */
export interface Acceleration {
  /**
   * That it works is kept for this kernel and QEMU version; that it does not, for a while only, since
   * the administrator is told how to change that. Throws when nobody can tell now.
   * @param anew tries again what has failed, however lately that was
   */
  kvm(signal: AbortSignal, anew?: boolean): Promise<KvmVerdict>
}

export interface KvmVerdict {
  readonly works: boolean
  /** Why not, worded for the administrator; empty when it works. */
  readonly why: string
  /** How to fix it; empty when it works. */
  readonly remedy: string
}

const ALIVE_WITHIN_MS = 15_000
const PROOF = 'Linux version'
/** How long a failure is believed: each try may keep a processor busy until it gives up. */
const FAILED_FOR_MS = 15 * 60_000
/** Format version of the cached verdict. */
const VERSION = 2

export function acceleration(settings: Settings, port: LibvirtPort): Acceleration {
  const memory = join(settings.dataRoot, 'kvm.json')
  let known: { key: string; verdict: KvmVerdict; untilMs: number } | null = null
  let trying: Promise<KvmVerdict> | null = null

  async function judge(signal: AbortSignal): Promise<KvmVerdict> {
    const seen = await whyNoKvm()
    if (seen?.certain) return { works: false, why: seen.why, remedy: seen.remedy }
    const device = await stat('/dev/kvm').catch(() => null)
    const key = JSON.stringify([
      VERSION,
      release(),
      (await port.call('versions')).hypervisor,
      device ? [device.mode, device.uid, device.gid] : null,
    ])
    if (known?.key === key && performance.now() < known.untilMs) return known.verdict
    const kept: unknown = await readFile(memory, 'utf8').then(JSON.parse, () => null)
    if (isKept(kept, key)) {
      known = { ...kept, untilMs: Number.POSITIVE_INFINITY }
      return kept.verdict
    }
    const tried = await offered(port, async () => await boots(settings, port, signal))
    if (tried.works) {
      known = { key, verdict: tried, untilMs: Number.POSITIVE_INFINITY }
      await mkdir(settings.dataRoot, { recursive: true, mode: 0o711 })
      // Kept across restarts, because each test boots a guest.
      await writeWhole(memory, JSON.stringify({ key, verdict: tried }))
      return tried
    }
    // A fault visible on the host explains a failed guest better than the guest does.
    const verdict = seen ? { works: false, why: seen.why, remedy: seen.remedy } : tried
    known = { key, verdict, untilMs: performance.now() + FAILED_FOR_MS }
    return verdict
  }

  return {
    async kvm(signal, anew = false) {
      if (anew) {
        // Whatever is under way may still answer from memory.
        await trying?.catch(() => undefined)
        if (known?.verdict.works === false) known = null
      }
      // Concurrent callers share one test guest.
      trying ??= judge(signal).finally(() => {
        trying = null
      })
      return await trying
    },
  }
}

/** Asks libvirt first: without its support there is nothing to try. */
async function offered(port: LibvirtPort, attempt: () => Promise<KvmVerdict>): Promise<KvmVerdict> {
  try {
    await port.call('domainCapabilities', 'kvm', 'q35')
  } catch (error) {
    if (error instanceof LibvirtUnavailable) throw error
    const text = error instanceof Error ? error.message : String(error)
    return {
      works: false,
      why: `libvirt offers no KVM: ${text}`,
      remedy: 'Let the user of QEMU open /dev/kvm (group kvm, mode 0660), then restart libvirtd.',
    }
  }
  return attempt()
}

async function boots(
  settings: Settings,
  port: LibvirtPort,
  signal: AbortSignal,
): Promise<KvmVerdict> {
  const kernel = settings.probeKernel ?? (await findKernel())
  if (kernel === null)
    return {
      works: false,
      why: 'There is no kernel in /boot to try KVM with.',
      remedy: 'Install linux-image-amd64, so that there is one.',
    }
  const folder = join(settings.dataRoot, 'kvm-probe')
  const { uid, gid } = await qemuUser()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o711 })
  await chmod(folder, 0o711)
  await chown(folder, uid, gid)
  const output = join(folder, 'serial')
  const uuid = randomUUID()
  try {
    await port.call('createTransient', probeDocument(uuid, kernel, output))
    for (const began = Date.now(); Date.now() - began < ALIVE_WITHIN_MS; ) {
      if ((await readFile(output, 'latin1').catch(() => '')).includes(PROOF))
        return { works: true, why: '', remedy: '' }
      await delay(100, undefined, { signal })
    }
    return {
      works: false,
      why: 'KVM is offered, but a kernel that was tried did not start.',
      remedy: 'Look at the log of the kernel of this node (dmesg).',
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof LibvirtUnavailable) throw error
    const text = error instanceof Error ? error.message : String(error)
    return {
      works: false,
      why: `A machine with KVM could not be started: ${text}`,
      remedy: 'Look at the log of libvirt (/var/log/libvirt).',
    }
  } finally {
    await port.call('destroyDomain', uuid).catch((error: unknown) => {
      if (!isAbsent(error)) settings.log(`Could not stop the KVM test guest: ${error}`)
    })
    await rm(folder, { recursive: true, force: true })
  }
}

function probeDocument(uuid: string, kernel: string, output: string): string {
  return write(
    element(
      'domain',
      { type: 'kvm' },
      element('name', {}, `lodge-kvm-probe-${uuid}`),
      element('uuid', {}, uuid),
      element('memory', { unit: 'MiB' }, 256),
      element(
        'os',
        {},
        element('type', { arch: 'x86_64', machine: 'q35' }, 'hvm'),
        element('kernel', {}, kernel),
        element('cmdline', {}, 'console=ttyS0 earlyprintk=ttyS0 panic=-1'),
      ),
      element('cpu', { mode: 'host-passthrough', check: 'none' }),
      element('on_reboot', {}, 'destroy'),
      element('on_crash', {}, 'destroy'),
      element(
        'devices',
        {},
        element(
          'serial',
          { type: 'file' },
          element('source', { path: output }),
          element('target', { port: 0 }),
        ),
        element('memballoon', { model: 'none' }),
      ),
    ),
  )
}

async function findKernel(): Promise<string | null> {
  const names = await readdir('/boot').catch((): string[] => [])
  const own = `vmlinuz-${release()}`
  const name = names.includes(own) ? own : names.find((one) => one.startsWith('vmlinuz-'))
  return name === undefined ? null : join('/boot', name)
}

/** Earlier versions kept failures, too. */
function isKept(value: unknown, key: string): value is { key: string; verdict: KvmVerdict } {
  if (typeof value !== 'object' || value === null || !('key' in value) || value.key !== key)
    return false
  const verdict = 'verdict' in value ? value.verdict : null
  return (
    typeof verdict === 'object' && verdict !== null && 'works' in verdict && verdict.works === true
  )
}

import { setTimeout as delay } from 'node:timers/promises'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { targetOf } from '../domain/devices.ts'
import type { Domain } from '../domain/domains.ts'
import type { Parts } from '../parts.ts'
import { isNotRunning } from '../port/fault.ts'
import { element, write } from '../xml/element.ts'

const LOOK_MS = 250

/**
 * Has QEMU write the disks of a running machine as of now to new files. The chain of the machine's
 * own disks stays as it is, so ending the job at any moment undoes all of it.
 */
export async function beginLiveCopy(
  { port }: Parts,
  { uuid, record }: Domain,
  pathOf: (diskId: string) => string,
): Promise<void> {
  const { disks, profile } = record.spec
  const copied = disks.map(({ id }, index) =>
    element(
      'disk',
      { name: targetOf(profile.diskBus, index), type: 'file', backup: 'yes' },
      element('target', { file: pathOf(id) }),
      element('driver', { type: 'qcow2' }),
    ),
  )
  const document = element('domainbackup', { mode: 'push' }, element('disks', {}, ...copied))
  await port.call('beginBackup', uuid, write(document))
}

export async function waitForLiveCopy(
  { port }: Parts,
  { uuid }: Domain,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const job = await port.call('backupJob', uuid).catch((error: unknown) => {
      throw isNotRunning(error) ? ended() : error
    })
    if (job.state === 'done') return
    if (job.state === 'failed') throw ended()
    const detail = 'Copying the disks while the machine goes on'
    onProgress({ step: 'copy', percent: job.percent, detail })
    await delay(LOOK_MS, undefined, { signal })
  }
}

const ended = () =>
  new DriverError('runtime_unavailable', 'The machine ended while its disks were being copied.', {
    retryable: true,
  })

/** Ends the job that writes below `folder`; nothing happens to a job of somebody else's. */
export async function endLiveCopy({ port }: Parts, uuid: string, folder: string): Promise<void> {
  const isOurs = async () => {
    try {
      return (await port.call('backupXml', uuid))?.includes(`${folder}/`) ?? false
    } catch (error) {
      if (isNotRunning(error)) return false
      throw error
    }
  }
  while (await isOurs()) {
    await port.call('abortJob', uuid).catch((error: unknown) => {
      if (!isNotRunning(error)) throw error
    })
    await delay(LOOK_MS)
  }
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from '@lodge/shared/local/files.ts'
import { writeWhole } from '../data/files.ts'
import type { Domain } from '../domain/domains.ts'
import type { Parts } from '../parts.ts'
import { isNotRunning, LibvirtUnavailable } from '../port/fault.ts'
import type { LibvirtPort } from '../port/port.ts'
import { child, readXml } from '../xml/read.ts'

const markIn = (folder: string) => join(folder, 'frozen')

/**
 * Has the guest agent, where there is one, write everything out and stop writing. A mark in `folder`
 * tells first that this has to be undone, whatever becomes of this process.
 * @returns whether the guest is quiet
 */
export async function quietGuest(
  { port, settings }: Parts,
  { uuid, record }: Domain,
  folder: string,
): Promise<boolean> {
  if (!(await hasAgent(port, uuid))) return false
  await writeWhole(markIn(folder), '')
  try {
    await port.call('freezeFileSystems', uuid)
    return true
  } catch (error) {
    settings.log(`The guest of ${record.serverId} was not asked to write everything out: ${error}`)
    // Otherwise nobody knows whether it has stopped writing.
    if (!(error instanceof LibvirtUnavailable)) await rm(markIn(folder), { force: true })
    return false
  }
}

/** Lets the guest write again. Does nothing without the mark. */
export async function wakeGuest({ port }: Parts, uuid: string, folder: string): Promise<void> {
  if (!(await exists(markIn(folder)))) return
  try {
    // An agent that froze the guest is still there, unless the guest has begun anew.
    if (await hasAgent(port, uuid)) await port.call('thawFileSystems', uuid)
  } catch (error) {
    if (!isNotRunning(error)) throw error
  }
  await rm(markIn(folder), { force: true })
}

/** Whether a guest agent has opened its channel. */
async function hasAgent(port: LibvirtPort, uuid: string): Promise<boolean> {
  const devices = child(readXml(await port.call('liveXml', uuid)), 'devices')
  return (devices?.children ?? []).some((one) => {
    const { name, state } = child(one, 'target')?.attributes ?? {}
    return name === 'org.qemu.guest_agent.0' && state === 'connected'
  })
}

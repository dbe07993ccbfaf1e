import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DriverError } from '@lodge/driver/driver.ts'
import { unlessGone } from '@lodge/shared/local/files.ts'
import { MachineDisk } from '@lodge/shared/machine-spec.ts'
import { z } from 'zod'
import type { Domain } from '../domain/domains.ts'

const FACTS = 'machine.json'

/** What a backup says about the machine that it is of. */
const MachineFacts = z.object({
  version: z.literal(1),
  uuid: z.string(),
  firmware: z.enum(['bios', 'uefi']),
  disks: z.array(MachineDisk.pick({ id: true })).min(1),
})
export type MachineFacts = z.infer<typeof MachineFacts>

export async function writeFacts(folder: string, { uuid, record }: Domain): Promise<void> {
  const { profile, disks, vcpus, memoryMb, hostname } = record.spec
  const facts: MachineFacts = {
    version: 1,
    uuid,
    firmware: profile.firmware.kind,
    disks: disks.map(({ id }) => ({ id })),
  }
  const forPeople = { hostname, vcpus, memoryMb, profile }
  await writeFile(join(folder, FACTS), JSON.stringify({ ...facts, ...forPeople }, null, 2), {
    mode: 0o600,
  })
}

/**
 * Only what the backup itself lacks is damage, not a disk of the node that fails.
 * @throws {DriverError} `copy_damaged`; `unsupported` for facts of a later version
 */
export async function readFacts(folder: string): Promise<MachineFacts> {
  const text = await readFile(join(folder, FACTS), 'utf8').catch(unlessGone)
  const document = text === undefined ? undefined : parsed(text)
  if (document === undefined)
    throw new DriverError('copy_damaged', 'The backup does not say which machine it is of.')
  const facts = MachineFacts.safeParse(document)
  if (facts.success) return facts.data
  throw new DriverError(
    'unsupported',
    'The agent of this node is too old for this backup: update it first.',
    { cause: facts.error },
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

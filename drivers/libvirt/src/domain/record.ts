import { Signal } from '@lodge/shared/container-spec.ts'
import { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { z } from 'zod'
import { type Element, element, write } from '../xml/element.ts'
import { child, readXml } from '../xml/read.ts'

/** What is noted in a domain's own metadata, so that nothing has to be remembered elsewhere. */

export const METADATA_URI = 'urn:lodge:server:1'
export const METADATA_PREFIX = 'lodge'

const EXIT_CAUSES = ['shutdown', 'panic', 'watchdog', 'lost', 'ended'] as const
export const ExitRecord = z.object({
  code: z.int().nullable(),
  signal: Signal.nullable(),
  cause: z.enum(EXIT_CAUSES),
  at: z.coerce.date(),
})
export type ExitRecord = z.infer<typeof ExitRecord>

export const MachineRecord = z.object({
  scope: z.string(),
  serverId: z.string(),
  generation: z.int(),
  run: z.int(),
  fingerprint: z.string(),
  /** The newest spec that was applied, without what it is installed from. */
  spec: MachineSpec,
  startedAt: z.coerce.date().nullable(),
  /** Its newest start has not got as far as letting the guest run. */
  held: z.boolean().default(false),
  lastExit: ExitRecord.nullable(),
})
export type MachineRecord = z.infer<typeof MachineRecord>

/** The record as an element of the domain. It holds no secrets: the seed of a cloud image is left out. */
export function recordElement(record: MachineRecord): Element {
  const spec: MachineSpec = { ...record.spec, source: { kind: 'blank' } }
  return element(
    `${METADATA_PREFIX}:server`,
    { [`xmlns:${METADATA_PREFIX}`]: METADATA_URI, id: record.serverId, scope: record.scope },
    JSON.stringify({ ...record, spec }),
  )
}

/** As `virDomainSetMetadata` takes it: the prefix is given beside it. */
export function recordText(record: MachineRecord): string {
  const { children } = recordElement(record)
  return write(element('server', { id: record.serverId, scope: record.scope }, ...children))
}

/** The record in a domain's XML, or null when it is none of ours. */
export function readRecord(domainXml: string): MachineRecord | null {
  const own = child(readXml(domainXml), 'metadata')?.children.find((one) =>
    Object.entries(one.attributes).some(
      ([name, value]) => name.startsWith('xmlns') && value === METADATA_URI,
    ),
  )
  if (!own) return null
  try {
    const parsed = MachineRecord.safeParse(JSON.parse(own.text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

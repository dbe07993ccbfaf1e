import { Signal } from '@lodge/shared/container-spec.ts'
import { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { z } from 'zod'
import { type Element, element, write } from '../xml/element.ts'
import { child, readXml } from '../xml/read.ts'

/** The record in a domain's own metadata, so that no state is needed elsewhere. */

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
  /** The last applied spec, without the installation source. */
  spec: MachineSpec,
  startedAt: z.coerce.date().nullable(),
  /** The last start has not yet resumed the guest. */
  held: z.boolean().default(false),
  lastExit: ExitRecord.nullable(),
})
export type MachineRecord = z.infer<typeof MachineRecord>

/**
 * The record as an element of the domain. It contains no secrets: the cloud-init seed is left out.
 */
export function recordElement(record: MachineRecord): Element {
  const spec: MachineSpec = { ...record.spec, source: { kind: 'blank' } }
  return element(
    `${METADATA_PREFIX}:server`,
    { [`xmlns:${METADATA_PREFIX}`]: METADATA_URI, id: record.serverId, scope: record.scope },
    JSON.stringify({ ...record, spec }),
  )
}

/** In the form that `virDomainSetMetadata` expects, which takes the prefix separately. */
export function recordText(record: MachineRecord): string {
  const { children } = recordElement(record)
  return write(element('server', { id: record.serverId, scope: record.scope }, ...children))
}

/** Reads the record from a domain's XML; null when the domain is not ours. */
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

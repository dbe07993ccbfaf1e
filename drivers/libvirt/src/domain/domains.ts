import { hash } from 'node:crypto'
import { DriverError } from '@lodge/driver/driver.ts'
import type { DomainListed } from '../port/calls.ts'
import { isAbsent } from '../port/fault.ts'
import type { LibvirtPort } from '../port/port.ts'
import {
  type MachineRecord,
  METADATA_PREFIX,
  METADATA_URI,
  readRecord,
  recordText,
} from './record.ts'
import { isActive, isHalfStarted } from './state.ts'

/** A machine in libvirt. */
export interface Domain {
  readonly uuid: string
  readonly record: MachineRecord
  readonly active: boolean
  /** Created by a start that failed before the guest was resumed. */
  readonly halfStarted: boolean
  readonly reason: number
}

/** The domains of this scope, identified by their metadata. */
export interface Domains {
  list(): Promise<readonly Domain[]>
  /** Null when this scope has no such domain. */
  find(serverId: string): Promise<Domain | null>
  /** Throws `not_found`. */
  get(serverId: string): Promise<Domain>
  byUuid(uuid: string): Promise<Domain | null>
  /** The server of a domain seen before, even after the domain is gone. */
  serverOf(uuid: string): string | undefined
  /** Replaces the metadata; the definition stays as it is. */
  note(uuid: string, record: MachineRecord): Promise<void>
  /** Caches a new domain's server, so that it is found without a search. */
  learn(uuid: string, serverId: string): void
}

export function ourDomains(port: LibvirtPort, scope: string): Domains {
  const uuids = new Map<string, string>()
  const servers = new Map<string, string>()
  /** By UUID. Parsing a definition costs far more than recognizing an unchanged one. */
  const known = new Map<
    string,
    { readonly sha256: string; readonly record: MachineRecord | null }
  >()

  function learn(uuid: string, serverId: string): void {
    uuids.set(serverId, uuid)
    servers.set(uuid, serverId)
  }

  function recordOf({ uuid, xml }: DomainListed): MachineRecord | null {
    const sha256 = hash('sha256', xml)
    const before = known.get(uuid)
    if (before?.sha256 === sha256) return before.record
    const record = readRecord(xml)
    known.set(uuid, { sha256, record })
    return record
  }

  function read(listed: DomainListed): Domain | null {
    const record = recordOf(listed)
    // A copied definition carries the metadata along: the copy belongs to whoever made it and not
    // to us.
    if (record?.scope !== scope || record.spec.uuid !== listed.uuid) return null
    learn(listed.uuid, record.serverId)
    const { state, reason, uuid } = listed
    return {
      uuid,
      record,
      active: isActive(state),
      halfStarted: isHalfStarted(state, reason, record.held),
      reason,
    }
  }

  async function byUuid(uuid: string): Promise<Domain | null> {
    try {
      return read(await port.call('domain', uuid))
    } catch (error) {
      if (isAbsent(error)) return null
      throw error
    }
  }

  const domains: Domains = {
    async list() {
      const listed = await port.call('listDomains')
      const there = new Set(listed.map(({ uuid }) => uuid))
      for (const uuid of known.keys()) if (!there.has(uuid)) known.delete(uuid)
      return listed.flatMap((one) => read(one) ?? [])
    },
    async find(serverId) {
      const uuid = uuids.get(serverId)
      const found = uuid === undefined ? null : await byUuid(uuid)
      if (found?.record.serverId === serverId) return found
      return (await domains.list()).find(({ record }) => record.serverId === serverId) ?? null
    },
    async get(serverId) {
      const found = await domains.find(serverId)
      if (found) return found
      throw new DriverError('not_found', 'There is no such machine on this node.')
    },
    byUuid,
    serverOf: (uuid) => servers.get(uuid),
    note: (uuid, record) =>
      port
        .call('setMetadata', uuid, recordText(record), METADATA_PREFIX, METADATA_URI)
        .then(() => {}),
    learn,
  }
  return domains
}

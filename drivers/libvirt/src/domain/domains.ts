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

/** A machine as libvirt knows it. */
export interface Domain {
  readonly uuid: string
  readonly record: MachineRecord
  readonly active: boolean
  /** Made for a start that did not get as far as letting the guest run. */
  readonly halfStarted: boolean
  readonly reason: number
}

/** Our domains, found by what is noted in them. */
export interface Domains {
  list(): Promise<readonly Domain[]>
  /** Null when there is no such domain of ours. */
  find(serverId: string): Promise<Domain | null>
  /** Throws `not_found`. */
  get(serverId: string): Promise<Domain>
  byUuid(uuid: string): Promise<Domain | null>
  /** The server of a domain that was seen before, also after it is gone. */
  serverOf(uuid: string): string | undefined
  /** Replaces what is noted; the definition stays as it is. */
  note(uuid: string, record: MachineRecord): Promise<void>
  /** Told of every domain that is defined, so that it is found without a search. */
  learn(uuid: string, serverId: string): void
}

export function ourDomains(port: LibvirtPort, scope: string): Domains {
  const uuids = new Map<string, string>()
  const servers = new Map<string, string>()
  /** By UUID: reading a definition costs far more than seeing that it is the one that was read. */
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
    // What is noted goes along when somebody copies a definition: the copy is somebody's and not ours.
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

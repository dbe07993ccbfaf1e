import type { FenceProof, Heartbeat, Hello } from '@lodge/proto/fleet.ts'
import type { Heard } from '@lodge/shared/leases/acknowledgement.ts'
import { type DriverState, PreflightCheck } from '@lodge/shared/nodes.ts'
import { type Db, databaseFault, inOneTransaction } from '../../db/database.ts'
import type { LiveEvents } from '../../live/live-events.ts'
import type { Services } from '../../services.ts'
import { detectedIn, detectedOf } from './detected.ts'
import { credentialMatches } from './enrollment.ts'
import { acceptProof } from './fence-store.ts'
import { readHardware } from './hardware.ts'
import * as store from './session-store.ts'
import { readTransfers } from './transfers.ts'
import { readVirtualization } from './virtualization.ts'

/** PostgreSQL cannot store NUL, and agents are not trusted to send none. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

const AGENT_BUILD = /^(x64|arm64)\/[0-9a-f]{64}$/

/** The agent's checks of its machine; unknown ones are dropped. */
const preflightOf = (checks: readonly unknown[], skewMs: number | undefined): PreflightCheck[] => {
  const known = checks.slice(0, 20).flatMap((check) => {
    const parsed = PreflightCheck.safeParse(check)
    if (!parsed.success) return []
    return [
      {
        ...parsed.data,
        summary: clean(parsed.data.summary).slice(0, 300),
        remedy: clean(parsed.data.remedy ?? '').slice(0, 500) || null,
      },
    ]
  })
  return skewMs === undefined
    ? known
    : [...known.filter((check) => check.id !== 'clock'), clockCheck(skewMs)]
}

/** Bounded, because agents are not trusted. */
const driversOf = (drivers: readonly DriverState[]): DriverState[] =>
  drivers.slice(0, 10).map(({ kind, healthy, version, why, warnings }) => ({
    kind: clean(kind).slice(0, 50),
    healthy,
    version: clean(version).slice(0, 100),
    why: clean(why).slice(0, 500),
    warnings: warnings.slice(0, 20).map(({ code, values }) => ({
      code: clean(code).slice(0, 50),
      values: Object.fromEntries(
        Object.entries(values)
          .slice(0, 10)
          .map(([name, value]) => [clean(name).slice(0, 50), clean(value).slice(0, 500)]),
      ),
    })),
  }))

function clockCheck(skewMs: number): PreflightCheck {
  const seconds = Math.round(Math.abs(skewMs) / 100) / 10
  if (seconds < 2)
    return {
      id: 'clock',
      state: 'ok',
      summary: 'The clock agrees with the control plane',
      remedy: null,
    }
  return {
    id: 'clock',
    state: seconds < 60 ? 'warning' : 'failed',
    summary: `The clock is ${seconds} s ${skewMs > 0 ? 'ahead' : 'behind'}`,
    remedy: 'Set the clock by NTP, e.g. with chrony or systemd-timesyncd',
  }
}

export interface Arrival {
  readonly nodeId: string
  readonly hello: Hello
  readonly session: { readonly id: string; readonly instanceId: string; readonly address?: string }
}
export interface Beat {
  readonly nodeId: string
  readonly sessionId: string
  readonly beat: Heartbeat
}

/** How far the node's clock is ahead of ours (ms); undefined if it does not report it. */
export const clockAheadMs = (hello: Hello): number | undefined =>
  hello.clockUnixMs > 0 ? hello.clockUnixMs - Date.now() : undefined

const arrivalOf = ({ nodeId, hello, session }: Arrival) => ({
  id: nodeId,
  sessionId: session.id,
  instanceId: session.instanceId,
  address: session.address ?? null,
  bootId: clean(hello.bootId).slice(0, 100),
  agentVersion: clean(hello.agentVersion).slice(0, 50),
  agentBuild: AGENT_BUILD.test(hello.agentBuild ?? '') ? (hello.agentBuild ?? null) : null,
  capabilities: hello.capabilities.slice(0, 50).map((name) => clean(name).slice(0, 50)),
  preflight: preflightOf(hello.preflight, clockAheadMs(hello)),
  drivers: driversOf(hello.drivers),
  virtualization: readVirtualization(hello.virtualization) ?? null,
  hardware: readHardware(hello.hardware) ?? null,
  transfers: readTransfers(hello.transfers) ?? null,
  newestReport: hello.newestReport,
  ...detectedOf(hello),
})

async function record(tx: Db, live: LiveEvents, beats: readonly Beat[]): Promise<Heard[]> {
  const heard = beats.map(({ nodeId, sessionId, beat }) => {
    const hardware = readHardware(beat.hardware) ?? null
    return {
      id: nodeId,
      sessionId,
      preflight: beat.preflight.length > 0 ? preflightOf(beat.preflight, undefined) : null,
      drivers: beat.drivers.length > 0 ? driversOf(beat.drivers) : null,
      virtualization: readVirtualization(beat.virtualization) ?? null,
      hardware,
      transfers: readTransfers(beat.transfers) ?? null,
      detected: hardware ? detectedIn(hardware) : undefined,
      leaseWanted: beat.leaseWanted ?? false,
    }
  })
  const nodes = await store.hear(tx, heard)
  // Drivers come with every heartbeat, everything else only when it has changed.
  const changed = heard.filter(
    ({ id, preflight, virtualization, hardware, transfers }) =>
      nodes.get(id)?.kind === 'recorded' && (preflight || virtualization || hardware || transfers),
  )
  await live.announceAll(
    tx,
    'node',
    changed.map(({ id }) => id),
  )
  return beats.map(({ nodeId }) => nodes.get(nodeId) ?? { kind: 'superseded' })
}

/**
 * The part of the agent protocol that concerns nodes themselves, batched over many nodes. Results
 * are in the order of the items.
 */
export function nodeSessions({ db, heartbeatDb, live, jobs }: Services) {
  return {
    authenticate: (nodeId: string, credential: string) => credentialMatches(db, nodeId, credential),

    /**
     * The newest session wins: messages of an older one are ignored from now on.
     * @returns undefined for a removed node
     */
    connected: (arrivals: readonly Arrival[]) =>
      inOneTransaction(db, async (tx) => {
        const welcomes = await store.arrive(tx, arrivals.map(arrivalOf))
        const ids = [...welcomes.keys()]
        await jobs.sagas.wakeForNodes(tx, ids)
        await live.announceAll(tx, 'node', ids)
        await live.announceAll(tx, 'node-servers', ids)
        return arrivals.map(({ nodeId }) => welcomes.get(nodeId))
      }),

    /** The inventory of these nodes is known, so their servers' observations are current. */
    inventoryTaken: (ids: readonly string[]) =>
      inOneTransaction(db, async (tx) => {
        const fresh = await store.takeInventory(tx, ids)
        await live.announceAll(tx, 'node-servers', fresh)
      }),

    disconnected: (sessions: readonly { readonly nodeId: string; readonly sessionId: string }[]) =>
      inOneTransaction(db, async (tx) => {
        const ended = await store.leave(tx, sessions)
        await live.announceAll(tx, 'node', ended)
        await live.announceAll(tx, 'node-servers', ended)
        return sessions.map(({ nodeId }) => ended.includes(nodeId))
      }),

    heartbeats: (beats: readonly Beat[]): Promise<Heard[]> =>
      inOneTransaction(heartbeatDb, (tx) => record(tx, live, beats)),

    /**
     * Records a heartbeat once whoever has the row of its node locked lets go of it: under one change
     * after the other it would be passed over each time, and the node would lose its lease.
     */
    async lateHeartbeat(beat: Beat): Promise<Heard> {
      try {
        return await inOneTransaction(heartbeatDb, async (tx) => {
          await store.lockInTurn(tx, beat.nodeId)
          return (await record(tx, live, [beat]))[0] ?? { kind: 'later' }
        })
      } catch (error) {
        if (databaseFault(error)?.code === store.NOT_IN_TIME) return { kind: 'later' }
        throw error
      }
    },

    fenceProof: (nodeId: string, sessionId: string, { nodeEpoch, running }: FenceProof) =>
      inOneTransaction(db, async (tx) => {
        const proof = { epoch: nodeEpoch, running }
        const isAccepted = await acceptProof(tx, nodeId, sessionId, proof)
        if (isAccepted) await live.announce(tx, { kind: 'node', id: nodeId })
        return isAccepted
      }),
  }
}

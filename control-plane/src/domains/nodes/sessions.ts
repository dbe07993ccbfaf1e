import type { Heartbeat, Hello } from '@lodge/proto/fleet.ts'
import { PreflightCheck } from '@lodge/shared/nodes.ts'
import type { Services } from '../../context.ts'
import { credentialMatches } from './enrollment.ts'
import * as store from './store.ts'

/** PostgreSQL stores no NUL; an agent may say anything. */
const clean = (text: string): string => text.replaceAll('\0', '')

/** Checks an agent tells of its machine; what we do not know is left out. */
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

/** The part of the fleet's conversation that concerns the node itself. */
export function nodeSessions({ db, live }: Services) {
  return {
    authenticate: (nodeId: string, credential: string) => credentialMatches(db, nodeId, credential),

    /** The newest session wins: whatever an older one still says is ignored from now on. */
    async connected(
      nodeId: string,
      hello: Hello,
      session: { id: string; instanceId: string; address?: string },
    ) {
      const skewMs = hello.clockUnixMs > 0 ? hello.clockUnixMs - Date.now() : undefined
      return db.transaction(async (tx) => {
        const row = await store.updateNode(tx, nodeId, {
          sessionId: session.id,
          instanceId: session.instanceId,
          connectedAt: new Date(),
          lastSeenAt: new Date(),
          bootId: clean(hello.bootId).slice(0, 100),
          agentVersion: clean(hello.agentVersion).slice(0, 50),
          capabilities: hello.capabilities.slice(0, 50).map((name) => clean(name).slice(0, 50)),
          preflight: preflightOf(hello.preflight, skewMs),
          ...(session.address && { remoteAddress: session.address }),
        })
        if (!row) throw new Error(`node ${nodeId} has been removed`)
        await live.announce(tx, { kind: 'node', id: nodeId })
        await live.announce(tx, { kind: 'node-servers', id: nodeId })
        return { reportThrough: row.reportThrough, epoch: row.epoch }
      })
    },

    async disconnected(nodeId: string, sessionId: string) {
      await db.transaction(async (tx) => {
        const ended = await store.updateNodeOfSession(tx, nodeId, sessionId, {
          sessionId: null,
          instanceId: null,
          connectedAt: null,
        })
        if (!ended) return
        await live.announce(tx, { kind: 'node', id: nodeId })
        await live.announce(tx, { kind: 'node-servers', id: nodeId })
      })
    },

    async heartbeat(nodeId: string, sessionId: string, beat: Heartbeat): Promise<boolean> {
      const preflight =
        beat.preflight.length > 0 ? preflightOf(beat.preflight, undefined) : undefined
      return store.updateNodeOfSession(db, nodeId, sessionId, {
        lastSeenAt: new Date(),
        ...(preflight && { preflight }),
      })
    },
  }
}

import { SetBackStatus } from '@lodge/shared/set-back.ts'
import type { Ctx } from '../../../context.ts'
import { isSafeMode, latestSetBack, nodesToCompare } from '../../nodes/index.ts'
import { listFindings } from './findings-store.ts'

const FINDINGS = 1_000

/** The latest set-back of the database, and what waits for a decision. */
export async function setBackStatus(ctx: Ctx): Promise<SetBackStatus> {
  const latest = await latestSetBack(ctx.db)
  const why = SetBackStatus.shape.latest.unwrap().shape.why.safeParse(latest?.why)
  const findings = await listFindings(ctx.db, FINDINGS)
  return {
    latest: latest && why.success ? { at: latest.at.toISOString(), why: why.data } : null,
    isSafeMode: isSafeMode(ctx),
    waitingFor: await nodesToCompare(ctx.db),
    findings: findings.map((one) => ({
      ...{ nodeId: one.nodeId, nodeName: one.nodeName, serverId: one.serverId },
      ...{ serverName: one.serverName, kind: one.kind, state: one.state, knownOn: one.knownOn },
      foundAt: one.foundAt.toISOString(),
    })),
  }
}

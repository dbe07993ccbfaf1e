import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Enrollment } from '@lodge/shared/nodes.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { UUID } from '../../http/authorize.ts'
import { Problem } from '../../problem.ts'
import { currentCredentials, forgetReports, replaceCredential } from './session-store.ts'
import * as store from './store.ts'
import type { NodeRow } from './tables.ts'

const VALID_MS = 60 * 60_000
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Address and fingerprint are part of the token, so that a new machine need not trust the network.
 */
function joinToken(ctx: Ctx, token: string, address: string): string {
  const content = { u: `https://${address}`, t: token, f: ctx.fleet.fingerprint }
  return `lodge1.${Buffer.from(JSON.stringify(content)).toString('base64url')}`
}

/**
 * The command to paste on a new machine. It pins our port's public key for the download, so nobody
 * on the way can tamper with it.
 */
function joinCommand(ctx: Ctx, join: string, address: string): string {
  const { publicKeyPin } = ctx.fleet
  return `curl -fsS --http1.1 --insecure --pinnedpubkey '${publicKeyPin}' https://${address}/agent/install | sh -s -- '${publicKeyPin}' ${join}`
}

/** A one-time token for the node, valid for an hour; it invalidates the previous one. */
export async function createEnrollment(
  ctx: Ctx,
  node: Pick<NodeRow, 'id'>,
  address = ctx.fleet.address,
): Promise<Enrollment> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now.getTime() + VALID_MS)
  await ctx.transaction((ctx) => store.replaceEnrollment(ctx.db, node.id, hashOf(token), expiresAt))
  const join = joinToken(ctx, token, address)
  return {
    command: joinCommand(ctx, join, address),
    token: join,
    fingerprint: ctx.fleet.fingerprint,
    expiresAt: expiresAt.toISOString(),
  }
}

/** Exchanges a one-time token for the node's credential, which is shown only once. */
export async function enroll(
  ctx: Ctx,
  given: { token: string; agentVersion: string; address: string; fleetAddress: string | undefined },
) {
  const enrolled = await ctx.transaction(async (ctx) => {
    const nodeId = await store.redeemEnrollment(ctx.db, hashOf(given.token))
    if (!nodeId) {
      throw new Problem(
        'invalid_token',
        'The enrolment token was used or has expired: create a new one on the page of the node',
      )
    }
    const credential = randomBytes(32).toString('base64url')
    const epoch = await replaceCredential(ctx.db, nodeId, {
      credentialHash: hashOf(credential),
      agentVersion: given.agentVersion,
      remoteAddress: given.address,
    })
    // A new credential means a new journal: its reports count from the beginning.
    await forgetReports(ctx.db, nodeId)
    await ctx.live.announce(ctx.db, { kind: 'node', id: nodeId })
    return { nodeId, epoch, credential }
  })
  const { nodeId, epoch, credential } = enrolled
  // A session with the old credential no longer belongs to this node.
  await ctx.fleet.disconnectNode(nodeId, epoch)
  return {
    nodeId,
    credential,
    caCertificate: ctx.fleet.caCertificate,
    // The machine has just reached us at this address, which may differ from the configured one.
    fleetAddress: given.fleetAddress ?? ctx.fleet.address,
    serverName: 'lodge',
  }
}

export interface Claim {
  readonly nodeId: string
  readonly credential: string
}

/**
 * The epoch of each node whose current credential is claimed; undefined for another credential and
 * for malformed ids.
 */
export async function epochsOfCredentials(
  db: Db,
  claims: readonly Claim[],
): Promise<(number | undefined)[]> {
  const ids = claims.map(({ nodeId }) => nodeId).filter((id) => UUID.test(id))
  const current = await currentCredentials(db, ids)
  return claims.map(({ nodeId, credential }) => {
    const known = current.get(nodeId)
    return known && timingSafeEqual(known.hash, hashOf(credential)) ? known.epoch : undefined
  })
}

export async function credentialMatches(
  db: Db,
  nodeId: string,
  credential: string,
): Promise<boolean> {
  const [epoch] = await epochsOfCredentials(db, [{ nodeId, credential }])
  return epoch !== undefined
}

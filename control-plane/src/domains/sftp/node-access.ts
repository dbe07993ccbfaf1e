import { createHash } from 'node:crypto'
import { networkOf } from '@lodge/shared/addresses.ts'
import { fileHeaders } from '@lodge/shared/files.ts'
import type {
  SftpAdmission,
  SftpSignIn,
  SftpStanding,
  SftpStandings,
} from '@lodge/shared/sftp-nodes.ts'
import type { Agent } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { secondsUntilTaken } from '../../http/throttle.ts'
import { findNode } from '../nodes/index.ts'
import { type Admitted, admit, standingOf } from './admission.ts'
import { sftpBudgets } from './budgets.ts'
import { type Known, knownByKey, knownByPassword } from './credentials.ts'
import { recordConnection } from './records.ts'
import { endingsOf, standingMarks, touchCredential, waysStillThere } from './store.ts'

type Verdict = { admitted: SftpAdmission | null; over: boolean }
const REFUSED: Verdict = { admitted: null, over: false }

/** Decides on a sign-in at a node; a node may only ask about its own servers. */
export async function judgeSignIn(ctx: Ctx<Agent>, given: SftpSignIn): Promise<Verdict> {
  const node = await findNode(ctx.db, ctx.actor.nodeId)
  if (node?.sftpPort === null || node === undefined) return REFUSED
  switch (given.by) {
    case 'password': {
      const known = hereOnly(ctx, await knownByPassword(ctx, given))
      return known ? admittedAs(ctx, known) : REFUSED
    }
    case 'key': {
      const blob = Buffer.from(given.key, 'base64')
      const known = hereOnly(ctx, await knownByKey(ctx, { ...given, blob }))
      return known ? admittedAs(ctx, known) : REFUSED
    }
    case 'nothing':
      return await failed(ctx, given.address)
    case 'proof':
      return await welcome(ctx, given)
  }
}

const hereOnly = (ctx: Ctx<Agent>, known: Known | undefined): Known | undefined =>
  known?.admitted.server.nodeId === ctx.actor.nodeId ? known : undefined

/**
 * Records a sign-in. Touching the credential locks it, so it belongs to this person until the record
 * is written.
 */
const welcome = (
  ctx: Ctx<Agent>,
  { credential, ...whom }: Extract<SftpSignIn, { by: 'proof' }>,
): Promise<Verdict> =>
  ctx.transaction(async (ctx) => {
    const admitted = await admitHere(ctx, whom)
    if (!admitted || !(await touchCredential(ctx.db, { ...whom, credential }))) return REFUSED
    const known: Known = { credential: { ...credential, line: '' }, admitted }
    await recordConnection(ctx, known)
    return await admittedAs(ctx, known)
  })

async function admitHere(
  ctx: Ctx<Agent>,
  whom: { userId: string; serverId: string; address: string },
): Promise<Admitted | undefined> {
  const admitted = await admit(ctx, whom)
  return admitted?.server.nodeId === ctx.actor.nodeId ? admitted : undefined
}

/**
 * Separate from the budget of the control plane's own port, so that a node cannot exhaust anybody's
 * attempts there.
 */
async function failed(ctx: Ctx<Agent>, address: string): Promise<Verdict> {
  const key = `${ctx.actor.nodeId} ${networkOf(address)}`
  const wait = await secondsUntilTaken(ctx.db, sftpBudgets.sftpFailure, key)
  return { admitted: null, over: wait > 0 }
}

async function admittedAs(ctx: Ctx<Agent>, known: Known): Promise<Verdict> {
  const { user, server } = known.admitted
  const about = { userId: user.id, serverId: server.id }
  const [[mark = ''], endings] = await Promise.all([
    standingMarks(ctx.db, [about]),
    endingsOf(ctx.db, [user.id]),
  ])
  return {
    over: false,
    admitted: {
      ...about,
      credential: known.credential,
      ...rightsOf(known.admitted, endings),
      mark,
    },
  }
}

/**
 * Includes when the person last ended their connections: earlier connections have another standing.
 */
const rightsOf = (admitted: Admitted, endings: ReadonlyMap<string, Date>) => ({
  standing: createHash('sha256')
    .update(`${standingOf(admitted)} ${endings.get(admitted.user.id)?.toISOString()}`)
    .digest('base64url'),
  headers: fileHeaders(admitted.reach.rules, admitted.reach.may),
})

/** The current rights of a node's connections, in order. */
export async function lookAtConnections(
  ctx: Ctx<Agent>,
  { connections }: SftpStandings,
): Promise<SftpStanding[]> {
  const node = await findNode(ctx.db, ctx.actor.nodeId)
  if (node?.sftpPort === null || node === undefined)
    return connections.map(() => ({ now: 'ended' }))
  const [present, marks, endings] = await Promise.all([
    waysStillThere(ctx.db, connections),
    standingMarks(ctx.db, connections),
    endingsOf(
      ctx.db,
      connections.map(({ userId }) => userId),
    ),
  ])
  const admissions = new Map<string, ReturnType<typeof admitHere>>()
  /** Clients open many connections: reads the rights of each person once. */
  const admittedOnce = (one: { userId: string; serverId: string; address: string }) => {
    const key = `${one.userId} ${one.serverId} ${one.address}`
    const asked = admissions.get(key) ?? admitHere(ctx, one)
    admissions.set(key, asked)
    return asked
  }
  return await Promise.all(
    connections.map(async (one, index): Promise<SftpStanding> => {
      const mark = marks[index] ?? ''
      if (!present[index]) return { now: 'ended' }
      if (mark === one.mark) return { now: 'same' }
      const admitted = await admittedOnce(one)
      return admitted ? { now: 'admitted', ...rightsOf(admitted, endings), mark } : { now: 'ended' }
    }),
  )
}

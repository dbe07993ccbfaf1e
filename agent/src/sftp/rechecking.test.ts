import { once } from 'node:events'
import https from 'node:https'
import { json } from 'node:stream/consumers'
import type { SshConnection } from '@lodge/shared/local/ssh/connection.ts'
import { MOST_STANDINGS, type SftpAdmission, SftpStandings } from '@lodge/shared/sftp-nodes.ts'
import pino from 'pino'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { selfSigned } from '../../../test/support/self-signed.ts'
import { sftpJudge } from './control-plane.ts'
import { type Guest, guestOf } from './gate.ts'
import { recheckGuests } from './rechecking.ts'

const NAME = 'panel.test'
let made: Awaited<ReturnType<typeof selfSigned>>
beforeAll(async () => {
  made = await selfSigned(NAME)
})
const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

/** A control plane that has withdrawn the rights of some, and cannot answer about others. */
async function controlPlane(of: {
  readonly withdrawn: string
  readonly lost: string
  readonly how: 'fails' | 'hangs'
}) {
  const server = https.createServer({ cert: made.certificate, key: made.key })
  server.on('request', async (request, response) => {
    const { connections } = SftpStandings.parse(await json(request))
    if (connections.some(({ userId }) => userId === of.lost)) {
      if (of.how === 'fails') response.writeHead(500).end('{}')
      return
    }
    const items = connections.map(({ userId }) => ({
      now: userId === of.withdrawn ? 'ended' : 'same',
    }))
    response.end(JSON.stringify({ items }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ending.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return Object(server.address()).port as number
}

/** Somebody who is connected. */
function connectionOf(userId: string) {
  const admission: SftpAdmission = {
    ...{ userId, serverId: crypto.randomUUID(), standing: 'may', mark: '1', headers: {} },
    credential: { kind: 'key', id: crypto.randomUUID(), line: '' },
  }
  const connection = {
    known: guestOf(admission),
    address: '192.0.2.1',
    endedMs: 0,
    end: () => {
      connection.endedMs ||= performance.now()
    },
    endIfIdle: () => undefined,
  }
  return connection
}

/** As many as make two questions: one who keeps the first unanswered, and one at the end of the second. */
async function crowd(how: 'fails' | 'hangs') {
  const people = Array.from({ length: MOST_STANDINGS + 10 }, () =>
    connectionOf(crypto.randomUUID()),
  )
  const [lost, withdrawn] = [people[0], people.at(-1)]
  if (!lost || !withdrawn) throw new Error('nobody is there')
  const port = await controlPlane({
    ...{ lost: lost.known.admission.userId, withdrawn: withdrawn.known.admission.userId, how },
  })
  const judge = sftpJudge({
    nodeId: crypto.randomUUID(),
    credential: 'secret',
    fleetAddress: `127.0.0.1:${port}`,
    serverName: NAME,
    caCertificate: made.certificate,
  })
  const connections = new Set(people as unknown as SshConnection<Guest>[])
  const beganMs = performance.now()
  const stop = recheckGuests(judge, () => connections, pino({ level: 'silent' }))
  ending.unshift(stop, () => judge.close())
  const answered = people.slice(MOST_STANDINGS, -1)
  return { beganMs, lost, withdrawn, answered }
}

test.each(['fails', 'hangs'] as const)(
  'a question about some that %s keeps nobody else connected, and ends nobody else',
  async (how) => {
    const { beganMs, lost, withdrawn, answered } = await crowd(how)
    await expect.poll(() => withdrawn.endedMs).toBeGreaterThan(0)
    expect(withdrawn.endedMs - beganMs).toBeLessThan(4_000)
    await expect.poll(() => lost.endedMs).toBeGreaterThan(0)
    // Whoever was answered about stays, although others could not be asked about.
    expect(answered.filter(({ endedMs }) => endedMs > 0)).toEqual([])
  },
)

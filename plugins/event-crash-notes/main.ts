import type { ApiReply, Host, Plugin } from '../sdk/index.ts'

const HOUR_MS = 3_600_000

/** Writes a note about the owner of a server that gave up several times within a period. */
const plugin: Plugin = (host) => {
  const times = Number(host.settings.times ?? 3)
  const hours = Number(host.settings.hours ?? 24)

  return {
    async health() {
      const { status, body } = await host.api('GET', '/api/servers?limit=1')
      const ok = status === 200
      return { ok, message: ok ? 'Listening' : `It may not read servers: ${detailOf(body)}` }
    },
    event: {
      async happened({ id, type, happenedAt, data }) {
        const { serverId, serverName, reason } = data
        if (type !== 'server.gave_up' || typeof serverId !== 'string') return {}
        const crashes = await lately(host, serverId, { id, at: happenedAt }, hours)
        if (crashes.length >= times) {
          const owner = await ownerOf(host, serverId)
          const content =
            `${serverName} crashed too often to be started again ${crashes.length} times within ` +
            `${hours} hours. Last: ${reason === '' ? 'no reason is known' : reason}`
          if (owner !== null) await note(host, owner, content, id)
          await host.storage.delete(serverId)
        }
        return {}
      },
    },
  }
}
export default plugin

interface Crash {
  readonly id: string
  readonly at: string
}

/** This crash with those before it; a repeated delivery counts once. */
async function lately(host: Host, serverId: string, crash: Crash, hours: number) {
  const kept = JSON.parse((await host.storage.get(serverId)) ?? '[]') as Crash[]
  const since = Date.parse(crash.at) - hours * HOUR_MS
  const crashes = [
    ...kept.filter(({ id, at }) => id !== crash.id && Date.parse(at) >= since),
    crash,
  ]
  await host.storage.set(serverId, JSON.stringify(crashes))
  return crashes
}

/** Null if the server is gone, or has no owner. */
async function ownerOf(host: Host, serverId: string): Promise<string | null> {
  const { status, body } = await host.api('GET', `/api/servers/${serverId}`)
  if (status === 404) return null
  const { ownerId } = done({ status, body }) as { ownerId?: string | null }
  return ownerId ?? null
}

async function note(host: Host, customerId: string, content: string, key: string): Promise<void> {
  const path = `/api/customers/${customerId}/notes` as const
  const reply = await host.api('POST', path, { body: { content: content.slice(0, 2000) }, key })
  // Servers of the host belong to administrators, who have no notes.
  if (reply.status !== 404) done(reply)
}

/** @throws with the panel's answer, so that the event is delivered again later */
function done({ status, body }: ApiReply): unknown {
  if (status >= 400) throw new Error(`The panel answered with ${status}: ${detailOf(body)}`)
  return body
}

const detailOf = (body: unknown): string => String((Object(body) as { detail?: unknown }).detail)

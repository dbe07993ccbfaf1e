import { createHash, randomUUID } from 'node:crypto'
import { apiPermissionsOf } from '../../shared/src/plugins/api.ts'
import { PluginManifest } from '../../shared/src/plugins/manifest.ts'
import { METHODS } from '../../shared/src/plugins/methods.ts'
import type { StyledBody, StyledNotification } from '../../shared/src/plugins/notification-style.ts'
import type { PageRequest } from '../../shared/src/plugins/page.ts'
import { initialSettings } from '../../shared/src/plugins/settings.ts'
import { ServerPermission } from '../../shared/src/server-permissions.ts'
import type { ApiReply, ApiRequest, Host, Plugin, Reply, Request } from './index.ts'

// For tests of plugins, outside the sandbox: a host in memory with the same checks as Lodge.

const NOTIFICATION: StyledNotification = {
  channel: 'webhook',
  severity: 'info',
  title: 'A title',
  body: 'A text',
  link: 'https://panel.example.com/notifications',
  server: null,
  happenedAt: '2026-11-23T12:00:00.000Z',
  language: 'en',
  panel: 'My host',
}

const CALLER = { id: '11111111-1111-4111-8111-111111111111', role: 'customer' } as const
const SERVER = {
  ...{ id: '22222222-2222-4222-8222-222222222222', name: 'lobby', kind: 'container' as const },
  permissions: ServerPermission.options,
}

interface Given {
  /** `lodge-plugin.json`; its defaults apply to settings that `settings` does not name. */
  readonly manifest: unknown
  readonly settings?: Host['settings']
  /** Answers the plugin's requests; without it every request fails. */
  readonly fetch?: (url: string, request: Request) => Reply | Promise<Reply>
  /**
   * Answers for the panel's API, for example to `GET /api/servers/1`; without it everything is not
   * found.
   */
  readonly api?: (request: string, given: ApiRequest) => ApiReply | Promise<ApiReply>
}

/** Loads a plugin as Lodge does. @throws if the manifest is not valid */
export async function tryPlugin(plugin: Plugin, { manifest, settings, fetch, api }: Given) {
  const { permissions, pages = [], settings: form } = PluginManifest.parse(manifest)
  const files = new Map<string, readonly Uint8Array[]>()
  const kept = new Map<string, string>()
  const may = (permission: string) => {
    if (!permissions.includes(permission)) throw new Error(`It lacks the permission ${permission}`)
  }
  const handlers = await plugin({
    settings: { ...initialSettings(form), ...settings },
    lodgeVersion: '1.0.0',
    async fetch(url, request = {}) {
      if (!permissions.includes('nodes.fence')) may(`network:${new URL(url).host}`)
      if (!fetch) throw new Error(`Nothing answers at ${url}`)
      return fetch(url, request)
    },
    async api(method, path, request = {}) {
      if (apiPermissionsOf(permissions).length === 0) may('api:<permission>')
      return (
        (await api?.(`${method} ${path}`, request)) ?? { status: 404, body: { code: 'not_found' } }
      )
    },
    storage: {
      async get(key) {
        may('storage')
        return kept.get(key) ?? null
      },
      async set(key, value) {
        may('storage')
        kept.set(key, value)
      },
      async delete(key) {
        may('storage')
        kept.delete(key)
      },
    },
    async *readFile(file) {
      const pieces = files.get(file)
      if (!pieces) throw new Error('It is not asked about such a file')
      yield* pieces
    },
    refusal: (code, message) => Object.assign(new Error(message), { code }),
  })

  /**
   * Calls a method such as `plugin.health` and checks the answer as Lodge does.
   * @throws what the plugin throws, or if its answer is not valid
   */
  async function call(method: keyof typeof METHODS, given: object = {}): Promise<unknown> {
    const [kind = '', name = ''] = method.split('.')
    const group = kind === 'plugin' ? handlers : handlers[kind as 'event']
    const handler = (group as Readonly<Record<string, unknown>> | undefined)?.[name]
    if (typeof handler !== 'function') throw new Error(`There is no ${method}`)
    const { request, reply } = METHODS[method]
    return reply.parse((await handler.call(group, request.parse(given))) ?? {})
  }

  return {
    call,
    /**
     * The plugin's answer to its page; by default the caller is a customer with all rights on the
     * server.
     */
    async ask(method: string, payload: unknown = null, given: Partial<PageRequest> = {}) {
      const page = pages[0]?.id ?? ''
      const answer = await call('page.request', {
        ...{ page, method, payload, caller: CALLER, server: SERVER, ...given },
      })
      return (answer as { answer: unknown }).answer
    },
    /** The scanner's verdict on a file that arrives in these chunks. */
    scan(pieces: readonly Uint8Array[], about: { name?: string; type?: string } = {}) {
      const [file, bytes] = [randomUUID(), Buffer.concat(pieces)]
      files.set(file, pieces)
      return call('scanner.scan', {
        ...{ file, name: 'file.txt', type: 'text/plain', sizeBytes: bytes.length },
        ...{ sha256: createHash('sha256').update(bytes).digest('hex'), ...about },
      }).finally(() => files.delete(file))
    },
    /** The style's output for such a notification. */
    async format(given: Partial<StyledNotification> = {}) {
      const answer = await call('notification-style.format', { ...NOTIFICATION, ...given })
      return (answer as { body: StyledBody }).body
    },
  }
}

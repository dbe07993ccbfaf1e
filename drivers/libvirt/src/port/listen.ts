import { setTimeout as delay } from 'node:timers/promises'
import koffi from 'koffi'
import {
  addTimeout,
  close,
  domainUuid,
  ignore,
  onClose,
  onDomainEvent,
  type Pointer,
  registerEventLoop,
  runEventLoopOnce,
  updateTimeout,
} from './bindings.ts'
import type { DomainEvent } from './messages.ts'
import { connect } from './pool.ts'

/** Values of `virDomainEventID`. */
const EVENT = { lifecycle: 0, reboot: 1, watchdog: 3, ioError: 6, agent: 18 } as const
const RETRY_MS = 300

/**
 * Must be called before the first connection is opened: libvirt's keepalive and events work only
 * within its event loop, which occupies one thread of the pool for the life of the process.
 */
export function startEventLoop(): { stop(): Promise<void> } {
  registerEventLoop()
  const alarm = addTimeout(-1, ignore, null, null)
  let running = true
  const loop = (async () => {
    while (running) await runEventLoopOnce()
  })()
  return {
    async stop() {
      running = false
      updateTimeout(alarm, 0)
      await loop
    },
  }
}

export interface Listener {
  onEvent(event: DomainEvent): void
  onListening(): void
  onDeaf(): void
}

/** Reports all domain events, on a dedicated connection that is reopened when lost. */
export async function listen(uri: string, listener: Listener, signal: AbortSignal): Promise<void> {
  let lost: (() => void) | null = null
  const tell = (domain: Pointer, event: (uuid: string, atMs: number) => DomainEvent) => {
    const text = Buffer.alloc(37)
    domainUuid(domain, text)
    listener.onEvent(event(text.toString('latin1', 0, 36), Date.now()))
  }
  const callbacks = {
    lifecycle: callback(
      'int OnLifecycle(void *conn, void *dom, int event, int detail, void *data)',
      (_conn: Pointer, dom: Pointer, event: number, detail: number) => {
        tell(dom, (uuid, atMs) => ({ kind: 'lifecycle', uuid, event, detail, atMs }))
        return 0
      },
    ),
    reboot: callback(
      'void OnReboot(void *conn, void *dom, void *data)',
      (_conn: Pointer, dom: Pointer) => tell(dom, (uuid, atMs) => ({ kind: 'reboot', uuid, atMs })),
    ),
    watchdog: callback(
      'void OnWatchdog(void *conn, void *dom, int action, void *data)',
      (_conn: Pointer, dom: Pointer, action: number) =>
        tell(dom, (uuid, atMs) => ({ kind: 'watchdog', uuid, action, atMs })),
    ),
    ioError: callback(
      'void OnIoError(void *conn, void *dom, str path, str alias, int action, str reason, void *data)',
      (_c: Pointer, dom: Pointer, _path: string, _alias: string, _action: number, why: string) =>
        tell(dom, (uuid, atMs) => ({ kind: 'io-error', uuid, reason: why ?? '', atMs })),
    ),
    agent: callback(
      'void OnAgent(void *conn, void *dom, int state, int reason, void *data)',
      (_conn: Pointer, dom: Pointer, state: number) =>
        tell(dom, (uuid, atMs) => ({ kind: 'agent', uuid, connected: state === 1, atMs })),
    ),
  }
  const closed = callback('void OnClosed(void *conn, int reason, void *data)', () => lost?.())

  async function register(at: Pointer): Promise<boolean> {
    for (const name of Object.keys(EVENT) as (keyof typeof EVENT)[]) {
      if ((await onDomainEvent(at, null, EVENT[name], callbacks[name], null, null)) < 0)
        return false
    }
    return true
  }

  while (!signal.aborted) {
    // Not from the pool, which closes connections after a fault: subscriptions belong to their
    // connection.
    const connection = await connect(uri)
    if (connection === null) {
      await delay(RETRY_MS, undefined, { signal }).catch(() => {})
      continue
    }
    const gone = new Promise<void>((resolve) => {
      lost = resolve
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await onClose(connection.at, closed, null, null)
    const registered = await register(connection.at)
    if (registered) {
      listener.onListening()
      await gone
      if (!signal.aborted) listener.onDeaf()
    }
    await close(connection.at)
    if (!registered) await delay(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}

/** Never unregistered: libvirt may call it from its loop at any time. */
function callback<A extends unknown[]>(prototype: string, run: (...args: A) => unknown): unknown {
  return koffi.register(run, koffi.pointer(koffi.proto(prototype)))
}

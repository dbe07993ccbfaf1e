import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'

export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** What a browser's EventSource receives, over a real connection. */
export class EventStream extends EventEmitter<{ changed: [] }> {
  readonly events: StreamEvent[] = []
  readonly opened: Promise<number>
  readonly over: Promise<void>
  isOver = false
  readonly #request: http.ClientRequest

  constructor(url: string, headers: Record<string, string>) {
    super()
    this.setMaxListeners(0)
    this.#request = http.get(url, { headers, agent: false })
    const { promise: opened, resolve: open, reject } = Promise.withResolvers<number>()
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    this.opened = opened
    this.over = over
    this.#request.on('error', reject)
    this.#request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const blocks = (text + chunk).split('\n\n')
        text = blocks.pop() ?? ''
        for (const block of blocks) this.#heard(block)
      })
      response.on('error', () => undefined)
      response.on('close', () => {
        this.isOver = true
        this.emit('changed')
        end()
      })
      open(response.statusCode ?? 0)
    })
  }

  #heard(block: string): void {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    const data = field('data')
    if (data === undefined) return
    this.events.push({ id: field('id') ?? '', event: field('event') ?? '', data: JSON.parse(data) })
    this.emit('changed')
  }

  /** The first matching event, received already or still to come. */
  async next(fits: (event: StreamEvent) => boolean): Promise<StreamEvent> {
    for (;;) {
      const found = this.events.find(fits)
      if (found) return found
      if (this.isOver) throw new Error('the stream is over')
      await once(this, 'changed')
    }
  }

  close(): void {
    this.#request.destroy()
  }
}

/** @param after id of an event, which a page puts in the address when it first opens the stream */
export function openEventsAfter(lodge: Lodge, caller: Caller, after: string): EventStream {
  return new EventStream(`${lodge.url}/api/events?after=${encodeURIComponent(after)}`, {
    cookie: `panel_session=${caller.cookie}`,
  })
}

export function openEvents(lodge: Lodge, caller: Caller, lastEventId?: string): EventStream {
  return new EventStream(`${lodge.url}/api/events`, {
    cookie: `panel_session=${caller.cookie}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  })
}

import { MAX_PAGE_JSON_BYTES } from '@lodge/shared/plugins/small-json.ts'
import { Meter } from './meter.ts'
import { t } from './words.ts'

// The panel's side of the conversation with a page of a plugin (plugins/sdk/lodge-page.js is the
// other one). The page is untrusted: nothing that it sends is believed, and it gets nothing of the
// session.

const VERSION = 1
/** More messages than a page needs, even with animations. */
const MESSAGES = { most: 400, withinMs: 10_000 }
const TOASTS = { most: 3, withinMs: 10_000 }
const QUESTIONS_AT_ONCE = 16
const LEAST_HEIGHT = 40
const MOST_HEIGHT = 20_000
const MOST_TOAST = 200
const MOST_METHOD = 60

type Fault = { readonly code: string; readonly message: string }
/** The result of a question: an answer, or why there is none. */
export type Outcome = { readonly answer: unknown } | { readonly error: Fault }

/** What the panel offers to a page. */
export interface PageHost {
  /** The context of the page, sent at first and with `tell`. */
  context(): object
  call(method: string, payload: unknown): Promise<Outcome>
  /** @returns false if there is no such page in the panel */
  navigate(path: string): boolean
  setHeight(pixels: number): void
  toast(text: string, tone: 'ok' | 'err'): void
  /** Called when the page has started. */
  started(): void
  /** Called when it sends too many messages: remove the frame. */
  tooMuch(): void
}

export interface ServedFrame {
  /** Sends the changed context to the page. */
  tell(): void
  end(): void
}

const refused = (code: string, message: string): Outcome => ({ error: { code, message } })

/** Answers the page in a frame until it is stopped. */
export function serveFrame(frame: HTMLIFrameElement, host: PageHost): ServedFrame {
  const messages = new Meter(MESSAGES.most, MESSAGES.withinMs)
  const toasts = new Meter(TOASTS.most, TOASTS.withinMs)
  let port: MessagePort | undefined
  let asking = 0

  function end(): void {
    removeEventListener('message', onWindow)
    port?.close()
    port = undefined
  }

  function isTooMuch(): boolean {
    if (!messages.isOver()) return false
    end()
    host.tooMuch()
    return true
  }

  /** A reloaded page reports itself again; the former one gets no more answers. */
  function onWindow({ source, origin, data }: MessageEvent): void {
    if (source === null || source !== frame.contentWindow || isTooMuch()) return
    if (origin !== 'null' || fieldOf(data, 'lodge') !== VERSION) return
    port?.close()
    const { port1, port2 } = new MessageChannel()
    port = port1
    port1.onmessage = (event) => void onMessage(port1, event)
    // A frame without an origin cannot be addressed by one; this frame sent the message.
    frame.contentWindow.postMessage({ lodge: VERSION, context: host.context() }, '*', [port2])
    host.started()
  }

  async function onMessage(from: MessagePort, { data }: MessageEvent): Promise<void> {
    if (from !== port || isTooMuch()) return
    const id = fieldOf(data, 'id')
    const outcome = await does(data)
    if (outcome && typeof id === 'number' && from === port) from.postMessage({ id, ...outcome })
  }

  async function does(data: unknown): Promise<Outcome | undefined> {
    const wish = fieldOf(data, 'ask')
    if (wish === 'call') return call(fieldOf(data, 'method'), fieldOf(data, 'payload'))
    if (wish === 'navigate') {
      const path = fieldOf(data, 'path')
      return typeof path === 'string' && host.navigate(path)
        ? { answer: null }
        : refused('not_found', t.noSuchPath)
    }
    if (wish === 'height') {
      const height = fieldOf(data, 'height')
      if (typeof height === 'number' && Number.isFinite(height))
        host.setHeight(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, Math.ceil(height))))
    }
    if (wish === 'toast') {
      const text = fieldOf(data, 'text')
      if (typeof text === 'string' && !toasts.isOver())
        host.toast(text.slice(0, MOST_TOAST), fieldOf(data, 'tone') === 'err' ? 'err' : 'ok')
    }
    return undefined
  }

  /** @param text JSON as a string: inspecting any other value could take forever */
  async function call(method: unknown, text: unknown): Promise<Outcome> {
    if (asking >= QUESTIONS_AT_ONCE) return refused('too_many_requests', t.busy)
    const payload = parsed(text)
    if (typeof method !== 'string' || method.length > MOST_METHOD || payload === undefined)
      return refused('not_valid', t.notValid)
    asking += 1
    try {
      return await host.call(method, payload)
    } finally {
      asking -= 1
    }
  }

  addEventListener('message', onWindow)
  return { tell: () => port?.postMessage({ context: host.context() }), end }
}

/** An own property of an untrusted value; never one from its prototype. */
function fieldOf(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, name)
    ? (data as Readonly<Record<string, unknown>>)[name]
    : undefined
}

/** Undefined unless it is a short string with JSON. */
function parsed(text: unknown): unknown {
  if (typeof text !== 'string' || text.length > MAX_PAGE_JSON_BYTES) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import type { EVENT_METHODS } from '../../shared/src/plugins/event.ts'
import type { FENCE_METHODS } from '../../shared/src/plugins/fence.ts'
import type { PLUGIN_METHODS } from '../../shared/src/plugins/health.ts'
import type { Implements } from '../../shared/src/plugins/method.ts'
import type { STYLE_METHODS } from '../../shared/src/plugins/notification-style.ts'
import type { PAGE_METHODS } from '../../shared/src/plugins/page.ts'
import type { PAYMENT_METHODS } from '../../shared/src/plugins/payment.ts'
import type { SCANNER_METHODS } from '../../shared/src/plugins/scanner.ts'
import type { TAX_METHODS } from '../../shared/src/plugins/tax.ts'

// Types only: nothing of this file exists at runtime.

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export interface ApiRequest {
  readonly body?: unknown
  /**
   * Idempotency key: a POST that is repeated with it has one effect. The id of an event suits,
   * because events may be delivered twice.
   */
  readonly key?: string
}

export interface ApiReply {
  readonly status: number
  /**
   * For a refusal (status 400 or above) a problem, with its `code` and a `detail` that says what to
   * do.
   */
  readonly body: unknown
}

/** What a plugin can use besides plain JavaScript. */
export interface Host {
  /** As saved by an administrator; a change restarts the plugin. */
  readonly settings: Readonly<Record<string, string | number | boolean | undefined>>
  readonly lodgeVersion: string
  /**
   * Requests a URL on a host of the permissions `network:<host>`, and with `nodes.fence` also on
   * those that the operator allows for it. Redirects are not followed.
   */
  fetch(url: string, request?: Request): Promise<Reply>
  /**
   * Calls the API of the panel with the permissions `api:<permission>`, in the name of the
   * administrator who accepted them, and with no more rights than that person has.
   */
  api(
    method: NonNullable<Request['method']>,
    path: `/api/${string}`,
    request?: ApiRequest,
  ): Promise<ApiReply>
  /** With the permission `storage`: strings that survive restarts and updates. */
  readonly storage: {
    get(key: string): Promise<string | null>
    set(key: string, value: string): Promise<void>
    delete(key: string): Promise<void>
  }
  /** The bytes of the file that a scanner has to check, in chunks, until its call ends. */
  readFile(file: string): AsyncIterable<Uint8Array>
  /** An error to throw for a deliberate refusal, which a retry would not change. */
  refusal(code: string, message: string): Error
}

export interface Handlers extends Implements<typeof PLUGIN_METHODS> {
  readonly payment?: Implements<typeof PAYMENT_METHODS>
  readonly tax?: Implements<typeof TAX_METHODS>
  readonly event?: Implements<typeof EVENT_METHODS>
  readonly scanner?: Implements<typeof SCANNER_METHODS>
  readonly 'notification-style'?: Implements<typeof STYLE_METHODS>
  readonly fence?: Implements<typeof FENCE_METHODS>
  readonly page?: Implements<typeof PAGE_METHODS>
}

/** The default export of a plugin's module. */
export type Plugin = (host: Host) => Handlers | Promise<Handlers>

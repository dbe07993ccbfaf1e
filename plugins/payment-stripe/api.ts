import type { Host } from '../sdk/index.ts'

const ADDRESS = 'https://api.stripe.com/v1'
/** The API version of requests and objects, whatever the account's default is. */
const VERSION = '2026-10-28.endive'

type Value = string | number | boolean | undefined | Fields | readonly Value[]
export interface Fields {
  readonly [name: string]: Value
}

/** An object of Stripe; its fields are checked where they are used. */
export type Json = Readonly<Record<string, unknown>>

/** Encodes fields as Stripe expects them: `line_items[0][price]=…`. */
export function formOf(fields: Fields): string {
  const form = new URLSearchParams()
  const add = (name: string, value: Value): void => {
    if (typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) add(`${name}[${key}]`, inner)
    else if (value !== undefined) form.append(name, String(value))
  }
  for (const [name, value] of Object.entries(fields)) add(name, value)
  return form.toString()
}

/** Calls the API of Stripe with the host's key. */
export class Stripe {
  readonly #host: Host

  constructor(host: Host) {
    this.#host = host
  }

  /** An object, or null if there is none. */
  async find(path: string, fields: Fields = {}): Promise<Json | null> {
    const { status, body } = await this.#send('GET', `${path}?${formOf(fields)}`)
    return status === 404 ? null : this.#checked(status, body)
  }

  async get(path: string, fields: Fields = {}): Promise<Json> {
    const { status, body } = await this.#send('GET', `${path}?${formOf(fields)}`)
    return this.#checked(status, body)
  }

  /** @param key idempotency key: a repeated request has one effect */
  async post(path: string, fields: Fields, key?: string): Promise<Json> {
    const { status, body } = await this.#send('POST', path, formOf(fields), key)
    return this.#checked(status, body)
  }

  async delete(path: string): Promise<Json> {
    const { status, body } = await this.#send('DELETE', path)
    return this.#checked(status, body)
  }

  async #send(method: 'GET' | 'POST' | 'DELETE', path: string, form?: string, key?: string) {
    const { status, text } = await this.#host.fetch(`${ADDRESS}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#host.settings.secretKey}`,
        'stripe-version': VERSION,
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(form !== undefined && { body: form }),
    })
    return { status, body: JSON.parse(text) as Json }
  }

  /** 409, 429 and 5xx may be retried; any other error is final. */
  #checked(status: number, body: Json): Json {
    if (status < 400) return body
    const { code, type, message } = Object(body.error) as Readonly<Record<string, unknown>>
    // The reason of a declined payment is shown to the customer.
    const text =
      status === 402 && typeof message === 'string'
        ? message
        : `Stripe answered ${status}: ${message ?? type ?? 'no reason'}`
    if (status === 409 || status === 429 || status >= 500) throw new Error(text)
    throw this.#host.refusal(String(code ?? type ?? status), text)
  }
}

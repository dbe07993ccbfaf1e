import { type Args, type Key, urlOf } from '../../api.ts'

/** One call of the API as data, so that it can be shown before it is made. */
export interface Call {
  /** Method and path as declared, e.g. `POST /api/servers/{id}/actions`. */
  readonly key: string
  /** The path with its parameters and query. */
  readonly url: string
  readonly body?: unknown
}

/** Describes a call; takes the arguments of `api`, so only calls that exist compile. */
export function callOf<K extends Key>(key: K, ...[input]: Args<K>): Call {
  const raw: { readonly body?: unknown } = input ?? {}
  const [, path = ''] = key.split(' ')
  return { key, url: urlOf(path, raw), ...(raw.body === undefined ? {} : { body: raw.body }) }
}

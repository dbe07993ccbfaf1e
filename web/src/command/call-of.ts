import { type Args, type Key, urlOf } from '../api.ts'
import type { Call } from './call.ts'

/** Describes a call; takes the arguments of `api`, so only calls that exist compile. */
export function callOf<K extends Key>(key: K, ...[input]: Args<K>): Call {
  const raw: { readonly body?: unknown } = input ?? {}
  const [, path = ''] = key.split(' ')
  return { key, url: urlOf(path, raw), ...(raw.body === undefined ? {} : { body: raw.body }) }
}

import { cutBytes, titleOf } from '../message.ts'
import { signatureHeaders } from '../signature.ts'
import { json, type Kind, pageOf, type Sending, urlOf } from './kind.ts'

/** Receivers may refuse larger ones (Standard Webhooks, payload size). */
const MAX_BYTES = 20_000
/** The most gathered messages that always fit. */
const LISTED = 30

/** A signed request to any server (Standard Webhooks 1.0). */
export const webhook: Kind = {
  complain({ url }) {
    const parsed = urlOf(url)
    if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:')
      return ['url', 'must begin with https://']
    if (parsed.username !== '' || parsed.password !== '')
      return ['url', 'must not contain a user name or password: check the signature instead']
    return undefined
  },
  request(sending) {
    const { target, parcel, secrets, now, styled } = sending
    const outgoing = json(target.url ?? '', styled ?? payloadOf(sending))
    const signed = signatureHeaders({ id: parcel.id, at: now, body: outgoing.body, secrets })
    return { ...outgoing, headers: { ...outgoing.headers, ...signed } }
  },
}

function payloadOf(sending: Sending) {
  const { parcel } = sending
  const payload = {
    id: parcel.id,
    type: parcel.type,
    timestamp: parcel.at,
    data: {
      severity: parcel.severity,
      title: cutBytes(titleOf(parcel), 1000),
      body: cutBytes(parcel.body, 4000),
      count: parcel.count,
      ...(parcel.server && { server: parcel.server }),
      links: { panel: pageOf(sending) },
      ...(parcel.items.length > 0 && {
        items: parcel.items.slice(-LISTED).map(({ type, severity, title, server, at }) => ({
          ...{ type, severity, title: cutBytes(title, 200), timestamp: at },
          ...(server && { server }),
        })),
      }),
    },
  }
  if (Buffer.byteLength(JSON.stringify(payload)) < MAX_BYTES) return payload
  const { items: _items, ...thin } = payload.data as { items?: unknown } & typeof payload.data
  return { ...payload, data: thin }
}

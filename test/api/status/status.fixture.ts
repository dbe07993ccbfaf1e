import type { Caller } from '../../support/caller.ts'
import type { Lodge } from '../../support/stack.ts'

export const SETTINGS = {
  ...{ enabled: true, title: '', intro: '', timeZone: 'Europe/Zurich', subscriptions: false },
} as const

/** The public page as a browser without scripts receives it. */
export const pageAt = (lodge: Lodge, url: string, headers: Record<string, string> = {}) =>
  lodge.anonymous().send({ method: 'GET', url, headers })

/** The request that a form of the page sends. */
export const sendForm = (
  lodge: Lodge,
  url: string,
  fields: Readonly<Record<string, string>>,
  address?: string,
) =>
  lodge.anonymous(address === undefined ? {} : { address }).send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })

export const open = (admin: Caller, given: { title: string; componentIds?: string[] }) =>
  admin.must('POST /api/status/incidents', {
    body: {
      ...{ kind: 'incident', impact: 'outage', body: 'We look into it.', publish: true },
      ...given,
    },
  })

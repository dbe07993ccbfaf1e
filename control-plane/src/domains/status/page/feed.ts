import { panelPath, served } from '@lodge/shared/panel-paths.ts'
import type { PublicStatus } from '@lodge/shared/status.ts'
import { html } from '../../../http/html.ts'
import type { PageReader } from './reader.ts'

const MOST_ENTRIES = 100

/** Every update as an entry of an Atom feed (RFC 4287), the newest first. */
export function feedOf(
  status: PublicStatus,
  { language, words }: PageReader,
  panelUrl: string,
): string {
  const { open, planned, past } = status
  const updates = [...open, ...planned, ...past]
    .flatMap((entry) => entry.updates.map((update) => ({ entry, update })))
    .sort((a, b) => (a.update.at < b.update.at ? 1 : -1))
    .slice(0, MOST_ENTRIES)
  const home = `${panelUrl}${served.statusPage}`
  const updated = updates[0]?.update.at ?? status.asOf
  const entries = updates.map(({ entry, update }) => {
    const page = `${panelUrl}${panelPath('statusEntry', { id: entry.id })}#${update.id}`
    return html`<entry><id>urn:uuid:${update.id}</id><title>${words.stateOf({ state: update.state })}: ${entry.title}</title><updated>${update.at}</updated><published>${update.at}</published><link rel="alternate" type="text/html" href="${page}"/>${entry.components.map(
      (name) => html`<category term="${name}"/>`,
    )}<content type="text">${update.body}</content></entry>`
  })
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}"><id>${home}</id><title>${status.title}</title><updated>${updated}</updated><author><name>${status.title}</name></author><link rel="self" type="application/atom+xml" href="${panelUrl}${served.statusFeed}"/><link rel="alternate" type="text/html" href="${home}"/>${entries}</feed>
`.text
}

import { randomUUIDv7 } from 'node:crypto'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Ctx } from '../../context.ts'
import type { Audience, Notice } from '../../events/notices.ts'
import { type Reader, readerOf } from '../../moment-text.ts'
import type { Message } from './channels/message.ts'
import { queueForChannels } from './channels/queue.ts'
import * as store from './store.ts'

/** One notification, for everybody it concerns. */
export interface Telling {
  readonly type: string
  /** False: for channels only. */
  readonly inbox?: false | undefined
  /** The server it is about; its name is null if the event does not contain it. */
  readonly server?: { readonly id: string; readonly name: string | null } | undefined
  /** The notice in one person's language and format. */
  readonly noticeFor: (reader: Reader) => Notice
}

/** Notifies people in their inboxes and channels, in the caller's transaction. */
export async function tell(ctx: Ctx, audience: Audience, telling: Telling): Promise<void> {
  const { people, needs } = await reached(ctx, audience, telling.type)
  await tellEach(ctx, people, telling, needs)
}

interface Reached {
  readonly people: readonly store.Addressee[]
  /** The permission that made them recipients, if there was one. */
  readonly needs: AdminPermission | null
}

async function reached(ctx: Ctx, audience: Audience, type: string): Promise<Reached> {
  const { db, catalogue } = ctx
  if ('staff' in audience)
    return { people: await store.holdersOf(db, audience.staff), needs: audience.staff }
  if ('subscribers' in audience)
    return { people: await store.subscribersTo(db, type, audience.subscribers), needs: null }
  const ids = [...new Set(audience.users.filter((id) => id !== null))]
  const staff = catalogue.noticeTypes.get(type)?.staff
  // The owner may have been removed since.
  if (staff === undefined) return { people: await store.presentUsers(db, ids), needs: null }
  // An agent may have lost the permission since the ticket became theirs.
  const people = await store.holdersOf(db, staff, ids)
  if (people.length > 0 || audience.orStaff === undefined) return { people, needs: staff }
  return reached(ctx, { staff: audience.orStaff }, type)
}

async function tellEach(
  ctx: Ctx,
  people: readonly store.Addressee[],
  { type, inbox, server, noticeFor }: Telling,
  needs: AdminPermission | null,
): Promise<void> {
  const declared = ctx.catalogue.noticeTypes.get(type)
  if (!declared) throw new Error(`no domain declares notifications of the type ${type}`)
  const { severity } = declared
  const messages = new Map<string, Message>()
  const rows = people.map((person) => {
    const {
      link = null,
      title,
      body,
      groupKey,
    } = noticeFor(readerOf(person, isOf(person, ctx) ? ctx.language : undefined))
    const at = ctx.now.toISOString()
    const named = server?.name == null ? null : { id: server.id, name: server.name }
    messages.set(person.id, { type, severity, title, body, link, server: named, at })
    const key = groupKey ?? (server === undefined ? type : `${type}:${server.id}`)
    const id = randomUUIDv7()
    return { id, userId: person.id, type, severity, title, body, link, groupKey: key }
  })
  if (inbox !== false) {
    await store.insertNotifications(ctx.db, rows)
    for (const { id } of rows) await ctx.live.announce(ctx.db, { kind: 'notification', id })
  }
  await queueForChannels(ctx, messages, { type, serverId: server?.id ?? null, needs })
}

/** Whether this person did what the notification is about. */
const isOf = ({ id }: store.Addressee, { actor }: Ctx): boolean =>
  actor.kind === 'user' && actor.id === id

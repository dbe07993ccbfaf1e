import { wallOf } from '@lodge/shared/cron/wall-clock.ts'
import { dateOf } from '@lodge/shared/cron/zone-days.ts'
import type { Actor } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { notFound } from '../../../problem.ts'
import { readSettings } from '../../settings/index.ts'
import { listArticles, textFor } from '../articles/articles.ts'
import { readerOf } from '../articles/reader.ts'
import { hoursSettings } from '../hours/settings.ts'
import { plainWords } from './plain-words.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000

/** Staff are not counted: what they read says nothing about what customers need. */
const isCounted = (actor: Actor): boolean => actor.kind !== 'user' || actor.role !== 'admin'

async function today({ db, now }: Ctx): Promise<string> {
  const { timeZone } = await readSettings(db, hoursSettings)
  return dateOf(Math.floor(wallOf(timeZone, now.getTime()) / DAY_MS))
}

/**
 * Counts a read of an article in a language.
 * @throws {Problem} not_found if the caller may not read it
 */
export async function noteRead(ctx: Ctx, slug: string, locale?: string): Promise<void> {
  const text = await textFor(ctx, readerOf(ctx.actor), slug, locale)
  if (text.status !== 'published') throw notFound('article')
  if (isCounted(ctx.actor)) await store.countRead(ctx.db, await today(ctx), text.id)
}

/** Counts a search, if it finds nothing. */
export async function noteMissed(ctx: Ctx, q: string, locale?: string): Promise<void> {
  const words = plainWords(q)
  if (words === '' || !isCounted(ctx.actor)) return
  const { items } = await listArticles(ctx, readerOf(ctx.actor), { q, locale, limit: 1 })
  if (items.length === 0) await store.countMissed(ctx.db, await today(ctx), words)
}

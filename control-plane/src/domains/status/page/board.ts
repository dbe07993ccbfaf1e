import {
  type PublicComponent,
  type PublicIncident,
  type PublicStatus,
  type ShownState,
  UPTIME_DAYS,
} from '@lodge/shared/status.ts'
import { ENGLISH, inLanguage } from '@lodge/shared/words/bind.ts'
import type { Db } from '../../../db/database.ts'
import { currentLook } from '../../branding/index.ts'
import { listComponents } from '../components/store.ts'
import { describe } from '../incidents/incidents.ts'
import { listPublished } from '../incidents/store.ts'
import { statusSettings, takesSubscriptions } from '../settings.ts'
import { type Day, lastDays, percentOf, type Span, uptimeOf } from '../uptime/days.ts'
import { healthNow } from '../uptime/now.ts'
import { listSpans } from '../uptime/store.ts'
import { t } from '../words.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** How many incidents the page and its feed show. */
const MOST_SHOWN = 200

/** From best to worst; the worst is the overall state. */
const WORSE: readonly ShownState[] = [
  'operational',
  'maintenance',
  'unknown',
  'degraded',
  'partial',
  'outage',
]
const worstOf = (states: readonly ShownState[]): ShownState =>
  states.reduce<ShownState>(
    (worst, state) => (WORSE.indexOf(state) > WORSE.indexOf(worst) ? state : worst),
    'operational',
  )

/**
 * What the public page shows. Its `title` is that of the API; pages create one if the host has not
 * set any.
 */
interface Loaded {
  readonly status: PublicStatus
  readonly ownTitle: string
}

/** Everything that the public page shows; undefined while it is off. */
export async function loadBoard(db: Db, now: Date): Promise<Loaded | undefined> {
  const settings = await statusSettings(db)
  if (!settings.enabled) return undefined
  const asOfMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
  const days = lastDays(settings.timeZone, asOfMs, UPTIME_DAYS)
  const since = new Date(days[0]?.fromMs ?? asOfMs)
  const rows = await listComponents(db)
  const health = await healthNow(db)
  const spans = Map.groupBy(await listSpans(db, since), ({ componentId }) => componentId)
  const components = rows
    .filter(({ shown }) => shown)
    .map(({ id, name, description }): PublicComponent => {
      const recorded = (spans.get(id) ?? []).map(spanOf)
      return {
        ...{ id, name, description },
        state: health.get(id)?.state ?? 'unknown',
        ...history(days, recorded),
      }
    })
  const names = new Map(components.map(({ id, name }) => [id, name]))
  const incidents = await publicIncidents(db, now, names)
  const state = worstOf(components.map((one) => one.state))
  const { name } = (await currentLook(db)).branding
  const status: PublicStatus = {
    title: settings.title || inLanguage(t, ENGLISH).title({ name }),
    intro: settings.intro,
    timeZone: settings.timeZone,
    asOf: new Date(asOfMs).toISOString(),
    state,
    components,
    ...incidents,
    subscriptions: await takesSubscriptions(db, settings),
  }
  return { status, ownTitle: settings.title }
}

const spanOf = ({ from, until, state }: { from: Date; until: Date; state: Span['state'] }) => ({
  fromMs: from.getTime(),
  untilMs: until.getTime(),
  state,
})

function history(days: readonly Day[], spans: readonly Span[]) {
  const counted = uptimeOf(days, spans)
  return { uptimePercent: percentOf(counted), days: counted }
}

async function publicIncidents(db: Db, now: Date, names: ReadonlyMap<string, string>) {
  const since = new Date(now.getTime() - UPTIME_DAYS * DAY_MS)
  const described = await describe({ db, now }, await listPublished(db, since, MOST_SHOWN))
  const shown = described.map(
    ({
      componentIds,
      announced: _announced,
      publishedAt: _publishedAt,
      ...rest
    }): PublicIncident => ({
      ...rest,
      components: componentIds.flatMap((id) => names.get(id) ?? []),
    }),
  )
  const isPlanned = ({ state }: PublicIncident) => state === 'scheduled'
  const isPast = ({ state }: PublicIncident) =>
    state === 'resolved' || state === 'completed' || state === 'cancelled'
  return {
    open: shown.filter((one) => !isPlanned(one) && !isPast(one)),
    planned: shown.filter(isPlanned).reverse(),
    past: shown.filter(isPast),
  }
}

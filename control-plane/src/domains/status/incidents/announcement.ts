import { createHash } from 'node:crypto'
import type { ShownAnnouncement } from '@lodge/shared/branding.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Db } from '../../../db/database.ts'
import { statusSettings } from '../settings.ts'
import { findAnnounced } from './store.ts'

const SEVERITIES = { degraded: 'warning', partial: 'warning', outage: 'critical' } as const

/**
 * The incident that the panel announces above every page; a dismissed one returns with each update.
 */
export async function announcedIncident(db: Db): Promise<ShownAnnouncement | null> {
  if (!(await statusSettings(db)).enabled) return null
  const found = await findAnnounced(db)
  if (!found) return null
  const { id, impact, title, updateId } = found
  return {
    id: createHash('sha256').update(`${id} ${updateId} ${title}`).digest('hex').slice(0, 16),
    severity: impact === null ? 'info' : SEVERITIES[impact],
    text: title,
    link: panelPath('statusEntry', { id }),
    dismissible: true,
  }
}

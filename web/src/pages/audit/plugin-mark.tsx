import { Pill } from '../../ui/data/status.tsx'
import type { AuditEntry } from './audit-entry.ts'
import { t } from './words.ts'

/** The plugin that acted in the name of the person named before it. */
export const pluginMark = ({ detail }: Pick<AuditEntry, 'detail'>) => (
  <Pill tone="info">{t.pluginOf({ name: String(detail.plugin ?? '') })}</Pill>
)

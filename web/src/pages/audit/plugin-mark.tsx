import { Pill } from '../../ui/data/status.tsx'
import type { AuditEntry } from './audit-entry.ts'
import { t } from './words.ts'

/** Which plugin did it, in the name of the person who is named before it. */
export const pluginMark = ({ detail }: Pick<AuditEntry, 'detail'>) => (
  <Pill tone="info">{t.pluginOf({ name: String(detail.plugin ?? '') })}</Pill>
)

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import type { AuditEntry } from '../audit/audit-entry.ts'
import { EntryDialog } from '../audit/entry-dialog.tsx'
import { Story } from '../audit/story.tsx'
import { useCustomer } from './use-customer.ts'
import { t } from './words.ts'

/** The actions of a customer, and those on their account. */
export default function ActivityTab() {
  const { id } = useCustomer()
  const [shown, setShown] = useState<AuditEntry>()
  const audit = useQuery(q('GET /api/audit', { query: { personId: id, limit: 50 } }))
  return (
    <Card
      title={t.activity}
      flush
      actions={
        <LinkButton size="small" kind="quiet" to={paths.audit} search={{ person: id, looks: true }}>
          {t.openInAudit}
        </LinkButton>
      }
    >
      <Loaded query={audit} lines={8}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t.noActivity} art="story" />
          ) : (
            <Story entries={items} onShow={setShown} />
          )
        }
      </Loaded>
      {shown ? <EntryDialog entry={shown} onClose={() => setShown(undefined)} /> : null}
    </Card>
  )
}

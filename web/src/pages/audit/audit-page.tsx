import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { urlOf } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Button, buttonClass } from '../../ui/buttons/button.tsx'
import { Pager } from '../../ui/data/pager.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import type { AuditEntry } from './audit-entry.ts'
import { AuditFilters } from './audit-filters.tsx'
import { type AuditSearch, queryOf } from './audit-search.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { Story } from './story.tsx'
import { VerifyStrip } from './verify-strip.tsx'
import { t } from './words.ts'

/** The audit record, which reveals tampering. */
export default function AuditPage() {
  const { after, ...search } = useSearch({ from: '/in/admin/audit' })
  const navigate = useNavigate({ from: paths.audit })
  const [shown, setShown] = useState<AuditEntry>()
  const query = queryOf(search)
  const audit = useQuery({
    ...q('GET /api/audit', { query: { limit: 50, ...query, ...(after ? { after } : {}) } }),
    placeholderData: keepPreviousData,
  })
  const items = audit.data?.items ?? []
  const filter = (next: AuditSearch): void => void navigate({ search: next, replace: true })
  return (
    <Page
      title={t.audit}
      lead={t.lead}
      actions={
        <a
          className={buttonClass()}
          href={urlOf('/api/audit/export', { query })}
          download="audit.ndjson"
        >
          <Download aria-hidden />
          {t.export}
        </a>
      }
    >
      <VerifyStrip />
      <AuditFilters search={search} onChange={filter} />
      <Card flush>
        <Loaded query={audit} lines={10}>
          {() =>
            items.length > 0 ? (
              <Story entries={items} onShow={setShown} />
            ) : Object.keys(search).length > 0 ? (
              <Empty
                title={t.noMatch}
                art="search"
                action={<Button onClick={() => filter({})}>{t.clearFilters}</Button>}
              />
            ) : (
              <Empty title={t.none} art="story">
                {t.noneText}
              </Empty>
            )
          }
        </Loaded>
      </Card>
      <Pager
        shown={items.length}
        after={after}
        next={audit.data?.nextCursor ?? null}
        onGo={(cursor) =>
          void navigate({ search: { ...search, ...(cursor ? { after: cursor } : {}) } })
        }
      />
      {shown ? (
        <EntryDialog
          entry={shown}
          onNarrow={(next) => {
            setShown(undefined)
            filter(next)
          }}
          onClose={() => setShown(undefined)}
        />
      ) : null}
    </Page>
  )
}

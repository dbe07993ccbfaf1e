import type { ApiToken } from '@lodge/shared/accounts.ts'
import { useQuery } from '@tanstack/react-query'
import BookOpen from 'lucide-react/icons/book-open'
import { useState } from 'react'
import { q, useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { NewWindowLink } from '../../ui/buttons/link.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { type SortKeys, sortRows } from '../../ui/data/sort-rows.ts'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { NewToken } from './new-token.tsx'
import { t } from './words.ts'

const KEYS: SortKeys<ApiToken> = {
  name: ({ name }) => name,
  creator: ({ createdBy }) => createdBy,
  used: ({ lastUsedAt }) => lastUsedAt,
  expires: ({ expiresAt }) => expiresAt,
}

/** API tokens: their scopes, last use and expiry. */
export default function TokensPage() {
  const tokens = useQuery(q('GET /api/tokens'))
  const [sort, setSort] = useState<string>()
  const [secret, setSecret] = useState<string>()
  const revoke = useAct('DELETE /api/tokens/{id}', ['GET /api/tokens'])
  const columns: readonly Column<ApiToken>[] = [
    {
      header: t.name,
      role: 'title',
      sort: 'name',
      cell: (token) => <Text strong>{token.name}</Text>,
    },
    { header: t.prefix, cell: (token) => <Text mono>{token.prefix}</Text> },
    { header: t.scopes, cell: (token) => token.scopes.join(', ') },
    { header: t.createdBy, sort: 'creator', cell: (token) => token.createdBy },
    {
      header: t.lastUsed,
      sort: 'used',
      highestFirst: true,
      cell: (token) => (token.lastUsedAt ? <Ago at={token.lastUsedAt} /> : t.never),
    },
    {
      header: t.expires,
      sort: 'expires',
      cell: (token) => (token.expiresAt ? <Ago at={token.expiresAt} /> : t.never),
    },
    {
      header: t.actions,
      role: 'acts',
      cell: (token) => (
        <QuickConfirm
          question={t.revokeQuestion({ name: token.name })}
          verb={t.revokeToken}
          onConfirm={() =>
            revoke.mutate(
              { params: { id: token.id } },
              { onError: (error) => toastRefused(t.notRevoked, error) },
            )
          }
        >
          <Button size="small">{t.revoke}</Button>
        </QuickConfirm>
      ),
    },
  ]
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <NewWindowLink href="/docs/api" icon={<BookOpen />}>
          {t.reference}
        </NewWindowLink>
      }
    >
      {secret === undefined ? null : (
        <Note tone="ok" title={t.copyNow}>
          <Stack gap={10}>
            <CommandBox command={secret} label={t.copyToken} />
            <CommandBox
              command={`curl -H 'Authorization: Bearer ${secret}' ${location.origin}/api/auth/me`}
              label={t.copyRequest}
            />
          </Stack>
        </Note>
      )}
      <Card title={t.newToken}>
        <NewToken onMade={setSecret} />
      </Card>
      <Card title={t.tokens} flush>
        <Loaded query={tokens} lines={3}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t.none} art="key">
                {t.noneText}
              </Empty>
            ) : (
              <Table
                label={t.title}
                rows={sortRows(items, sort, KEYS)}
                sorting={{ by: sort, onChange: setSort }}
                columns={columns}
                keyOf={(token) => token.id}
                empty={null}
              />
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}

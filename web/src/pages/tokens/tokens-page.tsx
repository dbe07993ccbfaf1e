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
      header: 'Name',
      role: 'title',
      sort: 'name',
      cell: (token) => <Text strong>{token.name}</Text>,
    },
    { header: 'Begins with', cell: (token) => <Text mono>{token.prefix}</Text> },
    { header: 'May', cell: (token) => token.scopes.join(', ') },
    { header: 'Made by', sort: 'creator', cell: (token) => token.createdBy },
    {
      header: 'Last used',
      sort: 'used',
      highestFirst: true,
      cell: (token) => (token.lastUsedAt ? <Ago at={token.lastUsedAt} /> : 'never'),
    },
    {
      header: 'Expires',
      sort: 'expires',
      cell: (token) => (token.expiresAt ? <Ago at={token.expiresAt} /> : 'never'),
    },
    {
      header: 'Actions',
      role: 'acts',
      cell: (token) => (
        <QuickConfirm
          question={`Revoke ${token.name}? What uses it stops working.`}
          verb="Revoke token"
          onConfirm={() =>
            revoke.mutate(
              { params: { id: token.id } },
              { onError: (error) => toastRefused('The token was not revoked', error) },
            )
          }
        >
          <Button size="small">Revoke</Button>
        </QuickConfirm>
      ),
    },
  ]
  return (
    <Page
      title="API tokens"
      lead="For programs that read, provision or suspend. A token acts for whoever made it."
      actions={
        <NewWindowLink href="/docs/api" icon={<BookOpen />}>
          API reference
        </NewWindowLink>
      }
    >
      {secret === undefined ? null : (
        <Note tone="ok" title="Copy the token now: it is not shown again">
          <Stack gap={10}>
            <CommandBox command={secret} label="Copy the token" />
            <CommandBox
              command={`curl -H 'Authorization: Bearer ${secret}' ${location.origin}/api/auth/me`}
              label="Copy a first request"
            />
          </Stack>
        </Note>
      )}
      <Card title="New token">
        <NewToken onMade={setSecret} />
      </Card>
      <Card title="Tokens" flush>
        <Loaded query={tokens} lines={3}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No tokens yet" art="key">
                Create one above for your first integration.
              </Empty>
            ) : (
              <Table
                label="API tokens"
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

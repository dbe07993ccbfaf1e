import type { ApiToken } from '@lodge/shared/accounts.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Column } from '../../ui/data/column.ts'
import { Ago } from '../../ui/data/time.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import type { RowTools } from '../../ui/lists/short-list.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** Every column that the list of tokens offers. */
export const tokenColumns = (revoke: (token: ApiToken) => void): readonly Column<ApiToken>[] => [
  {
    id: 'name',
    header: t.name,
    role: 'title',
    sort: 'name',
    cell: (token) => <Text strong>{token.name}</Text>,
  },
  { id: 'starts-with', header: t.prefix, cell: (token) => <Text mono>{token.prefix}</Text> },
  { id: 'scopes', header: t.scopes, cell: (token) => token.scopes.join(', ') },
  {
    id: 'creator',
    header: t.createdBy,
    sort: 'creator',
    cell: (token) => <Text clip>{token.createdBy}</Text>,
  },
  {
    id: 'created',
    header: t.created,
    sort: 'created',
    highestFirst: true,
    optional: true,
    cell: (token) => <Ago at={token.createdAt} />,
  },
  {
    id: 'last-used',
    header: t.lastUsed,
    sort: 'used',
    highestFirst: true,
    cell: (token) => (token.lastUsedAt ? <Ago at={token.lastUsedAt} /> : t.never),
  },
  {
    id: 'expires',
    header: t.expires,
    sort: 'expires',
    cell: (token) => (token.expiresAt ? <Ago at={token.expiresAt} /> : t.never),
  },
  {
    id: 'actions',
    header: t.actions,
    role: 'acts',
    cell: (token) => (
      <QuickConfirm
        question={t.revokeQuestion({ name: token.name })}
        verb={t.revokeToken}
        onConfirm={() => revoke(token)}
      >
        <Button size="small">{t.revoke}</Button>
      </QuickConfirm>
    ),
  },
]

/** How tokens are filtered, sorted and exported. */
export const tokenTools = (): RowTools<ApiToken> => ({
  fields: [
    {
      name: 'scope',
      label: t.scope,
      chips: true,
      values: [
        { value: 'read', label: t.scopeRead },
        { value: 'provision', label: t.scopeProvision },
        { value: 'suspend', label: t.scopeSuspend },
      ],
      of: ({ scopes }) => scopes,
    },
    {
      name: 'creator',
      label: t.createdBy,
      example: 'creator:*@example.com',
      of: ({ createdBy }) => createdBy,
    },
    { name: 'name', label: t.name, example: 'name:billing*', of: ({ name }) => name },
  ],
  textOf: ({ name, prefix, createdBy }) => `${name}\n${prefix}\n${createdBy}`,
  sortKeys: {
    name: ({ name }) => name,
    creator: ({ createdBy }) => createdBy,
    created: ({ createdAt }) => createdAt,
    used: ({ lastUsedAt }) => lastUsedAt,
    expires: ({ expiresAt }) => expiresAt,
  },
  csv: [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['starts_with', ({ prefix }) => prefix],
    ['scopes', ({ scopes }) => scopes.join(' ')],
    ['created_by', ({ createdBy }) => createdBy],
    ['created_at', ({ createdAt }) => createdAt],
    ['last_used_at', ({ lastUsedAt }) => lastUsedAt],
    ['expires_at', ({ expiresAt }) => expiresAt],
  ],
})

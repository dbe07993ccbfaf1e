import { useQuery } from '@tanstack/react-query'
import BookOpen from 'lucide-react/icons/book-open'
import { useMemo, useState } from 'react'
import { q, useAct } from '../../query.ts'
import { useList } from '../../session/use-list.ts'
import { NewWindowLink } from '../../ui/buttons/link.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { ShortList } from '../../ui/lists/short-list.tsx'
import { useViewAddress } from '../../ui/lists/use-view-address.ts'
import { Note } from '../../ui/notices/note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { NewToken } from './new-token.tsx'
import { tokenColumns, tokenTools } from './token-list.tsx'
import { t } from './words.ts'

/** API tokens: their scopes, last use and expiry. */
export default function TokensPage() {
  const tokens = useQuery(q('GET /api/tokens'))
  const [secret, setSecret] = useState<string>()
  const view = useViewAddress()
  const { mutate } = useAct('DELETE /api/tokens/{id}', ['GET /api/tokens'])
  const columns = useMemo(
    () =>
      tokenColumns(({ id }) =>
        mutate({ params: { id } }, { onError: (error) => toastRefused(t.notRevoked, error) }),
      ),
    [mutate],
  )
  const list = useList('tokens', columns)
  const tools = useMemo(tokenTools, [])
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
      <h2>{t.tokens}</h2>
      <ShortList
        label={t.title}
        searchLabel={t.search}
        file="tokens.csv"
        query={tokens}
        keyOf={({ id }) => id}
        list={list}
        tools={tools}
        {...view}
        noMatch={t.noMatch}
        empty={
          <Empty title={t.none} art="key">
            {t.noneText}
          </Empty>
        }
      />
    </Page>
  )
}

import type { Article } from '@lodge/shared/support/articles.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q, useAct } from '../../../query.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Column, Row, Text } from '../../../ui/page/layout.tsx'
import { t } from '../words.ts'

interface ActionsProps {
  article: Article
  /** Receives an earlier text that was chosen. */
  onUse: (text: string) => void
  onGone: () => void
}

/** Shows the history of an article, or deletes it. */
export function ArticleActions({ article, onUse, onGone }: ActionsProps) {
  const { slug, locale, title } = article
  const [open, setOpen] = useState<'history' | 'delete'>()
  const remove = useAct('DELETE /api/support/articles/{slug}', ['GET /api/support/articles'])
  const close = () => setOpen(undefined)
  return (
    <>
      <Button onClick={() => setOpen('history')}>{t.history}</Button>
      <Button kind="warning" onClick={() => setOpen('delete')}>
        {t.delete}
      </Button>
      <Dialog title={t.historyOf({ title })} opened={open === 'history'} onClose={close}>
        <History
          article={article}
          onUse={(text) => {
            onUse(text)
            close()
            toastDone(t.used)
          }}
        />
      </Dialog>
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={close}
        title={t.deleteTitle({ title })}
        verb={t.delete}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { slug }, query: { locale } })
          toastDone(t.deleted, title)
          onGone()
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </>
  )
}

function History({ article, onUse }: Pick<ActionsProps, 'article' | 'onUse'>) {
  const { slug, locale, source } = article
  const revisions = useQuery(
    q('GET /api/support/articles/{slug}/revisions', { params: { slug }, query: { locale } }),
  )
  return (
    <Loaded query={revisions} lines={4}>
      {({ items }) => (
        <Column gap={12}>
          {items.map(({ revision, author, createdAt, bodyMarkdown }) => (
            <Row key={revision} gap={12} between>
              <div>
                <Text>{t.revision({ revision })}</Text>
                <Text small muted>
                  <Ago at={createdAt} /> {author === null ? null : t.by({ author })}
                </Text>
              </div>
              {revision === source?.revision ? null : (
                <Button size="small" onClick={() => onUse(bodyMarkdown)}>
                  {t.useThis}
                </Button>
              )}
            </Row>
          ))}
        </Column>
      )}
    </Loaded>
  )
}

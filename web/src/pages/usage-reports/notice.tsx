import type { UsageStanding } from '@lodge/shared/usage-reports.ts'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useAct, useRefresh } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** The notice, who agreed to it, and a button to withdraw. */
export function Notice({ standing }: { standing: UsageStanding }) {
  const { consent, noticeVersion } = standing
  const [asks, setAsks] = useState(false)
  const refresh = useRefresh()
  const agree = useAct('POST /api/usage/consent', ['GET /api/usage'])
  const isCurrent = consent?.noticeVersion === noticeVersion
  const withdraw = async () => {
    await api('POST /api/usage/consent', { body: { consent: false, noticeVersion } })
    await refresh(['GET /api/usage'])
    toastDone(t.withdrawn)
  }
  return (
    <Column gap={14}>
      <Text>{t.noticeContents}</Text>
      <Text>{t.noticeNever}</Text>
      <Text>{t.noticeSealed}</Text>
      <Text>{t.noticeWithdraw}</Text>
      {consent && !isCurrent ? (
        <Note tone="warn" role="status">
          {t.noticeChanged}
        </Note>
      ) : null}
      {agree.error ? <ProblemNote error={agree.error} /> : null}
      <Row>
        {isCurrent ? (
          <Text small muted>
            {t.agreedBy({ by: consent.by, when: () => <Ago at={consent.at} /> })}
          </Text>
        ) : (
          <Button
            kind="primary"
            busy={agree.isPending}
            onClick={() =>
              agree.mutate(
                { body: { consent: true, noticeVersion } },
                { onSuccess: () => toastDone(t.agreed) },
              )
            }
          >
            {t.agree}
          </Button>
        )}
        {consent ? <Button onClick={() => setAsks(true)}>{t.withdraw}</Button> : null}
      </Row>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={t.withdrawTitle}
        verb={t.withdraw}
        onConfirm={withdraw}
      >
        {t.withdrawText}
      </ConfirmDialog>
    </Column>
  )
}

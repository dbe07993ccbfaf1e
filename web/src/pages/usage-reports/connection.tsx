import type { UsagePoll, UsageStanding } from '@lodge/shared/usage-reports.ts'
import { useState } from 'react'
import { saidReason } from '../../panel/said.ts'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { Challenge } from './challenge.tsx'
import { t } from './words.ts'

/** The account that posts the reports, or how to connect one. */
export function Connection({ standing }: { standing: UsageStanding }) {
  const { state, config, account, challenge, failure, nextReportAt } = standing
  const [ended, setEnded] = useState<UsagePoll['outcome']>()
  const begin = useAct('POST /api/usage/connect', ['GET /api/usage'])
  const missing = config === null ? t.firstPlace : state === 'off' ? t.firstAgree : undefined
  if (challenge) return <Challenge challenge={challenge} onEnd={setEnded} />
  return (
    <Column gap={14}>
      {state === 'revoked' ? (
        <Note tone="err" title={t.revoked} role="status">
          {t.revokedText}
        </Note>
      ) : failure !== null && account !== null ? (
        <Note tone="warn" title={t.failed} role="status">
          {saidReason(failure)}
        </Note>
      ) : null}
      {ended === 'denied' || ended === 'expired' ? (
        <Note tone="warn" role="status">
          {ended === 'denied' ? t.denied : t.expired}
        </Note>
      ) : null}
      <Text>{account === null ? t.notConnected : t.connectedAs({ account })}</Text>
      {account !== null && nextReportAt !== null ? (
        <Text small muted>
          {Date.parse(nextReportAt) > Date.now()
            ? t.nextReport({ when: () => <Ago at={nextReportAt} /> })
            : t.nextReportSoon}
        </Text>
      ) : null}
      {begin.error ? <ProblemNote error={begin.error} /> : null}
      <Row>
        <Button
          kind={account === null ? 'primary' : 'default'}
          busy={begin.isPending}
          disabledBecause={missing}
          onClick={() => {
            setEnded(undefined)
            begin.mutate({})
          }}
        >
          {account === null ? t.connect : t.connectAgain}
        </Button>
      </Row>
    </Column>
  )
}

import { useState } from 'react'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { groupsOf } from './check-groups.ts'
import { CheckList } from './checks.tsx'
import styles from './nodes.module.css'
import { useNode } from './use-node.ts'
import { t } from './words.ts'

/** A node's checks: broken ones first, then advice, then passed ones. */
export default function ChecksTab() {
  const node = useNode()
  const { broken, advice, fine } = groupsOf(node)
  return (
    <Column gap={24}>
      <Row between>
        <Row>
          {broken.length === 0 ? (
            <Pill tone="ok">{t.allChecksPass}</Pill>
          ) : (
            <Pill tone="err">{t.countFailed({ count: broken.length })}</Pill>
          )}
          <Text small muted>
            {t.checksRepeat}
          </Text>
        </Row>
        <CheckAgain />
      </Row>
      {broken.length === 0 ? null : (
        <Card title={t.failed}>
          <CheckList checks={broken} label={t.failedChecks} />
        </Card>
      )}
      {advice.length === 0 ? null : (
        <Card title={t.advice}>
          <CheckList checks={advice} label={t.adviceChecks} />
        </Card>
      )}
      {fine.length === 0 ? null : (
        <Card title={t.passed({ count: fine.length })}>
          <CheckList checks={fine} label={t.passedChecks} />
        </Card>
      )}
      {node.preflight.length === 0 ? <Text muted>{t.noReport}</Text> : null}
    </Column>
  )
}

function CheckAgain() {
  const node = useNode()
  const missing = useMissing()('nodes.manage')
  const repeat = useAct('POST /api/nodes/{id}/checks', ['GET /api/nodes/{id}'])
  const [done, setDone] = useState(false)
  const offline = node.connectedSince === null ? t.notConnected({ node: node.name }) : undefined
  return (
    <Row>
      <span role="status" className={styles.quiet}>
        {done && !repeat.isPending ? (
          <Text small muted>
            {t.checkedNow}
          </Text>
        ) : null}
      </span>
      <Button
        busy={repeat.isPending}
        disabledBecause={missing ?? offline}
        onClick={() =>
          repeat.mutate(
            { params: { id: node.id } },
            {
              onSuccess: () => setDone(true),
              onError: (error) => toastRefused(t.notRepeated, error),
            },
          )
        }
      >
        {t.checkAgain}
      </Button>
    </Row>
  )
}

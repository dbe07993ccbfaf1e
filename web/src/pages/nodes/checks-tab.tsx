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

/** A node's checks: what is broken first, then advice, then what is fine. */
export default function ChecksTab() {
  const node = useNode()
  const { broken, advice, fine } = groupsOf(node)
  return (
    <Column gap={24}>
      <Row between>
        <Row>
          {broken.length === 0 ? (
            <Pill tone="ok">All required checks pass</Pill>
          ) : (
            <Pill tone="err">{broken.length} failed</Pill>
          )}
          <Text small muted>
            The agent repeats them every ten minutes, and every minute while one fails.
          </Text>
        </Row>
        <CheckAgain />
      </Row>
      {broken.length === 0 ? null : (
        <Card title="Failed">
          <CheckList checks={broken} label="Failed checks" />
        </Card>
      )}
      {advice.length === 0 ? null : (
        <Card title="Worth a look">
          <CheckList checks={advice} label="Checks worth a look" />
        </Card>
      )}
      {fine.length === 0 ? null : (
        <Card title={`Passed (${fine.length})`}>
          <CheckList checks={fine} label="Passed checks" />
        </Card>
      )}
      {node.preflight.length === 0 ? <Text muted>The agent has not reported yet.</Text> : null}
    </Column>
  )
}

function CheckAgain() {
  const node = useNode()
  const missing = useMissing()('nodes.manage')
  const repeat = useAct('POST /api/nodes/{id}/checks', ['GET /api/nodes/{id}'])
  const [done, setDone] = useState(false)
  const offline = node.connectedSince === null ? `${node.name} is not connected` : undefined
  return (
    <Row>
      <span role="status" className={styles.quiet}>
        {done && !repeat.isPending ? (
          <Text small muted>
            Checked just now
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
              onError: (error) => toastRefused('The checks were not repeated', error),
            },
          )
        }
      >
        Check again
      </Button>
    </Row>
  )
}

import type { Enrollment, Node } from '@lodge/shared/nodes.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segments } from '../../ui/choices/segments.tsx'
import { CommandBox } from '../../ui/data/copy.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row, Split, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { JoinChecks } from './checks.tsx'
import { t } from './words.ts'

const WAYS = {
  curl: {
    label: () => t.oneCommand,
    text: () => t.oneCommandText,
    command: ({ command }: Enrollment) => command,
  },
  checkout: {
    label: () => t.checkout,
    text: () => t.checkoutText,
    command: ({ token }: Enrollment) => `npm run build && deploy/install-agent.sh ${token}`,
  },
} as const
type Way = keyof typeof WAYS

/** The command that joins a new machine, and its progress. */
export function JoinCard({ node }: { node: Node }) {
  const token = useMutation({
    mutationFn: () => api('POST /api/nodes/{id}/enrollment', { params: { id: node.id } }),
  })
  const [way, setWay] = useState<Way>('curl')
  const waiting = node.state === 'enrolling'
  const expiresAt = token.data?.expiresAt
  // A new token each time this is shown
  useEffect(() => {
    if (waiting) token.mutate()
  }, [node.id])
  return (
    <Card title={t.join({ node: node.name })}>
      <Split side={380}>
        <Column gap={12}>
          <Segments
            label={t.howToJoin}
            value={way}
            choices={[
              { value: 'curl', label: WAYS.curl.label() },
              { value: 'checkout', label: WAYS.checkout.label() },
            ]}
            onChange={setWay}
          />
          <Text muted>{WAYS[way].text()}</Text>
          {token.data ? (
            <CommandBox command={WAYS[way].command(token.data)} label={t.joinCommand} />
          ) : null}
          {token.isPending ? <Skeletons lines={3} /> : null}
          {token.error ? <ProblemNote error={token.error} onRetry={() => token.mutate()} /> : null}
          {expiresAt === undefined ? null : (
            <Row between>
              <Text small muted>
                {rich(t.tokenExpires({ when: () => <Ago at={expiresAt} /> }))}
              </Text>
              <Button size="small" kind="quiet" onClick={() => token.mutate()}>
                {t.newToken}
              </Button>
            </Row>
          )}
        </Column>
        <JoinChecks node={node} />
      </Split>
    </Card>
  )
}
